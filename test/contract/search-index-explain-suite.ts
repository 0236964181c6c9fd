import { describe, expect, test } from 'vitest';
import type { QueryPlan } from '../../src/search-index/query-plan.ts';
import { phrase, planOf, word } from '../helpers/query-plans.ts';
import { FIXTURE, never, type OpenIndex, start } from '../helpers/search-index-harness.ts';
import { deletedDocument } from '../helpers/stored-documents.ts';

/** Sentences of the port about `explain`; called by `describeSearchIndex`. */
export function describeExplain(open: OpenIndex): void {
  const solar = word('solar');
  /** The word, also with the compounds that it may be part of. */
  const sought = (text: string) => ({ kind: 'word', text });
  const guides = { kind: 'value', field: 'Category', values: ['Guides'] } as const;
  const dear = { kind: 'number', field: 'Price_number', min: 20, max: Number.POSITIVE_INFINITY } as const;

  test.each<{ name: string; plan: Partial<QueryPlan>; id?: string; crawlerId?: number; mismatch: object }>([
    { name: 'an id that nobody has', plan: {}, id: 'nope', mismatch: { cause: 'absent', dead: false } },
    { name: 'the id under another crawler', plan: {}, crawlerId: 3, mismatch: { cause: 'absent', dead: false } },
    { name: 'a document that was deleted', plan: {}, id: 'doc-2', mismatch: { cause: 'absent', dead: true } },
    { name: 'one that is taken out', plan: { removed: ['doc-3'] }, mismatch: { cause: 'removed' } },
    {
      name: 'the first condition that fails',
      plan: { filter: { kind: 'and', of: [dear, guides, { kind: 'none' }] } },
      mismatch: { cause: 'filter', filter: guides, isExcluded: false },
    },
    {
      name: 'a condition that excludes',
      plan: { filter: { kind: 'not', of: { kind: 'or', of: [guides, dear] } } },
      mismatch: { cause: 'filter', filter: dear, isExcluded: true },
    },
    {
      name: 'a condition on results only',
      plan: { match: solar, postFilter: guides },
      mismatch: { cause: 'post-filter', filter: guides, isExcluded: false },
    },
    {
      name: 'the first word that is missing',
      plan: { match: { kind: 'and', of: [solar, word('wind'), word('grid')] } },
      mismatch: { cause: 'words', node: sought('wind'), isExcluded: false },
    },
    {
      name: 'words that do not stand together',
      plan: { match: { kind: 'and', of: [solar, phrase(['park', 'solar'])] } },
      mismatch: { cause: 'words', node: phrase(['park', 'solar']), isExcluded: false },
    },
    {
      name: 'alternatives of which none is there',
      plan: { match: { kind: 'or', of: [word('wind'), word('grid')] } },
      mismatch: { cause: 'words', node: { kind: 'or', of: [sought('wind'), sought('grid')] }, isExcluded: false },
    },
    {
      name: 'a word that is excluded',
      plan: { match: { kind: 'and', of: [solar, { kind: 'not', of: [word('wind'), word('park')] }] } },
      mismatch: { cause: 'words', node: sought('park'), isExcluded: true },
    },
  ])('tells what keeps a document out: $name', async ({ plan, id = 'doc-3', crawlerId = 17, mismatch }) => {
    await using engine = await start(open);
    await engine.publish(FIXTURE);
    await engine.publish([{ ...deletedDocument(2, 20), id: 'doc-2' }]);

    const [explanation] = await engine.index.explain(engine.engineId, planOf(plan), [{ crawlerId, id }], never());

    expect(explanation).toMatchObject({ seq: 20, mismatch, rank: undefined, score: undefined });
  });

  test('documents are explained in their order, together as each alone', async () => {
    await using engine = await start(open);
    await engine.publish(FIXTURE);
    await engine.publish([{ ...deletedDocument(2, 20), id: 'doc-2' }]);
    const documents = ['doc-4', 'doc-2', 'doc-1', 'nowhere', 'doc-1'].map((id) => ({ crawlerId: 17, id }));
    const plan = planOf({ match: { kind: 'or', of: [solar, word('panel')] } });

    const together = await engine.index.explain(engine.engineId, plan, documents, never());

    const alone: unknown[] = [];
    for (const document of documents)
      alone.push(...(await engine.index.explain(engine.engineId, plan, [document], never())));
    expect(together).toEqual(alone);
    expect(together.map(({ rank }) => rank !== undefined)).toEqual([false, false, true, false, true]);
    expect(await engine.index.explain(engine.engineId, plan, [], never())).toEqual([]);
  });

  describe('of a hit', () => {
    test('names the parts of the score, and the place whatever the page', async () => {
      await using engine = await start(open);
      await engine.publish(FIXTURE);
      const boosts = [{ field: 'Category', values: ['Guides'], factor: 2 }];
      const plan = planOf({ match: { kind: 'or', of: [solar, word('panel')] }, boosts, offset: 40, limit: 1 });

      const [explained] = await engine.index.explain(engine.engineId, plan, [{ crawlerId: 17, id: 'doc-1' }], never());

      expect(explained).toMatchObject({ mismatch: undefined, rank: 1, pin: undefined });
      expect(explained?.score).toMatchObject({
        name: 'score',
        parts: [
          {
            name: 'relevance',
            parts: [
              {
                name: 'words',
                parts: [
                  { name: 'word', inputs: { text: 'solar', titleCount: 1, textCount: 1 } },
                  { name: 'word', inputs: { text: 'panel', titleCount: 1, textCount: 2 } },
                ],
              },
              { name: 'bonuses', inputs: { titleLength: 3, titleCovered: 2 } },
            ],
          },
          { name: 'boost', value: 2, inputs: { field: 'Category' } },
        ],
      });
    });

    test('a pinned one that the words do not match scores nothing', async () => {
      await using engine = await start(open);
      await engine.publish(FIXTURE);
      const plan = planOf({ match: solar, pins: [{ id: 'doc-4', rank: 2 }] });

      const [explained] = await engine.index.explain(engine.engineId, plan, [{ crawlerId: 17, id: 'doc-4' }], never());

      expect(explained).toMatchObject({ mismatch: undefined, rank: 2, pin: 2, score: { value: 0 } });
    });
  });
}

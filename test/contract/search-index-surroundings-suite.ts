import { expect, test } from 'vitest';
import type { MatchNode } from '../../src/search-index/query-plan.ts';
import { phrase, word } from '../helpers/query-plans.ts';
import { never, type OpenIndex, start } from '../helpers/search-index-harness.ts';
import { deletedDocument, storedDocument } from '../helpers/stored-documents.ts';

/** `doc-1` has tariffs beside its main text, `doc-2` in it, `doc-3` nowhere. */
const DOCUMENTS = [
  storedDocument({
    rid: 1,
    fields: { Title: 'Opening hours', Content: 'We are open until noon.' },
    structure: { version: 1, sections: [], surroundings: 'Tariffs of parcels\nLost property' },
  }),
  storedDocument({
    rid: 2,
    fields: {
      Title: 'Prices',
      Content: `Every tariff at a glance, among many other things. ${'Something else. '.repeat(50)}`,
    },
  }),
  storedDocument({ rid: 3, fields: { Title: 'Jobs', Content: 'Work with us.' } }),
];

/** Sentences of `MatchNode` about words beside the main text; called by `describeSearchIndex`. */
export function describeSurroundings(open: OpenIndex): void {
  const table = test.each<{ name: string; match: MatchNode; ids: readonly string[] }>([
    { name: 'a word matches them in any form, behind every text', match: word('tariff'), ids: ['doc-2', 'doc-1'] },
    { name: 'they satisfy AND', match: { kind: 'and', of: [word('open'), word('parcel')] }, ids: ['doc-1'] },
    { name: 'they exclude nothing', match: { kind: 'not', of: [word('parcels')] }, ids: ['doc-1', 'doc-2', 'doc-3'] },
    { name: 'a field word does not meet them', match: word('parcels', { field: 'Content' }), ids: [] },
    { name: 'a phrase does not meet them', match: phrase(['lost', 'property']), ids: [] },
    {
      name: 'a pattern does not meet them',
      match: { kind: 'prefix', pattern: 'parc', boost: 1 },
      ids: [],
    },
    {
      name: 'a near word does not meet them',
      match: { kind: 'fuzzy', text: 'parcel', distance: 2, boost: 1 },
      ids: [],
    },
  ]);
  table('$name', async ({ match, ids }) => {
    await using engine = await start(open);
    await engine.publish(DOCUMENTS);

    expect(await engine.ids({ match })).toEqual(ids);
    expect(await engine.index.hasMatch(engine.engineId, match, never())).toBe(ids.length > 0);
  });

  test('they are worth a twentieth of a word of the text', async () => {
    await using engine = await start(open);
    const text = (rid: number, content: string, surroundings: string) =>
      storedDocument({ rid, fields: { Content: content }, structure: { version: 1, sections: [], surroundings } });
    await engine.publish([text(1, 'tariff', ''), text(2, 'parcel', 'tariff')]);

    const { hits } = await engine.search({ match: word('tariff') });

    expect(hits.map(({ id }) => id)).toEqual(['doc-1', 'doc-2']);
    expect((hits[0]?.score ?? 0) / (hits[1]?.score ?? 0)).toBeCloseTo(20, 3);
  });

  test('they are no reason of a hit that is shown, cover nothing of the query, and lead to no other word', async () => {
    await using engine = await start(open);
    const { engineId, index } = engine;
    await engine.publish(DOCUMENTS);

    const { matched, bestCoverage, total } = await engine.search({ match: word('parcels') });

    expect(total).toBe(1);
    expect(matched.flatMap(({ also }) => also ?? [])).toEqual([]);
    expect(bestCoverage).toBe(0);
    expect(await index.fuzzyTerms(engineId, 'parcelz', { maxDistance: 2, limit: 5 }, never())).toEqual([]);
    expect(await index.documentFrequencies(engineId, ['parcels', 'tariff'])).toEqual([0, 1]);
    expect((await index.completions(engineId, 'parc', { limit: 5, except: [] })).items).toEqual([]);
    expect((await index.fields(engineId)).map(({ name }) => name).toSorted()).toEqual(['Content', 'Title']);
  });

  test('they follow their document: replaced, deleted, merged and made anew', async () => {
    await using engine = await start(open);
    await engine.publish(DOCUMENTS);
    const match = word('parcels');

    await engine.publish([storedDocument({ rid: 1, seq: 11, fields: { Title: 'Opening hours' } })]);
    expect(await engine.ids({ match })).toEqual([]);

    const beside = { version: 1, sections: [], surroundings: 'Parcels, parcels, parcels' } as const;
    await engine.publish([storedDocument({ rid: 3, seq: 12, fields: { Title: 'Jobs' }, structure: beside })]);
    await engine.writer.rebuild('test');
    expect(await engine.ids({ match })).toEqual(['doc-3']);

    await engine.publish([deletedDocument(3, 13)]);
    expect(await engine.ids({ match })).toEqual([]);
  });
}

import { expect, test } from 'vitest';
import type { MatchNode, WordNode } from '../../src/search-index/query-plan.ts';
import { nameTerm } from '../../src/text/term-keys.ts';
import { phrase, word } from '../helpers/query-plans.ts';
import { never, type OpenIndex, start } from '../helpers/search-index-harness.ts';
import { deletedDocument, storedDocument } from '../helpers/stored-documents.ts';

const structure = (definitions: readonly { anchor: string; text: string }[]) =>
  ({ version: 1, sections: [], surroundings: '', definitions }) as const;

/** `doc-1` is what the others speak of: links lead to it by its name, which it has in no text that is searched. */
const DOCUMENTS = [
  storedDocument({
    rid: 1,
    fields: { Title: 'Opening and closing', Content: `Files are opened by this. ${'Something else. '.repeat(40)}` },
    linkTexts: [
      { text: 'lumo_open()', pages: 30 },
      { text: 'the gate of boats', pages: 1 },
    ],
  }),
  storedDocument({ rid: 2, fields: { Title: 'Notes', Content: 'A call of lumo_open is mended.' } }),
  storedDocument({
    rid: 3,
    fields: { Title: '4.2. Data Types — of all kinds', Headings: ['Whole numbers'], Content: 'Numbers and texts.' },
    structure: structure([{ anchor: 'lumo.Yard.moor', text: 'moor(boat, rope)' }]),
  }),
];

function named(text: string): WordNode {
  return word(nameTerm(text) ?? '', { role: 'name' });
}

/** Sentences of `MatchNode` about texts of links and names; called by `describeSearchIndex`. */
export function describeNames(open: OpenIndex): void {
  const table = test.each<{ name: string; match: MatchNode; ids: readonly string[] }>([
    { name: 'a word matches texts of links', match: word('gates'), ids: ['doc-1'] },
    { name: 'which is worth more than a mention', match: word('lumo'), ids: ['doc-1', 'doc-2'] },
    { name: 'they satisfy AND', match: { kind: 'and', of: [word('files'), word('gate')] }, ids: ['doc-1'] },
    { name: 'they exclude nothing', match: { kind: 'not', of: [word('gate')] }, ids: ['doc-1', 'doc-2', 'doc-3'] },
    { name: 'a field word does not meet them', match: word('gate', { field: 'Content' }), ids: [] },
    { name: 'a phrase does not meet them', match: phrase(['gate', 'of', 'boats']), ids: [] },
    { name: 'a pattern does not meet them', match: { kind: 'prefix', pattern: 'gat', boost: 1 }, ids: [] },
    { name: 'a text of a link is a name, before what it takes', match: named('Lumo-Open'), ids: ['doc-1'] },
    { name: 'a title is one', match: named('notes'), ids: ['doc-2'] },
    { name: 'the name in a title is one, however it is written', match: named('DataTypes'), ids: ['doc-3'] },
    { name: 'a heading is none', match: named('whole numbers'), ids: [] },
    { name: 'a definition is one', match: named('lumo.Yard.moor'), ids: ['doc-3'] },
    { name: 'and its last parts', match: named('Yard.moor'), ids: ['doc-3'] },
    { name: 'and what it shows, before what it takes', match: named('moor'), ids: ['doc-3'] },
    { name: 'a name is not found by a part of its words', match: named('numbers'), ids: [] },
    { name: 'a name has no stem', match: named('note'), ids: [] },
    {
      name: 'a name selects beside words',
      match: { kind: 'or', of: [word('mended'), named('Yard.moor')] },
      ids: ['doc-2', 'doc-3'],
    },
    {
      name: 'beside stop words these select as ever',
      match: { kind: 'or', of: [word('of', { role: 'stop' }), named('notes')] },
      ids: ['doc-2', 'doc-3'],
    },
  ]);
  table('$name', async ({ match, ids }) => {
    await using engine = await start(open);
    await engine.publish(DOCUMENTS);

    expect(await engine.ids({ match })).toEqual(ids);
    expect(await engine.index.hasMatch(engine.engineId, match, never())).toBe(ids.length > 0);
  });

  test('more pages with a link count more, and no length counts', async () => {
    await using engine = await start(open);
    const linked = (rid: number, pages: number, words: number) =>
      storedDocument({
        rid,
        fields: { Content: Array.from({ length: words }, (_, i) => `word${i}`).join(' ') },
        linkTexts: [{ text: 'harbour', pages }],
      });
    await engine.publish([linked(1, 1, 5), linked(2, 7, 500), linked(3, 8, 50), linked(4, 8, 5)]);

    const { hits } = await engine.search({ match: word('harbour') });

    expect(hits.map(({ id }) => id)).toEqual(['doc-3', 'doc-4', 'doc-2', 'doc-1']);
    expect(hits[0]?.score).toBe(hits[1]?.score);
  });

  test('they are no reason of a hit that is shown, and cover nothing of the query', async () => {
    await using engine = await start(open);
    await engine.publish(DOCUMENTS);

    const { matched, bestCoverage } = await engine.search({
      match: { kind: 'or', of: [word('gate'), named('notes')] },
    });

    expect(matched.map(({ text, also = [] }) => [text, also])).toEqual([['gate', []]]);
    expect(bestCoverage).toBe(0);
    expect(await engine.index.documentFrequencies(engine.engineId, ['gate'])).toEqual([0]);
  });

  test('they follow their document: replaced, deleted, merged and made anew', async () => {
    await using engine = await start(open);
    await engine.publish(DOCUMENTS);
    const match: MatchNode = { kind: 'or', of: [word('gate'), named('jetty')] };

    await engine.publish([storedDocument({ rid: 1, seq: 11, fields: { Title: 'Opening and closing' } })]);
    expect(await engine.ids({ match })).toEqual([]);

    const linkTexts = [{ text: 'Jetty', pages: 2 }];
    await engine.publish([storedDocument({ rid: 3, seq: 12, fields: { Title: 'Jobs' }, linkTexts })]);
    await engine.writer.rebuild('test');
    expect(await engine.ids({ match })).toEqual(['doc-3']);

    await engine.publish([deletedDocument(3, 13)]);
    expect(await engine.ids({ match })).toEqual([]);
  });
}

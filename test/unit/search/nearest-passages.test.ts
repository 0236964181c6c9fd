import { expect, test } from 'vitest';
import type { StoredDocument } from '../../../src/core/document.ts';
import { type DocumentVectors, packVector } from '../../../src/core/document-vectors.ts';
import { cutPassages, DEFAULT_SOURCE_FIELDS } from '../../../src/search/cut-passages.ts';
import type { VectorSearch } from '../../../src/search/nearest-passages.ts';
import type { RetrievedPassages } from '../../../src/search/passage.ts';
import { directionOf } from '../../helpers/document-vectors.ts';
import { createInMemoryVectors } from '../../helpers/in-memory-index/in-memory-vectors.ts';
import { openPassageEngine } from '../../helpers/passage-engine.ts';
import { silentLog } from '../../helpers/silent-log.ts';
import { storedDocument } from '../../helpers/stored-documents.ts';

const NEAR = directionOf(1, 0.1);
const FAR = directionOf(0.1, 1);
const CARD = storedDocument({ rid: 1, fields: { Title: 'Cards', Content: 'A library card is free.', Kind: 'help' } });
const PERMIT = storedDocument({
  rid: 2,
  fields: {
    Title: 'Permits',
    Content: 'The reading permit costs nothing.\nOpening\nThe hall opens at nine.',
    Kind: 'help',
  },
});
const SECRET = storedDocument({
  rid: 3,
  fields: { Title: 'Staff', Content: 'Permits of staff cost nothing.', Kind: 'staff' },
});

/** Vectors of all passages: near the question where the text has `nothing`. */
function vectorsOf(row: StoredDocument): DocumentVectors {
  const rules = { language: 'en', sourceFields: DEFAULT_SOURCE_FIELDS, isInjected: () => false };
  const passages = [...cutPassages(row, rules)];
  const packed = passages.map(({ text }) => packVector(/nothing|card/.test(text) ? NEAR : FAR));
  return {
    rid: row.rid,
    seq: row.seq,
    contextHash: '',
    dimensions: 2,
    hashes: passages.map(({ hash }) => hash),
    packed: Buffer.concat(packed),
  };
}

async function open(rows: readonly StoredDocument[], more: Partial<VectorSearch> = {}) {
  const vectors = new Map(rows.map((row) => [row.rid, vectorsOf(row)]));
  const index = createInMemoryVectors(async () => ({
    changeToken: () => 0,
    readVectors: async (_set, rids) => rids.flatMap((rid) => vectors.get(rid) ?? []),
    vectorsAfter: async () => [],
    vectorRids: async () => [...vectors.keys()],
  }));
  const questions = { of: async () => ({ set: '1 small', vector: directionOf(1, 0) }) };
  const nobody = { of: async () => undefined };
  const parts = { questions, texts: nobody, scales: nobody };
  return openPassageEngine(rows, { vectors: { ...parts, index, weight: 0.6, log: silentLog, ...more } });
}
const found = ({ candidates }: RetrievedPassages) =>
  candidates.map(({ passage, cosine = Number.NaN, isVectorCandidate }) => [
    passage.rid,
    passage.text,
    Number(cosine.toFixed(1)),
    isVectorCandidate === true,
  ]);

test('behind what words found comes what vectors add, all with their cosines', async () => {
  const engine = await open([CARD, PERMIT]);
  expect(found(await engine.retrieve('library card'))).toEqual([
    [1, 'A library card is free.', 1, false],
    [2, 'The reading permit costs nothing.', 1, true],
    [2, 'The hall opens at nine.', 0.1, true],
  ]);
});

test('filters act on vectors, also for a document that changed since it was indexed', async () => {
  const engine = await open([CARD, PERMIT, SECRET]);
  const filter = { kind: 'value', field: 'Kind', values: ['help'] } as const;
  const rids = async () => [...new Set(found(await engine.retrieve('library card', { filter })).map(([rid]) => rid))];
  expect(await rids()).toEqual([1, 2]);
  engine.rows.set(
    2,
    storedDocument({
      ...PERMIT,
      seq: 9,
      fields: { Title: 'Permits', Content: 'The reading permit costs nothing.', Kind: 'staff' },
    }),
  );
  expect(await rids()).toEqual([1]);
});

test('what a document says no more is not found by its vector', async () => {
  const engine = await open([CARD, PERMIT]);
  engine.rows.set(
    2,
    storedDocument({ rid: 2, seq: 9, fields: { Title: 'Permits', Content: 'Permits are sold out.' } }),
  );
  expect(found(await engine.retrieve('library card'))).toHaveLength(1);
  engine.rows.delete(2);
  expect(found(await engine.retrieve('library card'))).toHaveLength(1);
});

test('a document that is gone or deleted is left out, others are still found by their vectors', async () => {
  const engine = await open([CARD, PERMIT, SECRET]);
  const rids = async () => [...new Set(found(await engine.retrieve('library card')).map(([rid]) => rid))];
  expect(await rids()).toEqual([1, 2, 3]);
  engine.rows.set(2, { ...PERMIT, deleted: true });
  expect(await rids()).toEqual([1, 3]);
  engine.rows.delete(2);
  expect(await rids()).toEqual([1, 3]);
});

test('a passage of a template is not brought back by its vector', async () => {
  const pages = Array.from({ length: 7 }, (_, at) =>
    storedDocument({
      rid: at + 1,
      fields: { Title: `Card ${at}`, Content: `The card of page ${at}.\nHelp\nHelp costs nothing.` },
    }),
  );
  const engine = await open(pages);
  expect(found(await engine.retrieve('card')).filter(([, text]) => text === 'Help costs nothing.')).toEqual([]);
});

test('documents that are given are judged by words alone', async () => {
  const engine = await open([CARD, PERMIT]);
  const given = await engine.retrieve('library card', { restrictTo: [1] });
  expect(given.candidates.map(({ passage, cosine }) => [passage.rid, cosine])).toEqual([[1, undefined]]);
});

test('when vectors cannot be searched, words find passages alone', async () => {
  const fail = () => Promise.reject(new Error('no vectors'));
  const engine = await open([CARD, PERMIT], { index: { nearest: fail, cosines: fail } });
  const { candidates } = await engine.retrieve('library card');
  expect(candidates.map(({ passage, cosine }) => [passage.rid, cosine])).toEqual([[1, undefined]]);
});

import { expect, test } from 'vitest';
import type { DocumentVectors } from '../../src/core/document-vectors.ts';
import { directionOf, documentVectors, hashOf } from '../helpers/document-vectors.ts';
import { temporaryEngineStores } from '../helpers/engine-stores.ts';

const [ENGINE, CRAWLER] = [6, 17];
const [SET, OTHER] = ['1 small', '1 large'];

/** A store with the documents of these ids, their rids and versions. */
async function openWith(ids: readonly string[]) {
  await using stack = new AsyncDisposableStack();
  const { stores } = stack.use(await temporaryEngineStores());
  const store = await stores.of(ENGINE);
  const put = async (id: string, content: string) => {
    const fields = new Map([['Content', [content]]]);
    await store.putDocuments(CRAWLER, [{ id, kind: 'PageContent', fields, origin: 'pushed', language: 'en' }], 1);
    const row = await store.findDocument(CRAWLER, id);
    if (row === undefined) throw new Error('no such document');
    return row;
  };
  const rows = [];
  for (const id of ids) rows.push(await put(id, `text of ${id}`));
  const owned = stack.move();
  return { store, rows, put, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

const bytesOf = (vectors: readonly DocumentVectors[]) =>
  vectors.map((each) => ({ ...each, packed: Buffer.from(each.packed).toString('hex') }));
const of = ({ rid, seq }: { rid: number; seq: number }, x = 1, y = 0) =>
  documentVectors(rid, { 7: directionOf(x, y, 2), 9: directionOf(y, x, 1) }, { seq, contextHash: hashOf(5) });

test('promise 1: vectors of the version that is stored are kept, with the place of the set, which never falls', async () => {
  await using opened = await openWith(['a', 'b']);
  const { store, put } = opened;
  const [a, b] = opened.rows as [(typeof opened.rows)[0], (typeof opened.rows)[0]];
  expect(await store.vectorSeq(SET)).toBe(0);
  await put('b', 'changed meanwhile');

  await store.putVectors(SET, { seq: b.seq, documents: [of(a), of(b)] });
  await store.putVectors(SET, { seq: 1, documents: [of(a, 3, 4)] });

  expect(bytesOf(await store.readVectors(SET, [a.rid, b.rid]))).toMatchObject(bytesOf([of(a, 3, 4)]));
  expect(await store.vectorSeq(SET)).toBe(b.seq);
  expect(await store.vectorSeq(OTHER)).toBe(0);
});

test('promise 2: vectors without a passage are none', async () => {
  await using opened = await openWith(['a']);
  const {
    store,
    rows: [a],
  } = opened;
  if (a === undefined) throw new Error('no document');
  await store.putVectors(SET, { seq: a.seq, documents: [of(a)] });
  await store.putVectors(SET, { seq: a.seq, documents: [documentVectors(a.rid, {}, { seq: a.seq })] });
  expect(await store.vectorRids(SET)).toEqual([]);
});

test('promise 3: vectors come back exactly, once, ascending by change; those put again take a higher one', async () => {
  await using opened = await openWith(['a', 'b']);
  const { store } = opened;
  const [a, b] = opened.rows as [(typeof opened.rows)[0], (typeof opened.rows)[0]];
  await store.putVectors(SET, { seq: 2, documents: [of(a), of(b)] });
  await store.putVectors(OTHER, { seq: 2, documents: [of(b)] });
  const [first, second] = await store.vectorsAfter(SET, { change: 0, limit: 10 });
  expect(bytesOf([first, second].flatMap((each) => each ?? []))).toMatchObject(bytesOf([of(a), of(b)]));

  await store.putVectors(SET, { seq: 2, documents: [of(a, 5, 6)] });

  const later = await store.vectorsAfter(SET, { change: second?.change ?? 0, limit: 10 });
  expect(bytesOf(later)).toMatchObject(bytesOf([of(a, 5, 6)]));
  expect((await store.vectorsAfter(SET, { change: 0, limit: 10 })).map(({ rid }) => rid)).toEqual([b.rid, a.rid]);
  expect(await store.vectorsAfter(SET, { change: 0, limit: 1 })).toHaveLength(1);
  expect(await store.vectorRids(SET)).toEqual([a.rid, b.rid]);
});

test('promise 4: a document whose row is purged has no vectors left, in no set', async () => {
  await using opened = await openWith(['a', 'b']);
  const { store } = opened;
  const [a, b] = opened.rows as [(typeof opened.rows)[0], (typeof opened.rows)[0]];
  for (const set of [SET, OTHER]) await store.putVectors(set, { seq: 2, documents: [of(a), of(b)] });
  const { seq } = await store.deleteDocuments(CRAWLER, ['a'], 2);
  await store.purgeDeleted(seq, 100);
  await store.putVectors(SET, { seq, documents: [of(a)] });
  expect([await store.vectorRids(SET), await store.vectorRids(OTHER)]).toEqual([[b.rid], [b.rid]]);
});

test('promise 5: one set is complete, the others are dropped in steps', async () => {
  await using opened = await openWith(['a', 'b']);
  const { store } = opened;
  const [a, b] = opened.rows as [(typeof opened.rows)[0], (typeof opened.rows)[0]];
  for (const set of [SET, OTHER]) await store.putVectors(set, { seq: 2, documents: [of(a), of(b)] });
  expect(await store.completeVectorSet()).toBeUndefined();
  await store.completeVectors(SET);
  await store.completeVectors(OTHER);
  expect(await store.completeVectorSet()).toBe(OTHER);
  expect([await store.dropOtherVectors(OTHER, 1), await store.vectorRids(SET)]).toEqual([1, [b.rid]]);
  expect([await store.dropOtherVectors(OTHER, 9), await store.dropOtherVectors(OTHER, 9)]).toEqual([1, 0]);
  expect([await store.vectorRids(SET), await store.vectorRids(OTHER)]).toEqual([[], [a.rid, b.rid]]);
});

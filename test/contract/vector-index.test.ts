import { describe, expect, test } from 'vitest';
import type { DocumentVectors } from '../../src/core/document-vectors.ts';
import type { Log } from '../../src/observability/logger.ts';
import { createEmbeddedVectors } from '../../src/search-index/embedded/vectors/embedded-vectors.ts';
import type { VectorIndex, VectorSource } from '../../src/search-index/vector-index.ts';
import { directionOf, documentVectors, hashOf } from '../helpers/document-vectors.ts';
import { createInMemoryVectors } from '../helpers/in-memory-index/in-memory-vectors.ts';
import { seededRandom } from '../helpers/random.ts';
import { silentLog } from '../helpers/silent-log.ts';

const SET = '1 small';

/** Vectors of one engine in memory, as its store gives them. */
function openSource(first: readonly DocumentVectors[] = []) {
  const rows = new Map<number, DocumentVectors & { change: number }>();
  let change = 0;
  const put = (vectors: DocumentVectors) => void rows.set(vectors.rid, { ...vectors, change: ++change });
  first.forEach(put);
  let token = 0;
  const source: VectorSource = {
    changeToken: () => token,
    readVectors: async (set, rids) =>
      set === SET ? rids.toSorted((a, b) => a - b).flatMap((rid) => rows.get(rid) ?? []) : [],
    vectorsAfter: async (set, of) =>
      set === SET
        ? [...rows.values()]
            .filter((row) => row.change > of.change)
            .toSorted((a, b) => a.change - b.change)
            .slice(0, of.limit)
        : [],
    vectorRids: async (set) => (set === SET ? [...rows.keys()].toSorted((a, b) => a - b) : []),
  };
  return {
    source,
    rows,
    put: (vectors: DocumentVectors) => {
      put(vectors);
      token++;
    },
    remove: (rid: number) => {
      rows.delete(rid);
      token++;
    },
  };
}

type SourceOf = (engineId: number) => Promise<VectorSource>;
const ADAPTERS: readonly [string, (sourceOf: SourceOf) => VectorIndex][] = [
  ['in-memory', createInMemoryVectors],
  ['embedded', (sourceOf) => createEmbeddedVectors({ sourceOf, maxBytes: 2 ** 24, log: silentLog })],
];

describe.each(ADAPTERS)('%s', (_, open) => {
  const opened = (first: readonly DocumentVectors[]) => {
    const { source, ...changes } = openSource(first);
    return { index: open(async () => source), ...changes };
  };
  const ask = (index: VectorIndex, vector: Float32Array, more: { rids?: Uint32Array; limit?: number } = {}) =>
    index.nearest(6, { set: SET, vector, rids: more.rids, limit: more.limit ?? 10 });
  const EAST = directionOf(1, 0, 0, 0.1);
  const NORTH = directionOf(0, 1, 0, 0.1);
  const BETWEEN = directionOf(1, 1, 0, 0.1);

  test('promise 1: hits come by cosine, the highest first, then by rid and place; at most the limit', async () => {
    const { index } = opened([
      documentVectors(1, { 1: NORTH, 2: BETWEEN }),
      documentVectors(2, { 3: EAST }),
      documentVectors(3, { 5: BETWEEN, 4: BETWEEN }),
    ]);
    const hits = await ask(index, EAST);
    expect(hits.map(({ hash }) => hash)).toEqual([3, 2, 4, 5, 1].map(hashOf));
    expect(hits.map(({ rid }) => rid)).toEqual([2, 1, 3, 3, 1]);
    expect(hits.map(({ cosine }) => cosine)).toEqual(
      [1, 0.71, 0.71, 0.71, 0.01].map((near) => expect.closeTo(near, 1)),
    );
    expect(await ask(index, EAST, { limit: 2 })).toEqual(hits.slice(0, 2));
  });

  test('promise 2: with documents given, the hits are the nearest of these', async () => {
    const near = Array.from({ length: 600 }, (_each, at) => documentVectors(at + 1, { [at + 1]: EAST }));
    const { index } = opened([...near, documentVectors(700, { 700: BETWEEN }), documentVectors(900, { 900: NORTH })]);
    const hits = await ask(index, EAST, { rids: Uint32Array.of(700, 800, 900) });
    expect(hits.map(({ rid }) => rid)).toEqual([700, 900]);
    expect(await ask(index, EAST, { rids: new Uint32Array() })).toEqual([]);
  });

  test('promise 3: a passage that several documents have comes once', async () => {
    const { index } = opened([4, 2, 3].map((rid) => documentVectors(rid, { 9: EAST, [rid]: NORTH })));
    expect((await ask(index, EAST)).map(({ rid, hash }) => [rid, hash])).toEqual([
      [2, hashOf(9)],
      [2, hashOf(2)],
      [3, hashOf(3)],
      [4, hashOf(4)],
    ]);
  });

  test('promise 4: what was stored is found, what was changed or removed is not', async () => {
    const { index, put, remove } = opened([documentVectors(1, { 1: EAST }), documentVectors(2, { 2: BETWEEN })]);
    await ask(index, EAST);
    put(documentVectors(3, { 3: EAST }));
    put(documentVectors(1, { 4: NORTH }));
    remove(2);
    expect((await ask(index, EAST)).map(({ hash }) => hash)).toEqual([3, 4].map(hashOf));
  });

  test('promise 4: however many near ones were removed, the next are found', async () => {
    const near = Array.from({ length: 600 }, (_each, at) => documentVectors(at + 1, { [at + 1]: EAST }));
    const { index, remove } = opened([...near, documentVectors(700, { 700: NORTH })]);
    await ask(index, EAST);
    for (const { rid } of near) remove(rid);
    expect((await ask(index, EAST)).map(({ rid }) => rid)).toEqual([700]);
  });

  test('promise 4: after any changes the best are those that looking at all of them gives', async () => {
    const random = seededRandom(78);
    const vector = () => directionOf(...Array.from({ length: 64 }, () => random.whole(-500, 500)));
    const { index, rows, put, remove } = opened([]);
    for (let round = 0; round < 12; round++) {
      for (let step = 0; step < 60; step++) {
        const rid = random.whole(1, 200);
        const hash = round * 1_000 + step * 10;
        if (random.chance(0.3)) remove(rid);
        else put(documentVectors(rid, { [hash]: vector(), [hash + 1]: vector() }));
      }
      const query = vector();
      const all = createInMemoryVectors(async () => sourceOfRows(rows));
      expect(await ask(index, query, { limit: 5 })).toEqual(await ask(all, query, { limit: 5 }));
    }
  });

  test('promise 5: cosines are those of all passages of the documents asked for', async () => {
    const { index } = opened([documentVectors(1, { 1: NORTH, 2: BETWEEN }), documentVectors(2, { 3: EAST })]);
    const hits = await ask(index, EAST);
    const cosines = await index.cosines(6, { set: SET, vector: EAST }, [1, 8]);
    expect(cosines).toEqual([hits[2], hits[1]]);
  });

  test('promise 6: other dimensions, sets and engines without vectors are passed over', async () => {
    const { index } = opened([documentVectors(1, { 1: EAST }), documentVectors(2, { 2: directionOf(1, 0) })]);
    expect((await ask(index, EAST)).map(({ rid }) => rid)).toEqual([1]);
    expect((await ask(index, directionOf(1, 0))).map(({ rid }) => rid)).toEqual([2]);
    expect(await index.nearest(6, { set: 'other', vector: EAST, rids: undefined, limit: 3 })).toEqual([]);
  });
});

function sourceOfRows(rows: ReadonlyMap<number, DocumentVectors>): VectorSource {
  return {
    changeToken: () => 0,
    readVectors: async (_set, rids) => rids.flatMap((rid) => rows.get(rid) ?? []),
    vectorsAfter: async () => [],
    vectorRids: async () => [...rows.keys()].toSorted((a, b) => a - b),
  };
}

test('beyond its room the embedded adapter keeps the engine that is asked, and says when one has too many', async () => {
  const vector = directionOf(...Array.from({ length: 64 }, (_, at) => at - 30.5));
  const of = (count: number) =>
    openSource(Array.from({ length: count }, (_, at) => documentVectors(at + 1, { [at + 1]: vector }))).source;
  const sources = new Map([
    [1, of(200)],
    [2, of(200)],
    [3, of(3_000)],
  ]);
  const warnings: unknown[] = [];
  const log = { ...silentLog, warn: (fields: unknown) => void warnings.push(fields) } as unknown as Log;
  const sourceOf = async (engineId: number) => sources.get(engineId) ?? of(0);
  const index = createEmbeddedVectors({ sourceOf, maxBytes: 6_000, log });
  const ask = async (engineId: number) =>
    (await index.nearest(engineId, { set: SET, vector, rids: undefined, limit: 10 })).length;
  expect([await ask(1), await ask(2), await ask(1)]).toEqual([10, 10, 10]);
  expect(warnings).toEqual([]);
  expect(await ask(3)).toBe(10);
  expect(warnings).toMatchObject([{ engineId: 3 }]);
});

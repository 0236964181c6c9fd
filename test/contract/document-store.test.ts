import { describe, expect, test } from 'vitest';
import type { DocumentPatch, NewDocument } from '../../src/core/document.ts';
import { temporaryEngineStores } from '../helpers/engine-stores.ts';
import { storeAdapter } from '../helpers/store-adapter.ts';

/** 39 characters. */
const SENTENCE = 'Solar panels turn sunlight into power. ';

const CRAWLER = 17;
const LIMIT = { rows: 5_000, bytes: 32 * 1024 * 1024 };

const page = (id: string, fields: Record<string, string | string[]>, rest: Partial<NewDocument> = {}): NewDocument => ({
  id,
  kind: 'PageContent',
  origin: 'pushed',
  language: 'en',
  fields: new Map(Object.entries(fields).map(([name, value]) => [name, [value].flat()])),
  ...rest,
});

async function open() {
  const engines = await temporaryEngineStores();
  const store = await engines.stores.of(6);
  return { ...engines, store, [Symbol.asyncDispose]: () => engines[Symbol.asyncDispose]() };
}

describe('promise 1: a write is on disk when it resolves, all or nothing', () => {
  test('another process that opens the file afterwards reads it', async () => {
    await using engines = await open();
    await engines.store.putDocuments(CRAWLER, [page('a', { Title: 'One' })], 1);

    await using others = await storeAdapter.openEngines(engines.dataDir);
    const found = await (await others.of(6)).findDocument(CRAWLER, 'a');

    expect(found?.fields.get('Title')).toEqual(['One']);
  });

  test('a write with one impossible row changes nothing', async () => {
    await using engines = await open();
    const broken = page('b', {}, { language: undefined as unknown as string });

    await expect(engines.store.putDocuments(CRAWLER, [page('a', {}), broken], 1)).rejects.toThrow();

    expect(await engines.store.countDocuments()).toBe(0);
    expect(await engines.store.lastSeq()).toBe(0);
  });
});

test('promise 2: every changed document takes a seq above all earlier ones, also under concurrent writes', async () => {
  await using engines = await open();
  const writes = Array.from({ length: 50 }, (_, i) =>
    engines.store.putDocuments(CRAWLER, [page(`a${i}`, { n: `${i}` }), page('shared', { n: `${i}` })], i),
  );

  const receipts = await Promise.all(writes);

  expect(receipts.map(({ seq }) => seq)).toEqual(Array.from({ length: 50 }, (_, i) => (i + 1) * 2));
  const seqs = (await engines.store.changesAfter(0, LIMIT)).map(({ seq }) => seq);
  expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
  expect(seqs.at(-1)).toBe(100);
});

test('promise 3: a write that changes nothing takes no seq and reports same', async () => {
  await using engines = await open();
  await engines.store.putDocuments(CRAWLER, [page('a', { Title: 'One' })], 1);

  const again = await engines.store.putDocuments(CRAWLER, [page('a', { Title: 'One' })], 2);

  expect(again).toMatchObject({ seq: 1, rows: ['same'] });
  expect(await engines.store.lastSeq()).toBe(1);
});

describe('promise 4: changesAfter', () => {
  test('gives the latest state once, ascending, deletions included', async () => {
    await using engines = await open();
    await engines.store.putDocuments(CRAWLER, [page('a', { n: '1' }), page('b', { n: '1' })], 1);
    await engines.store.putDocuments(CRAWLER, [page('a', { n: '2' })], 2);
    await engines.store.deleteDocuments(CRAWLER, ['b'], 3);

    const changes = await engines.store.changesAfter(0, LIMIT);

    expect(changes.map(({ id, seq, deleted }) => [id, seq, deleted])).toEqual([
      ['a', 3, false],
      ['b', 4, true],
    ]);
  });

  test('stops at a limit, but never inside one write', async () => {
    await using engines = await open();
    const many = Array.from({ length: 450 }, (_, i) => page(`m${i}`, { n: `${i}` }));
    await engines.store.putDocuments(CRAWLER, [page('first', {})], 1);
    await engines.store.putDocuments(CRAWLER, many, 2);
    await engines.store.putDocuments(CRAWLER, [page('last', {})], 3);

    const one = await engines.store.changesAfter(0, { rows: 1, bytes: LIMIT.bytes });
    const two = await engines.store.changesAfter(0, { rows: 2, bytes: LIMIT.bytes });
    const byBytes = await engines.store.changesAfter(1, { rows: LIMIT.rows, bytes: 1 });

    expect(one.map(({ id }) => id)).toEqual(['first']);
    expect(two).toHaveLength(451);
    expect(byBytes).toHaveLength(450);
  });
});

describe('promise 5: rid is stable and never reused', () => {
  test('over replacement, deletion and a new document under the same id', async () => {
    await using engines = await open();
    const ridOf = async (id: string) => (await engines.store.findDocument(CRAWLER, id))?.rid;
    await engines.store.putDocuments(CRAWLER, [page('a', { n: '1' })], 1);
    const rid = await ridOf('a');
    await engines.store.putDocuments(CRAWLER, [page('a', { n: '2' })], 2);
    expect(await ridOf('a')).toBe(rid);

    await engines.store.deleteDocuments(CRAWLER, ['a'], 3);
    expect(await engines.store.purgeDeleted(await engines.store.lastSeq(), 100)).toBe(1);
    await engines.store.putDocuments(CRAWLER, [page('b', {}), page('a', {})], 4);

    expect(await ridOf('b')).toBeGreaterThan(rid ?? 0);
    expect(await ridOf('a')).toBeGreaterThan(rid ?? 0);
  });
});

describe('promise 6: ids, names and values byte for byte', () => {
  test.each([
    'https://example.com/a b?x=1&y=ü#z',
    'e\u0301',
    'é',
    'A',
    'a',
    '__proto__',
    ' ',
    '😀',
    "'; DROP TABLE documents; --",
  ])('%j comes back as written', async (text) => {
    await using engines = await open();
    const fields = { [text]: [text, '', `${text}2`], '1': 'b', __proto__x: 'c', '0': 'd' };
    await engines.store.putDocuments(CRAWLER, [page(text, fields)], 1);
    await engines.store.putDocuments(18, [page(text, { other: 'crawler' })], 1);

    const found = await engines.store.findDocument(CRAWLER, text);

    expect([...(found?.fields ?? [])]).toEqual(Object.entries(fields).map(([name, value]) => [name, [value].flat()]));
    expect(await engines.store.countDocuments()).toBe(2);
    expect(await engines.store.countDocuments(CRAWLER)).toBe(1);
  });

  test('documents are counted by crawler, without those that are deleted', async () => {
    await using engines = await open();
    await engines.store.putDocuments(CRAWLER, [page('a', {}), page('b', {}), page('c', {})], 1);
    await engines.store.putDocuments(18, [page('a', {})], 1);
    await engines.store.putDocuments(19, [page('a', {})], 1);
    await engines.store.deleteDocuments(CRAWLER, ['b'], 2);
    await engines.store.deleteDocuments(19, ['a'], 2);

    expect(await engines.store.countDocumentsByCrawler()).toEqual(
      new Map([
        [CRAWLER, 2],
        [18, 1],
      ]),
    );
  });

  test.each([
    ['long texts and structures', 2_000, structureOf(2_000)],
    ['a long text and a short structure', 2_000, structureOf(1)],
    ['a long text without a structure', 2_000, undefined],
    ['a short text and a long structure', 1, structureOf(2_000)],
  ])('%s are the same after compression', async (_name, sentences, structure) => {
    await using engines = await open();
    const text = SENTENCE.repeat(sentences);
    await engines.store.putDocuments(CRAWLER, [page('a', { Content: text }, { structure })], 1);

    const found = await engines.store.findDocument(CRAWLER, 'a');

    expect(found?.fields.get('Content')).toEqual([text]);
    expect(found?.structure).toEqual(structure);
  });
});

test('promise 7: the same id twice in one call is applied in order and every row is reported', async () => {
  await using engines = await open();

  const receipt = await engines.store.putDocuments(CRAWLER, [page('a', { n: '1' }), page('a', { n: '2' })], 1);

  expect(receipt.rows).toEqual(['created', 'replaced']);
  expect((await engines.store.findDocument(CRAWLER, 'a'))?.fields.get('n')).toEqual(['2']);
});

test('promise 8: a deletion drops content at once; its row stays until purgeDeleted', async () => {
  await using engines = await open();
  await engines.store.putDocuments(CRAWLER, [page('a', { Title: 'One' })], 1);
  const rid = (await engines.store.findDocument(CRAWLER, 'a'))?.rid ?? 0;

  const receipt = await engines.store.deleteDocuments(CRAWLER, ['a', 'a', 'never'], 2);

  expect(receipt).toEqual({
    seq: 2,
    rows: ['deleted', 'missing', 'missing'],
    kinds: ['PageContent', undefined, undefined],
  });
  expect(await engines.store.readDocuments([rid])).toEqual([undefined]);
  expect(await engines.store.purgeDeleted(1, 100)).toBe(0);
  expect(await engines.store.changesAfter(1, LIMIT)).toMatchObject([{ id: 'a', deleted: true, fields: new Map() }]);
  expect(await engines.store.purgeDeleted(2, 100)).toBe(1);
});

describe('promise 9: deleteMatching decides on the state at its commit', () => {
  test('a candidate that no longer matches stays, a document that matches since goes', async () => {
    await using engines = await open();
    const { store } = engines;
    await store.putDocuments(
      CRAWLER,
      [page('old', { C: 'x' }), page('moved', { C: 'x' }), page('came', { C: 'y' })],
      1,
    );
    await store.putDocuments(99, [page('foreign', { C: 'x' })], 1);
    const seq = await store.lastSeq();
    const rids = await Promise.all(
      (['old', 'moved'] as const).map(async (id) => (await store.findDocument(CRAWLER, id))?.rid ?? 0),
    );
    await store.putDocuments(CRAWLER, [page('moved', { C: 'z' }), page('came', { C: 'x' })], 2);
    await store.putDocuments(99, [page('foreign', { C: 'x', n: '2' })], 2);

    const result = await store.deleteMatching(
      CRAWLER,
      {
        candidates: { seq, rids: Uint32Array.from(rids) },
        filter: { kind: 'value', field: 'C', values: ['x'] },
        types: new Map(),
      },
      3,
    );

    expect(result.deleted).toBe(2);
    expect((await store.listDocuments({ after: 0, limit: 10 })).map(({ id }) => id)).toEqual(['moved', 'foreign']);
  });
});

describe('promise 10: claimGeneration', () => {
  test('publishes only from the generation expected, and only one of two writers', async () => {
    await using engines = await open();
    const published: string[] = [];
    const claim = (name: string) =>
      engines.store.claimGeneration(0, 1, async () => {
        published.push(name);
      });

    expect(await claim('a')).toBe(true);
    expect(await claim('b')).toBe(false);
    expect(published).toEqual(['a']);
    expect(await engines.store.indexGeneration()).toBe(1);
  });

  test('a publication that fails leaves the generation as it was', async () => {
    await using engines = await open();
    const failing = engines.store.claimGeneration(0, 1, () => Promise.reject(new Error('no space')));

    await expect(failing).rejects.toThrow('no space');
    expect(await engines.store.indexGeneration()).toBe(0);
    expect(await engines.store.claimGeneration(0, 1, async () => undefined)).toBe(true);
  });
});

test('promise 11: reads go on while a write is in work', async () => {
  await using engines = await open();
  await engines.store.putDocuments(CRAWLER, [page('a', {})], 1);
  const many = Array.from({ length: 2_000 }, (_, i) => page(`m${i}`, { Content: 'word '.repeat(200) }));

  const write = engines.store.putDocuments(CRAWLER, many, 2);

  expect(await engines.store.countDocuments()).toBe(1);
  await write;
  expect(await engines.store.countDocuments()).toBe(2_001);
});

test('promise 12: documents of a crawler are deleted in steps', async () => {
  await using engines = await open();
  await engines.store.putDocuments(CRAWLER, [page('a', {}), page('b', {}), page('c', {})], 1);
  await engines.store.putDocuments(18, [page('other', {})], 1);

  expect(await engines.store.deleteCrawlerDocuments(CRAWLER, 2, 2)).toBe(2);
  expect(await engines.store.deleteCrawlerDocuments(CRAWLER, 2, 2)).toBe(1);
  expect(await engines.store.deleteCrawlerDocuments(CRAWLER, 2, 2)).toBe(0);
  expect(await engines.store.countDocuments()).toBe(1);
});

test('promise 13: liveRids lists what is not deleted, ascending, in pages', async () => {
  await using engines = await open();
  const put = (ids: readonly string[]) =>
    engines.store.putDocuments(
      CRAWLER,
      ids.map((id) => page(id, { Title: id })),
      1,
    );
  await put(['a', 'b', 'c', 'd']);
  await engines.store.deleteDocuments(CRAWLER, ['b'], 2);
  await put(['a']);
  const changes = await engines.store.changesAfter(0, LIMIT);
  const ridOf = (id: string) => changes.find((change) => change.id === id)?.rid;

  const first = await engines.store.liveRids(0, 2);

  expect(first).toEqual([ridOf('a'), ridOf('c')]);
  expect(await engines.store.liveRids(first.at(-1) ?? 0, 2)).toEqual([ridOf('d')]);
  expect(await engines.store.liveRids(ridOf('d') ?? 0, 2)).toEqual([]);
});

test('promise 14: work asked of the index stays asked until it is ended; the last request counts', async () => {
  await using engines = await open();
  expect(await engines.store.indexWork()).toBeUndefined();
  await engines.store.askIndexWork('rebuild');
  await engines.store.askIndexWork('rollback');

  await using others = await storeAdapter.openEngines(engines.dataDir);
  const other = await others.of(6);
  expect(await other.indexWork()).toBe('rollback');
  await other.endIndexWork('rebuild');
  expect(await engines.store.indexWork()).toBe('rollback');
  await other.endIndexWork('rollback');

  expect(await engines.store.indexWork()).toBeUndefined();
});

test('promise 17: documents that share a title are counted by crawler, without those that are gone', async () => {
  await using engines = await open();
  const titled = (id: string, Title: string) => page(id, Title === '' ? { Content: id } : { Title });
  const { store } = engines;
  await store.putDocuments(
    CRAWLER,
    [titled('a', 'Lumo'), titled('b', 'LUMO '), titled('c', 'Lumo'), titled('d', 'Sails'), titled('e', 'Sails')],
    1,
  );
  await store.putDocuments(CRAWLER, [titled('f', 'Masts'), titled('g', ''), titled('h', ''), titled('i', 'Gone')], 2);
  await store.putDocuments(CRAWLER + 1, [titled('a', 'Masts'), titled('b', 'Gone')], 3);
  await store.deleteDocuments(CRAWLER, ['i'], 4);

  const shared = (limit: number) => store.sharedTitles({ crawlerId: CRAWLER, limit });
  expect(await shared(9)).toEqual({
    documents: 5,
    titles: [
      { title: 'Lumo', documents: 3 },
      { title: 'Sails', documents: 2 },
    ],
  });
  expect(await shared(1)).toEqual({ documents: 5, titles: [{ title: 'Lumo', documents: 3 }] });
  await store.putDocuments(CRAWLER, [titled('d', 'Ropes')], 5);
  expect((await shared(9)).documents).toBe(3);
  expect(await store.sharedTitles({ crawlerId: CRAWLER + 1, limit: 9 })).toEqual({ documents: 0, titles: [] });
});

describe('patches', () => {
  test('replace sent fields, keep others, remove empty ones, change the kind only when sent', async () => {
    await using engines = await open();
    await engines.store.putDocuments(CRAWLER, [page('a', { Title: 'One', Price: '1', Old: 'x' })], 1);
    const patch = {
      id: 'a',
      fields: new Map([
        ['Price', ['2']],
        ['Old', []],
        ['New', ['y', 'z']],
      ]),
    };

    const apply = (patches: readonly DocumentPatch[], at: number) =>
      engines.store.patchDocuments(CRAWLER, { patches, maxTextBytes: 1_000 }, at);
    const first = await apply([patch, { id: 'none', fields: new Map() }], 2);
    const kind = await apply([{ id: 'a', kind: 'FileContent', fields: new Map() }], 3);

    expect(first).toMatchObject({ rows: ['updated', 'missing'], kinds: ['PageContent', undefined] });
    expect(kind).toMatchObject({ rows: ['updated'], kinds: ['FileContent'] });
    const found = await engines.store.findDocument(CRAWLER, 'a');
    expect(Object.fromEntries(found?.fields ?? [])).toEqual({ Title: ['One'], Price: ['2'], New: ['y', 'z'] });
    expect(await engines.store.countDocuments()).toBe(1);
  });
});

test('a patch of the text takes the structure of the text before with it', async () => {
  await using engines = await open();
  await engines.store.putDocuments(CRAWLER, [{ ...page('a', { Title: 'One' }), structure: structureOf(3) }], 1);
  const structureAfter = async (fields: Record<string, string[]>) => {
    const patches = [{ id: 'a', fields: new Map(Object.entries(fields)) }];
    await engines.store.patchDocuments(CRAWLER, { patches, maxTextBytes: 1_000 }, 2);
    return (await engines.store.findDocument(CRAWLER, 'a'))?.structure;
  };

  expect(await structureAfter({ Title: ['Two'] })).toEqual(structureOf(3));
  expect(await structureAfter({ Content: ['Another text.'] })).toBeUndefined();
});

function structureOf(sentences: number) {
  const block = { kind: 'paragraph' as const, text: SENTENCE.repeat(sentences) };
  return {
    version: 1 as const,
    surroundings: 'menu',
    sections: [{ id: 's1', headings: [], grounding: true, blocks: [block] }],
  };
}

import { expect, test } from 'vitest';
import { firstValue, type NewDocument } from '../../src/core/document.ts';
import type { EngineStore } from '../../src/storage/engine-store.ts';
import { temporaryEngineStores } from '../helpers/engine-stores.ts';

const CRAWLER = 17;
const ALL = { crawlerId: CRAWLER, after: 0, limit: 100 };

function page(id: string, title: string, headTitle?: string, rest: Partial<NewDocument> = {}): NewDocument {
  const fields = new Map([
    ['Title', [title]],
    ['Content', [`Text of ${id}`]],
  ]);
  return { id, kind: 'PageContent', origin: 'crawled', language: 'en', fields, headTitle, ...rest };
}

async function open() {
  const engines = await temporaryEngineStores();
  const store = await engines.stores.of(6);
  const put = (...documents: readonly NewDocument[]) => store.putDocuments(CRAWLER, documents, 1);
  return { store, put, [Symbol.asyncDispose]: () => engines[Symbol.asyncDispose]() };
}

async function titleOf(store: EngineStore, id: string): Promise<string> {
  const found = await store.findDocument(CRAWLER, id);
  return firstValue(found?.fields ?? new Map(), 'Title');
}

/** Of all documents that share a title and have a head title. */
async function takeAll(store: EngineStore): Promise<number> {
  const sharers = (await store.sharersOfTitles(ALL)).filter(({ headTitle }) => headTitle !== '');
  return store.takeHeadTitles({ crawlerId: CRAWLER, sharers, at: 5 });
}

test('promise 1: the live documents are listed whose title another one of the crawler has, by title', async () => {
  await using engines = await open();
  const { store, put } = engines;
  await put(page('a', 'Index', 'Index: GIO'), page('b', 'INDEX ', 'Index: GLib'), page('c', 'Index'));
  await put(page('d', 'Sails', 'Sails | Lumo'), page('e', 'Masts', 'Masts 1'), page('f', 'Masts', 'Masts 2'));
  await put(page('g', 'Masts', 'Masts 3'), page('h', 'Sails', 'Sails of canvas'));
  await store.putDocuments(CRAWLER + 1, [page('a', 'Index', 'Index: other')], 1);
  await store.deleteDocuments(CRAWLER, ['g', 'h'], 2);

  const listed = await store.sharersOfTitles(ALL);

  const byKey = Map.groupBy(listed, ({ titleKey }) => titleKey);
  const groups = [...byKey.values()].map((group) => group.map(({ id, headTitle }) => [id, headTitle]));
  expect(groups).toHaveLength(2);
  expect(groups).toContainEqual([
    ['a', 'Index: GIO'],
    ['b', 'Index: GLib'],
    ['c', ''],
  ]);
  expect(groups).toContainEqual([
    ['e', 'Masts 1'],
    ['f', 'Masts 2'],
  ]);
  expect(listed.map(({ titleKey }) => titleKey)).toEqual(listed.map(({ titleKey }) => titleKey).sort((a, b) => a - b));
  const [first] = listed;
  expect(await store.sharersOfTitles({ ...ALL, limit: 1 })).toEqual([first]);
  const after = first?.titleKey ?? 0;
  const rest = listed.filter(({ titleKey }) => titleKey !== after);
  expect(await store.sharersOfTitles({ ...ALL, after })).toEqual(rest);
});

test('promise 2: a document takes its head title under a new seq, unless it has changed, is gone or was pushed', async () => {
  await using engines = await open();
  const { store, put } = engines;
  const ids = ['a', 'b', 'c', 'd'] as const;
  await put(...ids.map((id) => page(id, 'Index', `Index ${id}`)), page('e', 'Index', 'Index e', { origin: 'pushed' }));
  const sharers = await store.sharersOfTitles(ALL);
  await put(page('b', 'Contents', 'Index b'), page('c', 'Index', 'Index of c'));
  await store.deleteDocuments(CRAWLER, ['d'], 2);
  const before = await store.lastSeq();

  expect(await store.takeHeadTitles({ crawlerId: CRAWLER, sharers, at: 5 })).toBe(1);

  const titles = await Promise.all([...ids, 'e'].map((id) => titleOf(store, id)));
  expect(titles).toEqual(['Index a', 'Contents', 'Index', '', 'Index']);
  expect(await store.findDocument(CRAWLER, 'a')).toMatchObject({ seq: before + 1, updatedAt: 5 });
  expect(await store.takeHeadTitles({ crawlerId: CRAWLER, sharers, at: 6 })).toBe(0);
  expect(await store.takeHeadTitles({ crawlerId: CRAWLER, sharers: [], at: 6 })).toBe(0);
  expect(await store.lastSeq()).toBe(before + 1);
});

test('promise 3: it keeps that title while it is put with the same head title, and no longer', async () => {
  await using engines = await open();
  const { store, put } = engines;
  await put(page('a', 'Index', 'Index: GIO'), page('b', 'Index', 'Index: GLib'), page('c', 'Masts', 'Sails'));
  await takeAll(store);
  const before = await store.lastSeq();

  const again = await put(page('a', 'Index', 'Index: GIO'));
  expect(again).toMatchObject({ seq: before, rows: ['same'] });
  await put(page('a', 'Register', 'Index: GIO'), page('b', 'Index', 'Index: GLib 2'));
  // What was never its head's title is not kept as such.
  await put(page('c', 'Sails', 'Sails'), page('c', 'Ropes', 'Sails'));

  expect(await titleOf(store, 'a')).toBe('Index: GIO');
  expect(await titleOf(store, 'b')).toBe('Index');
  await put(page('a', 'Register'));
  expect(await titleOf(store, 'a')).toBe('Register');
});

test('promise 3: a document that stays the same learns of a new head title', async () => {
  await using engines = await open();
  const { store, put } = engines;
  await put(page('a', 'Index'), page('b', 'Index', 'Index: GLib'));
  const before = await store.lastSeq();

  await put(page('a', 'Index', 'Index: GIO'));

  expect(await store.lastSeq()).toBe(before);
  expect(await takeAll(store)).toBe(2);
  expect(await titleOf(store, 'a')).toBe('Index: GIO');
});

test('promise 4: of texts that live documents of the crawler have as title their heads are told', async () => {
  await using engines = await open();
  const { store, put } = engines;
  await put(page('a', 'Index'), page('b', 'Gone'), page('c', 'Sails', 'Sails: the kinds'), page('d', 'sails'));
  await takeAll(store);
  await put(page('e', 'Index', 'Index: GIO'), page('f', 'Index', 'Index: GIO'));
  await store.putDocuments(CRAWLER + 1, [page('a', 'Other')], 1);
  await store.deleteDocuments(CRAWLER, ['b'], 2);

  expect(await titleOf(store, 'c')).toBe('Sails: the kinds');
  const asked = ['index ', 'Gone', 'Other', '', 'Sails', 'Sails: the kinds'];
  expect(await store.headsOfTitles(CRAWLER, asked)).toEqual([
    ['a', 'e', 'f'].map((id) => ({ id, headTitle: id === 'a' ? '' : 'Index: GIO' })),
    ...[[], [], [], [{ id: 'd', headTitle: '' }], [{ id: 'c', headTitle: 'Sails: the kinds' }]],
  ]);
  expect(await store.headsOfTitles(CRAWLER, [])).toEqual([]);
});

test('promise 4: of titles that too many documents have nothing is told', async () => {
  await using engines = await open();
  const { store, put } = engines;
  const titles = ['Index', 'Sails', 'Masts', 'Oars', 'Keels'];
  const many = Array.from({ length: 5_000 }, (_, at) => page(`${at}`, 'Index'));
  await put(...many, ...titles.slice(1).map((title) => page(title, title)));

  const found = await store.headsOfTitles(CRAWLER, titles);

  expect(found[0]).toBeUndefined();
  expect(await store.headsOfTitles(CRAWLER, ['Sails'])).toEqual([[{ id: 'Sails', headTitle: '' }]]);
  for (const [at, documents] of found.entries())
    if (documents !== undefined) expect(documents).toEqual([{ id: titles[at], headTitle: '' }]);
});

test('promise 1: of a document that took its head title it is told', async () => {
  await using engines = await open();
  const { store, put } = engines;
  await put(page('a', 'Index', 'Sails'), page('b', 'Index', 'Masts'));
  await takeAll(store);
  await put(page('c', 'Sails', 'Lumo: Sails'));

  const sharers = await store.sharersOfTitles(ALL);

  expect(sharers.map(({ id, hasHeadTitle }) => [id, hasHeadTitle])).toEqual([
    ['a', true],
    ['c', false],
  ]);
});

import { copyFile, rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { NewDocument } from '../../src/core/document.ts';
import { storePath } from '../../src/storage/sqlite/write-messages.ts';
import type { SystemStore } from '../../src/storage/system-store.ts';
import { openSystem } from '../helpers/open-system.ts';
import { sqliteTest } from '../helpers/sqlite-sentences.ts';
import { storeAdapter } from '../helpers/store-adapter.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const ENGINE = 6;
const CRAWLER = 17;
const PATH = { kind: 'engine', engineId: ENGINE } as const;

const document = (id: string): NewDocument => ({
  id,
  kind: 'PageContent',
  origin: 'pushed',
  language: 'en',
  fields: new Map([['Title', [id]]]),
});

async function openStore(dataDir: string) {
  await using stack = new AsyncDisposableStack();
  const stores = stack.use(await storeAdapter.openEngines(dataDir));
  const [store, other] = [await stores.of(ENGINE), await stores.of(ENGINE + 1)];
  const owned = stack.move();
  return { store, other, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

test('a store keeps its identity over restarts, and every store has another', async () => {
  await using folder = await temporaryFolder();
  const read = async () => {
    await using opened = await openStore(folder.path);
    return [await opened.store.identity(), await opened.other.identity()];
  };

  const first = await read();

  expect(await read()).toEqual(first);
  expect(new Set(first.flatMap(({ storeId, epoch }) => [storeId, epoch])).size).toBe(4);
});

sqliteTest('a store that is made anew in the place of another is another one', async () => {
  await using folder = await temporaryFolder();
  const read = async () => {
    await using opened = await openStore(folder.path);
    return opened.store.identity();
  };
  const before = await read();
  await rm(storePath(folder.path, PATH));

  expect((await read()).storeId).not.toBe(before.storeId);
});

test('a new epoch keeps the id of the store and stays', async () => {
  await using folder = await temporaryFolder();
  await using system = await openSystem(folder.path);
  await using opened = await openStore(folder.path);
  const stores: readonly Pick<SystemStore, 'identity' | 'startEpoch'>[] = [system.store, opened.store];

  for (const store of stores) {
    const before = await store.identity();
    const after = await store.startEpoch();

    expect(after.storeId).toBe(before.storeId);
    expect(after.epoch).not.toBe(before.epoch);
    expect(await store.identity()).toEqual(after);
  }
});

test('the mark of a write stays when its documents are replaced, and is none above the last seq', async () => {
  await using folder = await temporaryFolder();
  await using opened = await openStore(folder.path);
  const { store } = opened;
  await store.putDocuments(CRAWLER, [document('a'), document('b')], 1);
  const mark = await store.markOf(2);
  await store.deleteDocuments(CRAWLER, ['a', 'b'], 2);

  expect(mark).toEqual(expect.any(Number));
  expect([await store.markOf(1), await store.markOf(2)]).toEqual([mark, mark]);
  expect(await store.markOf(4)).not.toBe(mark);
  expect(await store.markOf(5)).toBeUndefined();
});

sqliteTest('a store that was taken back and written to again has other marks at the same seq', async () => {
  await using folder = await temporaryFolder();
  const file = storePath(folder.path, PATH);
  const putAndRead = async (id: string) => {
    await using opened = await openStore(folder.path);
    await opened.store.putDocuments(CRAWLER, [document(id)], 1);
    const { store } = opened;
    return [await store.lastSeq(), await store.markOf(await store.lastSeq())] as const;
  };
  await putAndRead('a');
  await copyFile(file, `${file}.copy`);
  const [seq, mark] = await putAndRead('b');
  await copyFile(`${file}.copy`, file);

  const [seqAgain, markAgain] = await putAndRead('c');

  expect(seqAgain).toBe(seq);
  expect(markAgain).not.toBe(mark);
});

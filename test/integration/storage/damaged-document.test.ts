import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { NewDocument } from '../../../src/core/document.ts';
import { storePath } from '../../../src/storage/sql/store-path.ts';
import { temporaryEngineStores } from '../../helpers/engine-stores.ts';

const ENGINE = 6;
const CRAWLER = 17;
const page = (id: string): NewDocument => ({
  id,
  kind: 'PageContent',
  origin: 'crawled',
  language: 'en',
  fields: new Map([['Title', [`Page ${id}`]]]),
});

/** A store with the pages `whole` and `damaged`; the content of the latter changed on disk. */
async function openDamaged() {
  await using stack = new AsyncDisposableStack();
  const engines = stack.use(await temporaryEngineStores());
  const store = await engines.stores.of(ENGINE);
  await store.putDocuments(CRAWLER, [page('whole'), page('damaged')], 1);
  using file = new DatabaseSync(storePath(engines.dataDir, { kind: 'engine', engineId: ENGINE }));
  file.prepare('UPDATE documents SET fields = CAST(\'[["Title",["Other"]]]\' AS BLOB) WHERE id = \'damaged\'').run();
  const owned = stack.move();
  return { store, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

test('a document that changed on disk is refused, and its neighbours are read', async () => {
  await using opened = await openDamaged();

  await expect(opened.store.findDocument(CRAWLER, 'damaged')).rejects.toThrow('A stored document is damaged');

  expect(await opened.store.findDocument(CRAWLER, 'whole')).toMatchObject({ id: 'whole' });
});

test('writing a damaged document again with the same content repairs it', async () => {
  await using opened = await openDamaged();

  const receipt = await opened.store.putDocuments(CRAWLER, [page('whole'), page('damaged')], 2);

  expect(receipt.rows).toEqual(['same', 'replaced']);
  const repaired = await opened.store.findDocument(CRAWLER, 'damaged');
  expect(Object.fromEntries(repaired?.fields ?? [])).toEqual({ Title: ['Page damaged'] });
});

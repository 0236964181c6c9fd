import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { NewDocument } from '../../../src/core/document.ts';
import { checkStores } from '../../../src/health/crawler-checks.ts';
import { browseDocuments, readDocument } from '../../../src/indexing/documents.ts';
import { openEngineStores } from '../../../src/storage/sqlite/engine-stores.ts';
import { storePath } from '../../../src/storage/sqlite/write-messages.ts';
import { captureLog } from '../../helpers/captured-log.ts';
import { eventually } from '../../helpers/eventually.ts';
import { reportFigure } from '../../helpers/scorecard.ts';
import { sharedWriteThread } from '../../helpers/shared-write-thread.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const ENGINE = 6;
const CRAWLER = 17;
const LIMIT = { rows: 10, bytes: 1_000_000 };
const page = (id: string): NewDocument => ({
  id,
  kind: 'PageContent',
  origin: 'crawled',
  language: 'en',
  fields: new Map([['Title', [`Page ${id}`]]]),
});

/** A store with the pages `whole` and `damaged`; the content of the latter changed on disk. */
async function openDamaged(change = 'CAST(\'[["Title",["Other"]]]\' AS BLOB)') {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  const writeThread = stack.use(sharedWriteThread(folder.path));
  const { log, lines } = captureLog();
  const stores = stack.use(openEngineStores({ dataDir: folder.path, writeThread, log }));
  const store = await stores.of(ENGINE);
  await store.putDocuments(CRAWLER, [page('whole'), page('damaged')], 1);
  using file = new DatabaseSync(storePath(folder.path, { kind: 'engine', engineId: ENGINE }));
  file.prepare(`UPDATE documents SET fields = ${change} WHERE id = 'damaged'`).run();
  const owned = stack.move();
  const findings = () =>
    checkStores({ engines: async () => [{ id: ENGINE, name: 'Shop' }], engineStores: stores }).look();
  return { store, stores, lines, findings, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

test.each([
  ['other text', 'CAST(\'[["Title",["Other"]]]\' AS BLOB)'],
  ['zeros', 'zeroblob(8)'],
])('a document that is %s on disk is left out, and its neighbours are read', async (_name, change) => {
  await using opened = await openDamaged(change);
  const { store } = opened;

  expect(await store.findDocument(CRAWLER, 'damaged')).toBeUndefined();
  expect((await store.readDocuments([1, 2])).map((document) => document?.id)).toEqual(['whole', undefined]);
  expect(await store.findDocument(CRAWLER, 'whole')).toMatchObject({ id: 'whole' });
  reportFigure('stores.damaged-document', 'one damaged row of two: the other is found, listed and indexed');
});

test('lists of documents go on and show a damaged one, which can be looked at', async () => {
  await using opened = await openDamaged();
  const deps = { engineStores: opened.stores };

  const listed = await browseDocuments(deps, ENGINE, { after: 0, limit: 10 });

  expect(listed.map(({ id, damaged }) => [id, damaged])).toEqual([
    ['whole', undefined],
    ['damaged', true],
  ]);
  expect(await readDocument(deps, ENGINE, 2)).toMatchObject({ id: 'damaged', damaged: true });
  expect(await readDocument(deps, ENGINE, 3)).toBeUndefined();
});

test('an index that is made of the store goes on without a damaged document', async () => {
  await using opened = await openDamaged();

  const changes = await opened.store.changesAfter(0, LIMIT);

  expect(changes.map(({ id, deleted }) => [id, deleted])).toEqual([
    ['whole', false],
    ['damaged', true],
  ]);
});

test('a damaged document is logged once with engine, rid and id, and is a finding until it is written again', async () => {
  await using opened = await openDamaged();
  const { store, findings, lines } = opened;
  await store.readDocuments([1, 2]);
  await store.readDocuments([2]);

  const found = await eventually(async () => {
    const all = await findings();
    return all.length > 0 && all;
  });

  expect(found).toMatchObject([{ name: 'documents-damaged', sentence: expect.stringContaining('(damaged)') }]);
  const told = { engineId: ENGINE, rid: 2, crawlerId: CRAWLER, id: 'damaged' };
  expect(lines).toEqual([{ level: 'error', fields: told, message: 'stored document is damaged' }]);
  await store.putDocuments(CRAWLER, [page('damaged')], 2);
  expect(await findings()).toEqual([]);
});

test('a patch of a damaged document finds nothing to change, and the other patches are done', async () => {
  await using opened = await openDamaged();
  const patches = ['whole', 'damaged'].map((id) => ({ id, fields: new Map([['Tag', ['new']]]) }));

  const { rows } = await opened.store.patchDocuments(CRAWLER, { patches, maxTextBytes: 1_000 }, 2);

  expect(rows).toEqual(['updated', 'missing']);
});

test('writing a damaged document again with the same content repairs it', async () => {
  await using opened = await openDamaged();

  const receipt = await opened.store.putDocuments(CRAWLER, [page('whole'), page('damaged')], 2);

  expect(receipt.rows).toEqual(['same', 'replaced']);
  const repaired = await opened.store.findDocument(CRAWLER, 'damaged');
  expect(Object.fromEntries(repaired?.fields ?? [])).toEqual({ Title: ['Page damaged'] });
});

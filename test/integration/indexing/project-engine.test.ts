import { expect, test } from 'vitest';
import { systemClock } from '../../../src/core/clock.ts';
import { projectEngine } from '../../../src/indexing/project-engines.ts';
import { readManifest } from '../../../src/search-index/embedded/manifest.ts';
import { openEmbeddedWriter } from '../../../src/search-index/embedded/writer.ts';
import type { IndexWriter } from '../../../src/search-index/index-writer.ts';
import type { EngineStore } from '../../../src/storage/engine-store.ts';
import { temporaryEngineStores } from '../../helpers/engine-stores.ts';
import { eventually } from '../../helpers/eventually.ts';
import { createInMemoryIndex } from '../../helpers/in-memory-index/in-memory-index.ts';
import { silentLog } from '../../helpers/silent-log.ts';

const ENGINE = 6;

async function project(store: EngineStore, writer?: IndexWriter) {
  const index = createInMemoryIndex();
  const stop = new AbortController();
  const monotonicMs = () => performance.now();
  const deps = { store, writer: writer ?? index.writer(ENGINE), log: silentLog, refreshMs: 10, monotonicMs };
  const running = projectEngine(deps, stop.signal);
  return {
    index,
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await running;
      await index[Symbol.asyncDispose]();
    },
  };
}

const document = (id: string) =>
  ({ id, kind: 'PageContent', origin: 'pushed', language: 'en', fields: new Map([['Title', [id]]]) }) as const;

test('changes become visible, and rows of deleted documents leave the store', async () => {
  await using engines = await temporaryEngineStores();
  const store = await engines.stores.of(ENGINE);
  await using projection = await project(store);

  await store.putDocuments(17, [document('a'), document('b')], 1);
  await store.deleteDocuments(17, ['b'], 2);
  await eventually(() => projection.index.visibleSeq(ENGINE) === 3);

  await eventually(async () => (await store.changesAfter(0, { rows: 10, bytes: 1_000_000 })).length === 1);
});

test('an index made anew reaches the last number although the rows of the last changes are gone', async () => {
  await using engines = await temporaryEngineStores();
  const store = await engines.stores.of(ENGINE);
  await store.putDocuments(17, [document('a'), document('b')], 1);
  await store.deleteDocuments(17, ['b'], 2);
  await store.purgeDeleted(3, 100);

  await using projection = await project(store);

  expect(await projection.index.waitVisible(ENGINE, 3, AbortSignal.timeout(5_000))).toBe(true);
});

test('an operator asks for a rebuild, and goes back from it', async () => {
  await using engines = await temporaryEngineStores();
  const store = await engines.stores.of(ENGINE);
  const directory = `${engines.dataDir}/index`;
  const uids = async () => (await readManifest(directory))?.segments.map(({ uid }) => uid);
  await store.putDocuments(17, [document('a'), document('b')], 1);
  await using writer = await openEmbeddedWriter({
    directory,
    source: store,
    language: 'en',
    clock: systemClock,
    log: silentLog,
  });
  await using _projection = await project(store, writer);
  const first = await eventually(uids);

  await store.askIndexWork('rebuild');
  await eventually(async () => (await store.indexWork()) === undefined);
  expect(await uids()).not.toEqual(first);

  await store.askIndexWork('rollback');
  await eventually(async () => (await store.indexWork()) === undefined);
  expect(await uids()).toEqual(first);
});

import { expect, test } from 'vitest';
import { projectEngine } from '../../../src/indexing/project-engine.ts';
import { createInMemoryIndex } from '../../../src/search-index/in-memory/in-memory-index.ts';
import type { EngineStore } from '../../../src/storage/engine-store.ts';
import { temporaryEngineStores } from '../../helpers/engine-stores.ts';
import { eventually } from '../../helpers/eventually.ts';
import { silentLog } from '../../helpers/silent-log.ts';

const ENGINE = 6;

async function project(store: EngineStore) {
  const index = createInMemoryIndex();
  const stop = new AbortController();
  const monotonicMs = () => performance.now();
  const deps = { store, writer: index.writer(ENGINE), log: silentLog, refreshMs: 10, monotonicMs };
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

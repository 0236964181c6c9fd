import { expect, test } from 'vitest';
import { composeIndexer } from '../../../src/compose/indexer.ts';
import { openStores } from '../../../src/compose/stores.ts';
import { CONFIG } from '../../../src/config/config.ts';
import { modelOfVectorSet, vectorSetOf } from '../../../src/core/document-vectors.ts';
import { createMetrics } from '../../../src/observability/metrics.ts';
import { eventually } from '../../helpers/eventually.ts';
import { startFakeModelServer } from '../../helpers/fake-model-server.ts';
import { FIXTURE_RECORDS } from '../../helpers/fixture.ts';
import { addDoubleModel, installModelPackages } from '../../helpers/folder-models.ts';
import { silentLog } from '../../helpers/silent-log.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

/** A folder of stores with a document in an engine with answers and in one without. */
async function openDocuments() {
  await using opening = new AsyncDisposableStack();
  const folder = opening.use(await temporaryFolder());
  const stores = opening.use(await openStores({ DATA_DIR: folder.path }, silentLog));
  await stores.systemStore.changeRecords('test', [...FIXTURE_RECORDS], 1);
  const put = async (engineId: number, crawlerId: number) => {
    const store = await stores.engineStores.of(engineId);
    const fields = new Map([['Content', ['The pump runs at 40 bar.']]]);
    await store.putDocuments(
      crawlerId,
      [{ id: 'a', kind: 'PageContent', fields, origin: 'pushed', language: 'en' }],
      1,
    );
    return store;
  };
  const [answering, other] = [await put(6, 17), await put(7, 18)];
  const stack = opening.move();
  return { dataDir: folder.path, answering, other, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

const indexerOf = (variables: Readonly<Record<string, string>>) =>
  composeIndexer({ config: CONFIG.parse(variables), log: silentLog, name: 'indexer-1', metrics: createMetrics() });

test('the indexer embeds engines with answers, no others, and goes on after the model was away', async () => {
  await using models = await startFakeModelServer();
  await using opened = await openDocuments();
  const { dataDir, answering, other } = opened;

  await using _indexer = await indexerOf({
    DATA_DIR: dataDir,
    EMBEDDING_BASE_URL: models.baseUrl,
    EMBEDDING_MODEL: 'flaky:1',
  });

  const set = vectorSetOf('flaky:1');
  await eventually(async () => (await answering.completeVectorSet()) === set, 30_000);
  expect(await answering.vectorRids(set)).toEqual([1]);
  expect([await other.vectorSeq(set), await other.vectorRids(set)]).toEqual([0, []]);
  expect(models.calls.map(({ input }) => input)).toEqual(Array(2).fill(['The pump runs at 40 bar.']));
});

test('it embeds them by a model of this machine, whose vectors have the name of model, files and use', async () => {
  await using opened = await openDocuments();
  const { dataDir, answering, other } = opened;
  await installModelPackages(dataDir);

  await using _indexer = await indexerOf({
    DATA_DIR: dataDir,
    EMBEDDING_MODEL_FOLDER: await addDoubleModel(dataDir, { name: 'small' }),
  });

  const set = await eventually(() => answering.completeVectorSet(), 30_000);
  expect(modelOfVectorSet(set)).toMatch(/^small@[0-9a-f]{8}$/);
  expect(await answering.vectorRids(set)).toEqual([1]);
  expect(await other.vectorRids(set)).toEqual([]);
});

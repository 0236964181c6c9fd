import { expect, test } from 'vitest';
import { composeIndexer } from '../../../src/compose/indexer.ts';
import { openStores } from '../../../src/compose/stores.ts';
import { CONFIG } from '../../../src/config/config.ts';
import { vectorSetOf } from '../../../src/core/document-vectors.ts';
import { createMetrics } from '../../../src/observability/metrics.ts';
import { eventually } from '../../helpers/eventually.ts';
import { startFakeModelServer } from '../../helpers/fake-model-server.ts';
import { FIXTURE_RECORDS } from '../../helpers/fixture.ts';
import { silentLog } from '../../helpers/silent-log.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

test('the indexer embeds engines with answers, no others, and goes on after the model was away', async () => {
  await using models = await startFakeModelServer();
  await using folder = await temporaryFolder();
  await using stores = await openStores(folder.path, silentLog);
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
  const config = CONFIG.parse({
    DATA_DIR: folder.path,
    EMBEDDING_BASE_URL: models.baseUrl,
    EMBEDDING_MODEL: 'flaky:1',
  });

  await using _indexer = await composeIndexer({ config, log: silentLog, name: 'indexer-1', metrics: createMetrics() });

  const set = vectorSetOf('flaky:1');
  await eventually(async () => (await answering.completeVectorSet()) === set, 30_000);
  expect(await answering.vectorRids(set)).toEqual([1]);
  expect([await other.vectorSeq(set), await other.vectorRids(set)]).toEqual([0, []]);
  expect(models.calls.map(({ input }) => input)).toEqual(Array(2).fill(['The pump runs at 40 bar.']));
});

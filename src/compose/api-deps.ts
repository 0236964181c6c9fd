import { randomInt, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { type AccountSnapshot, createAccountSnapshot } from '../accounts/engine-snapshot.ts';
import { createTokenCheck } from '../accounts/operator-token.ts';
import { queryIdSecret } from '../accounts/query-id-secret.ts';
import { knownAnswers } from '../ai/known-answers.ts';
import { createClientAddress, watchUnlistedProxies } from '../api/client-address.ts';
import { limitFailedCredentials } from '../api/failed-credentials.ts';
import { createMemoryRateStore } from '../api/rate-store.ts';
import { type Config, shownConfig } from '../config/config.ts';
import { keepSecretFile, operatorTokenPath } from '../config/secret-file.ts';
import { steadyClock, systemClock } from '../core/clock.ts';
import { makeQueryId, QUERY_ID_RANDOMS, type QueryIdOwner, verifyQueryId } from '../core/query-id.ts';
import { createHostHolds } from '../crawl/host-holds.ts';
import { operatorSettingsParser } from '../crawl/parse-operator-settings.ts';
import { type Confirmation, confirmSettings } from '../crawl/preview-settings.ts';
import { unmarkedNames } from '../crawl/private-names.ts';
import { createWorkOn } from '../crawl/work-on.ts';
import { createPrivateLookUp } from '../fetch/gate/create-egress-gate.ts';
import { systemResolve } from '../fetch/gate/resolve-cache.ts';
import { createRedisRateStore } from '../jobs/redis-rate-store.ts';
import { createPopularQueries, POPULAR_QUERIES_AGE_MS } from '../search/popular-queries.ts';
import { createQueryNeighbours } from '../search/query-neighbours.ts';
import { openEmbeddedIndex } from '../search-index/embedded/embedded-index.ts';
import { createSanitizer } from '../search-tools/sanitize.ts';
import { createToolSnapshot } from '../search-tools/tool-snapshot.ts';
import type { EngineStores } from '../storage/engine-store.ts';
import type { SystemStore } from '../storage/system-store.ts';
import { openAnswering } from './answering.ts';
import { apiSettings } from './api-settings.ts';
import { crawlControl } from './crawl-control.ts';
import { indexFolder } from './index-folder.ts';
import { openObserving } from './observing.ts';
import { livenessOf } from './process-lock.ts';
import { productVersion, SAMPLE_FOLDER, WEB_FOLDER } from './product-files.ts';
import { provisioning } from './provisioning.ts';
import { createReadiness } from './readiness.ts';
import { openJobs, wakeOf } from './redis.ts';
import { monotonicMs, type RoleContext } from './role.ts';
import { openSecretBox } from './secrets.ts';
import { openStores, type Stores } from './stores.ts';

/** Everything that the routes work with; what it opens is closed with the stack. */
export async function openApiDeps(stack: AsyncDisposableStack, { config, log, metrics }: RoleContext) {
  const { systemStore, engineStores } = stack.use(await openStores(config.DATA_DIR, log, metrics));
  const accounts = createAccountSnapshot({ store: systemStore, clock: systemClock });
  const readDocuments = async (engineId: number, rids: readonly number[]) =>
    (await engineStores.of(engineId)).readDocuments(rids);
  const searchIndex = stack.use(
    openEmbeddedIndex({
      ...{ clock: steadyClock, log, readDocuments, storeOf: engineStores.of },
      directoryOf: (engineId) => indexFolder(config.DATA_DIR, engineId),
      threads: config.SEARCH_THREADS,
      memoryBytes: config.INDEX_MEMORY_MB * 2 ** 20,
    }),
  );
  metrics.watchIndexMemory(searchIndex.residentBytes);
  metrics.watchReplacedThreads(() => searchIndex.replacedThreads().count);
  const crawling = await openCrawling(stack, { config, log }, { systemStore, engineStores, accounts });
  const answering = await openAnswering(stack, { config, log, metrics, engineStores });
  const secret = await queryIdSecret({ store: systemStore }, config.QUERY_ID_SECRET);
  const settings = apiSettings(config);
  const popularQueries = popularQueriesOf(systemStore, { config, log });
  const diskSpace = () => freeSpace(config.DATA_DIR);
  const draining = createDraining();
  const isProcessAlive = livenessOf(config);
  const unlistedProxies = watchUnlistedProxies(log);
  return {
    ...provisioning({ store: systemStore, accounts, ...crawling }),
    ...(await operatorAccess(config)),
    ...queryIds(secret),
    ...crawling,
    settings,
    log,
    draining,
    accounts,
    systemStore,
    engineStores,
    searchIndex,
    popularQueries,
    queryNeighbours: createQueryNeighbours({ popularQueries, store: systemStore, log }),
    readDocuments,
    diskSpace,
    isProcessAlive,
    tools: createToolSnapshot({ store: systemStore, clock: systemClock }),
    sanitizeHtml: createSanitizer(),
    metrics,
    newId: randomUUID,
    anonymizeIp: config.TRACKING_ANONYMIZE_IP,
    ...answering,
    ...openObserving({
      ...{ config, metrics, systemStore, engineStores, accounts, searchIndex, diskSpace, ...crawling },
      unlistedProxy: unlistedProxies.last,
      failingModels: answering.failingModels,
    }),
    ...knownAnswers({ systemStore }),
    rates: rateStore(stack, config),
    failedCredentials: limitFailedCredentials({ clock: systemClock, pause: (ms) => delay(ms) }),
    clientAddress: createClientAddress(settings.trustedProxies, unlistedProxies.seen),
    ...limitsOf(config),
    visibleSeq: (engineId: number) => searchIndex.visibleSeq(engineId),
    readiness: createReadiness({ draining, systemStore, isProcessAlive, searchIndex, monotonicMs }),
    ...productFacts(config),
  };
}

function limitsOf(config: Config) {
  return {
    maxDocumentBytes: config.MAX_DOCUMENT_BYTES,
    maxResultWindow: config.MAX_RESULT_WINDOW,
    maxSearchCostMs: config.MAX_SEARCH_COST,
  };
}

function productFacts(config: Config) {
  return {
    version: productVersion(),
    embeddingModel: config.EMBEDDING_MODEL,
    shownConfig: shownConfig(config),
    webFolder: existsSync(WEB_FOLDER) ? WEB_FOLDER : undefined,
    sampleFolder: SAMPLE_FOLDER,
  };
}

function popularQueriesOf(store: SystemStore, { config, log }: Pick<RoleContext, 'config' | 'log'>) {
  const minCount = config.RELATED_MIN_COUNT;
  return createPopularQueries({ store, log, clock: steadyClock, maxAgeMs: POPULAR_QUERIES_AGE_MS, minCount });
}

/** Where private networks are open to every crawler, no name has to be marked. */
function privateNames(config: Config) {
  const findPrivateAddresses = config.CRAWL_ALLOW_PRIVATE_NETWORKS
    ? async () => []
    : createPrivateLookUp({ resolve: systemResolve });
  return {
    findPrivateAddresses,
    unmarkedNames: (crawlers: Parameters<typeof unmarkedNames>[1]) => unmarkedNames({ findPrivateAddresses }, crawlers),
  };
}

/** Who saves settings that remove documents has seen what leaves, or allows it. */
function settingsGuard(engineStores: EngineStores) {
  return (input: Parameters<typeof confirmSettings>[1], confirmation: Confirmation) =>
    confirmSettings({ engineStores }, input, confirmation);
}

/**
 * Settings of crawlers, hints at their work, and tests of single URLs: what fetches and reads pages is loaded with the
 * first of them, as an api that tests none is smaller without.
 */
async function openCrawling(
  stack: AsyncDisposableStack,
  { config, log }: Pick<RoleContext, 'config' | 'log'>,
  opened: Pick<Stores, 'systemStore' | 'engineStores'> & { readonly accounts: AccountSnapshot },
) {
  const jobs = config.REDIS_URL === undefined ? undefined : await openJobs(stack, config.REDIS_URL, log);
  const secretBox = await openSecretBox(config);
  const { systemStore, engineStores, accounts } = opened;
  const wake = wakeOf(jobs, log);
  const hostHolds = createHostHolds({ store: systemStore, clock: systemClock });
  return {
    wake,
    hostHolds,
    workOn: createWorkOn({ hasSlots: () => jobs === undefined || jobs.producer.status === 'ready' }),
    listCrawlers: () => accounts.listCrawlers(),
    crawlControl: crawlControl({ accounts: systemStore, engineStores, clock: systemClock, wake, log }, () =>
      accounts.drop(),
    ),
    jobs,
    parseCrawlerSettings: operatorSettingsParser(secretBox),
    confirmSettings: settingsGuard(engineStores),
    ...privateNames(config),
    openDryRun:
      jobs &&
      loadedWhenAsked(stack, async (opening) => {
        const { openDryRun } = await import('./dry-run.ts');
        return openDryRun(opening, config, { producer: jobs.producer, secretBox, engineStores, hostHolds, log });
      }),
  };
}

/** Opened by the first who asks; whoever asks after a failure tries again. */
function loadedWhenAsked<T>(
  stack: AsyncDisposableStack,
  open: (opening: AsyncDisposableStack) => Promise<T>,
): () => Promise<T> {
  const opening = stack.use(new AsyncDisposableStack());
  let opened: Promise<T> | undefined;
  return () => {
    opened ??= open(opening).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
}

async function operatorAccess(config: Config) {
  const token = config.OPERATOR_TOKEN ?? (await keepSecretFile(operatorTokenPath(config.DATA_DIR)));
  return { isOperatorToken: createTokenCheck(token) };
}

function queryIds(secret: string) {
  const make = ({ counted, ...owner }: QueryIdOwner & { readonly counted: boolean }) =>
    makeQueryId(secret, owner, { timeMs: systemClock.now(), random: randomInt(QUERY_ID_RANDOMS), counted });
  return {
    queryIds: { make },
    verifyQueryId: (owner: QueryIdOwner, id: string) => verifyQueryId(secret, owner, id),
  };
}

/** Buckets in Redis when there is one, so that several api processes share them. */
function rateStore(stack: AsyncDisposableStack, config: Config) {
  return config.REDIS_URL === undefined ? createMemoryRateStore() : stack.use(createRedisRateStore(config.REDIS_URL));
}

/** Whether the process has begun to stop. */
function createDraining() {
  let begun = false;
  return {
    begin: () => {
      begun = true;
    },
    isBegun: () => begun,
  };
}

async function freeSpace(folder: string) {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

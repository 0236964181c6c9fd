import { randomInt, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { type AccountSnapshot, createAccountSnapshot } from '../accounts/engine-snapshot.ts';
import type { InstallationStatus } from '../accounts/installation-status.ts';
import { queryIdSecret } from '../accounts/secret-box.ts';
import { createQuestionDryRun, knownAnswers } from '../ai/dry-run-question.ts';
import { adminRoutes } from '../api/admin/admin-routes.ts';
import type { CrawlControl } from '../api/admin/crawlers.ts';
import { adminPages } from '../api/admin-pages.ts';
import { createApp } from '../api/app.ts';
import { createClientAddress, watchUnlistedProxies } from '../api/client-address.ts';
import { healthRoutes, type MetricsDeps, metricsRoutes, ownMetricsRoutes } from '../api/public/health.ts';
import { publicRoutes } from '../api/public/public-routes.ts';
import { createMemoryRateStore } from '../api/rate-limit.ts';
import { type Config, shownConfig } from '../config/config.ts';
import { steadyClock, systemClock } from '../core/clock.ts';
import { makeQueryId, QUERY_ID_RANDOMS, type QueryIdOwner, verifyQueryId } from '../core/query-id.ts';
import { type ActivateDeps, activateCrawler, deactivateCrawler } from '../crawl/activate-crawler.ts';
import { createHostHolds } from '../crawl/host-holds.ts';
import { operatorSettingsParser } from '../crawl/parse-operator-settings.ts';
import { type Confirmation, confirmSettings } from '../crawl/preview-settings.ts';
import { unmarkedNames } from '../crawl/private-names.ts';
import { queueUrls } from '../crawl/queue-urls.ts';
import { startRun } from '../crawl/start-run.ts';
import { pauseRun, resumeRun, stopRun } from '../crawl/sweep-crawl.ts';
import { createWorkOn } from '../crawl/work-on.ts';
import { createPrivateLookUp } from '../fetch/gate/create-egress-gate.ts';
import { systemResolve } from '../fetch/gate/resolve-cache.ts';
import { startGoldenRounds } from '../jobs/golden-upkeep.ts';
import { createRedisRateStore } from '../jobs/redis-rate-store.ts';
import { startToolChecks } from '../jobs/tool-upkeep.ts';
import { type LogQuery, logFolder, readLogTail } from '../observability/log-files.ts';
import type { Log } from '../observability/logger.ts';
import { DEFAULT_SOURCE_FIELDS } from '../search/cut-passages.ts';
import { createPopularQueries, createQueryNeighbours, POPULAR_QUERIES_AGE_MS } from '../search/popular-queries.ts';
import { checkDueTools } from '../search-tools/check-tools.ts';
import type { EngineStores } from '../storage/engine-store.ts';
import type { OwnProcess, ProcessRegistry } from '../storage/process-registry.ts';
import type { SystemStore } from '../storage/system-store.ts';
import { openAlerting, startWatching } from './alerting.ts';
import { openAnswering } from './answering.ts';
import { apiSettings } from './api-settings.ts';
import { createDataUsage } from './data-usage.ts';
import { openObserving } from './observing.ts';
import { OPENAPI_FILE, productVersion, SAMPLE_FOLDER, WEB_FOLDER } from './product-files.ts';
import { provisioning } from './provisioning.ts';
import { createReadiness } from './readiness.ts';
import { type Jobs, jobsFacts, openJobs, wakeOf } from './redis.ts';
import { monotonicMs, type RoleContext, type RunningRole } from './role.ts';
import { openSearchIndex } from './search-index.ts';
import { openSearchTools } from './search-tools.ts';
import { openSecretBox } from './secrets.ts';
import { openSigningIn } from './signing-in.ts';
import { openStores, type Stores } from './stores.ts';

/** Connections that may wait to be accepted; the system has a bound of its own (net.core.somaxconn). */
const LISTEN_BACKLOG = 10_000;

/** The HTTP role: answers until it is disposed, then finishes the requests under way. `note` is its address. */
export async function composeApi(context: RoleContext): Promise<RunningRole> {
  const { config } = context;
  await using stack = new AsyncDisposableStack();
  const { draining, ...deps } = await openApiDeps(stack, context);
  const { holder } = await enterUnlessUnwritable(stack, context, deps);
  const dryRunQuestion = createQuestionDryRun({ ...deps, sourceFields: DEFAULT_SOURCE_FIELDS });
  const golden = { ...deps, sourceFields: DEFAULT_SOURCE_FIELDS, clock: systemClock };
  const admin = [adminRoutes({ ...deps, dryRunQuestion, golden }), adminPages(deps)];
  const { onPort, elsewhere } = portsOf(config, deps, admin);
  const app = await createApp(deps, [...publicRoutes(deps), ...onPort]);
  stack.defer(() => app.close());
  for (const [port, plugins] of elsewhere) {
    const own = await createApp(deps, [healthRoutes(deps), ...plugins]);
    stack.defer(() => own.close());
    await own.listen({ host: config.HOST, port });
  }
  await app.listen({ host: config.HOST, port: config.PORT, backlog: LISTEN_BACKLOG });
  stack.use(startGoldenRounds({ ...golden, holder }));
  stack.use(
    startToolChecks({
      log: context.log,
      checkDueTools: (signal) => checkDueTools({ ...deps, clock: systemClock }, signal),
    }),
  );
  stack.use(await startWatching({ ...context, holder }, deps));
  stack.defer(() => app.drain.close(draining.begin));
  const owned = stack.move();
  return { note: addressOf(app), hear: deps.hear, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Searches need no lease: they go on where nothing can be written. */
async function enterUnlessUnwritable(
  stack: AsyncDisposableStack,
  { config, name, log }: RoleContext,
  { processes, jobs }: { readonly processes: ProcessRegistry; readonly jobs: Jobs | undefined },
): Promise<Pick<OwnProcess, 'holder'>> {
  try {
    return stack.use(await processes.enter({ name, ...(jobs && jobsFacts(jobs, config)) }));
  } catch (err) {
    log.warn({ err }, 'other processes cannot see that this one lives');
    return { holder: name };
  }
}

/** What stands beside the public API on `PORT`, and what has a port of its own, by port. */
function portsOf(config: Config, deps: MetricsDeps, admin: readonly ReturnType<typeof adminPages>[]) {
  const placed = [
    ...admin.map((plugin) => ({ port: config.ADMIN_PORT, here: plugin, elsewhere: plugin })),
    { port: config.METRICS_PORT, here: metricsRoutes(deps), elsewhere: ownMetricsRoutes(deps) },
  ];
  const isHere = ({ port }: { readonly port: number }) => port === 0 || port === config.PORT;
  const moved = Map.groupBy(
    placed.filter((each) => !isHere(each)),
    ({ port }) => port,
  );
  return {
    onPort: placed.filter(isHere).map(({ here }) => here),
    elsewhere: new Map([...moved].map(([port, plugins]) => [port, plugins.map(({ elsewhere }) => elsewhere)])),
  };
}

function addressOf(app: Awaited<ReturnType<typeof createApp>>): string {
  const { address, port, family } = app.server.address() as AddressInfo;
  const host = address === '0.0.0.0' || address === '::' ? '127.0.0.1' : address;
  return `http://${family === 'IPv6' && host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Everything that the routes work with; what it opens is closed with the stack. */
export async function openApiDeps(stack: AsyncDisposableStack, { config, log, metrics }: RoleContext) {
  const stores = stack.use(await openStores(config, log, metrics));
  const { systemStore, engineStores, processes, clock, storedIn, databaseFault } = stores;
  const holders = { processes, isProcessAlive: processes.isAlive, indexerLease: stores.indexerLease };
  const accounts = createAccountSnapshot({ store: systemStore, clock });
  const readDocuments = documentReader(engineStores);
  const searchIndex = await openSearchIndex(stack, { config, log, metrics }, { engineStores, readDocuments });
  const crawling = await openCrawling(stack, { config, log }, { systemStore, engineStores, clock, accounts });
  const answering = await openAnswering(stack, { config, log, metrics, engineStores });
  const settings = apiSettings(config);
  const popularQueries = popularQueriesOf(systemStore, { config, log });
  const diskSpace = () => freeSpace(config.DATA_DIR);
  const draining = createDraining();
  const unlistedProxies = watchUnlistedProxies(log);
  const observing = openObserving({
    config,
    metrics,
    systemStore,
    engineStores,
    ...holders,
    accounts,
    searchIndex,
    diskSpace,
    databaseFault,
    ...crawling,
    unlistedProxy: unlistedProxies.last,
    failingModels: () => answering.modelStates().filter(({ isFailing }) => isFailing),
  });
  const alerting = openAlerting({ config, systemStore, accounts, engineStores, ...observing, ...crawling });
  return {
    ...provisioning({ store: systemStore, accounts, ...crawling, ...alerting }),
    ...(await openSigningIn(config, { store: systemStore, log })),
    ...queryIds(await queryIdSecret({ store: systemStore }, config.QUERY_ID_SECRET)),
    ...crawling,
    settings,
    log,
    draining,
    accounts,
    systemStore,
    engineStores,
    storedIn,
    searchIndex,
    popularQueries,
    queryNeighbours: createQueryNeighbours({ popularQueries, store: systemStore, log }),
    readDocuments,
    diskSpace,
    ...holders,
    ...openSearchTools({ searchIndex, readDocuments, engineStores, store: systemStore }),
    metrics,
    newId: randomUUID,
    anonymizeIp: config.TRACKING_ANONYMIZE_IP,
    ...answering,
    ...observing,
    ...alerting,
    ...knownAnswers({ systemStore }),
    rates: rateStore(stack, config),
    clientAddress: createClientAddress(settings.trustedProxies, unlistedProxies.seen),
    ...limitsOf(config),
    visibleSeq: (engineId: number) => searchIndex.visibleSeq(engineId),
    indexServers: searchIndex.servers,
    readiness: createReadiness({ draining, systemStore, ...holders, searchIndex, monotonicMs }),
    ...productFacts(config),
  };
}

function documentReader(engineStores: EngineStores) {
  return async (engineId: number, rids: readonly number[]) => (await engineStores.of(engineId)).readDocuments(rids);
}

function tierOf({ DATABASE_URL: database, OPENSEARCH_URL: servers }: Config): InstallationStatus['tier'] {
  if (database === undefined) return 'embedded';
  return servers === undefined ? 'shared store' : 'cluster';
}

function limitsOf(config: Config) {
  return {
    maxDocumentBytes: config.MAX_DOCUMENT_BYTES,
    maxResultWindow: config.MAX_RESULT_WINDOW,
    maxSearchCostMs: config.MAX_SEARCH_COST,
  };
}

/** Where it differs from the port of operators, and is known. */
function visitorPort({ PORT, ADMIN_PORT }: Config): number | undefined {
  return ADMIN_PORT === 0 || ADMIN_PORT === PORT || PORT === 0 ? undefined : PORT;
}

function productFacts(config: Config) {
  return {
    tier: tierOf(config),
    version: productVersion(),
    shownConfig: shownConfig(config),
    publicUrl: config.PUBLIC_URL,
    visitorPort: visitorPort(config),
    citationFragments: config.FRONT_END_PREFIX === undefined,
    readLog: (query: LogQuery) => readLogTail(logFolder(config.DATA_DIR), query),
    readDataUsage: createDataUsage(config.DATA_DIR),
    webFolder: existsSync(WEB_FOLDER) ? WEB_FOLDER : undefined,
    sampleFolder: SAMPLE_FOLDER,
    openApiFile: OPENAPI_FILE,
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
  opened: Pick<Stores, 'systemStore' | 'engineStores' | 'clock'> & { readonly accounts: AccountSnapshot },
) {
  const jobs = config.REDIS_URL === undefined ? undefined : await openJobs(stack, config.REDIS_URL, log);
  const secretBox = await openSecretBox(config);
  const { systemStore, engineStores, clock, accounts } = opened;
  const wake = wakeOf(jobs, log);
  const hostHolds = createHostHolds({ store: systemStore, clock });
  return {
    wake,
    hostHolds,
    workOn: createWorkOn({ hasSlots: () => jobs === undefined || jobs.producer.status === 'ready' }),
    listCrawlers: () => accounts.listCrawlers(),
    crawlControl: crawlControl({ accounts: systemStore, engineStores, clock, wake, log }, () => accounts.drop()),
    jobs,
    secretBox,
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

/** What the operator tells crawlers, as the admin API calls it. */
export function crawlControl(deps: ActivateDeps & { readonly log: Log }, dropSnapshot: () => void): CrawlControl {
  return {
    activate: async ({ id }, actor) => {
      await activateCrawler(deps, { crawlerId: id, actor });
      dropSnapshot();
    },
    deactivate: async ({ id }, actor) => {
      await deactivateCrawler(deps, { crawlerId: id, actor });
      dropSnapshot();
    },
    startRun: async (crawler, { kind, actor }) => {
      const run = await startRun(deps, crawler, { kind, startedBy: actor, whenBusy: 'follow' });
      deps.wake({ kind: 'crawler-changed', engineId: crawler.engineId, crawlerId: crawler.id });
      return run;
    },
    pause: (crawler) => pauseRun(deps, crawler),
    resume: (crawler) => resumeRun(deps, crawler),
    stop: (crawler) => stopRun(deps, crawler),
    queueUrls: (crawler, urls) => queueUrls(deps, crawler, urls),
  };
}

import { statfs } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import type { FastifyPluginAsync } from 'fastify';
import { createAccountSnapshot } from '../../src/accounts/engine-snapshot.ts';
import { watchFailedSignIns } from '../../src/accounts/failed-sign-ins.ts';
import { createKeyUse } from '../../src/accounts/key-use.ts';
import { createPasswords } from '../../src/accounts/passwords.ts';
import { createSecretBox, createTokenCheck } from '../../src/accounts/secret-box.ts';
import { createQuestionDryRun, type QuestionDryRunDeps } from '../../src/ai/dry-run-question.ts';
import type { RouteAccess } from '../../src/api/admin/access.ts';
import { type AdminDeps, adminRoutes } from '../../src/api/admin/admin-routes.ts';
import { createApp, type EdgeDeps } from '../../src/api/app.ts';
import { limitFailedCredentials } from '../../src/api/auth.ts';
import { createClientAddress } from '../../src/api/client-address.ts';
import { createMemoryRateStore } from '../../src/api/rate-limit.ts';
import { openAlerting } from '../../src/compose/alerting.ts';
import { crawlControl } from '../../src/compose/api.ts';
import { createDataUsage } from '../../src/compose/data-usage.ts';
import { CONFIG, shownConfig } from '../../src/config/config.ts';
import { systemClock } from '../../src/core/clock.ts';
import { createSemaphore } from '../../src/core/concurrency.ts';
import type { WakeHint } from '../../src/core/wake.ts';
import { createHostHolds } from '../../src/crawl/host-holds.ts';
import { operatorSettingsParser } from '../../src/crawl/parse-operator-settings.ts';
import { confirmSettings } from '../../src/crawl/preview-settings.ts';
import { createWorkOn } from '../../src/crawl/work-on.ts';
import { createHealth } from '../../src/health/health.ts';
import { logFolder, readLogTail } from '../../src/observability/log-files.ts';
import { createLogger } from '../../src/observability/logger.ts';
import { createMetrics } from '../../src/observability/metrics.ts';
import { DEFAULT_SOURCE_FIELDS } from '../../src/search/cut-passages.ts';
import { candidateFinder, createAnalysedPassages } from '../../src/search/find-candidates.ts';
import { createPageFinder } from '../../src/search/find-pages.ts';
import { createToolSnapshot } from '../../src/search-tools/tool-snapshot.ts';
import type { EngineStores } from '../../src/storage/engine-store.ts';
import { openEngineStores } from '../../src/storage/sqlite/engine-stores.ts';
import { lockedProcesses } from '../../src/storage/sqlite/locked-processes.ts';
import { openSystemStore } from '../../src/storage/sqlite/open-system-store.ts';
import { isProcessAlive } from '../../src/storage/sqlite/process-locks.ts';
import type { LeaseStore } from '../../src/storage/system/installation.ts';
import type { SystemStore } from '../../src/storage/system-store.ts';
import { isInjected } from '../../src/text/injected-text.ts';
import { API_SETTINGS } from './api-settings.ts';
import { requireDescribed } from './described-answers.ts';
import { createInMemoryIndex, type InMemoryIndex } from './in-memory-index/in-memory-index.ts';
import { NO_TOOLS } from './no-tools.ts';
import { sharedWriteThread } from './shared-write-thread.ts';
import { temporaryFolder } from './temporary-folder.ts';

const SECRETS_KEY = 'secrets-key-of-the-tests';
export const OPERATOR_TOKEN = 'operator-token-of-the-tests';

type TestDeps = AdminDeps &
  EdgeDeps & {
    readonly engineStores: EngineStores;
    readonly systemStore: SystemStore;
    readonly searchIndex: InMemoryIndex;
  };

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape
export type AdminAnswer = { readonly status: number; readonly body: any };

/**
 * The admin API over real stores, on a free port of this process. `plugins` are served beside it; `onAdminRoute`
 * hears of each route, `GET /customers/:customerId`, and of its access; `changes` replace what the routes work with.
 */
export async function startAdminApi(
  plugins: (deps: TestDeps) => readonly FastifyPluginAsync[] = () => [],
  onAdminRoute: (route: string, access: RouteAccess | undefined) => void = () => undefined,
  changes: Partial<TestDeps> = {},
) {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  const { deps: opened, hints, leases } = await openDeps(stack, folder.path);
  const deps = { ...opened, ...changes };
  const listen: FastifyPluginAsync = async (app) => {
    app.addHook('onRoute', ({ method, url, config }) => {
      if (method !== 'HEAD') onAdminRoute(`${method} ${url.replace('/admin/v1', '')}`, config?.access);
    });
    await app.register(adminRoutes(deps));
  };
  const app = await createApp(deps, [listen, ...plugins(deps)]);
  stack.defer(() => app.close());
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const call = async (method: string, path: string, body?: unknown, token = OPERATOR_TOKEN): Promise<AdminAnswer> => {
    const answer = await fetch(`${origin}/admin/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const { status, headers } = answer;
    const isJson = headers.get('content-type')?.startsWith('application/json') === true;
    const shown = isJson ? JSON.parse(text) : text || undefined;
    requireDescribed(
      { method, path: `/admin/v1${path}` },
      { status, headers: Object.fromEntries(headers), body: shown },
    );
    return { status, body: shown };
  };
  const owned = stack.move();
  return {
    origin,
    dataDir: folder.path,
    deps,
    hints,
    leases,
    call,
    get: (path: string) => call('GET', path),
    post: (path: string, body?: unknown) => call('POST', path, body),
    patch: (path: string, body: unknown) => call('PATCH', path, body),
    delete: (path: string) => call('DELETE', path),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function openDeps(stack: AsyncDisposableStack, dataDir: string) {
  const writeThread = stack.use(sharedWriteThread(dataDir));
  const store = stack.use(await openSystemStore({ dataDir, writeThread }));
  const engineStores = stack.use(openEngineStores({ dataDir, writeThread }));
  const hints: WakeHint[] = [];
  const metrics = createMetrics();
  const accounts = createAccountSnapshot({ store, clock: systemClock });
  const searchIndex = stack.use(createInMemoryIndex());
  const wake = (hint: WakeHint) => {
    hints.push(hint);
  };
  const log = createLogger({ level: 'error', name: 'test' });
  const tools = createToolSnapshot({ store, clock: systemClock });
  const evidence = {
    searchIndex,
    tools,
    sourceFields: DEFAULT_SOURCE_FIELDS,
    newNonce: () => 'nonce',
    readDocuments: async (engineId, rids) => (await engineStores.of(engineId)).readDocuments(rids),
    findCandidates: candidateFinder(createAnalysedPassages({ maxBytes: 2 ** 26, isInjected })),
    retrievalSemaphore: createSemaphore(() => true),
  } satisfies Omit<QuestionDryRunDeps, 'engineStores'>;
  const visibleSeq = (engineId: number) => searchIndex.visibleSeq(engineId);
  const answering = { ...evidence, languageModels: undefined, systemStore: store, engineStores, visibleSeq };
  const config = CONFIG.parse({});
  const health = createHealth({ checks: [], monotonicMs: () => performance.now() });
  const secretBox = createSecretBox(SECRETS_KEY);
  const pages = createPageFinder({ searchIndex, readDocuments: evidence.readDocuments, engineStores, store });
  const deps: TestDeps = {
    dryRunQuestion: createQuestionDryRun({ ...evidence, engineStores }),
    golden: { ...answering, metrics, clock: systemClock, log },
    settings: API_SETTINGS,
    clock: systemClock,
    log,
    metrics,
    rates: createMemoryRateStore(),
    // As weak as can be: each hash of a real one takes half a second.
    passwords: createPasswords({ costLog2: 4, blockSize: 8, parallelism: 1 }),
    noteKeyUse: createKeyUse({ store, clock: systemClock, log }),
    identityProvider: undefined,
    pendingSignIns: createSecretBox(SECRETS_KEY, 'pending sign-ins'),
    failedSignIns: watchFailedSignIns({ store, clock: systemClock }),
    failedCredentials: limitFailedCredentials({ clock: systemClock, pause: async () => undefined }),
    clientAddress: createClientAddress([]),
    accounts,
    store,
    systemStore: store,
    engineStores,
    hostHolds: createHostHolds({ store, clock: systemClock }),
    workOn: createWorkOn({ hasSlots: () => true }),
    listCrawlers: () => accounts.listCrawlers(),
    isOperatorToken: createTokenCheck(OPERATOR_TOKEN),
    parseCrawlerSettings: operatorSettingsParser(secretBox),
    ...openAlerting({ config, systemStore: store, accounts, engineStores, health, secretBox }),
    findPrivateAddresses: async () => [],
    unmarkedNames: async () => [],
    readVariable: (name) => (name === 'CMS_API_KEY' ? 'key-of-the-third-customer' : undefined),
    wake,
    crawlControl: crawlControl({ accounts: store, engineStores, clock: systemClock, wake, log }, () => accounts.drop()),
    visibleSeq,
    openDryRun: undefined,
    confirmSettings: (of, confirmation) => confirmSettings({ engineStores }, of, confirmation),
    searchIndex,
    sanitizeHtml: NO_TOOLS.sanitizeHtml,
    queryNeighbours: NO_TOOLS.queryNeighbours,
    tools,
    readDocuments: evidence.readDocuments,
    queryIds: { make: () => 'query-id' },
    maxResultWindow: 10_000,
    maxSearchCostMs: 0,
    pages,
    findPage: (engineId, name) => pages.find(engineId, name, AbortSignal.timeout(5_000)),
    isProcessAlive: async (holder) => isProcessAlive(dataDir, holder),
    indexerLease: 'indexer',
    processes: lockedProcesses(dataDir),
    tier: 'embedded',
    health,
    diskSpace: async () => {
      const { bavail, blocks, bsize } = await statfs(dataDir);
      return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
    },
    tokenPrices: { input: 3, output: 15 },
    version: '0.0.0-test',
    storedIn: 'SQLite of the test',
    modelStates: () => [],
    shownConfig: shownConfig(config),
    webFolder: undefined,
    publicUrl: undefined,
    visitorPort: undefined,
    citationFragments: true,
    readLog: (query) => readLogTail(logFolder(dataDir), query),
    readProcesses: async () => [],
    readDataUsage: createDataUsage(dataDir),
  };
  const leases: LeaseStore = store;
  return { deps, hints, leases };
}

import { randomInt, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { FastifyPluginAsync } from 'fastify';
import { createAccountSnapshot } from '../../src/accounts/engine-snapshot.ts';
import { createKeyUse } from '../../src/accounts/key-use.ts';
import type { LanguageModels } from '../../src/ai/answer-generators.ts';
import { knownAnswers } from '../../src/ai/dry-run-question.ts';
import { adminPages } from '../../src/api/admin-pages.ts';
import { createApp } from '../../src/api/app.ts';
import { limitFailedCredentials } from '../../src/api/auth.ts';
import { createClientAddress } from '../../src/api/client-address.ts';
import { metricsRoutes } from '../../src/api/public/health.ts';
import { publicRoutes } from '../../src/api/public/public-routes.ts';
import { createMemoryRateStore } from '../../src/api/rate-limit.ts';
import type { ApiSettings } from '../../src/api/settings.ts';
import { openAnswering } from '../../src/compose/answering.ts';
import { passagesOf } from '../../src/compose/indexer.ts';
import { openEmbeddingModels } from '../../src/compose/models/embedding-models.ts';
import { OPENAPI_FILE } from '../../src/compose/product-files.ts';
import { CONFIG } from '../../src/config/config.ts';
import { systemClock } from '../../src/core/clock.ts';
import { makeQueryId, QUERY_ID_RANDOMS, type QueryIdOwner, verifyQueryId } from '../../src/core/query-id.ts';
import type { Engine } from '../../src/core/records.ts';
import type { WakeHint } from '../../src/core/wake.ts';
import { embedEngines } from '../../src/indexing/embed-engines.ts';
import { projectEngine } from '../../src/indexing/project-engines.ts';
import { createLogger, type Log } from '../../src/observability/logger.ts';
import { createMetrics } from '../../src/observability/metrics.ts';
import { createPopularQueries, createQueryNeighbours } from '../../src/search/popular-queries.ts';
import { createSanitizer } from '../../src/search-tools/sanitize.ts';
import { createToolSnapshot } from '../../src/search-tools/tool-snapshot.ts';
import { API_SETTINGS } from './api-settings.ts';
import { requireDescribed } from './described-answers.ts';
import { BASIC, FIXTURE_DOCUMENTS, FIXTURE_RECORDS, SITE_KEY } from './fixture.ts';
import { type Answer, createAgent, type Sent, sendTo } from './http-client.ts';
import { openTestIndex } from './index-adapter.ts';
import { storeAdapter } from './store-adapter.ts';
import { temporaryFolder } from './temporary-folder.ts';

const QUERY_ID_SECRET = 'secret of query ids in tests';
const ENGINES = [6, 7, 8] as const;

export type ProductOptions = {
  readonly settings?: Partial<ApiSettings>;
  readonly maxDocumentBytes?: number;
  readonly webFolder?: string;
  readonly sampleFolder?: string;
  readonly operatorToken?: string;
  readonly anonymizeIp?: boolean;
  readonly log?: Log;
  /** Variables that decide about answers: models, fallbacks, timeouts. */
  readonly config?: Readonly<Record<string, string>>;
  readonly busyWaitMs?: number;
  /** None unless it is said: every search runs in this thread. */
  readonly searchThreads?: number;
  /** Told how long an answer to wrong credentials waits; nothing waits when it is left out. */
  readonly pauseAfterFailure?: (ms: number) => Promise<void>;
  /** In place of those that `config` names. */
  readonly languageModels?: LanguageModels;
  /** Hears of each route: `GET /api/rankings`. */
  readonly onRoute?: (route: string) => void;
};

type Reply = { readonly status: number; readonly body: Answer['body'] };

/**
 * The product in this process, on a folder of its own and a free port, with the records and documents of contract
 * 12. Bodies go as JSON; `auth` is the `Authorization` header, `undefined` sends none.
 */
export async function startProduct(options: ProductOptions = {}) {
  await using stack = new AsyncDisposableStack();
  const { deps, store, accounts, hints } = await openDeps(stack, options);
  await store.changeRecords('test', [...FIXTURE_RECORDS], systemClock.now());
  accounts.drop();
  const routes: FastifyPluginAsync = async (app) => {
    app.addHook('onRoute', ({ method, url }) => options.onRoute?.(`${method} ${url}`));
    for (const plugin of [...publicRoutes(deps), adminPages(deps), metricsRoutes(deps)]) await app.register(plugin);
  };
  const app = await createApp(deps, [routes]);
  stack.defer(() => app.close());
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const agent = createAgent();
  stack.defer(() => agent.destroy());

  const send = async (sent: Sent): Promise<Answer> => {
    const answer = await sendTo(port, agent, sent);
    requireDescribed(sent, answer);
    return answer;
  };
  const call =
    (method: string) =>
    async (path: string, body: unknown, auth: string | undefined = BASIC): Promise<Reply> => {
      const answer = await send({ method, path, body, headers: { authorization: auth } });
      return { status: answer.status, body: answer.body };
    };
  const put = call('PUT');
  const changeEngine = async (id: number, change: (engine: Engine) => Partial<Engine>) => {
    const engine = await store.findEngine(id);
    if (engine === undefined) throw new Error('no such engine');
    const { customerId, name, language, settings, publicSettings } = { ...engine, ...change(engine) };
    const changed = { kind: 'put-engine', id, customerId, name, language, settings, publicSettings } as const;
    await store.changeRecords('test', [changed], systemClock.now());
    accounts.drop();
  };
  const loaded = await put('/api/v4/3/index/17/documents?refresh=wait', FIXTURE_DOCUMENTS);
  if (loaded.status !== 200) throw new Error(`the fixture was refused: ${JSON.stringify(loaded.body)}`);
  const owned = stack.move();
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    siteKey: SITE_KEY,
    basic: BASIC,
    send,
    post: call('POST'),
    put,
    patch: call('PATCH'),
    get: (path: string, auth: string | undefined = BASIC) => call('GET')(path, undefined, auth),
    delete: (path: string, auth: string | undefined = BASIC) => call('DELETE')(path, undefined, auth),
    /** Changes operator records, seen by the next request. */
    changeRecords: async (...changes: Parameters<typeof store.changeRecords>[1]) => {
      await store.changeRecords('test', changes, systemClock.now());
      accounts.drop();
    },
    narrowOrigins: (engineId: number, corsOrigins: readonly string[]) =>
      changeEngine(engineId, ({ settings }) => ({ settings: { ...settings, corsOrigins } })),
    changeSettings: (engineId: number, changed: Partial<Engine['settings']>) =>
      changeEngine(engineId, ({ settings }) => ({ settings: { ...settings, ...changed } })),
    renameEngine: (engineId: number, name: string) => changeEngine(engineId, () => ({ name })),
    /** What `GET /metrics` tells. */
    printMetrics: () => deps.metrics.print(),
    /** Wake hints so far. */
    hints,
    /** The store of an engine, for what no endpoint shows. */
    engineStore: (engineId: number) => deps.engineStores.of(engineId),
    /** What `GET /health/ready` is told. */
    readiness: deps.state,
    /** What was stored, for what no endpoint shows. */
    systemStore: store,
    /** The id of a search on the engine. */
    issueQueryId: (owner: QueryIdOwner, counted = true) => deps.queryIds.make({ ...owner, counted }),
    listApiKeys: (customerId: number) => store.listApiKeys(customerId),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

export type Product = Awaited<ReturnType<typeof startProduct>>;

async function openDeps(stack: AsyncDisposableStack, options: ProductOptions) {
  const folder = stack.use(await temporaryFolder());
  const dataDir = folder.path;
  stack.defer(() => storeAdapter.remove(dataDir));
  const store = stack.use(await storeAdapter.openSystem(dataDir));
  const engineStores = stack.use(await storeAdapter.openEngines(dataDir));
  const log = options.log ?? createLogger({ level: 'error', name: 'test' });
  const readDocuments = async (engineId: number, rids: readonly number[]) =>
    (await engineStores.of(engineId)).readDocuments(rids);
  const threads = options.searchThreads ?? 0;
  const { searchIndex, openWriter } = await openTestIndex(stack, {
    dataDir,
    threads,
    log,
    engineStores,
    readDocuments,
  });
  const accounts = createAccountSnapshot({ store, clock: systemClock });
  const settings = { ...API_SETTINGS, ...options.settings };
  const metrics = createMetrics();
  const config = CONFIG.parse(options.config ?? {});
  const answering = await openAnswering(stack, { config, log, metrics, engineStores });
  const projections = new AbortController();
  const running = ENGINES.map(async (engineId) => {
    const source = await engineStores.of(engineId);
    await using writer = await openWriter(engineId, source);
    const monotonicMs = () => performance.now();
    await projectEngine({ store: source, writer, log, refreshMs: 10, monotonicMs }, projections.signal);
  });
  const embedding = await openEmbeddingModels(stack, { config, log, report: () => undefined });
  if (embedding !== undefined) {
    const work = { accounts: store, engineStores, log, model: embedding.configured, passagesOf };
    running.push(embedEngines(work, projections.signal));
  }
  stack.defer(async () => {
    projections.abort();
    await Promise.all(running);
  });
  const hints: WakeHint[] = [];
  const popularQueries = createPopularQueries({ store, log, clock: systemClock, minCount: 2, maxAgeMs: 0 });
  const state: { ready: boolean; checks: Record<string, boolean> } = { ready: true, checks: { stores: true } };
  const deps = {
    settings,
    clock: systemClock,
    log,
    accounts,
    systemStore: store,
    metrics,
    printMetrics: metrics.print,
    newId: randomUUID,
    queryIds: {
      make: ({ counted, ...owner }: QueryIdOwner & { readonly counted: boolean }) =>
        makeQueryId(QUERY_ID_SECRET, owner, {
          timeMs: systemClock.now(),
          random: randomInt(QUERY_ID_RANDOMS),
          counted,
        }),
    },
    readDocuments,
    tools: createToolSnapshot({ store, clock: systemClock }),
    sanitizeHtml: createSanitizer(),
    maxResultWindow: settings.maxResultWindow,
    maxSearchCostMs: settings.maxSearchCostMs,
    anonymizeIp: options.anonymizeIp ?? false,
    verifyQueryId: (owner: QueryIdOwner, id: string) => verifyQueryId(QUERY_ID_SECRET, owner, id),
    ...answering,
    languageModels: options.languageModels ?? answering.languageModels,
    conversations: { ...answering.conversations, busyWaitMs: options.busyWaitMs ?? answering.conversations.busyWaitMs },
    ...knownAnswers({ systemStore: store }),
    rates: createMemoryRateStore(),
    noteKeyUse: createKeyUse({ store, clock: systemClock, log }),
    failedCredentials: limitFailedCredentials({
      clock: systemClock,
      pause: options.pauseAfterFailure ?? (async () => undefined),
    }),
    clientAddress: createClientAddress(settings.trustedProxies),
    engineStores,
    searchIndex,
    popularQueries,
    queryNeighbours: createQueryNeighbours({ popularQueries, store, log }),
    wake: (hint: WakeHint) => void hints.push(hint),
    maxDocumentBytes: options.maxDocumentBytes ?? 2_000_000,
    state,
    readiness: async () => state,
    isOperatorToken: (token: string) => token === (options.operatorToken ?? 'operator-token-of-tests'),
    webFolder: options.webFolder,
    sampleFolder: options.sampleFolder,
    openApiFile: OPENAPI_FILE,
    version: '1.2.3',
  };
  return { deps, store, accounts, hints };
}

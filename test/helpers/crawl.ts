import { randomUUID } from 'node:crypto';
import { createAccountSnapshot } from '../../src/accounts/engine-snapshot.ts';
import { type Clock, systemClock } from '../../src/core/clock.ts';
import type { StoredSecret } from '../../src/core/crawler-secrets.ts';
import type { Wake, WakeHint } from '../../src/core/wake.ts';
import { activateCrawler, deactivateCrawler } from '../../src/crawl/activate-crawler.ts';
import { createCrawlAccess } from '../../src/crawl/crawl-access.ts';
import { releaseHost } from '../../src/crawl/host-control.ts';
import { createHostHolds, heedingHolds } from '../../src/crawl/host-holds.ts';
import { queueUrls } from '../../src/crawl/queue-urls.ts';
import { runSlice, type SliceDeps } from '../../src/crawl/run-slice.ts';
import { startRun } from '../../src/crawl/start-run.ts';
import { pauseRun, resumeRun, stopRun, sweepCrawler, type WantedSlice } from '../../src/crawl/sweep-crawl.ts';
import { createLinkCaches } from '../../src/crawl/visit/page-links.ts';
import { createUrlTemplateStatistics } from '../../src/crawl/visit/url-template-statistics.ts';
import { createWorkOn } from '../../src/crawl/work-on.ts';
import { extract } from '../../src/extract/extract.ts';
import { createParserPool } from '../../src/extract/files/parser-pool.ts';
import { createEgressGate } from '../../src/fetch/gate/create-egress-gate.ts';
import { createCookieJar } from '../../src/fetch/http/cookies.ts';
import { createFileSpool } from '../../src/fetch/http/create-file-spool.ts';
import { createHttpFetcher } from '../../src/fetch/http/create-http-fetcher.ts';
import { connectProducer, connectWorker, untilConnected } from '../../src/jobs/connection.ts';
import { createSchedules, startCrawlScheduler } from '../../src/jobs/crawl-scheduler.ts';
import { startCrawlWorkers } from '../../src/jobs/crawl-workers.ts';
import { openQueues } from '../../src/jobs/queues.ts';
import { createRedisHostSlots } from '../../src/jobs/redis-host-slots.ts';
import { createWake } from '../../src/jobs/wake.ts';
import { openEngineStores } from '../../src/storage/sqlite/engine-stores.ts';
import { openSystemStore } from '../../src/storage/sqlite/open-system-store.ts';
import { type FakeNames, fakeResolve } from './fetching.ts';
import { startPrivateRedis } from './private-redis.ts';
import { sharedWriteThread } from './shared-write-thread.ts';
import { silentLog } from './silent-log.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Requests for sitemaps that a site does not have are left to the tests of sitemaps. */
const NO_GUESSES = { sitemaps: 'off' };

/** Wall time that a test can move forward. */
export type MovingClock = Clock & { skip(ms: number): void };

function movingClock(): MovingClock {
  let skipped = 0;
  return {
    now: () => systemClock.now() + skipped,
    skip: (ms) => {
      skipped += ms;
    },
  };
}

/**
 * The crawl of one engine in this process with everything real: stores on disk, host slots in a private Redis, the
 * egress gate, the fetcher, extraction. Slices are run by the test instead of a queue.
 */
export async function openCrawl(
  settings: Readonly<Record<string, unknown>>,
  options: {
    readonly active?: boolean;
    readonly names?: FakeNames;
    readonly privateNetworks?: boolean;
    /** Without one it is as on a machine without Chromium. */
    readonly renderer?: SliceDeps['renderer'];
  } = {},
) {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  const redis = stack.use(await startPrivateRedis());
  const writeThread = stack.use(sharedWriteThread(folder.path));
  const accounts = stack.use(await openSystemStore({ dataDir: folder.path, writeThread }));
  const engineStores = stack.use(openEngineStores({ dataDir: folder.path, writeThread }));
  const clock = movingClock();
  const gate = createEgressGate({
    clock,
    resolve: fakeResolve(options.names ?? {}),
    allowPrivateNetworks: options.privateNetworks === true,
    ownPorts: new Set(),
  });
  const identity = { userAgent: 'FossickBot/0', from: undefined };
  const spoolFolder = `${folder.path}/spool`;
  const fetcher = stack.use(createHttpFetcher({ gate, clock, identity, spoolFolder }));
  const pool = stack.use(createParserPool({ processes: 1, timeoutMs: 20_000, memoryMb: 512 }));
  const connection = connectProducer(redis.url, silentLog);
  stack.defer(() => connection.disconnect());
  await untilConnected(connection, 5_000);
  const snapshot = createAccountSnapshot({ store: accounts, clock: systemClock });
  const hints: WakeHint[] = [];

  let forward: Wake | undefined;
  const wake = (hint: WakeHint) => {
    hints.push(hint);
    forward?.(hint);
  };
  const crawlerId = await addRecords(accounts, { ...NO_GUESSES, ...settings });
  const common = { accounts, engineStores, clock, wake, log: silentLog };
  const store = await engineStores.of(1);
  const crawler = async () => {
    const found = await accounts.findCrawler(crawlerId);
    if (found === undefined) throw new Error('No crawler');
    return found;
  };
  const hostHolds = createHostHolds({ store: accounts, clock });
  const slots = stack.use(createRedisHostSlots({ redis: connection, newId: randomUUID, log: silentLog }));
  const hostSlots = heedingHolds(slots, hostHolds, clock);
  const workOn = createWorkOn({ hasSlots: () => true });
  const sliceDeps: SliceDeps = {
    engineStores,
    findCrawler: snapshot.findCrawler,
    fetcher,
    renderer: options.renderer,
    crawlAccess: createCrawlAccess({
      openSecret: openTestSecret,
      newJar: () => createCookieJar(clock),
      fetcher,
      clock,
    }),
    spool: createFileSpool({ folder: spoolFolder, boundBytes: 2 ** 31 }),
    extract: (input, signal) => extract({ parseFile: pool.parseFile }, input, signal),
    hostSlots,
    hostHolds,
    knownLinks: createLinkCaches(Math.random),
    urlTemplates: createUrlTemplateStatistics(),
    othersWait: async () => false,
    clock,
    random: () => 0.5,
    log: silentLog,
    holder: 'crawl-1',
    concurrency: { page: 8, render: 1, file: 2 },
    wake,
    hostDelayMs: 500,
  };
  const never = new AbortController().signal;
  const fileSlice = async (changes: Partial<SliceDeps> = {}, signal = never) => {
    snapshot.drop();
    return runSlice({ ...sliceDeps, ...changes }, { engineId: 1, crawlerId, stage: 'file', lane: 1 }, signal);
  };
  const slice = async (lane = 1, changes: Partial<SliceDeps> = {}, signal = never) => {
    snapshot.drop();
    return runSlice({ ...sliceDeps, ...changes }, { engineId: 1, crawlerId, stage: 'page', lane }, signal);
  };
  let { renderer } = options;
  const workSlice = async ({ stage, lane }: WantedSlice) => {
    snapshot.drop();
    return runSlice({ ...sliceDeps, renderer }, { engineId: 1, crawlerId, stage, lane }, never);
  };
  const sweep = async () =>
    sweepCrawler({ ...common, hostHolds, log: silentLog, timezone: 'UTC' }, await crawler(), never);
  if (options.active !== false) await activateCrawler(common, { crawlerId, actor: 'test' });
  /** The crawl and scheduler roles of this installation, with their queues, until they are disposed. */
  const startRoles = async (): Promise<AsyncDisposable> => {
    const roles = new AsyncDisposableStack();
    const connections = [connectWorker(redis.url, silentLog), connectWorker(redis.url, silentLog)] as const;
    for (const each of connections) roles.defer(() => each.disconnect());
    const queues = roles.use(openQueues({ connection, log: silentLog }));
    const wake = createWake({ queues, log: silentLog });
    forward = wake;
    roles.defer(() => {
      forward = undefined;
    });
    const schedules = createSchedules({ upkeep: queues.byName.upkeep, timezone: 'UTC' });
    roles.use(startCrawlWorkers({ ...sliceDeps, queues, connection: connections[0], renderSlices: 2 }));
    roles.use(
      startCrawlScheduler({
        ...{
          engineStores,
          hostHolds,
          clock,
          log: silentLog,
          timezone: 'UTC',
          renderConcurrency: 2,
          queues,
          schedules,
          redis: connection,
        },
        findCrawler: snapshot.findCrawler,
        listCrawlers: () => snapshot.listCrawlers(),
        clockStore: accounts,
        readIdentity: () => accounts.identity(),
        isProcessAlive: async () => true,
        monotonicMs: () => performance.now(),
        newId: randomUUID,
        connection: connections[1],
      }),
    );
    return roles;
  };
  const owned = stack.move();
  return {
    startRoles,
    dataDir: folder.path,
    spoolFolder,
    crawlerId,
    store,
    clock,
    hints,
    redis,
    accounts,
    sliceDeps,
    /** What explanations, status and hosts are read from. */
    lookDeps: { engineStores, hostHolds, workOn, clock, listCrawlers: () => accounts.listCrawlers() },
    crawler,
    slice,
    /** One slice of files. */
    fileSlice,
    sweep,
    releaseHost: async (origin: string) => {
      const listCrawlers = () => accounts.listCrawlers();
      await releaseHost({ ...common, hostHolds, listCrawlers }, await crawler(), origin);
    },
    /** What `crawl` renders with from now on. */
    installBrowser: (installed: SliceDeps['renderer']) => {
      renderer = installed;
    },
    activate: () => activateCrawler(common, { crawlerId, actor: 'test' }),
    pause: async () => pauseRun(common, await crawler()),
    resume: async () => resumeRun(common, await crawler()),
    stop: async () => stopRun(common, await crawler()),
    deactivate: () => deactivateCrawler(common, { crawlerId, actor: 'test' }),
    queue: async (...urls: unknown[]) => queueUrls(common, await crawler(), urls),
    run: async (kind: 'full' | 'incremental' = 'full') =>
      startRun(common, await crawler(), { kind, startedBy: 'test', whenBusy: 'follow' }),
    change: async (changed: Readonly<Record<string, unknown>>) => {
      const { engineId, name } = await crawler();
      await accounts.changeRecords(
        'test',
        [{ kind: 'put-crawler', id: crawlerId, engineId, name, config: { ...NO_GUESSES, ...changed } }],
        0,
      );
      snapshot.drop();
    },
    /** Sweeps and works slices until nothing is due any more. */
    crawl: async () => {
      for (let wanted = await sweep(); wanted.length > 0; wanted = await sweep()) {
        for (const each of wanted) await workSlice(each);
      }
    },
    /** Ids of the stored documents, in order. */
    documents: async () => {
      const found = await store.listDocuments({ crawlerId, after: 0, limit: 10_000 });
      return found.map(({ id }) => id).sort();
    },
    /** Visits of paths of a site, without what was asked to learn whether it is well. */
    visitsOf: async (origin: string, ...paths: readonly string[]) => {
      const records = await Promise.all(paths.map((path) => store.findUrl(crawlerId, origin + path)));
      return records.map((record) => record?.visits ?? 0);
    },
    /** Newest outcome of a URL. */
    lastVisit: async (url: string) => {
      const record = await store.findUrl(crawlerId, url);
      if (record === undefined) return undefined;
      const [visit] = await store.listVisits({ crawlerId, urlId: record.id, limit: 1 });
      return visit;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Tests give secrets in the clear; the variable `TEST_SECRET` is set, no other. */
function openTestSecret(secret: StoredSecret): string | undefined {
  if (typeof secret === 'string') return secret;
  return secret.fromEnv === 'TEST_SECRET' ? 'from-the-environment' : undefined;
}

async function addRecords(
  accounts: Awaited<ReturnType<typeof openSystemStore>>,
  config: Readonly<Record<string, unknown>>,
): Promise<number> {
  const ids = await accounts.changeRecords(
    'test',
    [
      { kind: 'put-customer', id: 1, name: 'Test' },
      {
        kind: 'put-engine',
        id: 1,
        customerId: 1,
        name: 'Test',
        language: 'en',
        settings: {} as never,
        publicSettings: {} as never,
      },
      { kind: 'put-crawler', id: 17, engineId: 1, name: 'Test', config },
    ],
    0,
  );
  return ids[2] ?? 0;
}

/** A page with a title, enough text to be chosen, and links. */
export function page(title: string, links: readonly string[] = [], head = ''): { readonly body: string } {
  const anchors = links.map((href) => `<li><a href="${href}">Link to ${href}</a></li>`).join('');
  return {
    body: `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body><main><h1>${title}</h1>
<p>The page called ${title} tells its readers about returns, parcels, deliveries and the people who pack them. It is
long enough to be chosen as the main text of the page, and different from every other page by its title.</p></main>
<nav><ul>${anchors}</ul></nav></body></html>`,
  };
}

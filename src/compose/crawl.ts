import { randomUUID } from 'node:crypto';
import { createAccountSnapshot } from '../accounts/engine-snapshot.ts';
import type { Config } from '../config/config.ts';
import { systemClock } from '../core/clock.ts';
import { createCrawlAccess } from '../crawl/crawl-access.ts';
import { createHostHolds, heedingHolds } from '../crawl/host-holds.ts';
import { createLinkCaches } from '../crawl/visit/page-links.ts';
import { createUrlTemplateStatistics } from '../crawl/visit/url-template-statistics.ts';
import { createCrawleeRenderer } from '../fetch/browser/crawlee-renderer.ts';
import type { EgressGate } from '../fetch/egress-gate.ts';
import { createCookieJar } from '../fetch/http/cookies.ts';
import { createEgressProxy } from '../fetch/http/create-egress-proxy.ts';
import type { Renderer } from '../fetch/renderer.ts';
import { startCrawlWorkers } from '../jobs/crawl-workers.ts';
import { createRedisHostSlots } from '../jobs/redis-host-slots.ts';
import type { Log } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { EngineStore, EngineStores } from '../storage/engine-store.ts';
import { chromiumOf } from './chromium.ts';
import { openExtract, openFetching, openSpool } from './fetching.ts';
import { jobsFacts, openJobs, openWorkerConnection, requireRedisUrl } from './redis.ts';
import type { RoleContext, RunningRole } from './role.ts';
import { openSecretBox, secretOpener } from './secrets.ts';
import { openRoleStores } from './stores.ts';

/** A crawl worker: works slices of any crawler until it is disposed, which hands its leases back. */
export async function composeCrawl(context: RoleContext): Promise<RunningRole> {
  const { config, log, metrics } = context;
  const redisUrl = requireRedisUrl(config);
  await using stack = new AsyncDisposableStack();
  const jobs = await openJobs(stack, redisUrl, log);
  const { producer, queues } = jobs;
  const { systemStore, clock, self, ...stores } = await openRoleStores(stack, context, jobsFacts(jobs, config));
  const engineStores = countVisits(stores.engineStores, metrics);
  const accounts = createAccountSnapshot({ store: systemStore, clock });
  const connection = openWorkerConnection(stack, redisUrl, log);
  const { gate, ownPorts, userAgent, fetcher, spoolFolder } = openFetching(stack, config);
  const openSecret = secretOpener(await openSecretBox(config));
  const hostHolds = createHostHolds({ store: systemStore, clock });
  const slots = stack.use(createRedisHostSlots({ redis: producer, newId: randomUUID, log }));
  const newJar = () => createCookieJar(clock);
  const { extract, parserKills } = openExtract(stack, config);
  const crawlAccess = createCrawlAccess({ openSecret, newJar, fetcher, clock });
  stack.use(
    startCrawlWorkers({
      connection,
      queues,
      engineStores,
      findCrawler: accounts.findCrawler,
      fetcher,
      renderer: await openBrowser(stack, { config, gate, ownPorts, userAgent, log }),
      crawlAccess,
      extract,
      spool: openSpool(stack, { spoolFolder, log }),
      hostSlots: heedingHolds(slots, hostHolds, clock),
      hostHolds,
      knownLinks: createLinkCaches(Math.random),
      urlTemplates: createUrlTemplateStatistics(),
      clock,
      random: Math.random,
      log,
      holder: self.holder,
      concurrency: { page: config.CRAWL_CONCURRENCY, render: 1, file: config.PARSER_PROCESSES },
      renderSlices: config.RENDER_CONCURRENCY,
      hostDelayMs: config.CRAWL_HOST_DELAY_MS,
    }),
  );
  metrics.watchParserKills(parserKills);
  const owned = stack.move();
  return { [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** The stores, with each recorded visit counted by its outcome. */
function countVisits(engineStores: EngineStores, { crawlVisits }: Pick<Metrics, 'crawlVisits'>): EngineStores {
  const counting = new WeakMap<EngineStore, EngineStore>();
  const wrap = (store: EngineStore): EngineStore => ({
    ...store,
    recordVisits: async (input) => {
      const receipt = await store.recordVisits(input);
      for (const { log } of input.visits) if (log !== undefined) crawlVisits.inc({ outcome: log.outcome });
      return receipt;
    },
  });
  return {
    ...engineStores,
    of: async (engineId) => {
      const store = await engineStores.of(engineId);
      const known = counting.get(store) ?? wrap(store);
      counting.set(store, known);
      return known;
    },
  };
}

export type BrowserDeps = {
  readonly config: Config;
  readonly gate: EgressGate;
  /** Takes the port of the proxy: no page may reach it. */
  readonly ownPorts: Set<number>;
  readonly userAgent: string;
  readonly log: Log;
};

/** Chromium behind a proxy of its own; undefined without Chromium. Closed with the stack. */
async function openBrowser(stack: AsyncDisposableStack, deps: BrowserDeps): Promise<Renderer | undefined> {
  const { config, gate, ownPorts, userAgent, log } = deps;
  const executablePath = await chromiumOf(config);
  if (executablePath === undefined) {
    log.warn('no Chromium: pages made by scripts are read as they come over HTTP; npm run setup installs it');
    return undefined;
  }
  const proxy = stack.use(await createEgressProxy({ gate, clock: systemClock }));
  ownPorts.add(Number(new URL(proxy.server).port));
  const sandbox = config.CHROMIUM_SANDBOX && process.getuid?.() !== 0;
  if (!sandbox) log.info('Chromium runs without its sandbox: as root, or because CHROMIUM_SANDBOX is off');
  return stack.use(createCrawleeRenderer({ executablePath, sandbox, proxy, userAgent, log }));
}

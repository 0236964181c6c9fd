import { readdir, readFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../../../test/helpers/eventually.ts';
import { markdownRow } from '../crawl/markdown.ts';
import { type SiteHandle, startSiteProcess } from '../crawl/site-handle.ts';
import { cpuMs, serverCpuMs } from '../process-costs.ts';
import {
  activateCrawler,
  type Installation,
  productCpuMs,
  roundTripsFolder,
  search,
  startInstallation,
  TIERS,
  type Tier,
} from './installation.ts';
import type { RoundTrips } from './report-round-trips.ts';

/** Bars. */
const MOST_ROUND_TRIPS = 8;
const LEAST_OF_SQLITE = 0.6;
const LEAST_OF_ONE_PROCESS = 1.7;

/** `lanesFor` gives a crawler a lane for each eight slots that its hosts are known to bear: four for one slot each. */
const HOSTS = 32;
/** The host's pace is no matter of the bench: a process has as many visits under way as it may. */
const POLITENESS = { pace: 'fixed', delayMs: 0, slots: 8, ratePerSecond: 1_000 };
/** Waits on the site; `visits` of each of the two slices of a process are under way: 16 pages a second at most. */
const WAITING = { title: 'waits for the site', delayMs: 500, visits: 4 };
/** As fast as the machine can, with the visits that a process has unless it is told otherwise. */
const BUSY = { title: 'is busy', delayMs: 0, visits: 16 };
/** The shares of the requests between which pages a second are measured: neither the start nor the last stragglers. */
const [FROM_SHARE, TO_SHARE] = [0.15, 0.9];
const WITHIN_MS = 1_200_000;

type Crawl = { readonly tier: Tier; readonly processes: number; readonly pace: typeof BUSY };

type CrawlCosts = {
  readonly pagesPerSecond: number;
  readonly pagesPerCpuSecond: number;
  /** Of a page, of all crawl processes. */
  readonly crawlCpuMs: number;
  readonly postgresCpuMs: number | undefined;
  readonly roundTrips: number | undefined;
  /** By kind, and the time in which they were made. */
  readonly exchanges: readonly RoundTrips[];
  readonly seconds: number;
  /** Cores of the machine that had nothing to do, on average. */
  readonly idleCores: number;
};

/**
 * Crawls of one generated site (46 KB and 94 links a page, 32 hosts) by the whole product, one after the other, each
 * on fresh stores; prints a table, resolves with the bars that were missed.
 *
 * What a page costs is told by crawls as fast as can be, of one process on either store: processor time from the
 * activation of the crawler until a search finds all pages, of crawl process, indexer, api and Redis together, that of
 * PostgreSQL apart. Their pages a second say little where product, site and PostgreSQL share the cores.
 *
 * Whether several processes stand in each other's way at the stores is told by crawls that wait, as on the net: each
 * answer of the site takes 500 ms, and few visits of a process are under way, so that its pages a second are bound by
 * waiting and a second process can bring as many again while cores are idle. Where none are, a page tells by what it
 * costs crawl processes and PostgreSQL: what it costs more with two processes is what they take of each other.
 *
 * Pages that come slowly are recorded few at a time, which is the dearest case for round trips: those of crawl processes
 * in the time of the crawl. What is done every so often whether pages come or not is told apart.
 */
export async function measureCrawls(pages: number): Promise<readonly string[]> {
  console.log(`## Crawl of ${pages} pages
`);
  const head = [
    'Stores',
    'Crawl',
    'processes',
    'pages/s',
    'pages per CPU s',
    'crawl ms a page',
    'PostgreSQL ms a page',
    'round trips a page',
    'of its own',
    'a second by time',
    'idle cores',
  ];
  for (const row of [head, head.map(() => '---')]) console.log(markdownRow(row));
  const measure = async (crawl: Crawl) => {
    const costs = await measureCrawl(crawl, pages);
    const { pagesPerSecond, pagesPerCpuSecond, crawlCpuMs, postgresCpuMs, roundTrips, exchanges, seconds } = costs;
    const isOnServer = roundTrips !== undefined;
    const ofPages = isOnServer ? countOf(exchanges, 'page') / pages : undefined;
    const ofTime = isOnServer ? countOf(exchanges, 'time') / seconds : undefined;
    const all = [pagesPerSecond, pagesPerCpuSecond, crawlCpuMs, postgresCpuMs, roundTrips, ofPages, ofTime];
    const numbers = [...all, costs.idleCores].map((n) => n?.toFixed(1) ?? '–');
    console.log(markdownRow([TIERS[crawl.tier].title, crawl.pace.title, String(crawl.processes), ...numbers]));
    return costs;
  };
  const sqlite = await measure({ tier: 'sqlite', processes: 1, pace: BUSY });
  const postgres = await measure({ tier: 'postgres', processes: 1, pace: BUSY });
  const one = await measure({ tier: 'postgres', processes: 1, pace: WAITING });
  const two = await measure({ tier: 'postgres', processes: 2, pace: WAITING });
  const ofSqlite = postgres.pagesPerCpuSecond / sqlite.pagesPerCpuSecond;
  const ofOne = two.pagesPerSecond / one.pagesPerSecond;
  console.log(`\nPostgreSQL: ${(ofSqlite * 100).toFixed(0)} % of the pages per CPU second on SQLite.`);
  console.log(`Two processes that wait: ${ofOne.toFixed(2)} × the pages/s of one.`);
  const contention = [two, one].map(({ crawlCpuMs, postgresCpuMs = 0 }) => crawlCpuMs + postgresCpuMs);
  const growth = (contention[0] ?? 0) / (contention[1] ?? 1) - 1;
  console.log(`A page costs crawl processes and PostgreSQL ${(growth * 100).toFixed(0)} % more with two.\n`);
  printExchanges(one, pages);
  return missedBars({ ofSqlite, ofOne, roundTrips: { busy: postgres.roundTrips, waiting: one.roundTrips } });
}

async function measureCrawl({ tier, processes, pace }: Crawl, pages: number): Promise<CrawlCosts> {
  await using site = await startSiteProcess(pages, { hosts: HOSTS, delayMs: pace.delayMs });
  const domains = site.origins.map((origin) => new URL(origin).host);
  await using installation = await startInstallation(
    tier,
    { seeds: [site.start], domains, politeness: POLITENESS },
    { CRAWL_PROCESSES: String(processes), CRAWL_CONCURRENCY: String(pace.visits) },
  );
  const { product, postgres } = installation;
  const crawlers = [...product.pids()].filter(([role]) => role.startsWith('crawl'));
  const costsSoFar = async () => ({
    atMs: performance.now(),
    idleMs: cpus().reduce((sum, { times }) => sum + times.idle, 0),
    cpuMs: productCpuMs(product),
    crawlMs: crawlers.reduce((sum, [, pid]) => sum + cpuMs(pid), 0),
    postgresMs: postgres && serverCpuMs(postgres.pid()),
    exchanges: await readRoundTrips(installation),
  });
  const before = await costsSoFar();
  await activateCrawler(product);
  const pagesPerSecond = await measurePace(site, pages);
  await eventually(async () => (await search(product, '*')).total >= pages, WITHIN_MS);
  const after = await costsSoFar();
  const exchanges = after.exchanges.map((kind) => {
    const known = before.exchanges.find(({ name }) => name === kind.name);
    return { ...kind, count: kind.count - (known?.count ?? 0) };
  });
  return {
    pagesPerSecond,
    pagesPerCpuSecond: (pages / (after.cpuMs - before.cpuMs)) * 1_000,
    crawlCpuMs: (after.crawlMs - before.crawlMs) / pages,
    postgresCpuMs: postgres && ((after.postgresMs ?? 0) - (before.postgresMs ?? 0)) / pages,
    roundTrips: postgres && (countOf(exchanges, 'page') + countOf(exchanges, 'time')) / pages,
    exchanges,
    seconds: (after.atMs - before.atMs) / 1_000,
    idleCores: (after.idleMs - before.idleMs) / (after.atMs - before.atMs),
  };
}

async function measurePace(site: SiteHandle, pages: number): Promise<number> {
  const reached = (share: number) =>
    eventually(async () => {
      const requests = await site.requests();
      return requests >= pages * share && { requests, atMs: performance.now() };
    }, WITHIN_MS);
  const from = await reached(FROM_SHARE);
  const to = await reached(TO_SHARE);
  return ((to.requests - from.requests) / (to.atMs - from.atMs)) * 1_000;
}

/** Of all crawl processes. */
async function readRoundTrips({ folder }: Installation): Promise<readonly RoundTrips[]> {
  const place = roundTripsFolder(folder);
  const reports = await Promise.all((await readdir(place)).map((name) => readFile(join(place, name), 'utf8')));
  // One that is being written is empty.
  const all = reports.flatMap((text) => (text === '' ? [] : (JSON.parse(text) as readonly RoundTrips[])));
  const kinds = new Map<string, RoundTrips>();
  for (const kind of all) kinds.set(kind.name, { ...kind, count: (kinds.get(kind.name)?.count ?? 0) + kind.count });
  return [...kinds.values()];
}

function countOf(exchanges: readonly RoundTrips[], by: RoundTrips['by']): number {
  return exchanges.reduce((sum, kind) => sum + (kind.by === by ? kind.count : 0), 0);
}

function printExchanges({ exchanges, seconds }: CrawlCosts, pages: number): void {
  console.log('What the round trips of one process that waits are for:\n');
  for (const row of [
    ['What', 'a page', 'a second'],
    ['---', '---', '---'],
  ])
    console.log(markdownRow(row));
  for (const { name, by, count } of exchanges.toSorted((a, b) => b.count - a.count)) {
    const ofPage = (count / pages).toFixed(2);
    console.log(markdownRow([name, ofPage, by === 'time' ? (count / seconds).toFixed(1) : '–']));
  }
  console.log('');
}

function missedBars(figures: {
  readonly ofSqlite: number;
  readonly ofOne: number;
  readonly roundTrips: Readonly<Record<string, number | undefined>>;
}): readonly string[] {
  const { ofSqlite, ofOne, roundTrips } = figures;
  const tooMany = Object.entries(roundTrips).filter(([, count = 0]) => count > MOST_ROUND_TRIPS);
  return [
    ...tooMany.map(
      ([crawl, n]) => `${n?.toFixed(1)} round trips a page of a ${crawl} crawl, the bar is ${MOST_ROUND_TRIPS}`,
    ),
    ...(ofSqlite < LEAST_OF_SQLITE ? [`${ofSqlite.toFixed(2)} of SQLite, the bar is ${LEAST_OF_SQLITE}`] : []),
    ...(ofOne < LEAST_OF_ONE_PROCESS ? [`${ofOne.toFixed(2)} × one process, the bar is ${LEAST_OF_ONE_PROCESS}`] : []),
  ];
}

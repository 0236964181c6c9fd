import { fork } from 'node:child_process';
import { once } from 'node:events';
import { startPostgresServer } from '../../../test/helpers/postgres-server.ts';
import { HEAP_ENVIRONMENT, HEAP_FLAGS } from '../../../workers/supervise.ts';
import type { CrawlOrder } from '../crawl/contestant.ts';
import { markdownRow } from '../crawl/markdown.ts';
import { type SiteHandle, startSiteProcess } from '../crawl/site-handle.ts';
import { serverCpuMs } from '../process-costs.ts';
import type { CrawlCost } from './crawl-process.ts';

const PAGES = Number(process.env['CLUSTER_PAGES'] ?? 1_000);
const HOSTS = 4;
const CONCURRENCY = 16;
/** Alternating, so that a load that changes meets both. */
const ROUNDS = 2;
const DATABASE = 'bench';
/** Bars of the design (scale-out 3). */
const MOST_ROUND_TRIPS = 8;
const LEAST_RATIO = 0.6;

/** One worker crawls a generated site, with its stores in files and on PostgreSQL. */
export async function run(): Promise<void> {
  await using site = await startSiteProcess(PAGES, { hosts: HOSTS });
  await using server = await startPostgresServer({ isDurable: true });
  const onFiles: CrawlCost[] = [];
  const onServer: (CrawlCost & { readonly serverCpuMs: number })[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    onFiles.push(await crawl(site, undefined));
    const database = `${DATABASE}_${round}`;
    await server.createDatabase(database);
    const before = serverCpuMs(server.pid());
    const cost = await crawl(site, server.url(database));
    onServer.push({ ...cost, serverCpuMs: serverCpuMs(server.pid()) - before });
  }
  for (const cells of [
    ['Stores', 'pages', 'CPU ms a page', 'of the server', 'round trips a page'],
    Array(5).fill('---'),
  ])
    console.log(markdownRow(cells));
  const rows = [
    { name: 'files', costs: onFiles, serverMs: 0 },
    { name: 'PostgreSQL', costs: onServer, serverMs: sum(onServer.map((cost) => cost.serverCpuMs)) },
  ];
  for (const { name, costs, serverMs } of rows) {
    const pages = sum(costs.map((cost) => cost.pages));
    const perPage = (value: number) => (value / pages).toFixed(2);
    const [own, trips] = [sum(costs.map(({ cpuMs }) => cpuMs)), sum(costs.map(({ roundTrips }) => roundTrips))];
    console.log(markdownRow([name, String(pages), perPage(own), perPage(serverMs), perPage(trips)]));
  }
  const pagesPerSecond = (costs: readonly CrawlCost[]) =>
    sum(costs.map(({ pages }) => pages)) / sum(costs.map(({ cpuMs }) => cpuMs));
  const ratio = pagesPerSecond(onServer) / pagesPerSecond(onFiles);
  const trips = sum(onServer.map(({ roundTrips }) => roundTrips)) / sum(onServer.map(({ pages }) => pages));
  console.log(`\npages per CPU second beside files: ${(ratio * 100).toFixed(0)} % (bar ${LEAST_RATIO * 100} %)`);
  console.log(`round trips a page: ${trips.toFixed(2)} (bar ${MOST_ROUND_TRIPS})`);
  if (ratio < LEAST_RATIO || trips > MOST_ROUND_TRIPS) process.exitCode = 1;
}

async function crawl(site: SiteHandle, databaseUrl: string | undefined): Promise<CrawlCost> {
  const order: CrawlOrder = {
    origins: site.origins,
    seed: site.start,
    pages: PAGES,
    concurrency: CONCURRENCY,
    folder: '',
  };
  const child = fork(new URL('./crawl-process.ts', import.meta.url), [JSON.stringify({ order, databaseUrl })], {
    execArgv: [...HEAP_FLAGS],
    env: { ...HEAP_ENVIRONMENT, ...process.env },
  });
  const ended = once(child, 'exit');
  const [answer] = (await Promise.race([once(child, 'message'), ended])) as [CrawlCost | number];
  if (typeof answer !== 'object') throw new Error('A crawl ended before it had read the site');
  await ended;
  return answer;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { engineSql } from '../../../src/storage/sql/statement.ts';
import { median } from '../search/report.ts';
import { CRAWLER_ID, type FrontierLoad, PAGE_LANE, startLoad } from './frontier-load.ts';
import { markdownRow } from './markdown.ts';
import { type Frontier, openFrontier } from './open-frontier.ts';

const HELP = `usage: npm run bench:crawl -- scale [options]

What a page costs the store at growing numbers of known URLs, without fetching: taking and recording it with its
document and 90 links, whose ids are remembered, or which are looked up one by one. Bytes of a URL record with its
indexes; time to discard, plan and take back the rows of all URLs.

  --urls 10000,100000   known URLs; 1000000 takes some minutes
  --pages 1500          pages of one measurement
  --gate                exit 1 when a bar is missed
`;

/** Bars of the design (crawling 1). */
const MOST_GROWTH = 1.1;
const MOST_VISITED_BYTES = 400;
const MOST_UNVISITED_BYTES = 250;
const ROUNDS = 3;
const STEP = 5_000;
const LONG_AFTER_MS = 3_600_000;

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      urls: { type: 'string', default: '10000,100000' },
      pages: { type: 'string', default: '1500' },
      gate: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(HELP);
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), 'fossick-bench-scale-'));
  try {
    using frontier = openFrontier(join(folder, 'store.db'));
    const misses = measure(frontier, values.urls.split(',').map(Number), Number(values.pages));
    for (const miss of misses) console.error(`missed: ${miss}`);
    if (values.gate && misses.length > 0) process.exitCode = 1;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function measure(frontier: Frontier, targets: readonly number[], pages: number): readonly string[] {
  const load = startLoad(frontier, 1);
  load.grow(targets[0] ?? 0);
  const bytes = recordBytes(frontier, load, pages);
  const rows = targets.map((target) => {
    load.grow(target);
    return { known: load.known(), ids: cpuPerPage(load, pages, 'ids'), urls: cpuPerPage(load, pages, 'urls') };
  });
  const head = ['Known URLs', 'CPU ms a page', 'with links looked up'];
  const cells = rows.map(({ known, ids, urls }) => [known.toLocaleString('en'), ids.toFixed(2), urls.toFixed(2)]);
  for (const row of [head, head.map(() => '---'), ...cells]) console.log(markdownRow(row));
  console.log(`\nbytes of a URL record with its indexes: ${bytes.unvisited.toFixed(0)} unvisited,`);
  console.log(`  ${bytes.visited.toFixed(0)} visited, ${bytes.waiting.toFixed(0)} more while it waits`);
  measureLongWork(frontier, load);
  const growth = (rows.at(-1)?.ids ?? 0) / (rows[0]?.ids ?? 1);
  const bars: (readonly [number, number, string])[] = [
    [growth, MOST_GROWTH, '× the CPU of a page at most URLs'],
    [bytes.unvisited, MOST_UNVISITED_BYTES, 'bytes an unvisited record'],
    [bytes.visited, MOST_VISITED_BYTES, 'bytes a visited record'],
  ];
  return bars.flatMap(([value, bar, name]) => (value > bar ? [`${value.toFixed(2)} ${name}, the bar is ${bar}`] : []));
}

function cpuPerPage(load: FrontierLoad, pages: number, links: 'ids' | 'urls'): number {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage();
    const visits = load.visit(Math.ceil(pages / ROUNDS), links);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000 / visits;
  });
  return median(rounds);
}

/** While nothing is visited yet; then after `pages` visits, which add as many URLs. */
function recordBytes(frontier: Frontier, load: FrontierLoad, pages: number) {
  const unvisited = bytesOf(frontier, 'urls') / load.known();
  const waiting = bytesOf(frontier, 'frontier') / load.known();
  const visits = load.visit(pages, 'ids');
  const added = bytesOf(frontier, 'urls') - load.known() * unvisited;
  return { unvisited, waiting, visited: unvisited + added / visits };
}

/** Bytes of a table with its indexes. */
function bytesOf({ db }: Frontier, table: string): number {
  const size = sql<{ bytes: number | null }>`SELECT sum(pgsize) AS bytes FROM dbstat
    WHERE name IN (SELECT name FROM sqlite_schema WHERE tbl_name = ${table})`;
  return db.first(size.compile(engineSql))?.bytes ?? 0;
}

/** What touches every row of a crawler: a deactivation, the plan of a full run, a process that died with all leases. */
function measureLongWork(frontier: Frontier, load: FrontierLoad): void {
  const activation = 2;
  const now = load.now() + LONG_AFTER_MS;
  const order = { crawlerId: CRAWLER_ID, activation, now } as const;
  frontier.write('freeLane', load.lane());
  frontier.write('stopRuns', CRAWLER_ID, activation, now);
  timed('discard', () => {
    let rows = 0;
    for (let step = STEP; step > 0; rows += step) step = frontier.write('discardVoid', { ...order, limit: STEP });
    return rows;
  });
  const run = { kind: 'full', startedBy: 'bench', configVersion: 1, at: now, whenBusy: 'wait' } as const;
  const runId = frontier.write('createRun', { ...order, ...run }) ?? 0;
  frontier.write('startRun', runId, now);
  timed('plan', () => {
    let rows = 0;
    for (let step = { planned: 0, done: false }; !step.done; rows += step.planned) {
      step = frontier.write('planRun', runId, STEP, now);
    }
    return rows;
  });
  const lane = frontier.write('takeLane', { ...PAGE_LANE, holder: 'bench' });
  if (lane === undefined) throw new Error('The lane is held');
  const asked = { ...order, lane, stage: 'page', maxPriority: 3 } as const;
  const leased = timed('lease', () => {
    let rows = 0;
    for (let step = STEP; step > 0; rows += step) {
      step = frontier.write('takeDue', { ...asked, hosts: [{ hostId: 1, limit: STEP }] }).length;
    }
    return rows;
  });
  timed('take back, in one transaction', () => {
    frontier.write('takeLane', { ...PAGE_LANE, holder: 'bench' });
    return leased;
  });
}

function timed(name: string, work: () => number): number {
  const startedAt = performance.now();
  const rows = work();
  const millis = performance.now() - startedAt;
  console.log(`${name}: ${rows.toLocaleString('en')} rows in ${(millis / 1_000).toFixed(1)} s`);
  return rows;
}

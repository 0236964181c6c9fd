import { readFileSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { REASONS, RUN_STATES } from '../../src/core/crawl-words.ts';
import { page } from '../helpers/crawl.ts';
import { eventually } from '../helpers/eventually.ts';
import { HOSTILE_PAGES, type HostilePage, isRetried, routesOf } from '../helpers/hostile-pages.ts';
import { type RunningProduct, startProcesses } from '../helpers/processes.ts';
import { type SiteServer, sendPage, startSiteServer } from '../helpers/site-server.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

/** `HOSTILE_SERVER=long` waits until everything that is tried again has been given up, some 16 minutes. */
const IS_LONG = process.env['HOSTILE_SERVER'] === 'long';
const WAIT_MS = IS_LONG ? 1_500_000 : 90_000;
const GOOD = 200;
/** Given in the provision file, sealed by one process and sent by another. */
const TOKEN = 'open sesame of the hostile test';
const KEY = 'hostile-test-key';
const BASIC = `Basic ${Buffer.from(`1:${KEY}`).toString('base64')}`;
/** Of the crawl process at its highest; this test measures 345 MB. */
const MAX_CRAWL_MB = 500;

const FINAL = HOSTILE_PAGES.filter((hostile) => !isRetried(hostile) && hostile.isStrain !== true);
const RETRIED = HOSTILE_PAGES.filter((hostile) => isRetried(hostile) && hostile.isStrain !== true);
const STRAINS = HOSTILE_PAGES.filter(({ isStrain }) => isStrain === true);
const HUGE_ROBOTS = `User-agent: *\nDisallow: /private/\n${'Disallow: /some/other/path/of/the/site\n'.repeat(130_000)}`;

const goodPaths = (count: number) => Array.from({ length: count }, (_, i) => `/good-${i}`);
const pagesOf = (paths: readonly string[]) => Object.fromEntries(paths.map((path) => [path, page(`Page ${path}`)]));
/** Mixed, so that no ten failures follow each other: those would hold the host. */
const mixed = (hostile: readonly HostilePage[], good: readonly string[]) => {
  const share = Math.ceil(good.length / hostile.length);
  return hostile.flatMap(({ path }, place) => [path, ...good.slice(place * share, (place + 1) * share)]);
};

/** Three crawlers of one engine: what the first meets is final, what the others meet is tried again. */
const provision = (sites: Readonly<Record<'final' | 'retried' | 'strains', SiteServer>>) => ({
  version: 1,
  customers: [
    {
      id: 1,
      name: 'Hostile test',
      keys: [{ name: 'test', value: KEY }],
      engines: [{ id: 1, name: 'Main', language: 'en' }],
      crawlers: [
        // Nothing there is ended by a deadline; on a busy machine a chain of redirects takes seconds.
        { id: 1, engine: 1, active: true, seeds: [`${sites.final.origin}/`], headers: { 'x-token': TOKEN } },
        { id: 2, engine: 1, active: true, seeds: [`${sites.retried.origin}/`] },
        {
          id: 3,
          engine: 1,
          active: true,
          robots: 'ignore',
          seeds: STRAINS.map(({ path }) => sites.strains.origin + path),
          timeouts: { firstByteMs: 800, pageMs: 1_000, fileMs: 1_200 },
        },
      ],
    },
  ],
});

test('200 good pages beside a site at its worst are read once, and everything ends by itself within bounds', async () => {
  const good = goodPaths(GOOD);
  const fewGood = goodPaths(RETRIED.length);
  await using final = await startSiteServer({
    '/': page('Home', ['/private/x', ...mixed(FINAL, good)]),
    '/private/x': page('Private'),
    '/robots.txt': { headers: { 'content-type': 'text/plain' }, body: HUGE_ROBOTS },
    ...routesOf(FINAL),
    ...pagesOf(good),
    '/good-0': (request, response) => {
      const isKnown = request.headers['x-token'] === TOKEN;
      sendPage(response, isKnown ? page('Page for members') : { status: 403 });
    },
  });
  await using strains = await startSiteServer(routesOf(STRAINS), { address: '127.0.0.3' });
  const strainUrls = STRAINS.map(({ path }) => strains.origin + path);
  await using retried = await startSiteServer(
    { '/': page('Home', mixed(RETRIED, fewGood)), ...routesOf(RETRIED), ...pagesOf(fewGood) },
    { address: '127.0.0.2' },
  );
  const sites = { final, retried, strains };
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'provision.json');
  await writeFile(file, JSON.stringify(provision(sites)));
  const dataDir = join(folder.path, 'data');
  await using product = await startProcesses({
    dataDir,
    environment: { CONFIG_FILE: file, RATE_SEARCH_PER_SECOND: '0' },
  });

  const urls = [
    ...[...FINAL.map(({ path }) => path), ...good].map((path) => final.origin + path),
    ...[...RETRIED.map(({ path }) => path), ...fewGood].map((path) => retried.origin + path),
    ...strainUrls,
  ];
  const searches = searchWhile(product, async () => {
    await eventually(
      () => runStates(dataDir, IS_LONG ? [1, 2, 3] : [1]).every((state) => state === 'finished'),
      WAIT_MS,
    );
    await eventually(() => urls.every((url) => reasonsOf(dataDir).has(url)), WAIT_MS);
  });

  expect(await searches).toBeGreaterThan(0);
  await eventually(async () => (await total(product)) >= GOOD + fewGood.length, 30_000);
  const memoryMb = highestMemoryMb(product.pids().get('crawl-1'));
  await product.stop();
  const reasons = reasonsOf(dataDir);
  const wrong = [
    ...FINAL.map((hostile) => [final.origin, hostile] as const),
    ...RETRIED.map((hostile) => [retried.origin, hostile] as const),
    ...STRAINS.map((hostile) => [strains.origin, hostile] as const),
  ].flatMap(([origin, { path, reasons: expected }]) => {
    const reason = reasons.get(origin + path) ?? 'not visited';
    return expected.includes(reason) ? [] : [`${path}: ${reason}`];
  });
  expect(wrong).toEqual([]);
  expect([final.count('/private/x'), reasons.get(`${final.origin}/private/x`)]).toEqual([0, 'robots']);
  expect(good.filter((path) => final.count(path) !== 1)).toEqual([]);
  expect(good.filter((path) => reasons.get(final.origin + path) !== 'new')).toEqual([]);
  expect(memoryMb).toBeLessThan(MAX_CRAWL_MB);
  expect(readFileSync(join(dataDir, 'system.db')).includes(TOKEN)).toBe(false);
  expect(statSync(join(dataDir, 'secrets-key')).mode & 0o777).toBe(0o600);
  expect([...retried.requests, ...strains.requests].filter(({ headers }) => headers['x-token'] !== undefined)).toEqual(
    [],
  );
});

/** Pause between two searches: asking without one takes the processor that the crawl is tested with. */
const SEARCH_EVERY_MS = 20;

/** Searches until the work is done; resolves with how many were answered. */
async function searchWhile(product: RunningProduct, work: () => Promise<void>): Promise<number> {
  let answered = 0;
  let isDone = false;
  const searching = (async () => {
    while (!isDone) {
      await total(product);
      answered++;
      await new Promise((resolve) => setTimeout(resolve, SEARCH_EVERY_MS));
    }
  })();
  try {
    await work();
  } finally {
    isDone = true;
    await searching;
  }
  return answered;
}

async function total({ address }: RunningProduct): Promise<number> {
  const response = await fetch(`${address}/api/v4/1/1/search`, {
    method: 'POST',
    headers: { authorization: BASIC, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '*', perPage: 1 }),
  });
  if (response.status !== 200) throw new Error(`a search was answered with ${response.status}`);
  return ((await response.json()) as { TotalDocument: number }).TotalDocument;
}

function runStates(dataDir: string, crawlerIds: readonly number[]): readonly (string | undefined)[] {
  return readStore(dataDir, (db) =>
    crawlerIds.map((id) => {
      const row = db.prepare("SELECT state FROM runs WHERE crawler_id = ? AND kind = 'full' ORDER BY id").get(id);
      return RUN_STATES.find((state) => state === row?.['state']);
    }),
  );
}

/** First reason of each URL in the visit log. */
function reasonsOf(dataDir: string): ReadonlyMap<string, string> {
  const sql = 'SELECT u.url AS url, v.reason AS reason FROM visits v JOIN urls u ON u.id = v.url_id ORDER BY v.id DESC';
  return readStore(
    dataDir,
    (db) =>
      new Map(
        db
          .prepare(sql)
          .all()
          .map((row) => [String(row['url']), REASONS[Number(row['reason'])] ?? '']),
      ),
  );
}

function readStore<T>(dataDir: string, read: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(join(dataDir, 'engines/1/store.db'), { readOnly: true });
  try {
    return read(db);
  } finally {
    db.close();
  }
}

function highestMemoryMb(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024;
}

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { type GeneratedSite, startGeneratedSite } from '../../scripts/bench/generated-site.ts';
import { eventually } from '../helpers/eventually.ts';
import { type RunningProduct, startProcesses } from '../helpers/processes.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

/** `KILL_TEST=full` for the long form: more kills, and each role in a run of its own. */
const IS_FULL = process.env['KILL_TEST'] === 'full';
const PAGES = IS_FULL ? 5_000 : 240;
const PUSHES = IS_FULL ? 20_000 : 2_000;
const BATCH = IS_FULL ? 100 : 50;
/** Of each role. */
const KILLS = IS_FULL ? 20 : 2;
const KILL_TIMEOUT_MS = IS_FULL ? 1_200_000 : 480_000;
/** Pages that a kill of a crawl process may have fetched again: what was under way in it. */
const REFETCHED = 20;
const KEY = 'kill-test-key';
const BASIC = `Basic ${Buffer.from(`1:${KEY}`).toString('base64')}`;
const CRAWLED = 1;
const PUSHED = 2;
const ROLES = ['api', 'upkeep', 'crawl-1', 'redis'];

test.each(IS_FULL ? ROLES.map((role) => ({ roles: [role] })) : [{ roles: ROLES }])(
  `kill -9 of $roles, each ${KILLS} times, during a crawl and pushes loses nothing and indexes each page once`,
  async ({ roles }) => {
    await crawlAndPushWhileKilling(roles);
  },
  KILL_TIMEOUT_MS,
);

/** One engine with a crawler over the site, one for pushed documents only. */
const provision = (seed: string) => ({
  version: 1,
  customers: [
    {
      id: 1,
      name: 'Kill test',
      keys: [{ name: 'test', value: KEY }],
      engines: [
        { id: CRAWLED, name: 'Crawled', language: 'en' },
        { id: PUSHED, name: 'Pushed', language: 'en' },
      ],
      crawlers: [
        { id: CRAWLED, engine: CRAWLED, name: 'Site', active: true, seeds: [seed] },
        { id: PUSHED, engine: PUSHED, name: 'Push', active: false, seeds: [] },
      ],
    },
  ],
});

/**
 * kill -9 of roles again and again, spread over a crawl and pushes: what was acknowledged is there at the end, and each
 * page was recorded exactly once.
 */
async function crawlAndPushWhileKilling(roles: readonly string[]): Promise<void> {
  await using folder = await temporaryFolder();
  await using site = await startGeneratedSite(PAGES);
  const file = join(folder.path, 'provision.json');
  await writeFile(file, JSON.stringify(provision(site.start)));
  const environment = { CONFIG_FILE: file, RATE_MANAGEMENT_PER_SECOND: '0', RATE_SEARCH_PER_SECOND: '0' };
  const dataDir = join(folder.path, 'data');
  await using product = await startProcesses({ dataDir, environment });

  const killing = killAgainAndAgain(product, { roles, site, dataDir });
  const [acknowledged] = await Promise.all([pushAll(product, site), killing]);

  expect(acknowledged).toBe(PUSHES);
  await eventually(async () => (await total(product, PUSHED)) === PUSHES, 120_000);
  await eventually(async () => (await total(product, CRAWLED)) === PAGES, 120_000);
  await product.stop();
  expect(pagesRecorded(dataDir)).toEqual({ documents: PAGES, added: PAGES, twice: 0 });
  const fetches = site.requests();
  process.stdout.write(`${roles}: ${fetches} fetches for ${PAGES} pages, ${KILLS} kills each\n`);
  expect(fetches).toBeLessThanOrEqual(PAGES * 1.05 + (IS_FULL ? 0 : KILLS * REFETCHED));
}

/** Pushes every document until it is acknowledged, no faster than pages are crawled; resolves with how many were. */
async function pushAll(product: RunningProduct, site: GeneratedSite): Promise<number> {
  let acknowledged = 0;
  for (let from = 0; from < PUSHES; from += BATCH) {
    await eventually(() => site.requests() >= (PAGES * from) / PUSHES, 240_000);
    const documents = Array.from({ length: BATCH }, (_, index) => ({
      id: `pushed-${from + index}`,
      fields: { Title: `Pushed ${from + index}`, Content: `Text number ${from + index} of many` },
    }));
    await eventually(async () => (await put(product, documents)) === 200, 120_000);
    acknowledged += BATCH;
  }
  return acknowledged;
}

async function put(product: RunningProduct, documents: readonly unknown[]): Promise<number> {
  const response = await fetch(`${product.address}/api/v4/1/index/${PUSHED}/documents?echo=false`, {
    method: 'PUT',
    headers: { authorization: BASIC, 'content-type': 'application/json' },
    body: JSON.stringify(documents),
  });
  await response.arrayBuffer();
  return response.status;
}

type Killing = { readonly roles: readonly string[]; readonly site: GeneratedSite; readonly dataDir: string };

/** In turn. Each kill waits for progress of the crawl, so that they are spread over all of it. */
async function killAgainAndAgain(product: RunningProduct, { roles, site, dataDir }: Killing): Promise<void> {
  for (let round = 0; round < KILLS; round++) {
    for (const [turn, role] of roles.entries()) {
      const share = (round * roles.length + turn + 1) / (KILLS * roles.length + 1);
      await eventually(() => site.requests() >= PAGES * share, 240_000);
      if (role === 'redis' && round === KILLS / 2) await emptyRedis(dataDir);
      await eventually(() => product.pids().has(role), 120_000);
      product.kill(role);
    }
  }
}

async function emptyRedis(dataDir: string): Promise<void> {
  const redis = new Redis({ path: join(dataDir, 'redis/redis.sock') });
  await redis.flushall();
  redis.disconnect();
}

async function total(product: RunningProduct, engineId: number): Promise<number> {
  const response = await fetch(`${product.address}/api/v4/1/${engineId}/search`, {
    method: 'POST',
    headers: { authorization: BASIC, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '*', perPage: 1 }),
  });
  const body = (await response.json()) as { TotalDocument: number };
  return body.TotalDocument;
}

/** What the store says of the crawled pages: documents, visits that added one, pages added more than once. */
function pagesRecorded(dataDir: string) {
  const db = new DatabaseSync(join(dataDir, `engines/${CRAWLED}/store.db`), { readOnly: true });
  const count = (sql: string) => Number(Object.values(db.prepare(sql).get() ?? {})[0]);
  const added = 'SELECT url_id, count(*) AS times FROM visits WHERE outcome = 0 GROUP BY url_id';
  try {
    return {
      documents: count('SELECT count(*) FROM documents WHERE deleted = 0'),
      added: count(`SELECT count(*) FROM (${added})`),
      twice: count(`SELECT count(*) FROM (${added}) WHERE times > 1`),
    };
  } finally {
    db.close();
  }
}

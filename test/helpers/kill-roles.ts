import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import { type GeneratedSite, startGeneratedSite } from '../../scripts/bench/generated-site.ts';
import { eventually } from './eventually.ts';
import { type RunningProduct, startProcesses } from './processes.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** `KILL_TEST=full` for the long form. */
const IS_FULL = process.env['KILL_TEST'] === 'full';
const PAGES = IS_FULL ? 5_000 : 240;
const PUSHES = IS_FULL ? 20_000 : 2_000;
const BATCH = IS_FULL ? 100 : 50;
export const KILLS = IS_FULL ? 20 : 4;
export const KILL_TIMEOUT_MS = IS_FULL ? 1_200_000 : 480_000;
/** Pages that a kill may have fetched again: what was under way in the process. */
const REFETCHED = 20;
const KEY = 'kill-test-key';
const BASIC = `Basic ${Buffer.from(`1:${KEY}`).toString('base64')}`;
const CRAWLED = 1;
const PUSHED = 2;

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
 * kill -9 of one role again and again, spread over a crawl and pushes: what was acknowledged is there at the end, and each
 * page was recorded exactly once.
 */
export async function crawlAndPushWhileKilling(
  role: string,
  meanwhile: (dataDir: string) => Promise<unknown> = async () => undefined,
): Promise<void> {
  await using folder = await temporaryFolder();
  await using site = await startGeneratedSite(PAGES);
  const file = join(folder.path, 'provision.json');
  await writeFile(file, JSON.stringify(provision(site.start)));
  const environment = { CONFIG_FILE: file, RATE_MANAGEMENT_PER_SECOND: '0', RATE_SEARCH_PER_SECOND: '0' };
  const dataDir = join(folder.path, 'data');
  await using product = await startProcesses({ dataDir, environment });

  const killing = killAgainAndAgain(product, { role, site, halfway: () => meanwhile(dataDir) });
  const [acknowledged] = await Promise.all([pushAll(product, site), killing]);

  expect(acknowledged).toBe(PUSHES);
  await eventually(async () => (await total(product, PUSHED)) === PUSHES, 120_000);
  await eventually(async () => (await total(product, CRAWLED)) === PAGES, 120_000);
  await product.stop();
  expect(pagesRecorded(dataDir)).toEqual({ documents: PAGES, added: PAGES, twice: 0 });
  const fetches = site.requests();
  process.stdout.write(`${role}: ${fetches} fetches for ${PAGES} pages, ${KILLS} kills\n`);
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

type Killing = { readonly role: string; readonly site: GeneratedSite; readonly halfway: () => Promise<unknown> };

/** Each kill waits for progress of the crawl, so that they are spread over all of it. */
async function killAgainAndAgain(product: RunningProduct, { role, site, halfway }: Killing): Promise<void> {
  for (let kill = 1; kill <= KILLS; kill++) {
    const reached = (PAGES * kill) / (KILLS + 1);
    await eventually(() => site.requests() >= reached, 240_000);
    if (kill === KILLS / 2) await halfway();
    await eventually(() => product.pids().has(role), 120_000);
    product.kill(role);
  }
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

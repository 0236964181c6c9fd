import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startGeneratedSite } from '../../scripts/bench/generated-site.ts';
import { eventually } from '../helpers/eventually.ts';
import { type RunningProduct, startProcesses } from '../helpers/processes.ts';
import { isLongForm, reportFigure } from '../helpers/scorecard.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const HOUR = 3_600_000;
const KEY = 'key-of-clock-tests';
const HEADERS = {
  authorization: `Basic ${Buffer.from(`1:${KEY}`).toString('base64')}`,
  'content-type': 'application/json',
};
const CLOCK = new URL('../helpers/shifted-clock.ts', import.meta.url).href;
const PAGES = 300;
const CRAWLED_BEFORE = 60;
/** Seconds are promised; a busy machine takes longer for its starts. */
const WITHIN_MS = isLongForm ? 15_000 : 60_000;

const provision = (seed: string) => ({
  version: 1,
  customers: [
    {
      id: 1,
      name: 'Clock',
      keys: [{ name: 'test', value: KEY }],
      engines: [
        { id: 1, name: 'Crawled', language: 'en' },
        { id: 2, name: 'Pushed', language: 'en' },
      ],
      crawlers: [
        { id: 1, engine: 1, name: 'Site', active: true, seeds: [seed] },
        { id: 2, engine: 2, name: 'Push', active: false, seeds: [] },
      ],
    },
  ],
});

async function call({ address }: RunningProduct, method: string, path: string, body: unknown) {
  const response = await fetch(`${address}/api/v4/1${path}`, { method, headers: HEADERS, body: JSON.stringify(body) });
  return { status: response.status, body: (await response.json()) as { readonly TotalDocument?: number } };
}

test.each(isLongForm ? [-24 * HOUR, -HOUR, HOUR, 24 * HOUR] : [-HOUR])(
  'after kill -9 of everything and a clock set by %i ms a push is found and crawling goes on',
  async (byMs) => {
    await using folder = await temporaryFolder();
    await using site = await startGeneratedSite(PAGES);
    const file = join(folder.path, 'provision.json');
    await writeFile(file, JSON.stringify(provision(site.start)));
    const start = (aheadMs: number) => {
      const clock = { NODE_OPTIONS: `--import ${CLOCK}`, TEST_CLOCK_AHEAD_MS: String(aheadMs) };
      const rates = { RATE_MANAGEMENT_PER_SECOND: '0', RATE_SEARCH_PER_SECOND: '0' };
      const environment = { CONFIG_FILE: file, ...rates, ...clock };
      return startProcesses({ dataDir: join(folder.path, 'data'), environment });
    };
    const before = await start(-byMs);
    await eventually(() => site.requests() >= CRAWLED_BEFORE, 120_000);
    for (const pid of before.pids().values()) process.kill(pid, 'SIGKILL');
    const fetched = site.requests();

    await using product = await start(0);
    const startedAt = performance.now();
    const pushed = await call(product, 'PUT', '/index/2/documents', [{ id: 'a', fields: { Title: 'Pushed' } }]);
    const found = async () => (await call(product, 'POST', '/2/search', { query: '*' })).body.TotalDocument === 1;

    expect(pushed.status).toBe(200);
    await eventually(found, WITHIN_MS);
    const foundMs = Math.round(performance.now() - startedAt);
    await eventually(() => site.requests() > fetched + CRAWLED_BEFORE / 2, WITHIN_MS);
    const crawledMs = Math.round(performance.now() - startedAt);
    reportFigure('liveness.clock', `${byMs / HOUR} h: found after ${foundMs} ms, crawling after ${crawledMs} ms`);
  },
);

import { expect, test } from 'vitest';
import { openEngineStores } from '../../src/storage/sqlite/engine-stores.ts';
import { startWriteThread } from '../../src/storage/sqlite/write-thread.ts';
import { page } from '../helpers/crawl.ts';
import { eventually } from '../helpers/eventually.ts';
import { startOperated } from '../helpers/operated.ts';
import { isLongForm, reportFigure } from '../helpers/scorecard.ts';
import { slow, startSiteServer } from '../helpers/site-server.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const WAITING = isLongForm ? 100_000 : 20_000;
const STEP = 5_000;
const MANUAL = { full: 'manual', incremental: 'manual' };

type Status = { readonly waiting: number; readonly lastRun: { readonly state: string } };

test(`deactivation with ${WAITING} waiting rows ends fetching within 2 s, and activation fetches only new work`, async () => {
  await using folder = await temporaryFolder();
  await using site = await startSiteServer({ '/': page('Home'), '/waiting': slow(20, page('Waiting')) });
  await using product = await startOperated(folder.path);
  await product.admin('POST', '/customers', { id: 1, name: 'One' });
  await product.admin('POST', '/engines', { id: 1, customer: 1, name: 'Engine' });
  await product.admin('POST', '/crawlers', {
    id: 1,
    engine: 1,
    name: 'Site',
    seeds: [`${site.origin}/`],
    schedule: MANUAL,
  });
  await product.admin('POST', '/crawlers/1/activate');
  const status = async () => (await product.admin('GET', '/crawlers/1'))['status'] as Status;
  await eventually(async () => (await status()).lastRun.state === 'finished', 60_000);

  await queue(product.dataDir, site.origin);
  const fetched = () => site.requests.filter(({ path }) => path.startsWith('/waiting')).length;
  await eventually(() => fetched() > 50, 60_000);
  await product.admin('POST', '/crawlers/1/deactivate');
  const at = Date.now();
  await eventually(async () => (await status()).waiting === 0, 30_000);
  await eventually(() => Date.now() - at > 2_500);

  const lastAfterMs = (site.requests.at(-1)?.at ?? 0) - at;
  expect(lastAfterMs).toBeLessThan(2_000);
  expect(fetched()).toBeLessThan(WAITING / 2);

  const seen = new Set(site.requests.map(({ path }) => path));
  const [before, home] = [site.requests.length, site.count('/')];
  await product.admin('POST', '/crawlers/1/activate');
  await eventually(async () => site.count('/') > home && (await status()).lastRun.state === 'finished', 60_000);

  // Pages that have become documents belong to the site by now; what was never fetched stays so.
  const waiting = site.requests.slice(before).filter(({ path }) => path.startsWith('/waiting'));
  const unseen = waiting.filter(({ path }) => !seen.has(path));
  expect(unseen).toEqual([]);
  reportFigure('crawling.deactivated', `${WAITING} waiting rows: the last fetch after ${lastAfterMs} ms`);
}, 180_000);

/** URLs as the API queues them, in larger steps. */
async function queue(dataDir: string, origin: string): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const writeThread = stack.use(startWriteThread(dataDir));
  const store = await stack.use(openEngineStores({ dataDir, writeThread })).of(1);
  for (let from = 0; from < WAITING; from += STEP) {
    const urls = Array.from({ length: STEP }, (_, i) => `${origin}/waiting?n=${from + i}`);
    await store.queueUrls({ crawlerId: 1, activation: 1, configVersion: 1, urls, now: Date.now() });
  }
}

import { expect, test } from 'vitest';
import { page } from '../helpers/crawl.ts';
import { eventually } from '../helpers/eventually.ts';
import { startOperated } from '../helpers/operated.ts';
import { type Behaviour, sendPage, startSiteServer } from '../helpers/site-server.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const DELAY_MS = 100;
const SERVICE_MS = 60;
const CRAWLERS = [1, 2];
const paths = Array.from({ length: 15 }, (_, i) => `/p${i}`);

/** A site that counts what is under way at once. */
async function startCounted(address: string) {
  let underWay = 0;
  let most = 0;
  const counted: Behaviour = (request, response) => {
    underWay++;
    most = Math.max(most, underWay);
    setTimeout(() => {
      underWay--;
      sendPage(response, page(`Page ${request.url} of ${address}`, request.url === '/' ? paths : []));
    }, SERVICE_MS);
  };
  const routes = Object.fromEntries(['/', ...paths].map((path) => [path, counted]));
  return { site: await startSiteServer(routes, { address }), most: () => most };
}

test('three crawl processes and two crawlers keep to one slot and the spacing of each of two hosts', async () => {
  await using folder = await temporaryFolder();
  const hosts = [await startCounted('127.0.0.1'), await startCounted('127.0.0.2')];
  await using _first = hosts[0]!.site;
  await using _second = hosts[1]!.site;
  await using product = await startOperated(folder.path, { CRAWL_PROCESSES: '3' });
  const politeness = { pace: 'fixed', delayMs: DELAY_MS, slots: 1 };
  const schedule = { full: 'manual', incremental: 'manual' };
  const seeds = hosts.map(({ site }) => `${site.origin}/`);
  await product.admin('POST', '/customers', { id: 1, name: 'Polite' });
  for (const id of CRAWLERS) {
    await product.admin('POST', '/engines', { id, customer: 1, name: `Engine ${id}` });
    await product.admin('POST', '/crawlers', { id, engine: id, name: `Crawler ${id}`, seeds, politeness, schedule });
    await product.admin('POST', `/crawlers/${id}/activate`);
  }

  const pages = (paths.length + 1) * hosts.length;
  for (const id of CRAWLERS) {
    const status = async () => (await product.admin('GET', `/crawlers/${id}`))['status'] as { documents: number };
    await eventually(async () => (await status()).documents === pages, 90_000);
  }

  for (const { site, most } of hosts) {
    for (const path of ['/', ...paths]) expect([path, site.count(path)]).toEqual([path, CRAWLERS.length]);
    expect(most()).toBe(1);
    const starts = site.requests.filter(({ path }) => path !== '/robots.txt').map(({ at }) => at);
    const gaps = starts.slice(1).map((at, i) => at - (starts[i] ?? 0));
    // This process notes a request late when it is busy, which takes from the gap behind it and adds to the one before.
    const short = gaps.filter((gap) => gap <= DELAY_MS * 0.6);
    expect(short.length).toBeLessThanOrEqual(gaps.length * 0.05);
    expect((starts.at(-1) ?? 0) - (starts[0] ?? 0)).toBeGreaterThan(gaps.length * DELAY_MS * 0.98);
  }
}, 150_000);

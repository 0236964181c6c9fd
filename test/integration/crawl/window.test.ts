import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { eventually } from '../../helpers/eventually.ts';
import { slow, startSiteServer } from '../../helpers/site-server.ts';

const HOUR = 3_600_000;
const paths = Array.from({ length: 120 }, (_, i) => `/p${i}`);
const SITE = {
  '/': page('Home', paths),
  '/queued': page('Queued'),
  ...Object.fromEntries(paths.map((path) => [path, slow(50, page(`Page ${path}`))])),
};

/** Hours of the day from and to `hours` after now. */
function windowFrom(fromHours: number, toHours: number): string {
  const time = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString().slice(11, 16);
  return `${time(fromHours)}-${time(toHours)}`;
}

const settings = (origin: string, window: string) => ({
  seeds: [`${origin}/`],
  schedule: { full: 'manual', incremental: 'manual' },
  timezone: 'UTC',
  window,
});

test('outside of its window a run waits, queued URLs do not', async () => {
  await using site = await startSiteServer(SITE);
  await using crawl = await openCrawl(settings(site.origin, windowFrom(2, 4)));

  await crawl.crawl();
  await crawl.queue(`${site.origin}/queued`);
  await crawl.crawl();
  expect(await crawl.slice(1)).toMatchObject({ end: 'idle' });
  expect([site.count('/'), site.count('/queued')]).toEqual([0, 1]);

  crawl.clock.skip(3 * HOUR);
  await crawl.crawl();
  expect(await crawl.documents()).toHaveLength(paths.length + 2);
});

test('a window that closes ends the fetching, and the run goes on when it opens again', async () => {
  await using site = await startSiteServer(SITE);
  await using crawl = await openCrawl(settings(site.origin, windowFrom(-1, 1)));
  await crawl.sweep();
  const slice = crawl.slice();
  await eventually(() => site.requests.length > 10);

  crawl.clock.skip(2 * HOUR);
  expect((await slice).end).toBe('stopped');
  await crawl.crawl();
  expect(site.requests.length).toBeLessThan(paths.length);

  crawl.clock.skip(21.5 * HOUR);
  await crawl.crawl();
  expect(await crawl.documents()).toHaveLength(paths.length + 1);
});

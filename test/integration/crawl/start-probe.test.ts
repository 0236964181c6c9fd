import { expect, test } from 'vitest';
import { page } from '../../helpers/crawl.ts';
import { crawledSite, HOUR } from '../../helpers/crawled-site.ts';
import { type Route, redirectTo } from '../../helpers/site-server.ts';

const MINUTE = 60_000;

const MAINTENANCE = {
  body: '<html><head><title>Down</title></head><body><main><p>We are working on our systems tonight. Please come back tomorrow morning, everything will be faster and nicer than before.</p></main></body></html>',
};

type Shared = Awaited<ReturnType<typeof crawledSite>>;

function setAll({ site, paths }: Shared, route: Route): void {
  for (const path of ['/', ...paths]) site.set(path, route);
}

function restore({ site, paths }: Shared): void {
  site.set('/', page('Home', paths));
  for (const path of paths) site.set(path, page(`Page ${path}`));
}

test('a site that answers every page with another text is left alone; nothing is written, and it is looked at again', async () => {
  await using shared = await crawledSite(10);
  const { crawl, site } = shared;
  const before = await shared.texts();
  setAll(shared, MAINTENANCE);

  await shared.round();

  expect(await shared.texts()).toEqual(before);
  const host = await crawl.store.findHostOf(crawl.crawlerId, site.origin);
  expect(host).toMatchObject({ holdReason: 'start-probe', heldUntil: expect.any(Number) });
  const asked = site.requests.length;
  crawl.clock.skip(11 * MINUTE);
  await crawl.crawl();
  expect(site.requests.length - asked).toBe(3);
  restore(shared);
  crawl.clock.skip(11 * MINUTE);
  await crawl.crawl();
  expect(await crawl.lastVisit(shared.url('/p3'))).toMatchObject({ outcome: 'unchanged' });
  expect((await crawl.store.findHostOf(crawl.crawlerId, site.origin))?.content.probe?.failedSince).toBeUndefined();
});

test.each<[string, Route]>([
  ['redirects to a login', redirectTo('/login')],
  ['refuses', { status: 503, body: 'busy' }],
  ['answers empty', { body: '' }],
])('a site that %s is not visited by a run', async (_name, route) => {
  await using shared = await crawledSite(10);
  shared.site.set('/login', {
    body: '<html><title>Log in</title><body><form><input type="password"></form></body></html>',
  });
  setAll(shared, route);
  const before = shared.site.requests.length;

  await shared.round();

  expect(shared.site.requests.length - before).toBeLessThan(12);
  expect(await shared.crawl.documents()).toHaveLength(11);
});

test('queued URLs do not wait for a host that looks strange', async () => {
  await using shared = await crawledSite(10);
  const { crawl } = shared;
  setAll(shared, MAINTENANCE);
  await shared.round();

  await crawl.queue(shared.url('/p3'));
  await crawl.crawl();

  expect(await crawl.lastVisit(shared.url('/p3'))).toMatchObject({ outcome: 'changed' });
  expect((await shared.texts()).get(shared.url('/p4'))?.[0]).toBe('Page /p4');
});

test('a host is looked at once an hour, and a site with pages that changed is visited', async () => {
  await using shared = await crawledSite(10);
  const { site, crawl } = shared;
  for (const path of shared.paths.slice(0, 5))
    site.set(path, page(`Page ${path}`, [], '<meta name="description" content="new">'));
  const asked = () => site.requests.filter(({ path }) => path === '/' || /^\/p\d$/.test(path)).length;
  const before = asked();

  await shared.round();
  crawl.clock.skip(30 * MINUTE);
  await shared.round();

  // Two runs of 11 pages, and one page more.
  expect(asked() - before).toBe(23);
  crawl.clock.skip(HOUR);
  await shared.round();
  expect(asked() - before).toBe(23 + 12);
});

test('the text of a site that is read by other rules is not compared', async () => {
  await using shared = await crawledSite(10);
  await shared.crawl.change({
    seeds: [shared.url('/')],
    schedule: { full: 'manual', incremental: 'manual' },
    language: 'de',
    // All pages have one text now.
    duplicates: { exact: 'off' },
  });
  for (const path of shared.paths) {
    const text = `Rakes, spades and hoes of shed ${path} are sharpened every Friday by two blacksmiths who like to sing.`;
    shared.site.set(path, { body: `<html><title>New ${path}</title><body><main><p>${text}</p></main></body></html>` });
  }

  await shared.round();

  expect((await shared.texts()).get(shared.url('/p3'))?.[0]).toBe('New /p3');
});

import { expect, test } from 'vitest';
import { hostConcern } from '../../../src/crawl/rules/host-health.ts';
import { page } from '../../helpers/crawl.ts';
import { crawledSite } from '../../helpers/crawled-site.ts';

const MINUTE = 60_000;

const long = (title: string) => ({
  body: page(title).body.replace(
    '</main>',
    `<p>${title} and more about parcels. ${'Every parcel is weighed, labelled, scanned and sorted before it leaves the house. '.repeat(12)}</p></main>`,
  ),
});
const OTHER = {
  body: '<html><head><title>Tools</title></head><body><main><p>Spades, rakes and hoes are sharpened here every Friday by two retired blacksmiths.</p></main></body></html>',
};
const LOGIN = {
  body: '<html><head><title>Log in</title></head><body><main><p>Please enter your name and the word that only you know.</p><form><input name="user"><input type="password" name="word"></form></main></body></html>',
};

async function longSite(count: number) {
  const shared = await crawledSite(count);
  for (const path of shared.paths) shared.site.set(path, long(`Page ${path}`));
  await shared.round();
  // The host was looked at with this run: the next one takes it as it is.
  return shared;
}

/** The rest of the run, in which suspicious pages come last. */
async function endOfRun({ crawl }: Awaited<ReturnType<typeof crawledSite>>) {
  crawl.clock.skip(MINUTE + 1_000);
  await crawl.crawl();
}

test('a page that becomes short and something else is looked at twice before its text is replaced', async () => {
  await using shared = await longSite(10);
  shared.site.set('/p3', OTHER);

  await shared.round();
  expect(await shared.crawl.lastVisit(shared.url('/p3'))).toMatchObject({
    outcome: 'deferred',
    reason: 'needs-confirmation',
  });
  expect((await shared.texts()).get(shared.url('/p3'))?.[0]).toBe('Page /p3');
  await endOfRun(shared);

  expect((await shared.texts()).get(shared.url('/p3'))?.[0]).toBe('Tools');
});

test('a page that is itself again at the recheck was never changed', async () => {
  await using shared = await longSite(10);
  shared.site.set('/p3', OTHER);
  await shared.round();
  shared.site.set('/p3', long('Page /p3'));

  await endOfRun(shared);

  expect((await shared.texts()).get(shared.url('/p3'))?.[0]).toBe('Page /p3');
});

test('a page with another text at the recheck stays as it was', async () => {
  await using shared = await longSite(10);
  shared.site.set('/p3', OTHER);
  await shared.round();
  shared.site.set('/p3', LOGIN);

  await endOfRun(shared);

  expect((await shared.texts()).get(shared.url('/p3'))?.[0]).toBe('Page /p3');
});

test.each([
  ['the same text', OTHER, 'identical-pages'],
  ['a login', LOGIN, 'login-wall'],
])('when many pages become %s, they stay, and the host is listed', async (_name, route, concern) => {
  await using shared = await longSite(20);
  const { crawl, site } = shared;
  const texts = await shared.texts();
  for (const path of shared.paths.slice(0, 10)) site.set(path, route);

  await shared.round();
  await endOfRun(shared);

  expect(await shared.texts()).toEqual(texts);
  const [host] = await crawl.store.listHosts({ crawlerId: crawl.crawlerId, after: 0, limit: 10 });
  expect(host && hostConcern(host, crawl.clock.now())).toBe(concern);
});

test('an operator who releases the host vouches for its pages', async () => {
  await using shared = await longSite(20);
  const { crawl, site } = shared;
  for (const path of shared.paths.slice(0, 10)) site.set(path, OTHER);
  await shared.round();
  await endOfRun(shared);
  const [host] = await crawl.store.listHosts({ crawlerId: crawl.crawlerId, after: 0, limit: 10 });

  await crawl.store.releaseHost(host?.id ?? 0, crawl.clock.now() + 24 * 60 * MINUTE);
  await shared.round();

  expect((await shared.texts()).get(shared.url('/p3'))?.[0]).toBe('Tools');
});

test('who queues a URL says that it has changed', async () => {
  await using shared = await longSite(10);
  shared.site.set('/p3', OTHER);

  await shared.crawl.queue(shared.url('/p3'));
  await shared.crawl.crawl();

  expect((await shared.texts()).get(shared.url('/p3'))?.[0]).toBe('Tools');
});

test('a page that becomes a file stays, and is held at the third sighting', async () => {
  await using shared = await longSite(10);
  const { crawl } = shared;
  shared.site.set('/p3', { headers: { 'content-type': 'text/plain' }, body: 'A plain text about parcels.' });

  await shared.round();
  await shared.recheck();
  await shared.recheck();

  expect((await shared.texts()).get(shared.url('/p3'))?.[0]).toBe('Page /p3');
  const held = await crawl.store.listRemovals({ crawlerId: crawl.crawlerId, state: 'held', after: 0, limit: 10 });
  expect(held).toMatchObject([{ class: 'soft', cause: 'type-changed' }]);
});

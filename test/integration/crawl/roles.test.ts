import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { eventually } from '../../helpers/eventually.ts';
import { slow, startSiteServer } from '../../helpers/site-server.ts';

const paths = Array.from({ length: 120 }, (_, i) => `/p${i}`);

/** Pages that link to the next two, so that the crawl takes a while. */
function chain(): Record<string, ReturnType<typeof slow>> {
  return Object.fromEntries(
    paths.map((path, i) => [path, slow(10, page(`Page ${i}`, [`/p${2 * i + 1}`, `/p${2 * i + 2}`]))]),
  );
}

test('activation crawls the site through the queues, and the run finishes by itself', async () => {
  await using site = await startSiteServer(chain());
  await using crawl = await openCrawl({ seeds: [`${site.origin}/p0`] }, { active: false });
  await using _roles = await crawl.startRoles();

  await crawl.activate();

  await eventually(async () => (await crawl.store.listRuns(crawl.crawlerId, 1))[0]?.state === 'finished', 30_000);
  expect(await crawl.documents()).toHaveLength(paths.length);
  for (const path of paths) expect([path, site.count(path)]).toEqual([path, 1]);
});

test('a queued URL is stored while a crawl runs', async () => {
  await using site = await startSiteServer({ ...chain(), '/news': page('News') });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/p0`] });
  await using _roles = await crawl.startRoles();
  await eventually(() => site.requests.length > 10);

  await crawl.queue(`${site.origin}/news`);

  await eventually(() => crawl.store.findDocument(crawl.crawlerId, `${site.origin}/news`), 10_000);
});

test('an emptied Redis loses nothing: the sweep makes everything again', async () => {
  await using site = await startSiteServer(chain());
  await using crawl = await openCrawl({ seeds: [`${site.origin}/p0`] });
  await using _roles = await crawl.startRoles();
  await eventually(() => site.requests.length > 20);

  await crawl.redis.control.flushall();

  await eventually(async () => (await crawl.store.listRuns(crawl.crawlerId, 1))[0]?.state === 'finished', 40_000);
  expect(await crawl.documents()).toHaveLength(paths.length);
  const schedulers = () => crawl.redis.control.keys('{fossick}:upkeep:repeat:*-*');
  await eventually(async () => (await schedulers()).length >= 2);
});

test('Redis may go away and come back', async () => {
  await using site = await startSiteServer(chain());
  await using crawl = await openCrawl({ seeds: [`${site.origin}/p0`] });
  await using _roles = await crawl.startRoles();
  await eventually(() => site.requests.length > 20);

  await crawl.redis.control.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');

  await eventually(async () => (await crawl.store.listRuns(crawl.crawlerId, 1))[0]?.state === 'finished', 40_000);
  expect(await crawl.documents()).toHaveLength(paths.length);
});

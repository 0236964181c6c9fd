import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { eventually } from '../../helpers/eventually.ts';
import { slow, startSiteServer } from '../../helpers/site-server.ts';

const paths = Array.from({ length: 60 }, (_, i) => `/p${i}`);
const SITE = {
  '/': page('Home', paths),
  ...Object.fromEntries(paths.map((path) => [path, slow(20, page(`Page ${path}`))])),
};

test('a second slice of a lane ends at once', async () => {
  await using site = await startSiteServer(SITE);
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });
  await crawl.sweep();
  const first = crawl.slice(1, { holder: 'crawl-1' });
  await eventually(() => site.requests.length > 5);

  expect(await crawl.slice(1, { holder: 'crawl-2' })).toMatchObject({ end: 'busy' });

  await first;
});

test('a holder whose lane was taken over records nothing more, and every page is stored once', async () => {
  await using site = await startSiteServer(SITE);
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });
  await crawl.sweep();
  const frozen = crawl.slice(1, { holder: 'crawl-1' });
  await eventually(() => site.requests.length > 20);

  // A process of the same name takes the lane at once, as after a restart.
  const restarted = crawl.slice(1, { holder: 'crawl-1' });

  expect(await frozen).toMatchObject({ end: 'stopped' });
  await restarted;
  await crawl.crawl();
  expect(await crawl.documents()).toHaveLength(paths.length + 1);
  const [run] = await crawl.store.listRuns(crawl.crawlerId, 1);
  expect(run).toMatchObject({ state: 'finished', visited: paths.length + 1, added: paths.length + 1 });
});

test('a slice that is told to stop gives its rows back without an attempt', async () => {
  await using site = await startSiteServer(SITE);
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });
  await crawl.sweep();
  const stop = new AbortController();
  const slice = crawl.slice(1, {}, stop.signal);
  await eventually(() => site.requests.length > 20);

  stop.abort();

  expect(await slice).toMatchObject({ end: 'stopped' });
  await crawl.crawl();
  expect(await crawl.documents()).toHaveLength(paths.length + 1);
  for (const path of paths) expect([path, site.count(path)]).toEqual([path, 1]);
});

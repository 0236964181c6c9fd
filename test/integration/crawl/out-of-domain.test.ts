import { expect, test } from 'vitest';
import { explainUrl } from '../../../src/crawl/browse-urls.ts';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { reportFigure } from '../../helpers/scorecard.ts';
import { redirectTo, startSiteServer } from '../../helpers/site-server.ts';
import { sitemap } from '../../helpers/sitemap.ts';

/** Names that were asked for; all lead to a server of the test. */
function watchedNames() {
  const asked: string[] = [];
  const names = new Proxy({} as Record<string, readonly string[]>, {
    get: (_, name) => {
      asked.push(String(name));
      return ['127.0.0.2'];
    },
  });
  return { asked, names };
}

test('no name outside of the domains is resolved and no server asked: queued, redirected to, or named as a sitemap', async () => {
  await using other = await startSiteServer({ '*': page('Other') }, { address: '127.0.0.2' });
  const outside = (host: string) => `http://${host}.never-named.test:${other.port}`;
  await using site = await startSiteServer({
    '/': page('Home', ['/moved', `${outside('link')}/`]),
    '/moved': redirectTo(`${outside('redirect')}/`),
    '/robots.txt': {
      headers: { 'content-type': 'text/plain' },
      body: `User-agent: *\nSitemap: ${outside('sitemap')}/sitemap.xml\nSitemap: /own.xml\n`,
    },
    '/own.xml': sitemap(outside('entry'), { '/': '' }),
  });
  const { asked, names } = watchedNames();
  await using crawl = await openCrawl(
    { seeds: [`${site.origin}/`], sitemaps: 'auto' },
    { names, privateNetworks: true },
  );
  const queued = [`${outside('queued')}/x`, `${other.origin}/y`];

  await crawl.queue(...queued);
  await crawl.crawl();

  expect(asked).toEqual([]);
  expect(other.connections()).toBe(0);
  for (const url of queued) {
    expect(await crawl.lastVisit(url)).toMatchObject({ outcome: 'skipped', reason: 'out-of-domain' });
  }
  expect(await crawl.lastVisit(`${site.origin}/moved`)).toMatchObject({ reason: 'redirected-out' });
  for (const url of [...queued, `${outside('sitemap')}/sitemap.xml`]) {
    const explained = await explainUrl({ ...crawl.lookDeps, visibleSeq: () => 0 }, await crawl.crawler(), url);
    expect(explained).toMatchObject({ reason: 'out-of-domain' });
  }
  expect(await crawl.documents()).toEqual([`${site.origin}/`]);
  reportFigure('network.scope-first', `${asked.length} names asked, ${other.connections()} connections`);
});

test('many queued URLs of many hosts outside of the domains are all skipped', async () => {
  await using site = await startSiteServer({ '/': page('Home') });
  const { asked, names } = watchedNames();
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] }, { names, privateNetworks: true });
  const urls = Array.from({ length: 300 }, (_, i) => `http://h${i % 100}.never-named.test/${i}`);

  await crawl.queue(...urls);
  await crawl.crawl();

  expect(asked).toEqual([]);
  const reasons = await Promise.all(urls.map(async (url) => (await crawl.lastVisit(url))?.reason));
  expect(new Set(reasons)).toEqual(new Set(['out-of-domain']));
});

import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { startSiteServer } from '../../helpers/site-server.ts';

const MANUAL = { full: 'manual', incremental: 'manual' } as const;

test('a URL outside of the domains, excluded or disallowed is skipped, and the log gives the reason', async () => {
  await using site = await startSiteServer({
    '/robots.txt': { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /closed' },
    '/excluded': page('Excluded'),
    '/closed': page('Closed'),
  });
  await using other = await startSiteServer({ '/': page('Other') }, { address: '127.0.0.2' });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/none`], exclude: ['/excluded'], schedule: MANUAL });

  await crawl.queue(`${other.origin}/`, `${site.origin}/excluded`, `${site.origin}/closed`);
  await crawl.crawl();

  const reasonOf = async (url: string) => (await crawl.lastVisit(url))?.reason;
  expect(await reasonOf(`${other.origin}/`)).toBe('out-of-domain');
  expect(await reasonOf(`${site.origin}/excluded`)).toBe('excluded');
  expect(await reasonOf(`${site.origin}/closed`)).toBe('robots');
  expect([other.count('/'), site.count('/excluded'), site.count('/closed')]).toEqual([0, 0, 0]);
  expect(await crawl.documents()).toEqual([]);
});

import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { sendPage, startSiteServer } from '../../helpers/site-server.ts';

test('own headers and cookies go with every request to the site, in the clear only where they are sent', async () => {
  await using site = await startSiteServer({ '/': page('Home', ['/a']), '/a': page('Alpha') });
  await using crawl = await openCrawl({
    seeds: [`${site.origin}/`],
    headers: { 'X-Preview': 'yes', 'x-token': { fromEnv: 'TEST_SECRET' } },
    cookies: { consent: 'given', region: 'dk' },
  });

  await crawl.crawl();

  expect(site.requests.map(({ path }) => path).sort()).toEqual(['/', '/a', '/robots.txt']);
  for (const { headers } of site.requests) {
    expect(headers['x-preview']).toBe('yes');
    expect(headers['x-token']).toBe('from-the-environment');
    expect(headers.cookie).toBe('consent=given; region=dk');
  }
});

test('a cookie that the site sets is sent again, to this host and below its path only', async () => {
  await using other = await startSiteServer({ '/': page('Other') }, { address: '127.0.0.2' });
  await using site = await startSiteServer({
    '/': {
      ...page('Home', ['/shop/a', '/b', `${other.origin}/`]),
      headers: { 'set-cookie': ['seen=1', 'cart=2; Path=/shop'] },
    },
    '/shop/a': page('Alpha'),
    '/b': page('Beta'),
  });
  await using crawl = await openCrawl({
    seeds: [`${site.origin}/`],
    domains: [site.host, other.host],
    cookies: { seen: '0' },
  });

  await crawl.crawl();

  const cookieOf = (of: typeof site, path: string) => of.requests.find((sent) => sent.path === path)?.headers.cookie;
  expect(cookieOf(site, '/')).toBe('seen=0');
  expect(cookieOf(site, '/shop/a')).toBe('seen=1; cart=2');
  expect(cookieOf(site, '/b')).toBe('seen=1');
  expect(cookieOf(other, '/')).toBe('seen=0');
});

test('a page that wants its own cookie back before it answers is read', async () => {
  await using site = await startSiteServer({
    '/': (request, response) => {
      if (request.headers.cookie === 'checked=1') sendPage(response, page('Home'));
      else sendPage(response, { status: 302, headers: { location: '/', 'set-cookie': 'checked=1' } });
    },
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });

  await crawl.crawl();

  expect(await crawl.documents()).toEqual([`${site.origin}/`]);
});

test('a variable that is not set pauses the run before anything is fetched, and the run says why', async () => {
  await using site = await startSiteServer({ '/': page('Home') });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], headers: { 'x-token': { fromEnv: 'NOT_SET' } } });

  await crawl.sweep();
  await crawl.slice();

  const [run] = await crawl.store.listRuns(crawl.crawlerId, 1);
  expect(site.connections()).toBe(0);
  expect(run).toMatchObject({
    state: 'paused',
    summary: JSON.stringify({
      reason: 'secrets',
      why: 'headers.x-token: the variable NOT_SET is not set where the crawler runs',
    }),
  });
});

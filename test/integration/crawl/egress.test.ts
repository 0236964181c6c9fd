import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { redirectTo, startSiteServer } from '../../helpers/site-server.ts';

test('a private address that the operator did not name is refused, also when a domain would allow it', async () => {
  await using inside = await startSiteServer({ '/': page('Inside') }, { address: '127.0.0.2' });
  const url = `http://a.inside.example:${inside.port}/`;
  await using site = await startSiteServer({ '/': page('Home', [url]) });
  await using crawl = await openCrawl(
    { seeds: [`${site.origin}/`], domains: [site.host, `*.inside.example:${inside.port}`] },
    { names: { 'a.inside.example': ['127.0.0.2'] } },
  );

  await crawl.queue(url);
  await crawl.crawl();

  expect(inside.connections()).toBe(0);
  expect(await crawl.lastVisit(url)).toMatchObject({ outcome: 'failed', reason: 'blocked-address' });
  expect(await crawl.documents()).toEqual([`${site.origin}/`]);
});

test('a name of its own may lead to a private address', async () => {
  await using site = await startSiteServer({ '/': page('Home') });
  const url = `http://intranet.example:${site.port}/`;
  await using crawl = await openCrawl({ seeds: [url] }, { names: { 'intranet.example': ['127.0.0.1'] } });

  await crawl.crawl();

  expect(await crawl.documents()).toEqual([url]);
});

test('a redirect into a private network is not followed', async () => {
  await using inside = await startSiteServer({ '/': page('Inside') }, { address: '127.0.0.2' });
  await using site = await startSiteServer({ '/': page('Home', ['/go']), '/go': redirectTo(`${inside.origin}/`) });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });

  await crawl.crawl();

  expect(inside.connections()).toBe(0);
  expect(await crawl.lastVisit(`${site.origin}/go`)).toMatchObject({ outcome: 'failed', reason: 'redirected-out' });
});

test('a queued private address is acknowledged, and the log gives the reason', async () => {
  await using site = await startSiteServer({ '/': page('Home') });
  await using crawl = await openCrawl({ seeds: ['http://docs.example/'], domains: ['*.0.0.1', '127.0.0.1:1'] });

  const rows = await crawl.queue(`${site.origin}/`);
  await crawl.crawl();

  expect(rows).toEqual([{ url: `${site.origin}/`, status: 'Ok' }]);
  expect(site.connections()).toBe(0);
  expect((await crawl.lastVisit(`${site.origin}/`))?.reason).toBe('out-of-domain');
});

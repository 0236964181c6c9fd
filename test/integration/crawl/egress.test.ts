import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { redirectTo, startSiteServer } from '../../helpers/site-server.ts';

test('a private address that the operator did not name is refused, also when a domain would allow it', async () => {
  await using inside = await startSiteServer({ '/': page('Inside') }, { address: '127.0.0.2' });
  await using site = await startSiteServer({ '/': page('Home', [`${inside.origin}/`]) });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], domains: [site.host, `*.0.0.2:${inside.port}`] });

  await crawl.queue(`${inside.origin}/`);
  await crawl.crawl();

  expect(inside.connections()).toBe(0);
  expect(await crawl.documents()).toEqual([`${site.origin}/`]);
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

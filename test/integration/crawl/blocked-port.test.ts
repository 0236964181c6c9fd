import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { redirectTo, startSiteServer } from '../../helpers/site-server.ts';

test('a port of another protocol is never asked, also where the operator named it', async () => {
  const ports = [1, 22, 25, 110, 143, 465, 587, 993, 2049, 5060, 6000, 6667, 10080];
  await using site = await startSiteServer({
    '/': page('Home', [...ports.map((port) => `http://127.0.0.1:${port}/`), '/mail']),
    '/mail': redirectTo('http://127.0.0.1:25/'),
  });
  const domains = [site.host, ...ports.map((port) => `127.0.0.1:${port}`)];
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], domains });

  await crawl.crawl();

  const reasons = await Promise.all(
    ports.map(async (port) => (await crawl.lastVisit(`http://127.0.0.1:${port}/`))?.reason),
  );
  expect(new Set(reasons)).toEqual(new Set(['blocked-port']));
  expect(await crawl.lastVisit(`${site.origin}/mail`)).toMatchObject({ outcome: 'failed', reason: 'blocked-port' });
});

import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { startSiteServer } from '../../helpers/site-server.ts';

const refresh = (seconds: number, to: string) => `<meta http-equiv="refresh" content="${seconds}; url=${to}">`;

test('a quick refresh is a redirect, a slow one is not', async () => {
  await using site = await startSiteServer({
    '/': page('Home', ['/moved', '/ticker']),
    '/moved': page('Moved', [], refresh(0, '/new')),
    '/new': page('New'),
    '/ticker': page('Ticker', [], refresh(60, '/new')),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });

  await crawl.crawl();

  expect(await crawl.documents()).toEqual(['/', '/new', '/ticker'].map((path) => site.origin + path));
  const record = await crawl.store.findUrl(crawl.crawlerId, `${site.origin}/moved`);
  expect(record).toMatchObject({ targetUrl: `${site.origin}/new`, facts: { state: 'alias', reason: 'redirect' } });
});

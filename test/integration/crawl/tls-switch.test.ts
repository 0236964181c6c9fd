import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { SITE_CERTIFICATE, startSecureSite } from '../../helpers/secure-site.ts';

const NAMES = { 'site.example': ['127.0.0.1'] };

test.each([
  ['a certificate of nobody known is refused', { verify: true }, 'tls', 0],
  ['a root of the crawler is trusted', { ca: [SITE_CERTIFICATE] }, 'new', 1],
  ['without verification everything is taken', { verify: false }, 'new', 1],
])('%s', async (_name, tls, reason, documents) => {
  await using site = await startSecureSite({ '/': page('Home') });
  const url = `https://site.example:${site.port}/`;
  await using crawl = await openCrawl({ seeds: [url], tls, robots: 'ignore' }, { names: NAMES });

  await crawl.crawl();

  expect(await crawl.lastVisit(url)).toMatchObject({ reason });
  expect(await crawl.documents()).toHaveLength(documents);
});

test('the switch works within a run, and connections of the other setting are not used again', async () => {
  await using site = await startSecureSite({ '/': page('Home') });
  const settings = { seeds: [`https://site.example:${site.port}/`], robots: 'ignore' };
  await using crawl = await openCrawl({ ...settings, tls: { verify: false } }, { names: NAMES });
  const [url = ''] = settings.seeds;
  await crawl.crawl();
  expect(await crawl.documents()).toEqual([url]);

  await crawl.change({ ...settings, tls: { verify: true } });
  await crawl.queue(url);
  await crawl.crawl();

  expect(await crawl.lastVisit(url)).toMatchObject({ outcome: 'failed', reason: 'tls' });
  expect(await crawl.documents()).toEqual([url]);
});

import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { startSiteServer } from '../../helpers/site-server.ts';

test('parameters that track or name a session are taken off, the others tell pages apart', async () => {
  await using site = await startSiteServer({
    '/': page('Home', ['/p?id=1&utm_source=x', '/p?id=1', '/p?id=2&gclid=y', '/p?id=1&phpsessid=0123456789abcdef']),
    '/p?id=1': page('One'),
    '/p?id=2': page('Two'),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });

  await crawl.crawl();

  expect(await crawl.documents()).toEqual(['/', '/p?id=1', '/p?id=2'].map((path) => `${site.origin}${path}`));
  expect([site.count('/p?id=1'), site.count('/p?id=2')]).toEqual([1, 1]);
});

test('only the parameters that the operator allows, or none, or all but some are kept', async () => {
  const links = ['/p?id=1&sort=a', '/p?id=1&sort=b&view-x=1'];
  await using site = await startSiteServer({ '/': page('Home', links), '/p': page('Page') });
  const visited = async (queryParams: object) => {
    await using crawl = await openCrawl({ seeds: [`${site.origin}/`], queryParams, duplicates: { exact: 'off' } });
    await crawl.crawl();
    return (await crawl.documents()).slice(1).map((url) => url.slice(site.origin.length));
  };

  expect(await visited({ mode: 'allow', allow: ['id'] })).toEqual(['/p?id=1']);
  expect(await visited({ mode: 'drop' })).toEqual(['/p']);
  expect(await visited({ strip: ['view-*'] })).toEqual(['/p?id=1&sort=a', '/p?id=1&sort=b']);
});

import { expect, test } from 'vitest';
import { openCrawl } from '../../helpers/crawl.ts';
import { startSiteServer } from '../../helpers/site-server.ts';
import { dynamic, html, ownText } from '../../helpers/trap-site.ts';

test('filters are closed with all their combinations; what is queued is visited anyway', async () => {
  const shop = dynamic((_path, query) => {
    const more = ['color', 'size', 'brand', 'price'].flatMap((name) => {
      const wanted = new URLSearchParams(query);
      return [1, 2, 3].map((value) => {
        wanted.set(name, String(value));
        return `/shop?${wanted}`;
      });
    });
    return html(`Products ${[...query.values()].join(' ')}`, ownText(3), more);
  });
  await using site = await startSiteServer({ '/': html('Home', ownText(1), ['/shop']), '/shop': shop });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], limits: { pages: 300 } });

  await crawl.crawl();

  const visited = site.requests.filter(({ path }) => path.startsWith('/shop?')).length;
  const closed = await crawl.store.listPatterns({ crawlerId: crawl.crawlerId, after: 0, limit: 100, closed: true });
  expect(visited).toBeLessThanOrEqual(40);
  expect(closed.map(({ pattern }) => pattern)).toContain('/shop?…');
  expect(closed.length).toBeGreaterThan(5);

  const queued = '/shop?color=3&size=3&brand=3&price=3&page=7';
  await crawl.queue(site.origin + queued);
  await crawl.crawl();
  expect(site.count(queued)).toBe(1);
});

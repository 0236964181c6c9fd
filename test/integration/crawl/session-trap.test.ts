import { expect, test } from 'vitest';
import { openCrawl } from '../../helpers/crawl.ts';
import { startSiteServer } from '../../helpers/site-server.ts';
import { dynamic, html, ownText } from '../../helpers/trap-site.ts';

test('copies under ever new sessions are closed for the same text, and the pages themselves keep their documents', async () => {
  const names = ['about', 'contact', 'prices'];
  let sessions = 0;
  const links = () => {
    sessions++;
    return names.map((name) => `/s/${(0xabcdef0000 + sessions).toString(16)}/${name}`);
  };
  const site = Object.fromEntries(names.map((name, n) => [`/${name}`, html(name, ownText(n), links())]));
  const copy = dynamic((path) => {
    const n = names.findIndex((name) => path.endsWith(name));
    return n < 0 ? { status: 404 } : html(names[n] ?? '', ownText(n), links());
  });
  await using server = await startSiteServer({
    '/': html(
      'Home',
      ownText(9),
      names.map((name) => `/${name}`),
    ),
    ...site,
    '*': copy,
  });
  await using crawl = await openCrawl({ seeds: [`${server.origin}/`], limits: { pages: 300 } });

  await crawl.crawl();

  expect(await crawl.documents()).toEqual(['/', '/about', '/contact', '/prices'].map((path) => server.origin + path));
  expect(server.requests.filter(({ path }) => path.startsWith('/s/')).length).toBeLessThanOrEqual(40);
  const closed = await crawl.store.listPatterns({ crawlerId: crawl.crawlerId, after: 0, limit: 100, closed: true });
  expect(closed.map(({ pattern, closeRule }) => [pattern, closeRule])).toContainEqual(['/s/{id}/{w}', 'same-text']);
});

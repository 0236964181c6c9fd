import { expect, test } from 'vitest';
import { openCrawl } from '../../helpers/crawl.ts';
import { startSiteServer } from '../../helpers/site-server.ts';
import { html, ownText } from '../../helpers/trap-site.ts';

const TRAPS = ['/a%2520b', '/docs/x/docs/y/docs', '/list?a=1&a=1', '/events/2999-01-01'];

test('what is a trap at sight is known and never asked for, unless a seed names it', async () => {
  await using site = await startSiteServer({
    '/': html('Home', ownText(1), [...TRAPS, '/real%20page']),
    '/real%20page': html('Real', ownText(2)),
    '/a%2520b': html('Seed', ownText(3)),
  });
  const linked = TRAPS.slice(1);
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`, `${site.origin}/a%2520b`] });

  await crawl.crawl();

  expect(await crawl.documents()).toEqual(['/', '/a%2520b', '/real%20page'].map((path) => site.origin + path));
  for (const path of linked) {
    const record = await crawl.store.findUrl(crawl.crawlerId, site.origin + path);
    expect([path, record?.facts.state, record?.facts.reason, site.count(path)]).toEqual([path, 'skipped', 'trap', 0]);
  }
});

import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { eventually } from '../../helpers/eventually.ts';
import { type Behaviour, sendPage, startSiteServer } from '../../helpers/site-server.ts';

const MANUAL = { full: 'manual', incremental: 'manual' } as const;

test('a URL that is queued while it is fetched is visited once more, for the page may have changed since', async () => {
  let answer: () => void = () => undefined;
  const held: Behaviour = (_request, response, visit) => {
    const title = visit === 1 ? 'Before' : 'After';
    if (visit > 1) sendPage(response, page(title));
    else answer = () => sendPage(response, page(title));
  };
  await using site = await startSiteServer({ '/': page('Home', ['/a']), '/a': held });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], schedule: MANUAL });
  const url = `${site.origin}/a`;
  await crawl.sweep();
  const slice = crawl.slice();
  await eventually(() => site.count('/a') === 1);

  await crawl.queue(url);
  answer();
  await slice;
  await crawl.crawl();

  expect(site.count('/a')).toBe(2);
  expect((await crawl.store.findDocument(crawl.crawlerId, url))?.fields.get('Title')).toEqual(['After']);
});

test('a queued URL that fails is tried again ahead of scheduled work', async () => {
  await using site = await startSiteServer({
    '/': page('Home'),
    '/a': (_request, response, visit) => sendPage(response, visit === 1 ? { status: 500 } : page('Alpha')),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], schedule: MANUAL });
  await crawl.crawl();
  await crawl.queue(`${site.origin}/a`);
  await crawl.slice(0);

  crawl.clock.skip(40_000);
  await crawl.slice(0);

  expect(site.count('/a')).toBe(2);
  expect(await crawl.documents()).toContain(`${site.origin}/a`);
});

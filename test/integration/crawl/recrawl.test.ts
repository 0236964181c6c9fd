import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { sendPage, startSiteServer } from '../../helpers/site-server.ts';

const MANUAL = { full: 'manual', incremental: 'manual' } as const;

test('a second run asks with validators, and an answer of 304 changes nothing', async () => {
  await using site = await startSiteServer({
    '/': page('Home', ['/a']),
    '/a': (request, response) => {
      if (request.headers['if-none-match'] === '"1"') sendPage(response, { status: 304 });
      else sendPage(response, { ...page('Alpha'), headers: { etag: '"1"' } });
    },
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], schedule: MANUAL });
  await crawl.crawl();
  const seq = await crawl.store.lastSeq();
  crawl.clock.skip(1_000);

  await crawl.run();
  await crawl.crawl();

  expect(await crawl.store.lastSeq()).toBe(seq);
  expect(await crawl.lastVisit(`${site.origin}/a`)).toMatchObject({ outcome: 'not-modified', httpStatus: 304 });
  expect(await crawl.lastVisit(`${site.origin}/`)).toMatchObject({ outcome: 'unchanged', reason: 'same-content' });
  expect((await crawl.store.listRuns(crawl.crawlerId, 1))[0]).toMatchObject({
    visited: 2,
    notModified: 1,
    unchanged: 1,
  });
});

test('changed pages are replaced, and new links followed', async () => {
  await using site = await startSiteServer({ '/': page('Home'), '/new': page('New') });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], schedule: MANUAL });
  await crawl.crawl();
  site.set('/', page('Changed home', ['/new']));
  crawl.clock.skip(1_000);

  await crawl.run();
  await crawl.crawl();

  expect(await crawl.documents()).toEqual([`${site.origin}/`, `${site.origin}/new`]);
  expect((await crawl.store.findDocument(17, `${site.origin}/`))?.fields.get('Title')).toEqual(['Changed home']);
});

test('an incremental run visits what is due', async () => {
  await using site = await startSiteServer({ '/': page('Home', ['/a']), '/a': page('Alpha') });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], schedule: MANUAL });
  await crawl.crawl();
  crawl.clock.skip(3_600_000);

  await crawl.run('incremental');
  await crawl.crawl();
  expect(site.count('/a')).toBe(1);
  crawl.clock.skip(48 * 3_600_000);
  await crawl.run('incremental');
  await crawl.crawl();

  expect(site.count('/a')).toBe(2);
});

import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { startSiteServer } from '../../helpers/site-server.ts';

const MANUAL = { full: 'manual', incremental: 'manual' } as const;

test('the same bytes, and other bytes with the same content, write no document', async () => {
  await using site = await startSiteServer({ '/': page('Home', ['/a']), '/a': page('Alpha') });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], schedule: MANUAL });
  await crawl.crawl();
  const seq = await crawl.store.lastSeq();
  site.set('/a', { body: page('Alpha').body.replace('</body>', '<!-- made at 12:00 --></body>') });
  crawl.clock.skip(1_000);

  await crawl.run();
  await crawl.crawl();

  expect(await crawl.store.lastSeq()).toBe(seq);
  for (const path of ['/', '/a']) {
    expect(await crawl.lastVisit(`${site.origin}${path}`)).toMatchObject({
      outcome: 'unchanged',
      reason: 'same-content',
    });
  }
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

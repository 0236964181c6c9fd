import { rm } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { GUIDE, spooled } from '../../helpers/site-files.ts';
import { startSiteServer } from '../../helpers/site-server.ts';

test('a file whose body was lost is fetched again, and read where it is fetched', async () => {
  await using site = await startSiteServer({ '/': page('Home', ['/guide.pdf']), '/guide.pdf': GUIDE });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });
  await crawl.sweep();
  await crawl.slice();
  await rm(crawl.spoolFolder, { recursive: true });

  await crawl.fileSlice();

  expect(await crawl.documents()).toEqual([`${site.origin}/`]);
  expect(await crawl.lastVisit(`${site.origin}/guide.pdf`)).toBeUndefined();
  await crawl.slice();
  expect(await crawl.documents()).toEqual([`${site.origin}/`, `${site.origin}/guide.pdf`]);
  expect(await crawl.lastVisit(`${site.origin}/guide.pdf`)).toMatchObject({ outcome: 'added' });
  expect([site.count('/guide.pdf'), await spooled(crawl)]).toEqual([2, []]);
});

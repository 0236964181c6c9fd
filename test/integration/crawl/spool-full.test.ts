import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { SliceDeps } from '../../../src/crawl/run-slice.ts';
import { createFileSpool } from '../../../src/fetch/http/create-file-spool.ts';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { GUIDE, spooled } from '../../helpers/site-files.ts';
import { startSiteServer } from '../../helpers/site-server.ts';

/** Told by their names. */
const FILES = ['/guide.pdf', '/sheet.xls', '/slides.ppt'];

test('files wait while the spool is full, and are not fetched when they can be told before', async () => {
  const download = { ...GUIDE, headers: { 'content-type': 'application/octet-stream' } };
  await using site = await startSiteServer({
    '/': page('Home', ['/guide.pdf', '/sheet.xls', '/slides.ppt', '/download']),
    '/guide.pdf': GUIDE,
    '/sheet.xls': GUIDE,
    '/slides.ppt': GUIDE,
    '/download': download,
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });
  await mkdir(crawl.spoolFolder);
  await writeFile(join(crawl.spoolFolder, 'other'), 'body');
  const full: Partial<SliceDeps> = { spool: createFileSpool({ folder: crawl.spoolFolder, boundBytes: 4 }) };
  await crawl.sweep();

  await crawl.slice(1, full);

  expect([...FILES.map((path) => site.count(path)), site.count('/download')]).toEqual([0, 0, 0, 1]);
  expect([await crawl.documents(), await spooled(crawl)]).toEqual([[`${site.origin}/`], ['other']]);
  crawl.clock.skip(60_000);
  await crawl.crawl();
  expect([...FILES.map((path) => site.count(path)), site.count('/download')]).toEqual([1, 1, 1, 2]);
  expect((await crawl.store.listRuns(crawl.crawlerId, 1))[0]).toMatchObject({ state: 'finished', visited: 5 });
});

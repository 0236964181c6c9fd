import { expect, test } from 'vitest';
import type { SliceDeps } from '../../../src/crawl/run-slice.ts';
import { extract } from '../../../src/extract/extract.ts';
import { createParserPool } from '../../../src/extract/files/parser-pool.ts';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { eventually } from '../../helpers/eventually.ts';
import { pdfBombOf } from '../../helpers/sample-files.ts';
import { GUIDE, spooled } from '../../helpers/site-files.ts';
import { startSiteServer } from '../../helpers/site-server.ts';

const SITE = { '/': page('Home', ['/guide.pdf']), '/guide.pdf': GUIDE };

test('a file that a lost process was reading is taken back, read from the spool and stored once', async () => {
  await using site = await startSiteServer(SITE);
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });
  await crawl.sweep();
  await crawl.slice();
  let begun = 0;
  const never: SliceDeps['extract'] = (_input, signal) => {
    begun++;
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  };
  const frozen = crawl.fileSlice({ extract: never });
  await eventually(() => begun === 1);

  // A process of the same name takes the lane at once, as after a restart.
  await crawl.fileSlice();

  expect(await frozen).toMatchObject({ end: 'stopped' });
  await crawl.crawl();
  const [run] = await crawl.store.listRuns(crawl.crawlerId, 1);
  expect(run).toMatchObject({ state: 'finished', visited: 2, added: 2, files: 1 });
  expect(await crawl.visitsOf(site.origin, '/guide.pdf')).toEqual([1]);
  expect([site.count('/guide.pdf'), await spooled(crawl)]).toEqual([1, []]);
});

test('a file whose parser is killed is not readable, and its body is deleted', async () => {
  // Read whole it takes seconds: no machine is too busy to end it before.
  await using site = await startSiteServer({ ...SITE, '/guide.pdf': { ...GUIDE, body: pdfBombOf(10, 12) } });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });
  await using pool = createParserPool({ processes: 1, timeoutMs: 1, memoryMb: 512 });
  await crawl.sweep();
  await crawl.slice();

  await crawl.fileSlice({ extract: (input, signal) => extract({ parseFile: pool.parseFile }, input, signal) });

  const visit = await crawl.lastVisit(`${site.origin}/guide.pdf`);
  expect(visit).toMatchObject({ outcome: 'failed', reason: 'unparsable' });
  expect(await spooled(crawl)).toEqual([]);
});

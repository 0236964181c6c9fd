import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { GUIDE, servedFile, spooled } from '../../helpers/site-files.ts';
import { startSiteServer } from '../../helpers/site-server.ts';

const PDF = 'application/pdf';
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

test('files become documents of their own kind, and their bodies are deleted', async () => {
  await using site = await startSiteServer({
    '/': page('Home', ['/guide.pdf', '/handbook.docx', '/notes.txt']),
    '/guide.pdf': GUIDE,
    '/handbook.docx': servedFile('handbook.docx', DOCX),
    '/notes.txt': servedFile('notes.txt', 'text/plain'),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });

  await crawl.crawl();

  for (const path of ['/guide.pdf', '/handbook.docx']) {
    const found = await crawl.store.findDocument(crawl.crawlerId, `${site.origin}${path}`);
    expect(found).toMatchObject({ kind: 'FileContent', origin: 'crawled' });
    expect(found?.fields.get('Content')?.[0]?.length).toBeGreaterThan(20);
    expect(found?.fields.get('Url')).toEqual([`${site.origin}${path}`]);
  }
  expect(await crawl.documents()).toHaveLength(4);
  expect(await spooled(crawl)).toEqual([]);
  expect((await crawl.store.listRuns(crawl.crawlerId, 1))[0]).toMatchObject({ state: 'finished', files: 2 });
});

test('a file that cannot be read leaves the older document', async () => {
  await using site = await startSiteServer({
    '/': page('Home', ['/guide.pdf']),
    '/guide.pdf': GUIDE,
  });
  await using crawl = await openCrawl({
    seeds: [`${site.origin}/`],
    schedule: { full: 'manual', incremental: 'manual' },
  });
  await crawl.crawl();
  site.set('/guide.pdf', { headers: { 'content-type': PDF }, body: '%PDF-1.7 that is none' });
  crawl.clock.skip(1_000);

  await crawl.run();
  await crawl.crawl();

  expect(await crawl.documents()).toContain(`${site.origin}/guide.pdf`);
  expect((await crawl.lastVisit(`${site.origin}/guide.pdf`))?.outcome).toBe('failed');
});

test('file types that are not wanted are not fetched', async () => {
  await using site = await startSiteServer({
    '/': page('Home', ['/guide.pdf', '/picture.png']),
    '/guide.pdf': GUIDE,
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], fileTypes: ['docx'] });

  await crawl.crawl();

  expect([site.count('/guide.pdf'), site.count('/picture.png')]).toEqual([0, 0]);
});

test('a file waits in the spool for a slice of files, and its host is free meanwhile', async () => {
  await using site = await startSiteServer({ '/': page('Home', ['/guide.pdf']), '/guide.pdf': GUIDE });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });
  await crawl.sweep();
  expect(await crawl.slice()).toMatchObject({ end: 'idle' });
  expect([await crawl.documents(), await spooled(crawl)]).toMatchObject([[`${site.origin}/`], { length: 1 }]);

  const report = await crawl.fileSlice({ fetcher: { fetch: () => Promise.reject(new Error('Nothing is fetched')) } });

  expect(report).toMatchObject({ end: 'idle', wantsSweep: true });
  expect([await crawl.documents(), await spooled(crawl)]).toMatchObject([{ length: 2 }, []]);
});

test('two files of the same bytes do not take the body of each other', async () => {
  const paths = ['/one.pdf', '/two.pdf', '/three.pdf'];
  const files = Object.fromEntries(paths.map((path) => [path, GUIDE]));
  await using site = await startSiteServer({ '/': page('Home', paths), ...files });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });

  await crawl.crawl();

  expect(paths.map((path) => site.count(path))).toEqual([1, 1, 1]);
  expect(await spooled(crawl)).toEqual([]);
});

test('a file of the same bytes is not parsed again, unless its URL is queued', async () => {
  await using site = await startSiteServer({ '/': page('Home', ['/guide.pdf']), '/guide.pdf': GUIDE });
  const schedule = { full: 'manual', incremental: 'manual' };
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], schedule });
  await crawl.crawl();
  crawl.clock.skip(1_000);
  await crawl.run();
  await crawl.sweep();

  await crawl.slice();

  const url = `${site.origin}/guide.pdf`;
  expect(await crawl.lastVisit(url)).toMatchObject({ outcome: 'unchanged', reason: 'same-content' });
  expect([site.count('/guide.pdf'), await spooled(crawl)]).toEqual([2, []]);
  await crawl.queue(url);
  await crawl.slice(0);
  expect(await spooled(crawl)).toHaveLength(1);
  await crawl.crawl();
  expect([site.count('/guide.pdf'), await spooled(crawl)]).toEqual([3, []]);
});

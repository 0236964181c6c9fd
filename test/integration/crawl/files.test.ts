import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { startSiteServer } from '../../helpers/site-server.ts';

const file = (name: string, type: string) => ({
  headers: { 'content-type': type },
  body: readFileSync(new URL(`../../fixtures/files/${name}`, import.meta.url)),
});
const PDF = 'application/pdf';
const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

test('files become documents of their own kind, and their bodies are deleted', async () => {
  await using site = await startSiteServer({
    '/': page('Home', ['/guide.pdf', '/handbook.docx', '/notes.txt']),
    '/guide.pdf': file('delivery-guide.pdf', PDF),
    '/handbook.docx': file('handbook.docx', DOCX),
    '/notes.txt': file('notes.txt', 'text/plain'),
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
  expect(await readdir(crawl.spoolFolder).catch(() => [])).toEqual([]);
  expect((await crawl.store.listRuns(crawl.crawlerId, 1))[0]).toMatchObject({ state: 'finished', files: 2 });
});

test('a file that cannot be read leaves the older document', async () => {
  await using site = await startSiteServer({
    '/': page('Home', ['/guide.pdf']),
    '/guide.pdf': file('delivery-guide.pdf', PDF),
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
    '/guide.pdf': file('delivery-guide.pdf', PDF),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], fileTypes: ['docx'] });

  await crawl.crawl();

  expect([site.count('/guide.pdf'), site.count('/picture.png')]).toEqual([0, 0]);
});

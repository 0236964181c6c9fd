import { expect, test } from 'vitest';
import { firstValue } from '../../../src/core/document.ts';
import { explainUrl } from '../../../src/crawl/browse-urls.ts';
import { extract } from '../../../src/extract/extract.ts';
import { createParserPool } from '../../../src/extract/files/parser-pool.ts';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { pdfEndingInBomb, pdfOf } from '../../helpers/sample-files.ts';
import { startSiteServer } from '../../helpers/site-server.ts';

const MANUAL = { full: 'manual', incremental: 'manual' };
const pdf = (body: Buffer) => ({ headers: { 'content-type': 'application/pdf' }, body });

test('a file of which not all is read is found by what was read, and everybody who asks is told', async () => {
  const body = pdfEndingInBomb(['Parcels leave at noon.', 'Heavy goods take longer.']);
  await using site = await startSiteServer({ '/': page('Home', ['/guide.pdf']), '/guide.pdf': pdf(body) });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], schedule: MANUAL });
  await using pool = createParserPool({ processes: 1, timeoutMs: 1_000, memoryMb: 4_000 });
  const { parseFile } = pool;
  await crawl.sweep();
  await crawl.slice();
  await crawl.fileSlice({ extract: (input, signal) => extract({ parseFile }, input, signal) });
  await crawl.crawl();

  const url = `${site.origin}/guide.pdf`;
  const cuts = ['truncated at page 2 of 3 (timed-out)'];
  const deps = { ...crawl.lookDeps, visibleSeq: () => Number.MAX_SAFE_INTEGER };
  const { verdict, reason, steps } = await explainUrl(deps, await crawl.crawler(), url);
  expect([verdict, reason]).toEqual(['searchable', 'cut-short']);
  expect(steps.find(({ step }) => step === 'extract')).toMatchObject({ result: 'note', reason, detail: { cuts } });
  const [run] = await crawl.store.listRuns(crawl.crawlerId, 1);
  expect(JSON.parse(run?.summary ?? '{}')).toMatchObject({ cutShort: { count: 1, shown: [{ url, cuts }] } });
});

test('a long file is one document, and all of its pages go when it becomes short', async () => {
  const lines = Array.from({ length: 40 }, () => 'Parcels leave at noon and at night '.repeat(4));
  const pages = Array.from({ length: 200 }, (_, at) => [...lines, `This is page ${at + 1} of all.`, ...lines]);
  const routes = { '/': page('Home', ['/guide.pdf']), '/guide.pdf': pdf(pdfOf(pages)) };
  await using site = await startSiteServer(routes);
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], schedule: MANUAL });
  await crawl.crawl();

  const find = () => crawl.store.findDocument(crawl.crawlerId, `${site.origin}/guide.pdf`);
  const long = await find();
  const pagesOf = (document: typeof long) => document?.structure?.sections.map((section) => section.page);
  expect(firstValue(long?.fields ?? new Map(), 'Content').length).toBeLessThanOrEqual(1_000_000);
  expect(pagesOf(long)?.at(-1)).toBe(200);
  expect(long?.structure?.contentSections).toBeLessThan(200);
  expect(await crawl.store.countDocuments(crawl.crawlerId)).toBe(2);

  site.set('/guide.pdf', pdf(pdfOf([['This is all.']])));
  await crawl.run();
  await crawl.crawl();
  const short = await find();
  expect([pagesOf(short), short?.structure?.contentSections]).toEqual([[1], undefined]);
  expect(await crawl.store.countDocuments(crawl.crawlerId)).toBe(2);
});

import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { type Page, startSiteServer } from '../../helpers/site-server.ts';

const ZEROS = Buffer.alloc(40 * 1024 * 1024);
const coded = (coding: string, body: Uint8Array): Page => ({ headers: { 'content-encoding': coding }, body });

const BOMBS: Readonly<Record<string, Page>> = {
  '/gzip': coded('gzip', gzipSync(ZEROS)),
  '/deflate': coded('deflate', deflateSync(ZEROS)),
  '/br': coded('br', brotliCompressSync(ZEROS)),
  '/zstd': coded('zstd', zstdCompressSync(ZEROS)),
  '/two-layers': coded('gzip, br', brotliCompressSync(gzipSync(ZEROS))),
  '/three-layers': coded('gzip, gzip, gzip', gzipSync(gzipSync(gzipSync(ZEROS)))),
  '/long': { body: `<title>Long</title>${'<p>x'.repeat(3_000_000)}` },
};

test('no coding inflates beyond the caps, and a document stays whatever its page turns into', async () => {
  const paths = Object.keys(BOMBS);
  await using site = await startSiteServer({
    '/': page('Home', paths),
    ...Object.fromEntries(paths.map((path) => [path, page(`Page ${path}`)])),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });
  await crawl.crawl();
  expect(await crawl.documents()).toHaveLength(paths.length + 1);
  for (const [path, bomb] of Object.entries(BOMBS)) site.set(path, bomb);

  await crawl.queue(...paths.map((path) => site.origin + path));
  await crawl.crawl();

  const reasons = await Promise.all(paths.map(async (path) => (await crawl.lastVisit(site.origin + path))?.reason));
  expect(Object.fromEntries(paths.map((path, place) => [path, reasons[place]]))).toEqual({
    '/gzip': 'bomb',
    '/deflate': 'bomb',
    '/br': 'bomb',
    '/zstd': 'bomb',
    '/two-layers': 'bomb',
    '/three-layers': 'bad-encoding',
    '/long': 'too-large',
  });
  expect(await crawl.documents()).toHaveLength(paths.length + 1);
});

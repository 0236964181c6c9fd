import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { halfBody, openChunks, type Route, startSiteServer } from '../../helpers/site-server.ts';

const whole = gzipSync(page('Whole').body);
const CUT: Readonly<Record<string, Route>> = {
  '/length': halfBody,
  '/chunks': openChunks,
  '/gzip': { headers: { 'content-encoding': 'gzip' }, body: whole.subarray(0, whole.length - 20) },
  '/closed': (request) => {
    const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n';
    request.socket.end(head);
  },
};

test('a body that ends early never becomes a document and never replaces one', async () => {
  const paths = Object.keys(CUT);
  await using site = await startSiteServer({
    '/': page('Home', [...paths, '/new']),
    '/new': halfBody,
    ...Object.fromEntries(paths.map((path) => [path, page(`Page ${path}`)])),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });
  await crawl.crawl();
  const before = await crawl.store.listDocuments({ crawlerId: crawl.crawlerId, after: 0, limit: 100 });
  expect(before.map(({ id }) => id)).not.toContain(`${site.origin}/new`);
  for (const [path, route] of Object.entries(CUT)) site.set(path, route);

  await crawl.queue(...paths.map((path) => site.origin + path));
  await crawl.slice(0);

  const visits = await Promise.all(paths.map((path) => crawl.lastVisit(site.origin + path)));
  for (const visit of visits) expect(visit).toMatchObject({ outcome: 'deferred', reason: 'truncated' });
  expect(await crawl.store.listDocuments({ crawlerId: crawl.crawlerId, after: 0, limit: 100 })).toEqual(before);
});

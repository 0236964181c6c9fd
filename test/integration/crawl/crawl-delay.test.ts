import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { slow, startSiteServer } from '../../helpers/site-server.ts';

const robots = (body: string) => ({ headers: { 'content-type': 'text/plain' }, body });
const MANUAL = { full: 'manual', incremental: 'manual' } as const;
/** Of a timer, and of the way to the server. */
const TOLERANCE_MS = 30;

test('Crawl-delay: one fetch at a time, and the delay between two starts', async () => {
  let underWay = 0;
  let most = 0;
  const paths = ['/a', '/b', '/c'];
  const counted = (title: string) => slow(150, page(title));
  await using site = await startSiteServer({
    '/robots.txt': robots('User-agent: *\nCrawl-delay: 0.4\n'),
    '/': page('Home', paths),
    ...Object.fromEntries(
      paths.map((path) => [
        path,
        (request, response, visit) => {
          underWay++;
          most = Math.max(most, underWay);
          response.on('close', () => underWay--);
          return counted(path)(request, response, visit);
        },
      ]),
    ),
  } satisfies Parameters<typeof startSiteServer>[0]);
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], schedule: MANUAL });

  await crawl.crawl();

  expect(await crawl.documents()).toHaveLength(4);
  const starts = site.requests.filter(({ path }) => path !== '/robots.txt').map(({ at }) => at);
  const gaps = starts.slice(1).map((at, i) => at - (starts[i] ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThan(400 - TOLERANCE_MS);
  expect(most).toBe(1);
});

test('Crawl-delay may be ignored on one’s own site', async () => {
  const paths = Array.from({ length: 20 }, (_, i) => `/p${i}`);
  await using site = await startSiteServer({
    '/robots.txt': robots('User-agent: *\nCrawl-delay: 60\n'),
    '/': page('Home', paths),
    ...Object.fromEntries(paths.map((path) => [path, page(`Page ${path}`)])),
  });
  const politeness = { crawlDelay: 'ignore' };
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], schedule: MANUAL, politeness });

  await crawl.crawl();

  expect(await crawl.documents()).toHaveLength(21);
});

import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { type Route, startSiteServer } from '../../helpers/site-server.ts';
import { sitemap, sitemapIndex } from '../../helpers/sitemap.ts';

const MANUAL = { full: 'manual', incremental: 'manual' } as const;

test('bombs, entities, endless nesting and loops end by themselves, and the pages beside them are crawled', async () => {
  await using site = await startSiteServer({ '/': page('Home'), '/a': page('Alpha'), '/early': page('Early') });
  const bad: Record<string, Route> = {
    '/bomb.xml': { body: gzipSync(Buffer.alloc(60 * 1024 * 1024, ' '), { level: 9 }) },
    '/cut.xml': {
      body: gzipSync(`<urlset><url><loc>${site.origin}/early</loc></url>${'<url/>'.repeat(9_000)}`).subarray(0, -20),
    },
    '/nested.xml': { body: `<urlset>${'<url>'.repeat(200_000)}` },
    '/entities.xml': {
      body: `<!DOCTYPE u [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>
<urlset><url><loc>${site.origin}/&b;</loc></url><url><loc>${site.origin}/&f;</loc></url></urlset>`,
    },
    '/page.xml': page('No sitemap at all'),
    '/loop.xml': sitemapIndex(site.origin, ['/loop.xml', '/sitemap.xml']),
    '/d1.xml': sitemapIndex(site.origin, ['/d2.xml']),
    '/good.xml': sitemap(site.origin, { '/a': '' }),
  };
  for (const [path, route] of Object.entries(bad)) site.set(path, route);
  for (const depth of [2, 3, 4]) site.set(`/d${depth}.xml`, sitemapIndex(site.origin, [`/d${depth + 1}.xml`]));
  site.set('/sitemap.xml', sitemapIndex(site.origin, Object.keys(bad)));
  await using crawl = await openCrawl({ sitemaps: 'auto', seeds: [`${site.origin}/`] });

  await crawl.crawl();

  expect(await crawl.documents()).toEqual(expect.arrayContaining([`${site.origin}/`, `${site.origin}/a`]));
  const read = async (path: string) => JSON.parse((await crawl.lastVisit(`${site.origin}${path}`))?.detail ?? '{}');
  expect(await read('/cut.xml')).toMatchObject({ cut: 'malformed' });
  expect(await read('/nested.xml')).toMatchObject({ cut: 'malformed', entries: 0 });
  expect(await crawl.lastVisit(`${site.origin}/bomb.xml`)).toMatchObject({
    outcome: 'failed',
    reason: 'unsupported-type',
  });
  expect(await crawl.lastVisit(`${site.origin}/page.xml`)).toMatchObject({
    outcome: 'failed',
    reason: 'unsupported-type',
  });
  expect([site.count('/d3.xml'), site.count('/d4.xml')]).toEqual([1, 0]);
  expect([site.count('/loop.xml'), site.count('/sitemap.xml')]).toEqual([1, 1]);
  expect(site.requests.some(({ path }) => path.includes('aaaa') || path.includes('root:'))).toBe(false);
});

test('a sitemap is read to its 50,000th entry, and a crawl to its page limit', async () => {
  const paths = Object.fromEntries(Array.from({ length: 50_010 }, (_, i) => [`/p${i}`, '']));
  await using site = await startSiteServer({ '/': page('Home'), '/p0': page('First') });
  site.set('/sitemap.xml', sitemap(site.origin, paths));
  await using crawl = await openCrawl({ sitemaps: 'auto', seeds: [`${site.origin}/`], limits: { pages: 30 } });

  await crawl.crawl();

  const { detail } = (await crawl.lastVisit(`${site.origin}/sitemap.xml`)) ?? {};
  expect(JSON.parse(detail ?? '')).toMatchObject({ entries: 50_000, cut: 'entries' });
  expect((await crawl.store.listRuns(crawl.crawlerId, 1))[0]).toMatchObject({ visited: 30, state: 'finished' });
});

test('a sitemap that fails, is empty or shrinks removes nothing, and the last is said', async () => {
  const paths = { '/a': '', '/b': '', '/c': '' };
  await using site = await startSiteServer({
    '/': page('Home'),
    ...Object.fromEntries(Object.keys(paths).map((path) => [path, page(`Page ${path}`)])),
  });
  site.set('/sitemap.xml', sitemap(site.origin, paths));
  await using crawl = await openCrawl({ sitemaps: 'auto', seeds: [`${site.origin}/`], schedule: MANUAL });
  await crawl.crawl();
  const at = `${site.origin}/sitemap.xml`;
  const before = await crawl.documents();

  const seen: unknown[] = [];
  for (const answer of [
    sitemap(site.origin, { '/a': '' }),
    sitemap(site.origin, {}),
    { status: 500 },
    { status: 404 },
  ]) {
    site.set('/sitemap.xml', answer);
    crawl.clock.skip(3_600_000);
    await crawl.run();
    await crawl.crawl();
    const { outcome, reason } = (await crawl.lastVisit(at)) ?? {};
    seen.push([outcome, reason]);
    expect(await crawl.documents()).toEqual(before);
  }

  expect(seen).toEqual([
    ['changed', 'list-shrunk'],
    ['changed', 'list-shrunk'],
    ['deferred', 'server-error'],
    ['failed', 'not-found'],
  ]);
});

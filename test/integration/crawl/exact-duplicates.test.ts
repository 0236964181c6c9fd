import { expect, test } from 'vitest';
import { openCrawl } from '../../helpers/crawl.ts';
import { startSiteServer } from '../../helpers/site-server.ts';
import { html, ownText, wordOf } from '../../helpers/trap-site.ts';

const MANUAL = { full: 'manual', incremental: 'manual' } as const;
const same = html('Returns', ownText(1));

test('of pages with the same content the better URL keeps the document, in whatever order they are found', async () => {
  await using site = await startSiteServer({
    '/': html('Home', ownText(7), ['/a/returns?from=home', '/a/returns', '/returns-of-parcels']),
    '/a/returns?from=home': same,
    '/a/returns': same,
    '/returns-of-parcels': same,
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], politeness: { slots: 1 } });

  await crawl.crawl();

  expect(await crawl.documents()).toEqual([`${site.origin}/`, `${site.origin}/a/returns`]);
  for (const path of ['/a/returns?from=home', '/returns-of-parcels']) {
    const record = await crawl.store.findUrl(crawl.crawlerId, site.origin + path);
    expect(record).toMatchObject({
      targetUrl: `${site.origin}/a/returns`,
      facts: { state: 'duplicate', reason: 'duplicate' },
    });
  }
});

test('short texts are equal by accident', async () => {
  const short = html('Nothing', 'There is nothing here yet.');
  await using site = await startSiteServer({ '/': html('Home', ownText(7), ['/a', '/b']), '/a': short, '/b': short });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });

  await crawl.crawl();

  expect(await crawl.documents()).toHaveLength(3);
});

test.each([
  ['changes', html('Other', ownText(2)), ['/', '/a', '/long/b']],
  ['leaves', { status: 410 }, ['/', '/long/b']],
])('when the page that keeps the document %s, its duplicate gets its own', async (_what, answer, paths) => {
  await using site = await startSiteServer({
    '/': html('Home', ownText(7), ['/a', '/long/b']),
    '/a': same,
    '/long/b': same,
  });
  await using crawl = await openCrawl({
    seeds: [`${site.origin}/`],
    schedule: MANUAL,
    removal: { confirmAfterMs: 1_000 },
  });
  await crawl.crawl();
  expect(await crawl.documents()).toEqual([`${site.origin}/`, `${site.origin}/a`]);

  site.set('/a', answer);
  for (let run = 0; run < 2; run++) {
    crawl.clock.skip(3_600_000);
    await crawl.run();
    await crawl.crawl();
  }

  expect(await crawl.documents()).toEqual(paths.map((path) => site.origin + path));
});

test('the setting off keeps every page', async () => {
  await using site = await startSiteServer({ '/': html('Home', ownText(7), ['/a', '/b']), '/a': same, '/b': same });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], duplicates: { exact: 'report' } });

  await crawl.crawl();

  expect(await crawl.documents()).toHaveLength(3);
});

test('a mirror with pages that were not translated is no trap: the translated ones are all found', async () => {
  const count = 60;
  const all = Array.from({ length: count }, (_, n) => n);
  const path = (language: string, n: number) => `/${language}/${wordOf(n)}.html`;
  const isTranslated = (n: number) => n % 30 === 29;
  const original = (n: number) => html(`Page ${n}`, ownText(n));
  const translated = (n: number) => html(`Japanese ${n}`, ownText(1_000 + n));
  await using site = await startSiteServer({
    '/': html('Home', ownText(9_999), [...all.map((n) => path('en', n)), ...all.map((n) => path('ja', n))]),
    ...Object.fromEntries(all.map((n) => [path('en', n), original(n)])),
    ...Object.fromEntries(all.map((n) => [path('ja', n), isTranslated(n) ? translated(n) : original(n)])),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`] });

  await crawl.crawl();

  const found = (await crawl.documents()).map((url) => url.slice(site.origin.length));
  expect(found).toHaveLength(1 + count + all.filter(isTranslated).length);
  for (const n of all.filter(isTranslated)) expect(found).toContain(path('ja', n));
});

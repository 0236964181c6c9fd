import { expect, test } from 'vitest';
import { openCrawl, page } from '../../helpers/crawl.ts';
import { HOSTILE_PAGES, routesOf, SHORT_TIMEOUTS } from '../../helpers/hostile-pages.ts';
import { startSiteServer } from '../../helpers/site-server.ts';

const GOOD = Array.from({ length: 20 }, (_, i) => `/good-${i}`);
const QUICK = HOSTILE_PAGES.filter(({ isStrain }) => isStrain !== true);
const STRAINS = HOSTILE_PAGES.filter(({ isStrain }) => isStrain === true);
/** Mixed, so that no ten failures follow each other: those would hold the host. */
const MIXED = QUICK.flatMap(({ path }, index) => [path, ...GOOD.slice(index, index + 1)]);

test('each page of a site at its worst is bounded and has its reason, and 20 good ones beside are read once', async () => {
  await using slow = await startSiteServer(routesOf(STRAINS), { address: '127.0.0.2' });
  const slowUrls = STRAINS.map(({ path }) => slow.origin + path);
  await using site = await startSiteServer({
    '/': page('Home', [...slowUrls, ...MIXED]),
    ...routesOf(QUICK),
    ...Object.fromEntries(GOOD.map((path) => [path, page(`Page ${path}`)])),
  });
  await using crawl = await openCrawl({
    seeds: [`${site.origin}/`],
    domains: [site.host, slow.host],
    timeouts: SHORT_TIMEOUTS,
    robots: 'ignore',
  });

  await crawl.crawl();

  const unexpected = async (origin: string, { path, reasons }: (typeof HOSTILE_PAGES)[number]) => {
    const reason = (await crawl.lastVisit(origin + path))?.reason ?? 'not visited';
    return reasons.includes(reason) ? [] : [`${path}: ${reason}`];
  };
  const wrong = [
    ...QUICK.map((hostile) => unexpected(site.origin, hostile)),
    ...STRAINS.map((hostile) => unexpected(slow.origin, hostile)),
  ];
  expect((await Promise.all(wrong)).flat()).toEqual([]);
  expect(GOOD.map((path) => site.count(path))).toEqual(GOOD.map(() => 1));
  expect(await crawl.documents()).toEqual(expect.arrayContaining(GOOD.map((path) => site.origin + path)));
});

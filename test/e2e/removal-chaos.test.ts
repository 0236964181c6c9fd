import { expect, test } from 'vitest';
import { approveRemovals, undoRemovals } from '../../src/crawl/removals.ts';
import { goodPage, NAME, OUTAGES, openBrokenSite, otherPage, type Way } from '../helpers/broken-site.ts';
import { openCrawl } from '../helpers/crawl.ts';
import { markedNames } from '../helpers/fetching.ts';
import { SITE_CERTIFICATE, startSecureSite } from '../helpers/secure-site.ts';

/** `REMOVAL_CHAOS_PAGES=500` for the long form. */
const PAGES = Number(process.env['REMOVAL_CHAOS_PAGES'] ?? '40');
const HOUR = 3_600_000;

test('a site that breaks in any way loses no document and no text', async () => {
  await using chaos = await openBrokenSite(PAGES);
  const before = await chaos.texts();
  expect(before.size).toBe(PAGES);
  const lost: string[] = [];
  for (const [name, way] of OUTAGES) {
    chaos.break(way);
    await chaos.suffer();
    lost.push(...differences(before, await chaos.texts()).map((url) => `${name}: ${url}`));
    await chaos.recover();
    lost.push(...differences(before, await chaos.texts()).map((url) => `after ${name}: ${url}`));
  }
  chaos.break((path) => (/[02468]$/.test(path) ? { status: 404 } : undefined));
  await chaos.round();
  chaos.break(undefined);
  await chaos.suffer();
  lost.push(...differences(before, await chaos.texts()).map((url) => `404 for minutes: ${url}`));
  delete chaos.names[NAME];
  await chaos.suffer();
  lost.push(...differences(before, await chaos.texts()).map((url) => `DNS: ${url}`));
  chaos.names[NAME] = ['127.0.0.1'];
  await chaos.recover();
  await chaos.recover();
  lost.push(...differences(before, await chaos.texts()).map((url) => `a day later: ${url}`));

  expect(lost).toEqual([]);
  const states = await chaos.crawl.store.countUrls(chaos.crawl.crawlerId);
  expect(states.get('live')).toBe(PAGES);
  expect([...(await chaos.crawl.store.countRemovals(chaos.crawl.crawlerId)).keys()]).toEqual([]);
});

function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly string[] {
  const changed = [...before].filter(([id, text]) => after.get(id) !== text).map(([id]) => id);
  return [...changed, ...[...after.keys()].filter((id) => !before.has(id))];
}

test('a certificate that expires removes nothing', async () => {
  const paths = Array.from({ length: 20 }, (_, i) => `/page/${i}`);
  const pages = Object.fromEntries(paths.map((path) => [path, goodPage(path)]));
  const links = paths.map((path) => `<a href="${path}">${path}</a>`).join(' ');
  await using site = await startSecureSite({ '/': otherPage('Home', links), ...pages });
  const settings = {
    seeds: [`https://${NAME}:${site.port}/`],
    schedule: { full: 'manual', incremental: 'manual' },
    ...markedNames(NAME),
  };
  await using crawl = await openCrawl(
    { ...settings, tls: { ca: [SITE_CERTIFICATE] } },
    { names: { [NAME]: ['127.0.0.1'] } },
  );
  await crawl.crawl();
  const documents = await crawl.documents();
  expect(documents).toHaveLength(21);
  await crawl.change({ ...settings, tls: { ca: [] } });

  for (let look = 0; look < 3; look++) {
    await crawl.redis.control.flushall();
    crawl.clock.skip(3 * HOUR);
    await crawl.run();
    await crawl.crawl();
  }

  expect(await crawl.documents()).toEqual(documents);
});

/** So many of the first pages are gone: every other one for good. */
const gone =
  (count: number): Way =>
  (path) => {
    const at = path.startsWith('/page/') ? Number(path.slice('/page/'.length)) : PAGES;
    return at < count ? { status: at % 2 === 0 ? 404 : 410 } : undefined;
  };

test('5 % of the pages that are gone leave within two runs', async () => {
  await using chaos = await openBrokenSite(PAGES);
  const count = Math.floor(PAGES * 0.05);
  chaos.break(gone(count));

  await chaos.suffer();

  expect((await chaos.texts()).size).toBe(PAGES - count);
  expect((await chaos.crawl.store.countRemovals(chaos.crawl.crawlerId)).get('held')).toBeUndefined();
});

test('60 % of the pages that are gone are held and reported, approved, and undone byte for byte', async () => {
  await using chaos = await openBrokenSite(PAGES);
  const { crawl } = chaos;
  const before = await chaos.texts();
  const count = Math.floor(PAGES * 0.6);
  chaos.break(gone(count));

  await chaos.suffer();
  await chaos.suffer();
  const limit = Math.max(5, PAGES * 0.1);
  const counts = await crawl.store.countRemovals(crawl.crawlerId);
  expect(counts.get('removed')).toBeLessThanOrEqual(limit);
  expect((counts.get('held') ?? 0) + (counts.get('removed') ?? 0)).toBe(count);
  const groups = await crawl.store.groupRemovals({ crawlerId: crawl.crawlerId, state: 'held', limit: 10 });
  expect(groups.map(({ cause }) => cause).sort()).toEqual(['gone', 'not-found']);

  const deps = { engineStores: { of: async () => crawl.store }, clock: crawl.clock };
  await approveRemovals(deps, await crawl.crawler(), {});
  await crawl.sweep();
  expect((await chaos.texts()).size).toBe(PAGES - count);
  await undoRemovals(deps, await crawl.crawler(), {});
  await crawl.sweep();

  expect(differences(before, await chaos.texts())).toEqual([]);
});

import { expect, test } from 'vitest';
import { page } from '../../helpers/crawl.ts';
import { crawledSite } from '../../helpers/crawled-site.ts';

/** 12 of 60 pages are missing at both looks: 6 leave, 6 are held. */
async function held() {
  const shared = await crawledSite(60);
  for (const path of shared.paths.slice(0, 12)) shared.site.set(path, { status: 404 });
  await shared.round();
  await shared.recheck();
  return shared;
}

test('more removals than the guard allows in a day are held, counted and listed; everything else is published', async () => {
  await using shared = await held();
  const { crawl, site } = shared;
  site.set('/p40', page('Page that changed'));
  site.set('/new', page('New page'));
  site.set('/', page('Home', [...shared.paths, '/new']));
  await shared.round();

  const documents = await crawl.documents();

  expect(documents).toHaveLength(62 - 6);
  expect(documents).toContain(shared.url('/new'));
  expect((await shared.texts()).get(shared.url('/p40'))?.[0]).toBe('Page that changed');
  const runs = await crawl.store.listRuns(crawl.crawlerId, 10);
  expect(runs.map(({ removed, removalsHeld }) => [removed, removalsHeld])).toContainEqual([6, 6]);
  const listed = await crawl.store.listRemovals({ crawlerId: crawl.crawlerId, state: 'held', after: 0, limit: 100 });
  expect(listed).toHaveLength(6);
  expect(listed[0]).toMatchObject({ class: 'hard', cause: 'not-found', origin: site.origin });
});

test('what is held stays held the next day, until its page answers well again', async () => {
  await using shared = await held();
  const { crawl } = shared;
  crawl.clock.skip(48 * 3_600_000);
  await shared.round();
  expect((await crawl.store.countRemovals(crawl.crawlerId)).get('held')).toBe(6);
  for (const path of shared.paths.slice(0, 12)) shared.site.set(path, page(`Page ${path}`));

  await shared.round();
  await shared.recheck();

  expect((await crawl.store.countRemovals(crawl.crawlerId)).get('held')).toBeUndefined();
  expect((await crawl.store.countUrls(crawl.crawlerId)).get('suspected')).toBeUndefined();
});

test('held pages that three full runs go on to miss leave by themselves where the settings say so', async () => {
  await using shared = await held();
  const { crawl, site } = shared;
  const day = 86_400_000;
  await crawl.change({
    seeds: [`${site.origin}/`],
    schedule: { full: 'manual', incremental: 'manual' },
    removal: { autoApproveDays: 3 },
  });

  for (let runs = 0; runs < 3; runs++) {
    expect((await crawl.store.countRemovals(crawl.crawlerId)).get('held')).toBe(6);
    crawl.clock.skip(day);
    // The rechecks of suspected pages come by themselves; only full runs count.
    await shared.round();
  }

  expect((await crawl.store.countRemovals(crawl.crawlerId)).get('held')).toBeUndefined();
  expect(await crawl.documents()).toHaveLength(61 - 12);
});

import { expect, test } from 'vitest';
import { approveRemovals } from '../../../src/crawl/removals.ts';
import { page } from '../../helpers/crawl.ts';
import { crawledSite } from '../../helpers/crawled-site.ts';

test('a group of held removals is approved, the others stay; approvals do not use up the guard', async () => {
  const news = Array.from({ length: 10 }, (_, i) => `/news/2026/report-of-day-${i}`);
  const pages = Object.fromEntries(news.map((path) => [path, page(`News ${path}`)]));
  await using shared = await crawledSite(
    40,
    { removal: { guardPercent: 0, guardMinimum: 0 } },
    {
      ...pages,
      '/p0': page('Page /p0', news),
    },
  );
  const { crawl, site } = shared;
  for (const path of news.slice(0, 4)) site.set(path, { status: 404 });
  for (const path of shared.paths.slice(1, 5)) site.set(path, { status: 410 });
  await shared.round();
  await shared.recheck();
  const groups = await crawl.store.groupRemovals({ crawlerId: crawl.crawlerId, state: 'held', limit: 100 });
  expect(groups[0]).toMatchObject({ class: 'hard', cause: 'not-found', count: 4, origin: site.origin });
  const deps = { engineStores: { of: async () => crawl.store }, clock: crawl.clock };

  const answered = await approveRemovals(deps, await crawl.crawler(), { pattern: groups[0]?.pattern });

  expect(answered).toEqual({ asked: 4, applied: 4 });
  const left = await crawl.documents();
  expect(left).toHaveLength(51 - 4);
  expect(left).not.toContain(shared.url(news[0] ?? ''));
  expect(await shared.stateOf(news[0] ?? '')).toBe('gone');
  expect(await crawl.store.countRemoved(crawl.crawlerId, 0)).toBe(0);
  expect((await crawl.store.countRemovals(crawl.crawlerId)).get('held')).toBe(4);
});

test('what is not applied with the request is applied by the sweep', async () => {
  await using shared = await crawledSite(10, { removal: { guardPercent: 0, guardMinimum: 0 } });
  const { crawl } = shared;
  for (const path of shared.paths.slice(0, 2)) shared.site.set(path, { status: 404 });
  await shared.round();
  await shared.recheck();

  await crawl.store.askRemovals({ crawlerId: crawl.crawlerId, action: 'approve', choice: {} });
  await crawl.sweep();

  expect(await crawl.documents()).toHaveLength(9);
});

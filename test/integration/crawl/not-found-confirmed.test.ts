import { expect, test } from 'vitest';
import { page } from '../../helpers/crawl.ts';
import { crawledSite, HOUR } from '../../helpers/crawled-site.ts';

test('a page that is missing leaves at the recheck, hours later, which comes by itself', async () => {
  await using shared = await crawledSite(10);
  const { site, crawl } = shared;
  site.set('/p3', { status: 404 });

  await shared.round();
  expect(await crawl.documents()).toHaveLength(11);
  expect(await crawl.lastVisit(shared.url('/p3'))).toMatchObject({ outcome: 'suspected', reason: 'not-found' });
  crawl.clock.skip(HOUR);
  await crawl.crawl();
  expect(await crawl.documents()).toHaveLength(11);
  await shared.recheck();

  expect(await crawl.documents()).toHaveLength(10);
  expect(await shared.stateOf('/p3')).toBe('gone');
});

test('many pages that are missing leave together, at the same recheck', async () => {
  await using shared = await crawledSite(80);
  for (const path of shared.paths.slice(0, 8)) shared.site.set(path, { status: 404 });
  await shared.round();

  await shared.recheck();

  expect(await shared.crawl.documents()).toHaveLength(73);
});

test('a page that is back at the recheck stays', async () => {
  await using shared = await crawledSite(10);
  shared.site.set('/p3', { status: 404 });
  await shared.round();
  shared.site.set('/p3', page('Page /p3'));

  await shared.recheck();

  expect(await shared.crawl.documents()).toHaveLength(11);
  expect(await shared.stateOf('/p3')).toBe('live');
});

test('a failure between the looks does not make the first one forgotten', async () => {
  await using shared = await crawledSite(10);
  const { site } = shared;
  site.set('/p3', { status: 404 });
  await shared.round();
  site.set('/p3', { status: 418 });
  shared.crawl.clock.skip(60_000);
  await shared.round();
  site.set('/p3', { status: 404 });

  await shared.recheck();
  shared.crawl.clock.skip(24 * HOUR);
  await shared.crawl.crawl();

  expect(await shared.stateOf('/p3')).toBe('gone');
});

test('a site whose pages are mostly missing is not believed', async () => {
  await using shared = await crawledSite(10);
  for (const path of shared.paths.slice(0, 8)) shared.site.set(path, { status: 404 });

  for (let look = 0; look < 4; look++) {
    await shared.round();
    shared.crawl.clock.skip(3 * HOUR);
  }

  expect(await shared.crawl.documents()).toHaveLength(11);
});

test('missing pages are not believed while no other page that the operator named answers', async () => {
  await using shared = await crawledSite(12);
  shared.site.set('/p3', { status: 404 });
  shared.site.set('/', { status: 403 });
  await shared.round();
  shared.crawl.clock.skip(60_000);
  await shared.crawl.crawl();

  await shared.recheck();

  expect(await shared.stateOf('/p3')).toBe('suspected');
});

test('a page that nothing links to any more stays', async () => {
  await using shared = await crawledSite(10);
  shared.site.set('/', page('Home without links'));

  await shared.round();

  expect(await shared.crawl.documents()).toHaveLength(11);
});

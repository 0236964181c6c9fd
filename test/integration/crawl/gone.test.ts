import { expect, test } from 'vitest';
import { page } from '../../helpers/crawl.ts';
import { crawledSite, HOUR } from '../../helpers/crawled-site.ts';

const DAY = 24 * HOUR;

test('410 is confirmed after half of the time', async () => {
  await using shared = await crawledSite(10);
  shared.site.set('/p3', { status: 410 });
  await shared.round();

  shared.crawl.clock.skip(HOUR + 60_000);
  await shared.crawl.crawl();

  expect(await shared.stateOf('/p3')).toBe('gone');
});

test('a page that is gone is looked at again after a day, and its document is made anew when it is back', async () => {
  await using shared = await crawledSite(10);
  shared.site.set('/p3', { status: 410 });
  await shared.round();
  await shared.secondLook();
  const visits = shared.site.count('/p3');
  await shared.round();
  expect(shared.site.count('/p3')).toBe(visits);
  shared.site.set('/p3', page('Page /p3'));

  shared.crawl.clock.skip(DAY + 60_000);
  await shared.round();

  expect(await shared.crawl.documents()).toContain(shared.url('/p3'));
  expect(await shared.stateOf('/p3')).toBe('live');
});

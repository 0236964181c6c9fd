import { expect, test } from 'vitest';
import { hostConcern } from '../../../src/crawl/rules/host-health.ts';
import { crawledSite, HOUR } from '../../helpers/crawled-site.ts';
import { isLongForm, reportFigure } from '../../helpers/scorecard.ts';
import { html, ownText } from '../../helpers/trap-site.ts';

const MINUTE = 60_000;
const MAINTENANCE = html('Back soon', ownText(4_711));

test.each(isLongForm ? [40, 400] : [40])(
  '%i queued URLs that answer one maintenance page lose no document, and get their texts back',
  async (count) => {
    await using shared = await crawledSite(count);
    const { crawl, site, paths, url } = shared;
    for (const [n, path] of paths.entries()) site.set(path, html(`Page ${path}`, ownText(n)));
    await shared.round();
    const before = await shared.texts();
    expect(before.size).toBe(count + 1);
    for (const path of paths) site.set(path, MAINTENANCE);

    await crawl.queue(...paths.map(url));
    for (let look = 0; look < 3; look++) {
      await crawl.crawl();
      crawl.clock.skip(2 * MINUTE);
    }

    const during = await shared.texts();
    const replaced = [...before].filter(([id, text]) => String(during.get(id)) !== String(text)).length;
    reportFigure(
      'network.queued-maintenance',
      `${count} queued, ${before.size - during.size} removed, ${replaced} replaced`,
    );
    expect([...during.keys()]).toEqual([...before.keys()]);
    // Those that were under way together.
    expect(replaced).toBeLessThanOrEqual(16);
    const host = (await crawl.store.listHosts({ crawlerId: crawl.crawlerId, after: 0, limit: 1 }))[0];
    expect(host && hostConcern(host, crawl.clock.now())).toBe('identical-pages');

    // Runs that do not see them judge no duplicates by what was seen once.
    await crawl.run('incremental');
    await crawl.crawl();
    expect([...(await shared.texts()).keys()]).toEqual([...before.keys()]);

    for (const [n, path] of paths.entries()) site.set(path, html(`Page ${path}`, ownText(n)));
    for (let run = 0; run < 2; run++) {
      crawl.clock.skip(2 * HOUR);
      await crawl.redis.control.flushall();
      await shared.round();
      crawl.clock.skip(2 * MINUTE);
      await crawl.crawl();
    }
    expect(await shared.texts()).toEqual(before);
  },
);

test('a queued page that became a duplicate is one after its recheck', async () => {
  await using shared = await crawledSite(4);
  const { crawl, site, url } = shared;
  site.set('/p1', html('Returns', ownText(1)));
  await shared.round();
  site.set('/p3', html('Returns', ownText(1)));

  await crawl.queue(url('/p3'));
  await crawl.crawl();
  expect(await crawl.lastVisit(url('/p3'))).toMatchObject({ outcome: 'deferred', reason: 'needs-confirmation' });
  expect(await crawl.documents()).toHaveLength(5);
  crawl.clock.skip(2 * MINUTE);
  await crawl.crawl();

  expect(await shared.stateOf('/p3')).toBe('duplicate');
  expect(await crawl.documents()).toHaveLength(4);
});

test('a new queued URL takes no document of another one at first sight; the next full run judges them', async () => {
  await using shared = await crawledSite(2, {}, { '/long/returns': html('Returns', ownText(1)) });
  const { crawl, site, url } = shared;
  await crawl.queue(url('/long/returns'));
  await crawl.crawl();
  await shared.round();
  expect(await crawl.documents()).toContain(url('/long/returns'));
  site.set('/r', html('Returns', ownText(1)));

  await crawl.queue(url('/r'));
  await crawl.crawl();
  expect(await crawl.documents()).toHaveLength(5);
  crawl.clock.skip(2 * HOUR);
  await shared.round();

  expect(await crawl.documents()).toHaveLength(4);
  expect(await shared.stateOf('/long/returns')).toBe('duplicate');
});

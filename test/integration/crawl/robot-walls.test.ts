import { expect, test } from 'vitest';
import { explainUrl } from '../../../src/crawl/browse-urls.ts';
import { REASON_TEXTS } from '../../../src/crawl/rules/reasons.ts';
import { crawledSite } from '../../helpers/crawled-site.ts';

const DAY = 86_400_000;
const WALL = {
  body: '<html><head><title>Entry refused</title><meta name="robots" content="noindex"></head><body><h1>Entry refused</h1><p>Please prove that you are a person. Press and hold the bar below until it is full.</p></body></html>',
};

test('an answer that keeps robots out never replaces a document, and is told by its reason', async () => {
  await using shared = await crawledSite(8);
  const { crawl, site } = shared;
  const before = (await shared.texts()).get(shared.url('/p3'));
  site.set('/p3', WALL);

  await shared.round();

  expect((await shared.texts()).get(shared.url('/p3'))).toEqual(before);
  expect(await crawl.lastVisit(shared.url('/p3'))).toMatchObject({ outcome: 'deferred', reason: 'robot-wall' });
  const explained = await explainUrl(
    { ...crawl.lookDeps, visibleSeq: () => Infinity },
    await crawl.crawler(),
    shared.url('/p3'),
  );
  expect(explained).toMatchObject({ reason: 'robot-wall', cause: REASON_TEXTS['robot-wall'].cause });
});

test('an operator who releases the host takes such a page as it is', async () => {
  await using shared = await crawledSite(8);
  const { crawl, site } = shared;
  site.set('/p3', { body: WALL.body.replace('<meta name="robots" content="noindex">', '') });
  const [host] = await crawl.store.listHosts({ crawlerId: crawl.crawlerId, after: 0, limit: 10 });

  await crawl.store.releaseHost(host?.id ?? 0, crawl.clock.now() + 30 * DAY);
  await shared.round();

  expect((await shared.texts()).get(shared.url('/p3'))?.[0]).toBe('Entry refused');
});

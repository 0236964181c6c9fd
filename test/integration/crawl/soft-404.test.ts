import { expect, test } from 'vitest';
import { page } from '../../helpers/crawl.ts';
import { crawledSite, HOUR } from '../../helpers/crawled-site.ts';
import { type Behaviour, redirectTo, sendPage } from '../../helpers/site-server.ts';

/** The error page of the site, which quotes what was asked for and answers 200. */
const errorPage: Behaviour = (request, response) =>
  sendPage(response, {
    body: `<html lang="en"><head><title>Not here</title></head><body><main><h1>Not here</h1><p>Sorry, we looked
everywhere but we could not find ${request.url}. It may have been moved, renamed, or it never was. Go back to the
start page, use the search above, or write to our friendly service team.</p></main></body></html>`,
  });

/** A site that answers 200 for what does not exist, crawled twice: its error page is known. */
async function softSite(count: number) {
  const shared = await crawledSite(count, {}, { '*': errorPage });
  await shared.round();
  return shared;
}

test('a new page that looks like the error page of its site is not indexed', async () => {
  await using shared = await softSite(10);
  shared.site.set('/p3', page('Page /p3', ['/dead-link', '/alive']));
  shared.site.set('/alive', page('Alive'));

  await shared.round();

  const documents = await shared.crawl.documents();
  expect(documents).toContain(shared.url('/alive'));
  expect(documents).not.toContain(shared.url('/dead-link'));
  expect(await shared.crawl.lastVisit(shared.url('/dead-link'))).toMatchObject({
    outcome: 'skipped',
    reason: 'soft-404',
  });
});

test('a live page that looks so at three times is held for the operator', async () => {
  await using shared = await softSite(10);
  const { crawl } = shared;
  shared.site.set('/p3', errorPage);

  await shared.round();
  expect(await crawl.lastVisit(shared.url('/p3'))).toMatchObject({ outcome: 'suspected', reason: 'soft-404' });
  await shared.recheck();
  expect((await crawl.store.countRemovals(crawl.crawlerId)).get('held')).toBeUndefined();
  await shared.recheck();

  expect(await crawl.documents()).toHaveLength(11);
  const held = await crawl.store.listRemovals({ crawlerId: crawl.crawlerId, state: 'held', after: 0, limit: 10 });
  expect(held).toMatchObject([{ class: 'soft', cause: 'soft-404', url: shared.url('/p3') }]);
});

test('when many pages look so, none of them is suspected', async () => {
  await using shared = await softSite(20);
  const { crawl } = shared;
  const texts = await shared.texts();
  for (const path of shared.paths.slice(0, 10)) shared.site.set(path, errorPage);

  for (let look = 0; look < 4; look++) {
    await shared.round();
    crawl.clock.skip(3 * HOUR);
    await crawl.crawl();
  }

  expect(await shared.texts()).toEqual(texts);
  const held = await crawl.store.listRemovals({ crawlerId: crawl.crawlerId, state: 'held', after: 0, limit: 100 });
  expect(held.length).toBeLessThanOrEqual(4);
});

test('a queued URL with the answer for missing pages makes no document', async () => {
  await using shared = await softSite(10);

  await shared.crawl.queue(shared.url('/never-was'));
  await shared.crawl.crawl();

  expect(await shared.crawl.documents()).toHaveLength(11);
});

test('where missing pages are redirected to one page, a redirect to it is no move', async () => {
  const shared = await crawledSite(10, {}, { '*': redirectTo('/oops'), '/oops': page('Oops') });
  await using _owned = shared;
  await shared.round();
  shared.site.set('/p3', redirectTo('/oops', 301));

  await shared.round();

  expect(await shared.crawl.documents()).toContain(shared.url('/p3'));
  expect(await shared.crawl.lastVisit(shared.url('/p3'))).toMatchObject({ outcome: 'suspected', reason: 'soft-404' });
});

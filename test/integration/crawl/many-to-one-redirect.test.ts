import { expect, test } from 'vitest';
import { page } from '../../helpers/crawl.ts';
import { crawledSite } from '../../helpers/crawled-site.ts';
import { eventually } from '../../helpers/eventually.ts';
import { type Behaviour, redirectTo, sendPage } from '../../helpers/site-server.ts';

const OTHER = {
  body: '<html><head><title>Garden tools</title></head><body><main><p>Spades, rakes and hoes are sharpened here every Friday by two retired blacksmiths who tell long stories about winter markets and mountain railways.</p></main></body></html>',
};

test('a page that redirects to the home page is not taken for moved', async () => {
  await using shared = await crawledSite(10);
  shared.site.set('/p3', redirectTo('/', 301));

  await shared.round();

  expect(await shared.crawl.documents()).toContain(shared.url('/p3'));
  expect(await shared.crawl.lastVisit(shared.url('/p3'))).toMatchObject({ outcome: 'suspected', reason: 'redirect' });
});

test('a page that redirects to what has nothing to do with it is not taken for moved', async () => {
  await using shared = await crawledSite(10, {}, { '/p0': page('Page /p0', ['/tools']), '/tools': OTHER });
  shared.site.set('/p3', redirectTo('/tools', 301));

  await shared.round();

  expect(await shared.stateOf('/p3')).toBe('suspected');
});

test('a page whose text is found at the target is moved', async () => {
  await using shared = await crawledSite(10, {}, { '/p0': page('Page /p0', ['/new']), '/new': page('Page /p3 again') });
  shared.site.set('/p3', redirectTo('/new', 301));

  await shared.round();

  expect(await shared.crawl.documents()).not.toContain(shared.url('/p3'));
  expect(await shared.stateOf('/p3')).toBe('alias');
});

test('pages of many URL templates that lead to one target are not taken for moved, and held at the third time', async () => {
  const families = ['/a/x/1', '/b/x/2', '/c/x/3', '/d/x/4', '/e/x/5', '/f/x/6', '/g/x/7', '/h/x/8'];
  const pages = Object.fromEntries(families.map((path) => [path, page(`Page ${path}`)]));
  await using shared = await crawledSite(
    2,
    {},
    {
      ...pages,
      '/p0': page('Page /p0', [...families, '/offers']),
      '/offers': page('Offers'),
    },
  );
  const { crawl } = shared;
  // Each is answered when those before it are on record: what is judged at the same time knows nothing of each other.
  let asked = 0;
  const isRecorded = async (count: number) =>
    (await crawl.visitsOf(shared.site.origin, ...families)).filter((visits) => visits > 1).length >= count;
  const inTurn: Behaviour = async (_request, response) => {
    const before = asked++;
    if (before < families.length) await eventually(() => isRecorded(before));
    sendPage(response, redirectTo('/offers', 301));
  };
  for (const path of families) shared.site.set(path, inTurn);

  await shared.round();
  await shared.recheck();
  await shared.recheck();

  const held = await crawl.store.listRemovals({ crawlerId: crawl.crawlerId, state: 'held', after: 0, limit: 10 });
  expect(held.length).toBeGreaterThanOrEqual(3);
  expect(held[0]).toMatchObject({ class: 'soft', cause: 'redirect' });
  expect((await crawl.documents()).length + 8).toBeGreaterThanOrEqual(12 + held.length);
});

import { expect, test } from 'vitest';
import { page } from '../../helpers/crawl.ts';
import { crawledSite } from '../../helpers/crawled-site.ts';
import type { Route } from '../../helpers/site-server.ts';

test.each<[string, Route]>([
  ['with text', page('Crawled X')],
  ['of a missing page', { status: 404 }],
  ['that says noindex', page('Crawled X', [], '<meta name="robots" content="noindex">')],
])('a visit %s leaves a protected document alone', async (_name, route) => {
  await using shared = await crawledSite(5, { removal: { pushed: 'protect' } });
  const { crawl } = shared;
  const fields = new Map([['Title', ['Pushed X']]]);
  const document = { id: shared.url('/x'), kind: 'PageContent', origin: 'pushed', language: 'en', fields } as const;
  await crawl.store.putDocuments(crawl.crawlerId, [document], crawl.clock.now());
  shared.site.set('/x', route);

  await crawl.queue(shared.url('/x'));
  await crawl.crawl();
  await shared.recheck();

  expect((await shared.texts()).get(shared.url('/x'))).toEqual(['Pushed X']);
  expect(await crawl.lastVisit(shared.url('/x'))).toMatchObject({ outcome: 'skipped', reason: 'pushed-protected' });
});

test('documents that the crawl made are replaced and removed as ever', async () => {
  await using shared = await crawledSite(5, { removal: { pushed: 'protect' } });
  shared.site.set('/p1', page('Changed'));
  shared.site.set('/p2', { status: 404 });

  await shared.round();
  await shared.recheck();

  expect((await shared.texts()).get(shared.url('/p1'))?.[0]).toBe('Changed');
  expect(await shared.crawl.documents()).toHaveLength(5);
});

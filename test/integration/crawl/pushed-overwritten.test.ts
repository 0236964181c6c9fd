import { expect, test } from 'vitest';
import { page } from '../../helpers/crawl.ts';
import { crawledSite } from '../../helpers/crawled-site.ts';

type Shared = Awaited<ReturnType<typeof crawledSite>>;

async function push({ crawl, url }: Shared, path: string, title: string) {
  const fields = new Map([['Title', [title]]]);
  const document = { id: url(path), kind: 'PageContent', origin: 'pushed', language: 'en', fields } as const;
  await crawl.store.putDocuments(crawl.crawlerId, [document], crawl.clock.now());
}

const originOf = async ({ crawl, url }: Shared, path: string) =>
  (await crawl.store.findDocument(crawl.crawlerId, url(path)))?.origin;

test('a visit with text replaces a pushed document of the same URL, a later push wins again', async () => {
  await using shared = await crawledSite(5);
  shared.site.set('/x', page('Crawled X'));
  await push(shared, '/x', 'Pushed X');
  await shared.crawl.queue(shared.url('/x'));
  await shared.crawl.crawl();

  expect((await shared.texts()).get(shared.url('/x'))?.[0]).toBe('Crawled X');
  expect(await originOf(shared, '/x')).toBe('crawled');
  await push(shared, '/x', 'Pushed again');
  expect((await shared.texts()).get(shared.url('/x'))?.[0]).toBe('Pushed again');
  expect(await originOf(shared, '/x')).toBe('pushed');
});

test('a pushed document is never visited by itself', async () => {
  await using shared = await crawledSite(5);
  await push(shared, '/nowhere-linked', 'Pushed');

  await shared.round();
  await shared.recheck();

  expect(shared.site.count('/nowhere-linked')).toBe(0);
  expect(await shared.crawl.documents()).toContain(shared.url('/nowhere-linked'));
});

test('a pushed document whose linked page is missing leaves at the recheck, and can be undone', async () => {
  await using shared = await crawledSite(5);
  await push(shared, '/x', 'Pushed X');
  shared.site.set('/', page('Home', [...shared.paths, '/x']));

  await shared.round();
  expect(await shared.crawl.documents()).toContain(shared.url('/x'));
  expect(await shared.stateOf('/x')).toBe('suspected');
  await shared.recheck();

  expect(await shared.crawl.documents()).not.toContain(shared.url('/x'));
  expect((await shared.crawl.store.countRemovals(shared.crawl.crawlerId)).get('removed')).toBe(1);
});

test('removals of pushed documents stop at the same guard', async () => {
  await using shared = await crawledSite(5, { removal: { guardPercent: 0, guardMinimum: 0 } });
  await push(shared, '/x', 'Pushed X');
  shared.site.set('/', page('Home', [...shared.paths, '/x']));

  await shared.round();
  await shared.recheck();

  expect(await shared.crawl.documents()).toContain(shared.url('/x'));
  expect((await shared.crawl.store.countRemovals(shared.crawl.crawlerId)).get('held')).toBe(1);
});

import { expect, test } from 'vitest';
import { approveRemovals, undoRemovals } from '../../../src/crawl/removals.ts';
import { checkCrawler } from '../../../src/crawl/sweep-crawl.ts';
import { page } from '../../helpers/crawl.ts';
import { crawledSite } from '../../helpers/crawled-site.ts';
import { silentLog } from '../../helpers/silent-log.ts';

type Shared = Awaited<ReturnType<typeof crawledSite>>;

/** 20 pages in two URL templates, of which the guard lets 5 go and holds the rest. */
async function held(): Promise<Shared> {
  const shared = await crawledSite(30);
  for (const path of shared.paths.slice(0, 8)) shared.site.set(path, { status: 404 });
  await shared.round();
  await shared.recheck();
  return shared;
}

const depsOf = ({ crawl }: Shared) => ({ engineStores: { of: async () => crawl.store }, clock: crawl.clock });

test('a removal is undone: the document is as it was, its page is due, and leaves again only by two new looks', async () => {
  await using shared = await crawledSite(10);
  const { crawl } = shared;
  const before = await crawl.store.findDocument(crawl.crawlerId, shared.url('/p3'));
  shared.site.set('/p3', { status: 404 });
  await shared.round();
  await shared.recheck();
  expect(await crawl.documents()).not.toContain(shared.url('/p3'));

  expect(await undoRemovals(depsOf(shared), await crawl.crawler(), {})).toEqual({ asked: 1, applied: 1 });

  const after = await crawl.store.findDocument(crawl.crawlerId, shared.url('/p3'));
  expect(after).toEqual({ ...before, seq: after?.seq, writeSeq: after?.seq, rid: after?.rid });
  expect((await crawl.store.findUrl(crawl.crawlerId, shared.url('/p3')))?.facts.nextAt).toBeLessThanOrEqual(
    crawl.clock.now(),
  );
  await shared.round();
  expect(await crawl.documents()).toContain(shared.url('/p3'));
  await shared.recheck();
  expect(await crawl.documents()).not.toContain(shared.url('/p3'));
});

test('an undo of what is held keeps the documents', async () => {
  await using shared = await held();
  const { crawl } = shared;
  const documents = await crawl.documents();

  const answered = await undoRemovals(depsOf(shared), await crawl.crawler(), { class: 'hard' });

  expect(answered).toEqual({ asked: 8, applied: 8 });
  expect((await crawl.documents()).length).toBe(documents.length + 5);
  expect([...(await crawl.store.countRemovals(crawl.crawlerId)).keys()]).toEqual(['undone']);
});

test('a removal can be undone for undoDays, not longer', async () => {
  await using shared = await held();
  const { crawl } = shared;
  const sweep = async () => checkCrawler({ ...depsOf(shared), log: silentLog, timezone: 'UTC' }, await crawl.crawler());
  await approveRemovals(depsOf(shared), await crawl.crawler(), {});
  crawl.clock.skip(13 * 86_400_000);
  await sweep();
  expect((await crawl.store.countRemovals(crawl.crawlerId)).get('removed')).toBe(8);

  crawl.clock.skip(2 * 86_400_000);
  await sweep();

  expect(await undoRemovals(depsOf(shared), await crawl.crawler(), {})).toEqual({ asked: 0, applied: 0 });
});

test('a page that came back by itself is not overwritten by an undo', async () => {
  await using shared = await crawledSite(10);
  const { crawl } = shared;
  shared.site.set('/p3', { status: 404 });
  await shared.round();
  await shared.recheck();
  shared.site.set('/p3', page('A newer page'));
  await crawl.queue(shared.url('/p3'));
  await crawl.crawl();

  await undoRemovals(depsOf(shared), await crawl.crawler(), {});

  expect((await shared.texts()).get(shared.url('/p3'))?.[0]).toBe('A newer page');
});

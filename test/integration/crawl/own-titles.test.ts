import { expect, test } from 'vitest';
import { firstValue } from '../../../src/core/document.ts';
import { openCrawl } from '../../helpers/crawl.ts';
import { type GeneratedPage, generatedSite } from '../../helpers/generated-sites.ts';
import { startSiteServer } from '../../helpers/site-server.ts';
import { html, ownText } from '../../helpers/trap-site.ts';

const MANUAL = { full: 'manual', incremental: 'manual' };

function serve(pages: readonly GeneratedPage[]) {
  const home = html(
    'Lumo',
    ownText(7),
    pages.map(({ path }) => path),
  );
  const routes = pages.map(({ path, html: body }) => [path, { body }] as const);
  return startSiteServer({ ...Object.fromEntries(routes), '/': home });
}

test('the summary of a run says how many documents share a title, and which', async () => {
  const titles = { '/a': 'Sails', '/b': 'Sails', '/c': 'Masts' };
  const routes = Object.entries(titles).map(([path, title], at) => [path, html(title, ownText(at))] as const);
  await using site = await startSiteServer({
    ...Object.fromEntries(routes),
    '/': html('Lumo', ownText(7), Object.keys(titles)),
  });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], schedule: MANUAL });

  await crawl.crawl();

  const [run] = await crawl.store.listRuns(crawl.crawlerId, 1);
  expect(JSON.parse(run?.summary ?? '{}')).toMatchObject({
    sharedTitles: { documents: 2, titles: [{ title: 'Sails', documents: 2 }] },
  });
});

test('pages that were read before their site was known have their own titles by the end of the run, without a fetch', async () => {
  const pages = generatedSite('WordPress', 80);
  await using site = await serve(pages);
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], schedule: MANUAL });

  await crawl.crawl();

  const { store, crawlerId } = crawl;
  const documents = await store.listDocuments({ crawlerId, after: 0, limit: 1_000 });
  const titles = new Map(
    documents.map(({ id, fields }) => [id.slice(site.origin.length), firstValue(fields, 'Title')]),
  );
  expect(pages.filter(({ path, title }) => titles.get(path) !== title)).toEqual([]);
  expect(pages.map(({ path }) => site.count(path))).toEqual(pages.map(() => 1));
  expect(await store.listPendingPages({ crawlerId, after: 0, limit: 100 })).toEqual([]);
});

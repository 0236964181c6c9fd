import { expect, test } from 'vitest';
import { firstValue } from '../../../src/core/document.ts';
import { openCrawl } from '../../helpers/crawl.ts';
import { startSiteServer } from '../../helpers/site-server.ts';
import { html, ownText } from '../../helpers/trap-site.ts';

const MANUAL = { full: 'manual', incremental: 'manual' };

/** Many pages, of which few share a heading: which 64 of them are known does not tell. */
const PLAIN_PAGES = 150;
const SAME_HEADING: Readonly<Record<string, string>> = {
  '/functions-enum': 'Sails: Class Members - Enumerations',
  '/functions-eval': 'Sails: Class Members - Enumerator',
  '/functions-eval-b': 'Sails: Class Members - Enumerator',
  '/functions-a': 'Sails: Class Members',
  '/functions-b': 'Sails: Class Members',
  '/functions-c': 'Sails: Class Members',
};

function page(title: string, heading: string, at: number): string {
  return `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><h1>${heading}</h1>
<p>${ownText(at)}</p></main></body></html>`;
}

function routesOf(headings: Readonly<Record<string, string>>): Readonly<Record<string, { body: string }>> {
  const plain = Array.from({ length: PLAIN_PAGES }, (_, at) => {
    const name = `Class number${at}`;
    return [`/class-${at}`, { body: page(`Sails: ${name}`, name, at) }] as const;
  });
  const same = Object.entries(headings).map(
    ([path, title], at) => [path, { body: page(title, 'Class Members', PLAIN_PAGES + at) }] as const,
  );
  return Object.fromEntries([...plain, ...same]);
}

type Crawl = Awaited<ReturnType<typeof openCrawl>>;

async function titlesOf({ store, crawlerId }: Crawl, origin: string): Promise<Readonly<Record<string, string>>> {
  const documents = await store.listDocuments({ crawlerId, after: 0, limit: 1_000 });
  const titles = documents.map(({ id, fields }) => [id.slice(origin.length), firstValue(fields, 'Title')] as const);
  return Object.fromEntries(titles.filter(([path]) => path.startsWith('/functions')));
}

test('pages that share their heading are called by their heads, where these say more, however few of the site they are', async () => {
  const routes = routesOf(SAME_HEADING);
  await using site = await startSiteServer({ ...routes, '/': html('Sails', ownText(7), Object.keys(routes)) });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], schedule: MANUAL });

  await crawl.crawl();

  expect(await titlesOf(crawl, site.origin)).toEqual({
    '/functions-enum': 'Class Members - Enumerations',
    '/functions-eval': 'Class Members - Enumerator',
    '/functions-eval-b': 'Class Members - Enumerator',
    '/functions-a': 'Class Members',
    '/functions-b': 'Class Members',
    '/functions-c': 'Class Members',
  });
});

test('a page whose head changes is called by the new one, and one whose text changes as before', async () => {
  const routes = new Map(Object.entries(routesOf(SAME_HEADING)));
  const home = html('Sails', ownText(7), [...routes.keys()]);
  await using site = await startSiteServer({ ...Object.fromEntries(routes), '/': home });
  await using crawl = await openCrawl({ seeds: [`${site.origin}/`], schedule: MANUAL });
  await crawl.crawl();
  const [before] = await crawl.store.listRuns(crawl.crawlerId, 1);

  site.set('/functions-enum', { body: page('Sails: Class Members - Enumerations', 'Class Members', 900) });
  site.set('/functions-eval', { body: page('Sails: Class Members - Values', 'Class Members', 901) });
  await crawl.run('full');
  await crawl.crawl();

  expect(before?.state).toBe('finished');
  expect(await titlesOf(crawl, site.origin)).toMatchObject({
    '/functions-enum': 'Class Members - Enumerations',
    '/functions-eval': 'Class Members - Values',
  });
  const enumerations = await crawl.store.findDocument(crawl.crawlerId, `${site.origin}/functions-enum`);
  expect(firstValue(enumerations?.fields ?? new Map(), 'Content')).toContain(ownText(900).slice(0, 20));
});

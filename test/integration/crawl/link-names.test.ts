import { expect, test } from 'vitest';
import { openIndexOf } from '../../../scripts/evaluate/open-index.ts';
import { readQuery, selectionOf } from '../../../src/search/query/read-query.ts';
import { compileSynonyms } from '../../../src/search/synonyms.ts';
import { openCrawl } from '../../helpers/crawl.ts';
import { planOf } from '../../helpers/query-plans.ts';
import { startSiteServer } from '../../helpers/site-server.ts';
import { ownText } from '../../helpers/trap-site.ts';

type Crawl = Awaited<ReturnType<typeof openCrawl>>;

const RULES = { language: 'en', fields: [], synonyms: compileSynonyms([], []), operator: 'OR' } as const;
const NEVER = new AbortController().signal;

/** Paths of the pages that a query finds in an index of what the crawler stored, best first. */
async function find(crawl: Crawl, query: string): Promise<readonly string[]> {
  const rows = await crawl.store.changesAfter(0, { rows: 10_000, bytes: 1e9 });
  await using opened = await openIndexOf(rows, 'en');
  const plan = planOf({ match: selectionOf(readQuery(query, RULES)) });
  const { hits } = await opened.searchIndex.search(1, plan, NEVER);
  return hits.map(({ id }) => new URL(id).pathname);
}

const page = (title: string, body: string) => ({
  body: `<html lang="en"><title>${title}</title><body><main><h1>${title}</h1>${body}</main></body></html>`,
});
const numbered = (count: number) => Array.from({ length: count }, (_, at) => at);

test('the page that links call by a name is first for it, before a short page that mentions it', async () => {
  const links = numbered(30).map((at) => `/guide/${at}.html`);
  const long = numbered(80)
    .map((at) => `<p>${ownText(100 + at)}</p>`)
    .join('');
  await using site = await startSiteServer({
    '/': page(
      'Lumo',
      [...links, '/api/open.html', '/notes.html'].map((to) => `<p><a href="${to}">${to}</a></p>`).join(''),
    ),
    '/api/open.html': page('Opening and closing', `${long}<pre>handle = lumo_open(path)</pre>${long}`),
    '/notes.html': page('Notes', '<p>lumo_open was mended in release seven.</p>'),
    ...Object.fromEntries(
      links.map((path, at) => [
        path,
        page(`Guide ${at}`, `<p>${ownText(at)}</p><p>Begin with <a href="/api/open.html#how">lumo_open</a>.</p>`),
      ]),
    ),
  });
  await using crawl = await openCrawl({
    seeds: [`${site.origin}/`],
    schedule: { full: 'manual', incremental: 'manual' },
  });

  await crawl.crawl();

  expect((await find(crawl, 'lumo_open'))[0]).toBe('/api/open.html');
});

test('words that stand on many pages lead to the page that links call so', async () => {
  const others = numbered(12).map((at) => `/boats/${at}.html`);
  await using site = await startSiteServer({
    '/': page(
      'Lumo',
      ['/customers.html', ...others].map((to) => `<p><a href="${to}">${to.slice(1, -5)}</a></p>`).join(''),
    ),
    '/customers.html': page('Our customers', `<p>Schools and clubs from all over the lake. ${ownText(1)}</p>`),
    ...Object.fromEntries(
      others.map((path, at) => {
        const link = at % 4 === 0 ? '<p>See <a href="/customers.html">Who rents boats</a>.</p>' : '';
        return [path, page(`Boat ${at}`, `<p>Of our boats this one is rented most. ${ownText(at)}</p>${link}`)];
      }),
    ),
  });
  await using crawl = await openCrawl({
    seeds: [`${site.origin}/`],
    schedule: { full: 'manual', incremental: 'manual' },
  });

  await crawl.crawl();

  expect((await find(crawl, 'who rents boats'))[0]).toBe('/customers.html');
});

test('links that plant a name lift no page above the one that has it', async () => {
  const planted = numbered(200).map(
    (at) => `<a href="/spam.html?n=${at}">harbour ${at}</a> <a href="/spam.html">harbour</a>`,
  );
  await using site = await startSiteServer({
    '/': page('Lumo', '<p><a href="/harbour.html">The harbour</a> <a href="/links.html">Links</a></p>'),
    '/harbour.html': page('Harbour', `<p>The harbour of Lumo. ${ownText(1)}</p>`),
    '/links.html': page('Links', `<p>${planted.join(' ')}</p>`),
    '/spam.html': page('Offers', `<p>${ownText(2)}</p>`),
  });
  await using crawl = await openCrawl({
    seeds: [`${site.origin}/`],
    schedule: { full: 'manual', incremental: 'manual' },
  });

  await crawl.crawl();

  expect((await find(crawl, 'harbour'))[0]).toBe('/harbour.html');
});

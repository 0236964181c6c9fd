import { expect, test } from 'vitest';
import { firstValue } from '../../../src/core/document.ts';
import { openCrawl } from '../../helpers/crawl.ts';
import { startSiteServer } from '../../helpers/site-server.ts';

const TEXT = 'The parcels of the shop are packed by people who know what is in them and where they go. '.repeat(4);
const html = (body: string, head = '') => ({ body: `<html lang="en"><head>${head}</head><body>${body}</body></html>` });

async function crawled(paths: Parameters<typeof startSiteServer>[0], settings: Readonly<Record<string, unknown>>) {
  const stack = new AsyncDisposableStack();
  const site = stack.use(await startSiteServer(paths));
  const crawl = stack.use(
    await openCrawl({ seeds: Object.keys(paths).map((path) => site.origin + path), ...settings }),
  );
  await crawl.crawl();
  const document = async (path: string) => {
    const found = await crawl.store.findDocument(17, site.origin + path);
    if (found === undefined) throw new Error(`${path} has no document`);
    return found;
  };
  return {
    document,
    documents: crawl.documents,
    origin: site.origin,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

test('selectors and marks decide what is main text, what lies around it, and what is nowhere', async () => {
  const body = `<nav><p>Opening hours on Sundays</p><p class="facts">Founded in 1931 by twins</p></nav>
    <main><p>${TEXT}</p><p class="ad">Buy one get one</p><p data-fossick-ignore>Only for the staff</p>
    <!--noindex--><p>Seen by nobody at all</p><!--/noindex--></main>`;
  await using site = await crawled(
    { '/': html(body) },
    { content: { include: ['.facts'], exclude: ['.ad'], marks: { off: ['noindex'], on: ['/noindex'] } } },
  );

  const { fields, structure } = await site.document('/');

  expect(firstValue(fields, 'Content').split('\n')).toEqual(['Founded in 1931 by twins', TEXT.trim()]);
  expect(structure?.surroundings).toBe('Opening hours on Sundays');
});

test('rules for fields fill documents of pages and files', async () => {
  const body = `<main><h1>Spade</h1><p>${TEXT}</p><b class="price">1.299,95 kr</b></main>`;
  const head = '<meta name="fossick:Team" content="Blue"><meta name="fossick:Area" content="North">';
  const fields = [
    { name: 'Price_number', selector: '.price' },
    { name: 'Sku', url: String.raw`/(\d+)-` },
    { name: 'Server', header: 'x-shop' },
    { name: 'Team', constant: 'Red', when: { url: '/p/**' } },
    { name: 'Kind', constant: 'manual', when: { kind: 'file' } },
  ];
  await using site = await crawled(
    {
      '/p/4711-spade': { ...html(body, head), headers: { 'content-type': 'text/html', 'x-shop': 'north-1' } },
      '/notes.txt': {
        headers: { 'content-type': 'text/plain', 'x-shop': 'north-2' },
        body: 'Oil the blade once a year.',
      },
    },
    { content: { fields } },
  );

  const page = await site.document('/p/4711-spade');
  const file = await site.document('/notes.txt');

  const names = ['Price_number', 'Sku', 'Server', 'Team', 'Area', 'Kind'];
  const own = (document: typeof page) => names.map((name) => document.fields.get(name)?.join('|'));
  expect(own(page)).toEqual(['1299.95', '4711', 'north-1', 'Red', 'North', undefined]);
  expect(own(file)).toEqual([undefined, undefined, 'north-2', undefined, undefined, 'manual']);
});

test('settings for some pages are in place of the others', async () => {
  const page = html(
    `<main><h1>Page</h1><p>${TEXT}</p><p class="more">The blade is cleaned with oil once a year, and dried before the winter.</p></main>`,
  );
  await using site = await crawled(
    { '/shop/garden-tools/spade': page, '/blog/post': page },
    {
      duplicates: { exact: 'off' },
      content: {
        exclude: ['.more'],
        categoryFromPath: true,
        pages: [
          { match: '/blog/**', exclude: [], categoryFromPath: false, fields: [{ name: 'Title', constant: 'Post' }] },
        ],
      },
    },
  );

  const [shop, blog] = [await site.document('/shop/garden-tools/spade'), await site.document('/blog/post')];

  expect(shop.fields.get('Category')).toEqual(['Shop', 'Garden tools']);
  expect(firstValue(shop.fields, 'Content')).not.toContain('cleaned with oil');
  expect(blog.fields.get('Category')).toBeUndefined();
  expect(blog.fields.get('Title')).toEqual(['Post']);
  expect(firstValue(blog.fields, 'Content')).toContain('cleaned with oil');
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Product, startProduct } from '../helpers/product.ts';

// Contract: 9, cases 73 and 74.
const PATHS = '/api/v4/3/crawler/17/paths';
const NOW = Date.now() + 60_000;

let shared: Product;
beforeAll(async () => {
  shared = await startProduct();
});
afterAll(() => shared[Symbol.asyncDispose]());

/** URLs that a crawl process would take next. */
async function dueUrls(product: Product, engineId: number, crawlerId: number): Promise<readonly string[]> {
  const store = await product.engineStore(engineId);
  const activation = (await product.systemStore.findCrawler(crawlerId))?.activation ?? 0;
  const lane = await store.takeLane({ crawlerId, stage: 'page', lane: 0, holder: 'test' });
  if (lane === undefined) throw new Error('the lane is taken');
  const work = { crawlerId, activation, stage: 'page', now: NOW, maxPriority: 0 } as const;
  const hosts = await store.hostsWithWork({ ...work, after: 0, limit: 10 });
  const rows = await store.takeDue({ ...work, lane, hosts: hosts.map(({ hostId }) => ({ hostId, limit: 10 })) });
  return rows.map(({ url }) => url);
}

test('73 URLs are queued in order, what is none is told', async () => {
  await using product = await startProduct();

  const answer = await product.post(PATHS, [
    'https://example.com/a',
    'https://example.com/b#part',
    'ftp://example.com/',
    'x',
  ]);

  expect(answer).toEqual({
    status: 200,
    body: [
      { Url: 'https://example.com/a', Status: 'Ok' },
      { Url: 'https://example.com/b#part', Status: 'Ok' },
      { Url: 'ftp://example.com/', Status: 'Invalid' },
      { Url: 'x', Status: 'Invalid' },
    ],
  });
  expect(product.hints).toEqual([{ kind: 'queued-urls', engineId: 6, crawlerId: 17 }]);
  expect([...(await dueUrls(product, 6, 17))].sort()).toEqual(['https://example.com/a', 'https://example.com/b']);
});

test('74 URLs of an inactive crawler are acknowledged and never fetched', async () => {
  await using product = await startProduct();

  const answer = await product.post('/api/v4/3/crawler/18/paths', ['https://example.com/a']);
  await product.changeRecords({ kind: 'set-crawler-active', id: 18, active: true });

  expect(answer).toEqual({ status: 200, body: [{ Url: 'https://example.com/a', Status: 'Ok' }] });
  expect(product.hints).toEqual([]);
  expect(await dueUrls(product, 7, 18)).toEqual([]);
});

describe('one row per element', () => {
  test.each([
    ['a number', 5, '5'],
    ['null', null, 'null'],
    ['an object', { a: [1] }, '{"a":[1]}'],
    ['a relative URL', '/a', '/a'],
    ['a blank', ' ', ' '],
    ['no host', 'http://', 'http://'],
    ['a path where the host should be', 'https:///a', 'https:///a'],
    ['a scheme without slashes', 'http:example.com', 'http:example.com'],
    ['4,097 characters', `https://example.com/${'x'.repeat(4_077)}`, `https://example.com/${'x'.repeat(4_077)}`],
  ])('%s is invalid', async (_case, sent, shown) => {
    expect(await shared.post(PATHS, [sent])).toEqual({ status: 200, body: [{ Url: shown, Status: 'Invalid' }] });
  });

  test.each([
    ['http://127.0.0.1/'],
    ['http://169.254.169.254/latest'],
    ['https://elsewhere.example/'],
    ['HTTPS://EXAMPLE.com'],
  ])('%s is acknowledged', async (url) => {
    expect(await shared.post(PATHS, [url, url])).toEqual({
      status: 200,
      body: [
        { Url: url, Status: 'Ok' },
        { Url: url, Status: 'Ok' },
      ],
    });
  });
});

test.each([
  ['nothing', [], 200],
  ['an object', { paths: [] }, 400],
  ['1,001 URLs', Array(1_001).fill('https://example.com/'), 413],
])('%s: %i', async (_case, body, status) => {
  expect((await shared.post(PATHS, body)).status).toBe(status);
});

test('the older path does the same', async () => {
  expect(await shared.post('/api/v3/3/content/17/pushurls', ['https://example.com/old', 'x'])).toEqual({
    status: 200,
    body: [
      { Url: 'https://example.com/old', Status: 'Ok' },
      { Url: 'x', Status: 'Invalid' },
    ],
  });
});

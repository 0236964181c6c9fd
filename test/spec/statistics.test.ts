import { afterAll, beforeAll, expect, test } from 'vitest';
import { readStatistics, readTopQueries } from '../../src/tracking/statistics.ts';
import { type Product, startProduct } from '../helpers/product.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product[Symbol.asyncDispose]());

const push = (log: 'querylog' | 'clicklog', body: object) =>
  product.post(`/api/v3/3/6/search/pushstat/${log}`, body, undefined);
const range = () => ({ engineId: 6, from: 0, to: Date.now(), device: undefined });

/** A search, what its page logs, and a click on its first result. */
async function visit(text: string, members: object = {}): Promise<void> {
  const { status, body } = await product.post('/api/v4/3/6/search', { query: text, ...members });
  expect(status).toBe(200);
  const logged = await push('querylog', {
    sw: text,
    qid: body.QueryId,
    qsid: 'one session',
    dt: 'mobile',
    rc: String(body.TotalDocument),
  });
  expect(logged.status).toBe(200);
  const clicked = await push('clicklog', { qid: body.QueryId, clurl: 'https://example.com/solar', cli: '1' });
  expect(clicked.status).toBe(200);
}

// Contract: 2.1, 12 case 35.
test.each([
  ['35: searchContext sayt', { searchContext: 'sayt' }],
  ['35: searchContext SAYT', { searchContext: 'SAYT' }],
  ['isInternalSearch', { isInternalSearch: true }],
])('a search with %s is stored when it is logged, but not in analytics', async (_what, members) => {
  const deps = { systemStore: product.systemStore };
  const stored = (await product.systemStore.listQueryEvents({ engineId: 6, limit: 1_000 })).length;
  const before = await readStatistics(deps, range());

  await visit('solar', members);

  expect(await product.systemStore.listQueryEvents({ engineId: 6, limit: 1_000 })).toHaveLength(stored + 1);
  expect(await readStatistics(deps, range())).toEqual(before);
  expect(before.total.searches).toBe(0);
  expect(await product.systemStore.listPopularQueries({ engineId: 6, minCount: 1, limit: 10 })).toEqual([]);
});

test('logged searches and clicks are in analytics, popular queries and query pairs at once', async () => {
  await visit('solar', { searchContext: 'Search' });
  await visit('Wind  turbines', { searchContext: 'Search404' });
  await visit('SOLAR', { isInternalSearch: false });

  const deps = { systemStore: product.systemStore };
  const { total, devices } = await readStatistics(deps, range());
  expect(total).toMatchObject({ searches: 3, withoutResults: 0, clickedSearches: 3, clicks: 3, meanClickRank: 1 });
  expect(devices).toMatchObject([{ device: 'mobile', searches: 3 }]);
  const top = await readTopQueries(deps, { ...range(), order: 'searches', limit: 10 });
  expect(top.map(({ text, searches }) => [text, searches])).toEqual([
    ['solar', 2],
    ['Wind turbines', 1],
  ]);
  expect(await product.systemStore.listPopularQueries({ engineId: 6, minCount: 2, limit: 10 })).toEqual([
    { query: 'solar', text: 'solar', count: 2, lastAt: expect.any(Number), resultCount: 3 },
  ]);
  expect(await product.systemStore.listQueryPairs({ engineId: 6, query: 'wind turbines', limit: 10 })).toEqual([
    { other: 'solar', count: 1 },
  ]);
});

// Contract: 2.9, 6.3.
test.each([
  ['a correction', { rc: '4', fquery: 'inverter' }, { count: 1, resultCount: 0 }],
  ['the same text as correction', { rc: '4', fquery: 'InvertR' }, { count: 1, resultCount: 4 }],
  ['no result count', {}, { count: 1, resultCount: undefined }],
  ['a result count that is none', { rc: '-1' }, { count: 1, resultCount: undefined }],
])('a query logged with %s is known with the results of its own text', async (what, members, expected) => {
  const sw = `invertr ${what}`;
  const fquery = 'fquery' in members && { fquery: members.fquery === 'InvertR' ? sw.toUpperCase() : members.fquery };
  const qid = product.issueQueryId({ customerId: 3, engineId: 6 });

  expect((await push('querylog', { sw, qid, ...members, ...fquery })).status).toBe(200);

  const found = await product.systemStore.listPopularQueries({ engineId: 6, minCount: 1, limit: 100 });
  expect(found.find(({ query }) => query === sw)).toMatchObject(expected);
});

test('a text longer than a search may be is stored and counts nowhere', async () => {
  const of = { engineId: 6, minCount: 1, limit: 100 };
  const before = await product.systemStore.listPopularQueries(of);
  const qid = product.issueQueryId({ customerId: 3, engineId: 6 });

  expect((await push('querylog', { sw: 'x'.repeat(301), qid })).status).toBe(200);

  expect(await product.systemStore.listPopularQueries(of)).toEqual(before);
});

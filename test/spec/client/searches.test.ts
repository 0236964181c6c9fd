import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SearchQuery, SearchResponse } from '../../../packages/client/src/index.ts';
import { UNLIMITED } from '../../helpers/api-settings.ts';
import { D1, D2, D3, D4, D5, D6 } from '../../helpers/fixture.ts';
import { type Product, startProduct } from '../../helpers/product.ts';
import { API_KEY, clientsOf, failureOf, managementOf, statusOf } from './product-clients.ts';

// Contract: 12, cases 2 to 45 through the client. None of these changes the shared product.
let product: Product;
let clients: ReturnType<typeof clientsOf>;
beforeAll(async () => {
  product = await startProduct();
  clients = clientsOf(product);
});
afterAll(() => product[Symbol.asyncDispose]());

const search = (request: object): Promise<SearchResponse> => clients.search({ query: '*', ...request });
const idsOf = async (request: object) => (await search(request)).TypedDocuments.map(({ Id }) => Id);
const countsOf = ({ Facets }: SearchResponse) => Facets['Category']?.Items.map(({ Key, Count }) => [Key, Count]);

test('2 a refusal says what is wrong, and what the operator finds in the log', async () => {
  const error = await failureOf(clientsOf(product, { siteKey: 'x' }).search({ query: '*' }));

  expect(error).toMatchObject({ status: 401, errorCode: 'auth.invalid', message: expect.any(String) });
  expect(error.requestId).toMatch(/^[0-9a-f-]{36}$/);
});

test('3 a site key and an API key find everything', async () => {
  const totals = [clients, clientsOf(product, { apiKey: API_KEY })].map(
    async (client) => (await client.search({ query: '*', page: 1, perPage: 10 })).TotalDocument,
  );

  expect(await Promise.all(totals)).toEqual([6, 6]);
});

test.each(['Mzo2OnNlYXJjaGtleQ==', 'Mzo2', '%%%', 'Mzo3OlNlYXJjaEtleQ=='])(
  '4 the site key %s is refused',
  async (siteKey) => {
    expect(await statusOf(clientsOf(product, { siteKey }).search({ query: '*' }))).toBe(401);
  },
);

test.each([8, 999])('5 engine %i of somebody else, or of nobody, is refused', async (engineId) => {
  expect(await statusOf(clientsOf(product, { engineId, apiKey: API_KEY }).search({ query: '*' }))).toBe(403);
});

test.each([19, 999])('7 crawler %i of somebody else, or of nobody, is not found', async (crawlerId) => {
  const { documents } = managementOf(product, { crawlerId });
  const calls = [
    documents.put([{ id: 'x', fields: {} }]),
    documents.patch([{ id: 'x', fields: {} }]),
    documents.remove('x'),
    documents.bulkDelete({ Category: { operator: 'Exists' } }),
    documents.queueUrls(['https://example.com/']),
  ];

  expect(await Promise.all(calls.map(statusOf))).toEqual([404, 404, 404, 404, 404]);
});

test('8 an engine without AI answers nothing', async () => {
  const { ask, streamAnswer, summarize, streamSummary } = clientsOf(product, { engineId: 7, apiKey: API_KEY });
  const summary = { query: 'solar', sources: [{ id: D1 }] };
  const calls = [ask({ question: 'x' }), streamAnswer({ question: 'x' }), summarize(summary), streamSummary(summary)];

  expect(await Promise.all(calls.map(statusOf))).toEqual([403, 403, 403, 403]);
});

test('12 members that the service does not know are ignored', async () => {
  expect(await idsOf({ query: 'solar', pageSize: 1, skip: 2, brandNew: { a: [1] } })).toHaveLength(3);
});

test('13 a customer of the other region is not let in', async () => {
  await using european = await startProduct({ settings: { region: 'eu' } });
  const { tools } = managementOf(european, { customerId: 10_000_001, apiKey: 'key' });

  expect(await statusOf(tools.rankings.list())).toBe(401);
});

test('14 too many calls are refused with the time to wait', async () => {
  await using limited = await startProduct({
    settings: { rates: { ...UNLIMITED, search: { perSecond: 1, burst: 1 } } },
  });
  const limitedSearch = clientsOf(limited).search;

  const calls = Array.from({ length: 5 }, () => limitedSearch({ query: '*' }));
  const refused = (await Promise.allSettled(calls)).find(({ status }) => status === 'rejected');

  expect(refused).toMatchObject({ reason: { status: 429, errorCode: 'rate.exceeded' } });
  expect((refused as PromiseRejectedResult).reason.retryAfterSeconds).toBeGreaterThanOrEqual(1);
});

test('15 a search has hits in order, and an id of its own', async () => {
  const [first, second] = await Promise.all([search({ query: 'solar' }), search({ query: 'solar' })]);

  expect(first.TypedDocuments.map(({ Id }) => Id).sort()).toEqual([D1, D3, D5].sort());
  expect(first.TypedDocuments.map(({ ResultIndex }) => ResultIndex)).toEqual([1, 2, 3]);
  expect(first.TypedDocuments.every(({ Id, Fields }) => Fields['Id']?.Value === Id)).toBe(true);
  expect(first).toMatchObject({ FixedQuery: '', Banners: [] });
  expect(first.QueryId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8/);
  expect(second.QueryId).not.toBe(first.QueryId);
});

test('16 a chosen facet narrows the results and not the counts', async () => {
  const counts = [
    ['Guides', 1],
    ['Manuals', 1],
    ['News', 1],
  ];
  const chosen = await search({ query: 'solar', facets: { Category: ['News'] } });
  const open = await search({ query: 'solar', facets: { Category: null } });

  expect([chosen.TotalDocument, open.TotalDocument]).toEqual([1, 3]);
  expect([countsOf(chosen), countsOf(open)]).toEqual([counts, counts]);
});

test('17 facets count all matches, on every page', async () => {
  const all = await search({ facets: ['Category'] });
  const second = await search({ facets: ['Category'], page: 2, perPage: 1 });

  expect(all.TotalDocument).toBe(6);
  expect(all.Facets['Category']).toMatchObject({ AllCount: 6, MissingCount: 0 });
  expect(countsOf(all)?.flat()).toEqual(['Guides', 3, 'News', 2, 'Manuals', 1, 'Products', 1]);
  expect(countsOf(second)).toEqual(countsOf(all));
});

test('18 post-filters count in facets only when asked', async () => {
  const stock = await search({ postFilters: { Category: ['News'] } });
  const filtering = await search({ postFilters: { Category: ['News'] }, enableFacetFiltering: true });

  expect([stock.TotalDocument, filtering.TotalDocument]).toEqual([2, 2]);
  expect(countsOf(stock)?.[0]).toEqual(['Guides', 3]);
  expect(countsOf(filtering)).toEqual([['News', 2]]);
});

const OR_CONDITION = {
  operator: 'Or',
  filters: [
    { field: 'Category', values: ['News'] },
    { field: 'Price_number', comparisonOperator: 'Gte', values: ['60'] },
  ],
} as const;
const MANUALS_OR_CHEAP = { Category: ['Manuals'], range: ['Price_number', '', '10'] };

test.each<[string, Partial<SearchQuery>, readonly string[]]>([
  ['19', { filters: { Category: ['News', 'Manuals'] } }, [D3, D4, D5]],
  ['19', { filters: { Category: ['News', 'Manuals'], range: ['Price_number', '40', ''] } }, [D4, D5]],
  ['19', { filters: { Category: ['news'] } }, []],
  ['20', { filters: { range: ['Price_number', '20', '40'] } }, [D2, D3, D4]],
  ['20', { filters: { range: ['Price_number', 20, 40] } }, [D2, D3, D4]],
  ['20', { filters: { range: ['Price_number', '', ''] } }, [D1, D2, D3, D4, D5, D6]],
  ['20', { filters: { range: ['Price_number', '20', '', 'Price_number', '', '30'] } }, [D2, D3]],
  ['21', { filters: { date: ['Published_date', '2026-01-10', '2026-01-10'] } }, [D1]],
  ['21', { filters: { date: ['Published_date', '', '2025-12-31'] } }, [D4, D5]],
  ['21', { filters: { date: ['Published_date', '2026', '2026'] } }, [D1, D2, D3, D6]],
  ['22', { notFilters: { Category: ['Guides'] } }, [D3, D4, D5]],
  ['22', { notFilters: { Category: ['Guides'], range: ['Price_number', '50', ''] } }, [D3, D4]],
  ['23', { postFilters: MANUALS_OR_CHEAP }, []],
  ['23', { postFilters: MANUALS_OR_CHEAP, postFiltersOperator: 'OR' }, [D1, D5]],
  ['25', { advancedPostFilter: OR_CONDITION }, [D3, D4, D6]],
  ['37', { query: 'inverter' }, [D5]],
  ['40', { query: 'solar -park' }, [D1, D5]],
  ['40', { query: 'Title:solar' }, [D1, D3]],
])('%s %j finds its documents', async (_case, request, ids) => {
  expect((await idsOf(request)).toSorted()).toEqual(ids.toSorted());
});

test.each<[string, object, readonly string[]]>([
  ['29', { sort: { Price_number: 'Descending' } }, [D6, D5, D4, D3, D2, D1]],
  ['29', { sort: { Price_number: 'desc' } }, [D6, D5, D4, D3, D2, D1]],
  ['29', { sort: { Price_number: 'asc' } }, [D1, D2, D3, D4, D5, D6]],
  [
    '30',
    {
      sort: { Category: 'desc', Price_number: 'asc' },
      filters: { date: ['Published_date', '2026-01-01', ''], Category: ['News', 'Guides'] },
      notFilters: { Title: ['Wind turbines guide'], Category: ['Products'] },
    },
    [D3, D1],
  ],
])('%s %j has its documents in order', async (_case, request, ids) => {
  expect(await idsOf(request)).toEqual(ids);
});

test.each<[string, object]>([
  ['23', { postFilters: MANUALS_OR_CHEAP, postFiltersOperator: 'XOR' }],
  ['24', { postFilters: { Category: ['News'] }, advancedPostFilter: { field: 'Category', values: ['News'] } }],
  ['25', { advancedPostFilter: { field: 'Price_number', comparisonOperator: 'Like', values: ['60'] } }],
  ['26', { filters: { range: ['Price_number', '1'] } }],
  ['26', { filters: { range: ['Price_number', '1,5', ''] } }],
  ['26', { filters: { date: ['Published_date', '31/01/2026', ''] } }],
  ['26', { filters: { date: ['Published_date', '2026-02-31', ''] } }],
  ['26', { filters: { geo_distance: ['Place_geo_point', '95', '12', '1', 'Meters'] } }],
  ['26', { filters: { Category: 'News' } }],
  ['26', { filters: 'x' }],
  ['27', { query: 'x'.repeat(301) }],
  ['28', { page: 10_001, perPage: 1 }],
  ['28', { page: 0 }],
  ['28', { perPage: 0 }],
  ['29', { sort: { Price_number: 'up' } }],
  ['31', { query: undefined }],
  ['31', { query: 5 }],
  ['35', { searchContext: 'other' }],
])('%s %j is refused with what is wrong', async (_case, request) => {
  const error = await failureOf(search(request));

  expect(error).toMatchObject({ status: 400, errorCode: 'request.invalid' });
  expect(error.problems.length).toBeGreaterThan(0);
});

test.each<[string, object, number]>([
  ['27', { query: '🙂'.repeat(300) }, 0],
  ['28', { page: 10, perPage: 1_000 }, 6],
  ['31', { query: '*' }, 6],
  ['31', { query: '' }, 6],
  ['31', { query: '  ' }, 6],
  ['34', { query: 'solr park', filters: { Category: ['None'] } }, 0],
  ['35', { query: 'solar', searchContext: 'SAYT' }, 3],
  ['36', { valueBoost: { Category: ['Manuals'] } }, 6],
])('%s %j is answered', async (_case, request, total) => {
  expect((await search(request)).TotalDocument).toBe(total);
});

test('32 the named fields come, with id and address', async () => {
  const { TypedDocuments } = await search({ query: 'solar', fields: ['Title'] });

  for (const { Fields, FieldNames } of TypedDocuments) {
    expect(Object.keys(Fields).sort()).toEqual(['Id', 'Title', 'Url']);
    expect(FieldNames.toSorted()).toEqual(['Id', 'Title', 'Url']);
  }
});

test('33 highlights are marked and escaped, when they are asked for', async () => {
  const [marked] = (await search({ query: 'battery', highlight: true })).TypedDocuments;
  const [plain] = (await search({ query: 'battery' })).TypedDocuments;

  expect(marked?.Highlight['Content']).toContain('<b>Battery</b>');
  expect(marked?.Highlight['Content']).toContain('&amp;');
  expect(plain?.Highlight).toEqual({});
});

test('34 a query that nothing matches is corrected', async () => {
  const { FixedQuery, TypedDocuments } = await search({ query: 'invertr' });

  expect([FixedQuery, TypedDocuments[0]?.Id]).toEqual(['inverter', D5]);
});

test('36 a boost brings its documents to the top', async () => {
  expect((await idsOf({ valueBoost: { Category: ['Manuals'] } }))[0]).toBe(D5);
});

test('37 files and lists of values are shown as such', async () => {
  const [file] = (await search({ query: 'inverter' })).TypedDocuments;
  const [battery] = (await search({ query: 'battery' })).TypedDocuments;

  expect(file).toMatchObject({ Type: 'FileContent', Fields: { fc_Title: { Value: 'Inverter manual' } } });
  expect(battery?.Fields['Category']).toMatchObject({ Value: 'Products, Guides', IsArray: true });
});

test('38 as HTML a search has its results as a list', async () => {
  const { SearchResult, Facets, TotalDocuments } = await clients.searchAsHtml({ query: 'solar' });

  expect(SearchResult.match(/data-search-result="searchresult"/g)).toHaveLength(3);
  expect([typeof Facets, TotalDocuments]).toEqual(['string', 3]);
});

test('40 a query with a syntax error is searched as plain words', async () => {
  expect(await statusOf(search({ query: 'title:"solar" AND (((' }))).toBe(200);
});

test('42 completions have plain results and all totals', async () => {
  const { queryId, results, totalResults, totalSuggestions, suggestions } = await clients.autocomplete({
    query: 'sol',
    results: 2,
  });

  expect(queryId).toMatch(/^[0-9a-f-]{36}$/);
  expect(results.length).toBeLessThanOrEqual(2);
  expect(results[0]?.fields['Title']).toEqual(expect.any(String));
  expect(totalResults).toBeGreaterThanOrEqual(2);
  expect(totalSuggestions).toBeGreaterThanOrEqual(suggestions.length);
});

test.each<[string, object]>([
  ['43', { query: undefined }],
  ['43', { query: ' ' }],
  ['43', { query: 'x'.repeat(301) }],
  ['43', { query: 'so', results: 0 }],
  ['43', { query: 'so', results: 51 }],
  ['44', { query: 'so', filters: { Category: 'News' } }],
])('%s no completions of %j', async (_case, request) => {
  expect(await statusOf(clients.autocomplete(request as { query: string }))).toBe(400);
});

test('44 filters narrow completions by titles', async () => {
  await using titles = await startProduct();
  await titles.changeSettings(6, { autocompleteMode: 'titles' });

  const { results } = await clientsOf(titles).autocomplete({ query: 'so', filters: { Category: ['News'] } });

  expect(results.map(({ id }) => id)).toEqual([D3]);
});

test('45 as HTML completions are a list', async () => {
  const { SearchResult, Facets } = await clients.autocompleteAsHtml({ query: 'sol' });

  expect(SearchResult).toContain('<li');
  expect(Facets).toEqual(expect.any(String));
});

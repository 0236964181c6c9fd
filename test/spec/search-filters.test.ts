import { afterAll, beforeAll, expect, test } from 'vitest';
import { D1, D2, D3, D4, D5, D6, SITE_KEY } from '../helpers/fixture.ts';
import { type Product, startProduct } from '../helpers/product.ts';

// Contract: 2.2 to 2.8, cases 17 to 26, 29, 30, 33, 35 to 37 and 40. Searches change nothing.
let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product[Symbol.asyncDispose]());

function search(body: object, version = 'v4') {
  return product.post(`/api/${version}/3/6/search`, { query: '*', ...body }, SITE_KEY);
}

async function idsOf(body: object): Promise<readonly string[]> {
  const { status, body: answer } = await search(body);
  expect({ status, message: answer.message }).toEqual({ status: 200, message: undefined });
  const ids = answer.TypedDocuments.map(({ Id }: { Id: string }) => Id);
  expect(answer.TotalDocument).toBe(ids.length);
  return ids;
}

type FacetItems = { Facets: { Category: { Items: { Key: string; Count: number }[] } } };
const countsOf = ({ Facets }: FacetItems) => Facets.Category.Items.map(({ Key, Count }) => [Key, Count]);

test.each([
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
  [
    '25',
    {
      advancedPostFilter: {
        operator: 'Or',
        filters: [
          { field: 'Category', values: ['News'] },
          { field: 'Price_number', comparisonOperator: 'Gte', values: ['60'] },
        ],
      },
    },
    [D3, D4, D6],
  ],
  ['40', { query: 'solar -park' }, [D1, D5]],
  ['40', { query: 'Title:solar' }, [D1, D3]],
  ['geo', { filters: { geo_distance: ['Place_geo_point', '55.68', '12.57', '2', 'kilometers'] } }, [D1]],
] as const)('%s %j finds its documents', async (_case, body, ids) => {
  expect([...(await idsOf(body))].sort()).toEqual([...ids].sort());
});

test.each([
  ['29', { sort: { Price_number: 'Descending' } }, [D6, D5, D4, D3, D2, D1]],
  ['29', { sort: { Price_number: 'DESC' } }, [D6, D5, D4, D3, D2, D1]],
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
] as const)('%s %j orders', async (_case, body, ids) => {
  expect(await idsOf(body)).toEqual(ids);
});

test.each([
  ['23', { postFilters: { Category: ['Manuals'] }, postFiltersOperator: 'XOR' }],
  ['24', { postFilters: { Category: ['News'] }, advancedPostFilter: { field: 'Category', values: ['News'] } }],
  ['25', { advancedPostFilter: { field: 'Category', comparisonOperator: 'Like', values: ['News'] } }],
  ['26', { filters: { range: ['Price_number', '1'] } }],
  ['26', { filters: { range: ['Price_number', '1,5', ''] } }],
  ['26', { filters: { date: ['Published_date', '31/01/2026', ''] } }],
  ['26', { filters: { date: ['Published_date', '2026-02-31', ''] } }],
  ['26', { filters: { geo_distance: ['Place_geo_point', '95', '12', '1', 'Meters'] } }],
  ['26', { filters: { Category: 'News' } }],
  ['26', { filters: 'x' }],
  ['29', { sort: { Price_number: 'up' } }],
  ['35', { searchContext: 'other' }],
])('%s %j is refused', async (_case, body) => {
  expect((await search(body)).status).toBe(400);
});

test('17 facets count all matches, on every page', async () => {
  const { body } = await search({ facets: ['Category'] });
  const second = await search({ facets: ['Category'], page: 2, perPage: 1 });

  expect(body.TotalDocument).toBe(6);
  expect(countsOf(body)).toEqual([
    ['Guides', 3],
    ['News', 2],
    ['Manuals', 1],
    ['Products', 1],
  ]);
  expect(body.Facets.Category).toMatchObject({ AllCount: 6, MissingCount: 0 });
  expect(countsOf(second.body)).toEqual(countsOf(body));
});

test('18 post-filters count in facets only when asked', async () => {
  const postFilters = { Category: ['News'] };
  const without = (await search({ postFilters })).body;
  const counted = (await search({ postFilters, enableFacetFiltering: true })).body;

  expect([without.TotalDocument, counted.TotalDocument]).toEqual([2, 2]);
  expect(countsOf(without)).toContainEqual(['Guides', 3]);
  expect(countsOf(counted)).toEqual([['News', 2]]);
});

test.each([
  [undefined, 0],
  ['OR', 2],
])('23 post-filters combined by %s', async (postFiltersOperator, total) => {
  const postFilters = { Category: ['Manuals'], range: ['Price_number', '', '10'] };

  expect((await search({ postFilters, postFiltersOperator })).body.TotalDocument).toBe(total);
});

test('33 highlights are marked and escaped', async () => {
  const [asked, plain, older] = [
    await search({ query: 'battery', highlight: true }),
    await search({ query: 'battery' }),
    await search({ query: 'battery' }, 'v3'),
  ].map(({ body }) => body.TypedDocuments[0].Highlight);

  expect(asked.Content).toContain('<b>Battery</b>');
  expect(asked.Content).toContain('&amp;');
  expect(plain).toEqual({});
  expect(older).toEqual(asked);
});

test.each([['sayt'], ['SAYT'], ['Search404']])('35 the context %s is accepted', async (searchContext) => {
  expect((await search({ query: 'solar', searchContext })).status).toBe(200);
});

test('36 a boost reorders only', async () => {
  const { body } = await search({ valueBoost: { Category: ['Manuals'] } });

  expect(body.TypedDocuments[0].Id).toBe(D5);
  expect(body.TotalDocument).toBe(6);
});

test('37 files and lists of values are shown as such', async () => {
  const [file] = (await search({ query: 'inverter' })).body.TypedDocuments;
  const [list] = (await search({ query: 'battery' })).body.TypedDocuments;

  expect(file).toMatchObject({ Id: D5, Type: 'FileContent' });
  expect(file.Fields).toMatchObject({
    _type: { Value: 'FileContent' },
    fc_Title: { Value: 'Inverter manual' },
    fc_Content: { Value: expect.stringContaining('inverter') },
  });
  expect(list.Fields.Category).toMatchObject({
    Value: 'Products, Guides',
    Values: ['Products', 'Guides'],
    IsArray: true,
  });
});

test('40 a query with a syntax error is searched as plain words', async () => {
  expect((await search({ query: 'title:"solar" AND (((' })).status).toBe(200);
});

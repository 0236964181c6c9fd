import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { D1, D3, D5, SITE_KEY } from '../helpers/fixture.ts';
import { logSearch } from '../helpers/log-search.ts';
import { type Product, startProduct } from '../helpers/product.ts';

// Contract: 2.7, 2.11, 3, and acceptance cases 41 to 45.
const V3 = '/api/v3/3/6/autocomplete';
const V4 = '/api/v4/3/6/autocomplete';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product[Symbol.asyncDispose]());

const complete = async (query: string) => (await product.get(`${V4}?query=${encodeURIComponent(query)}`)).body;

test('41: text=so completes to texts with a word that begins so', async () => {
  const { status, body } = await product.get(`${V3}?text=so`, SITE_KEY);

  expect(status).toBe(200);
  expect(body).toEqual(['Solar', 'Solar panels guide', 'Solar park opens']);
});

test('42: query=sol with results=2 has plain results and all totals', async () => {
  const { status, body } = await product.get('/api/v4/3/6/Autocomplete?query=sol&results=2');

  expect(status).toBe(200);
  expect(body).toEqual({
    queryId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-8/),
    totalResults: 3,
    totalSuggestions: 3,
    results: [
      { id: D3, fields: { Title: 'Solar park opens', Url: D3 } },
      { id: D1, fields: { Title: 'Solar panels guide', Url: D1 } },
    ],
    suggestions: ['Solar', 'Solar panels guide'],
    topHits: [],
    facets: { Category: expect.objectContaining({ FieldName: 'Category', AllCount: 3 }) },
    responseTime: expect.any(Number),
  });
});

test.each([
  ['GET', '', undefined, 'query'],
  ['GET', '?query=%20', undefined, 'query'],
  ['GET', '?text=%20', undefined, 'query'],
  ['GET', `?query=${'x'.repeat(301)}`, undefined, 'query'],
  ['GET', '?query=a&results=0', undefined, 'results'],
  ['GET', '?query=a&results=51', undefined, 'results'],
  ['GET', '?query=a&results=x', undefined, 'results'],
  ['GET', '?query=a&responseType=xml', undefined, 'responseType'],
  ['GET', '?query=a&filters=%7B%22Category%22', undefined, 'filters'],
  ['GET', '?query=a&filters=%7B%22range%22:[1]%7D', undefined, 'filters.range'],
  ['GET', '?query=a&topHitsFields=%5B', undefined, 'topHitsFields'],
  ['POST', '', {}, 'query'],
  ['POST', '', { query: 'a', filters: 'x' }, 'filters'],
  ['POST', '', { query: 'a', topHitsFields: [{ field: 'x', size: 21 }] }, 'topHitsFields[0].size'],
])('43: %s %s %j is refused', async (method, search, body, path) => {
  const answer = await product.send({ method, path: `${V4}${search}`, body, headers: { authorization: SITE_KEY } });

  expect(answer.status).toBe(400);
  expect(answer.body.errors[0].path).toBe(path);
});

test('300 characters are accepted, in any alphabet', async () => {
  expect((await product.get(`${V4}?query=${'x'.repeat(300)}`)).status).toBe(200);
  expect((await product.post(V4, { query: '🙂'.repeat(300) })).status).toBe(200);
});

describe('mode titles', () => {
  let titles: Product;
  beforeAll(async () => {
    titles = await startProduct();
    await titles.changeSettings(6, { autocompleteMode: 'titles' });
  });
  afterAll(() => titles[Symbol.asyncDispose]());

  test('44: filters narrow titles and results', async () => {
    const filters = encodeURIComponent('{"Category":["News"]}');
    const { body } = await titles.get(`${V4}?query=so&filters=${filters}`);

    expect(body.results.map(({ id }: { id: string }) => id)).toEqual([D3]);
    expect(body.suggestions).toEqual(['Solar park opens']);
    expect([body.totalResults, body.totalSuggestions]).toEqual([1, 1]);
    expect((await titles.get(`${V4}?query=so&filters=%7B%22Category%22`)).status).toBe(400);
  });

  test.each([
    ['bracket form', `${V4}?query=so&filters[Category]=News`],
    ['bracket form, repeated', `${V4}?query=so&filters[Category]=News&filters[Category]=None`],
  ])('filters in %s', async (_name, address) => {
    expect((await titles.get(address)).body.suggestions).toEqual(['Solar park opens']);
  });

  test('a body takes filters as an object, languages is the field Language', async () => {
    const posted = await titles.post(V4, { query: 'so', filters: { Category: ['News'] } });

    expect(posted.body.suggestions).toEqual(['Solar park opens']);
    expect((await titles.get(`${V4}?query=so&languages=xx`)).body).toMatchObject({ totalResults: 0, suggestions: [] });
  });

  test('all words must be in the title, a misspelt one is put right', async () => {
    expect((await titles.get(`${V4}?query=guide%20tur`)).body.suggestions).toEqual(['Wind turbines guide']);
    expect((await titles.get(`${V4}?query=turbnes`)).body.suggestions).toEqual(['Wind turbines guide']);
    expect((await titles.get(`${V4}?query=sunlight`)).body.suggestions).toEqual([]);
  });
});

test('45: JsonHtml has list items and facets as HTML on both versions', async () => {
  for (const path of [V3, V4]) {
    const { status, body } = await product.get(`${path}?query=so&responseType=JsonHtml`);

    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual([
      ...['Facets', 'QueryId', 'ResponseTime', 'SearchResult', 'TotalResults', 'TotalSuggestions'],
    ]);
    expect(body.SearchResult).toContain('<li><a data-search-related="Solar"');
    expect(body.SearchResult).toContain(
      `data-search-result="searchresult" data-search-index="1" data-search-url="${D3}"`,
    );
    expect(body.Facets).toContain('data-facet-name="Category"');
  }
});

test('v3 JsonObject has results and suggestions as hits', async () => {
  const { body } = await product.get(`${V3}?query=battery&responseType=JsonObject`);

  expect(Object.keys(body).sort()).toEqual([
    ...['Facets', 'QueryId', 'ResponseTime', 'Results', 'Suggestions', 'TopHits', 'TotalResults', 'TotalSuggestions'],
  ]);
  expect(body.Suggestions[0].Fields.Title).toEqual({
    Field: 'Title',
    Value: 'Battery',
    Values: ['Battery'],
    Highlights: [],
    IsArray: false,
  });
  expect(body.Results[0]).toMatchObject({ Id: 'item-6', ResultIndex: 1, Fields: { Title: { Value: 'Battery' } } });
});

test('an unknown response type is texts on v3, and NotSpecified is JsonObject on v4', async () => {
  expect((await product.get(`${V3}?query=so&responseType=xml`)).body).toBeInstanceOf(Array);
  expect((await product.get(`${V4}?query=so&responseType=notspecified`)).body).toHaveProperty('queryId');
});

test('query wins over text', async () => {
  expect((await complete('wind')).suggestions).toEqual(['Wind turbines guide']);
  expect((await product.get(`${V3}?text=so&query=wind`)).body).toEqual(['Wind turbines guide']);
});

test('filters are without effect in mode suggestions, but checked', async () => {
  const filters = encodeURIComponent('{"Category":["News"]}');

  expect((await product.get(`${V4}?query=so&filters=${filters}`)).body.totalResults).toBe(2);
  expect((await product.get(`${V4}?query=so&filters=x`)).status).toBe(400);
});

test('short beginnings look at titles, longer ones at texts too', async () => {
  expect((await complete('so')).totalResults).toBe(2);
  expect((await complete('sol')).results.map(({ id }: { id: string }) => id)).toEqual([D3, D1, D5]);
});

test('the page about a word comes before short ones that mention it', async () => {
  await using own = await startProduct();
  const notes = Array.from({ length: 12 }, (_, i) => ({
    id: `note-${i}`,
    fields: { Title: `Release ${i}`, Content: 'Mended the tunnel in release 7.' },
  }));
  const guide = {
    id: 'guide',
    fields: {
      Title: 'Handbook',
      Headings: ['Care of the tunnel'],
      Content: 'Air the tunnel each week, and look after its roof, its doors and its lamps. '.repeat(20),
    },
  };
  await own.put('/api/v4/3/index/17/documents?refresh=wait', [...notes, guide]);

  for (const query of ['tun', 'tunne', 'tunnel', 'the tunnel', 'tunnels']) {
    const { body } = await own.get(`${V4}?query=${encodeURIComponent(query)}&results=50`);
    expect(body.results[0].id, query).toBe('guide');
    expect(body.totalResults, query).toBe(13);
  }
});

test('a word that no title or heading has ranks by the texts', async () => {
  await using own = await startProduct();
  const notes = Array.from({ length: 12 }, (_, i) => ({
    id: `note-${i}`,
    fields: { Title: `${i}`, Content: 'Mended the lanterns in release 7.' },
  }));
  const guide = {
    id: 'guide',
    fields: { Title: 'Care', Content: 'Clean a lantern, and the next lantern, at night. '.repeat(9) },
  };
  await own.put('/api/v4/3/index/17/documents?refresh=wait', [...notes, guide]);

  for (const query of ['lan', 'lanter', 'lantern', 'lanterns']) {
    expect((await own.get(`${V4}?query=${query}`)).body.results[0].id, query).toBe('guide');
  }
});

test('a short beginning behind other words looks at texts too', async () => {
  for (const query of ['solar p', 'solar po']) {
    expect((await complete(query)).results.map(({ id }: { id: string }) => id)).toContain(D5);
  }
});

test('one typo is tolerated from four letters on', async () => {
  expect(await complete('invrt')).toMatchObject({
    suggestions: ['Inverter manual'],
    totalSuggestions: 1,
    totalResults: 1,
  });
  expect(await complete('sorlar pan')).toMatchObject({ suggestions: ['Solar panels guide'] });
  expect(await complete('zol')).toMatchObject({ suggestions: [], totalResults: 0 });
});

test('where no document has all the words, those show that a search finds', async () => {
  for (const query of ['solar zebra', 'which inverter for zebras', 'inverter manuals zebr']) {
    const { results, totalResults } = await complete(query);
    const { body } = await product.post('/api/v4/3/6/search', { query, operator: 'OR' }, SITE_KEY);
    const found = body.TypedDocuments.map(({ Id }: { Id: string }) => Id);

    expect(totalResults, query).toBeGreaterThan(0);
    expect(found.slice(0, totalResults), query).toEqual(results.map(({ id }: { id: string }) => id));
  }
  expect(await complete('zebra')).toMatchObject({ suggestions: [], totalResults: 0 });
  expect(await complete('solar ze')).toMatchObject({ totalResults: 3 });
});

test('a compound that no document has is found by its parts', async () => {
  await using own = await startProduct();
  await own.put('/api/v4/3/index/17/documents?refresh=wait', [
    { id: 'school', fields: { Title: 'Indskrivning', Content: 'Indskrivning i en skole.' } },
    { id: 'library', fields: { Title: 'Bibliotek' } },
  ]);

  expect((await own.get(`${V4}?query=skoleindskrivning`)).body).toMatchObject({
    totalResults: 1,
    results: [{ id: 'school' }],
  });
});

test('nothing is put right that stands somewhere as it is typed', async () => {
  await using own = await startProduct();
  const weather = Array.from({ length: 3 }, (_, i) => ({ id: `weather-${i}`, fields: { Title: 'Bad weather' } }));
  await own.put('/api/v4/3/index/17/documents?refresh=wait', [
    ...weather,
    { id: 'people', fields: { Title: 'People', Headings: ['Brad'] } },
    { id: 'wall', fields: { Title: 'Brick walls' } },
    { id: 'shelf', fields: { Title: 'Shelves', Content: 'A bracket holds it.' } },
  ]);

  expect((await own.get(`${V4}?query=brad`)).body).toMatchObject({
    suggestions: ['Brad'],
    totalSuggestions: 1,
    totalResults: 1,
    results: [{ id: 'people' }],
  });
  expect((await own.get(`${V4}?query=brack`)).body).toMatchObject({
    suggestions: [],
    totalSuggestions: 0,
    totalResults: 1,
    results: [{ id: 'shelf' }],
  });
  expect((await own.get(`${V4}?query=brickk`)).body).toMatchObject({ suggestions: ['Brick walls'], totalResults: 1 });
});

test('committed queries with results complete, the frequent ones first', async () => {
  await using own = await startProduct();
  for (let i = 0; i < 4; i++) await logSearch(own.systemStore, 6, { text: 'Solar roof prices', resultCount: 3 });
  for (let i = 0; i < 2; i++) await logSearch(own.systemStore, 6, { text: 'solar nothing', resultCount: 0 });
  await logSearch(own.systemStore, 6, { text: 'solar of one visitor', resultCount: 3 });
  for (let i = 0; i < 4; i++) await logSearch(own.systemStore, 7, { text: 'solar elsewhere', resultCount: 3 });

  const { body } = await own.get(`${V4}?query=sol`);

  expect(body.suggestions).toEqual(['Solar roof prices', 'Solar', 'Solar panels guide', 'Solar park opens']);
  expect(body.totalSuggestions).toBe(4);
  expect((await own.get(`${V4}?query=rof`)).body.suggestions).toEqual([]);
  expect((await own.get(`${V4}?query=roof`)).body.suggestions).toEqual(['Solar roof prices']);
});

test('a query that is a title too is one completion', async () => {
  await using own = await startProduct();
  for (let i = 0; i < 2; i++) await logSearch(own.systemStore, 6, { text: 'BATTERY', resultCount: 1 });

  expect((await own.get(`${V4}?query=bat`)).body).toMatchObject({ suggestions: ['BATTERY'], totalSuggestions: 1 });
});

test('nothing counts as a search, and its query id is good for clicks', async () => {
  const { queryId } = await complete('solar');
  const click = { qid: queryId, clurl: D1 };

  expect((await product.post('/api/v3/3/6/search/pushstat/clicklog', click, undefined)).status).toBe(200);
  expect(await product.systemStore.listPopularQueries({ engineId: 6, minCount: 1, limit: 10 })).toEqual([]);
});

test('a pushed document completes at once, a deleted one no longer', async () => {
  await using own = await startProduct();
  const documents = '/api/v4/3/index/17/documents';
  await own.put(`${documents}?refresh=wait`, [
    { id: 'new', fields: { Title: 'Geothermal wells', Headings: ['Depth'] } },
  ]);
  expect((await own.get(`${V3}?text=geo`)).body).toEqual(['Geothermal wells']);

  expect((await own.get(`${V4}?query=geo`)).body.totalResults).toBe(1);

  await own.delete(`${documents}?documentId=new&refresh=wait`);
  expect((await own.get(`${V3}?text=geo`)).body).toEqual([]);
  expect((await own.get(`${V4}?query=geo`)).body.totalResults).toBe(0);
});

test('texts of nothing but signs complete to nothing', async () => {
  expect(await complete('?!')).toMatchObject({ results: [], suggestions: [], totalResults: 0, totalSuggestions: 0 });
});

test('top hits come with the results', async () => {
  const { body } = await product.get(`${V4}?query=solar&topHitsFields=[{%22field%22:%22Category%22,%22size%22:1}]`);

  expect(body.topHits).toEqual([{ Field: 'Category', Values: expect.any(Array) }]);
  expect(body.topHits[0].Values.map(({ Value }: { Value: string }) => Value).sort()).toEqual([
    'Guides',
    'Manuals',
    'News',
  ]);
});

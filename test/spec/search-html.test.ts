import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOSTILE_DOCUMENTS, HOSTILE_TEXTS } from '../helpers/hostile-texts.ts';
import { elementsOf } from '../helpers/html-parts.ts';
import { type Product, startProduct } from '../helpers/product.ts';

// Contract: 2.11.
const SEARCH = '/api/v4/3/6/search';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(() => product[Symbol.asyncDispose]());

const html = async (body: object, path = SEARCH, from = product) => {
  const answer = await from.post(path, { query: 'solar', responseType: 'JsonHtml', ...body });
  expect(answer.status).toBe(200);
  return answer.body;
};
const results = (markup: string) =>
  elementsOf(markup).filter(({ attributes }) => attributes['data-search-result'] === 'searchresult');
const links = (markup: string, attribute: string) =>
  elementsOf(markup).filter(({ attributes }) => attribute in attributes);

describe('38: an answer of type JsonHtml', () => {
  test('has a list of results with hooks, facets as HTML and as data, and the members of JsonObject', async () => {
    const object = (await product.post(SEARCH, { query: 'solar' })).body;

    const body = await html({});

    const anchors = results(body.SearchResult);
    expect(anchors).toHaveLength(3);
    anchors.forEach(({ name, attributes, text }, place) => {
      const { Fields } = object.TypedDocuments[place];
      expect({ name, text, attributes }).toEqual({
        name: 'a',
        text: Fields.Title.Value,
        attributes: {
          href: Fields.Url.Value,
          'data-search-result': 'searchresult',
          'data-search-index': String(place + 1),
          'data-search-url': Fields.Url.Value,
          'data-search-title': Fields.Title.Value,
        },
      });
    });
    expect(body.SearchResult).toMatch(/^<ul[^>]*><li><a href=/);
    expect(body.Facets).toContain('<li><a data-facet-name="Category" data-facet="News"');
    expect(body.FacetData).toEqual(object.Facets);
    expect(body.TotalDocuments).toBe(3);
    expect(body).toMatchObject({ RelatedSearchesResult: '', DidYouMean: '' });
    for (const name of Object.keys(object).filter((name) => !['Facets', 'QueryId', 'ResponseTime'].includes(name))) {
      expect([name, body[name]]).toEqual([name, object[name]]);
    }
  });

  test('carries every hook once per prefix', async () => {
    await using doubled = await startProduct({ settings: { htmlHookPrefixes: ['data-search', 'data-x'] } });

    const { SearchResult } = await html({}, SEARCH, doubled);

    const anchors = results(SearchResult);
    expect(anchors).toHaveLength(3);
    for (const { attributes } of anchors) {
      for (const name of ['result', 'index', 'url', 'title']) {
        expect(attributes[`data-x-${name}`]).toBe(attributes[`data-search-${name}`]);
        expect(attributes[`data-x-${name}`]).toBeTruthy();
      }
    }
  });

  test('exists on v3, in camel case, and with any template name', async () => {
    const v3 = await html({}, '/api/v3/3/6/search');
    expect(results(v3.SearchResult)).toHaveLength(3);
    expect(v3.SearchResult).toContain('<b>Solar</b> panels guide</a>');

    const camel = await html({}, `${SEARCH}?casing=camel`);
    expect(results(camel.searchResult)).toHaveLength(3);
    expect(Object.keys(camel.facetData)).toEqual(['Category']);
    expect(camel.facetData.Category).toMatchObject({ fieldName: 'Category' });

    const plain = await html({});
    expect((await html({ template: 'unknown', overlay: '__proto__' })).SearchResult).toBe(plain.SearchResult);
    const compact = await html({ template: 'compact' });
    expect(results(compact.SearchResult)).toEqual(results(plain.SearchResult));
    expect(compact.SearchResult.length).toBeLessThan(plain.SearchResult.length);
  });
});

describe('the list of pages', () => {
  const pagesOf = async (page: number, perPage: number) => {
    const { SearchResult } = await html({ query: '*', page, perPage });
    return links(SearchResult, 'data-page').map(({ attributes }) => [
      attributes['data-page'],
      ...(attributes['aria-current'] === 'page' ? ['current'] : []),
    ]);
  };

  test.each([
    [1, 2, [['1', 'current'], ['2'], ['3'], ['next']]],
    [2, 2, [['prev'], ['1'], ['2', 'current'], ['3'], ['next']]],
    [3, 2, [['prev'], ['1'], ['2'], ['3', 'current']]],
    [1, 10, []],
    [9, 1, [['prev'], ['1'], ['2'], ['3'], ['4'], ['5'], ['6']]],
  ])('of page %i with %i results each is %j', async (page, perPage, expected) => {
    expect(await pagesOf(page, perPage)).toEqual(expected);
  });

  test('shows ten numbers around the present one, none behind the result window', async () => {
    await using narrow = await startProduct({ settings: { maxResultWindow: 2 } });
    const { SearchResult } = await html({ query: '*', perPage: 1 }, SEARCH, narrow);
    expect(links(SearchResult, 'data-page').map(({ text }) => text)).toEqual(['1', '2', 'Next']);
  });
});

describe('facets', () => {
  test('clear with null, name the chosen values and say where several may be chosen', async () => {
    const open = links((await html({ query: '*' })).Facets, 'data-facet');
    expect(open.map(({ attributes }) => attributes['data-facet'])).toEqual([
      ...['null', 'Guides', 'News', 'Manuals', 'Products'],
    ]);
    expect(open.every(({ attributes }) => 'data-multifacet' in attributes)).toBe(true);
    expect(open[0]?.attributes['aria-current']).toBe('true');

    const chosen = links((await html({ query: '*', facets: { Category: ['News'] } })).Facets, 'data-facet');
    const current = chosen.filter(({ attributes }) => 'aria-current' in attributes);
    expect(current.map(({ attributes }) => attributes['data-facet'])).toEqual(['News']);
  });

  test('of a field that no document has are left out', async () => {
    const { Facets, FacetData } = await html({ facets: ['Nope'] });
    expect(Facets).toBe('');
    expect(FacetData.Nope.Items).toEqual([]);
  });
});

test('banners are wrapped with their hooks, their HTML sanitised', async () => {
  await using site = await startProduct();
  const banner = {
    name: 'Sale <1>',
    htmlcode: '<p onclick="x()">Sale</p>',
    websiteid: 6,
    bannerterms: [{ name: 'solar' }],
  };
  const { status, body: stored } = await site.post('/api/banners', banner);
  expect(status).toBe(200);

  const { Banners } = await html({}, SEARCH, site);

  expect(Banners).toHaveLength(1);
  const [wrapper, ...inner] = elementsOf(Banners[0].Banner);
  expect(wrapper).toMatchObject({
    name: 'div',
    attributes: {
      'data-search-result': 'banner',
      'data-search-id': String(stored.id),
      'data-search-title': 'Sale <1>',
    },
  });
  expect(inner).toEqual([{ name: 'p', attributes: {}, text: 'Sale' }]);
});

test('no markup of a document comes through in any field, over 100 documents', async () => {
  await using site = await startProduct();
  const put = await site.put('/api/v4/3/index/17/documents?refresh=wait', HOSTILE_DOCUMENTS);
  expect(put.body.every(({ success }: { success: boolean }) => success)).toBe(true);

  for (const highlight of [false, true]) {
    const body = await html({ highlight, perPage: 200 }, SEARCH, site);
    const { TotalDocument, SearchResult, Facets } = body;
    expect(TotalDocument).toBeGreaterThanOrEqual(HOSTILE_TEXTS.length);
    expect(results(SearchResult)).toHaveLength(TotalDocument);
    for (const { name, attributes } of [...elementsOf(SearchResult), ...elementsOf(Facets)]) {
      expect(['ul', 'li', 'a', 'p', 'b', 'div', 'h3', 'span']).toContain(name);
      for (const [attribute, value] of Object.entries(attributes)) {
        expect(attribute).toMatch(/^(class|href|aria-current|data-(search|facet|page|multifacet)(-[a-z]+)?)$/);
        if (attribute === 'href') expect(value).toMatch(/^(https?:\/\/|#$)/);
      }
    }
  }
});

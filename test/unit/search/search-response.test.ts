import { describe, expect, test } from 'vitest';
import { ENGINE_DEFAULTS } from '../../../src/accounts/engine-settings.ts';
import { camelCased } from '../../../src/api/search/responses.ts';
import { verifyQueryId } from '../../../src/core/query-id.ts';
import { all, NAMES, respond, type Settings } from '../../helpers/search-respond.ts';

describe('contract 2.6: the response', () => {
  test('case 15: every member is there, in PascalCase', async () => {
    const response = await respond({ query: 'solar' });

    expect(Object.keys(response)).toEqual([
      ...[
        'QueryId',
        'ResponseTime',
        'FixedQuery',
        'TotalDocument',
        'TypedDocuments',
        'Facets',
        'RangeFacets',
        'TopHits',
      ],
      ...['Banners', 'Quicklinks', 'Suggestions', 'Synonyms', 'RelatedSearchDocuments', 'GenerativeAnswerAvailable'],
    ]);
    expect(response.TypedDocuments.map(({ Id }) => NAMES.get(Id)).toSorted()).toEqual(['d1', 'd3', 'd5']);
    expect(response).toMatchObject({ FixedQuery: '', Banners: [], TotalDocument: 3, RangeFacets: {} });
    expect(verifyQueryId('s', { customerId: 3, engineId: 6 }, response.QueryId)).toBe(response.QueryId);
    const [hit] = response.TypedDocuments;
    expect(Object.keys(hit ?? {})).toEqual([
      ...['ResultIndex', 'Id', 'Score', 'Type', 'Fields', 'FieldNames', 'Highlight', 'TitleHasHighlight', 'Sortings'],
    ]);
    expect(hit?.Fields['Id']).toEqual({
      Field: 'Id',
      Value: hit?.Id,
      Values: [hit?.Id],
      Highlights: [],
      IsArray: false,
    });
    expect(response.TypedDocuments.map(({ ResultIndex }) => ResultIndex)).toEqual([1, 2, 3]);
  });

  test('case 32: exactly the named fields, Id and Url', async () => {
    const { TypedDocuments } = await respond({ query: 'solar', fields: ['Title'] });

    for (const { Fields, FieldNames } of TypedDocuments) {
      expect(Object.keys(Fields).toSorted()).toEqual(['Id', 'Title', 'Url']);
      expect(FieldNames).toEqual(Object.keys(Fields));
    }
  });

  test('case 33: highlighting by version', async () => {
    const asked = await respond({ query: 'battery', highlight: true });
    const v4 = await respond({ query: 'battery' });
    const v3 = await respond({ query: 'battery' }, { version: 'v3' });

    expect(asked.TypedDocuments[0]?.Highlight['Content']).toBe('<b>Battery</b> storage for homes &amp; offices.');
    expect(asked.TypedDocuments[0]?.TitleHasHighlight).toBe(true);
    expect(v4.TypedDocuments[0]).toMatchObject({ Highlight: {}, TitleHasHighlight: false });
    expect(v3.TypedDocuments).toEqual(asked.TypedDocuments);
  });

  test('case 37: files and several values', async () => {
    const [file] = (await respond({ query: 'inverter' })).TypedDocuments;
    const [item] = (await respond({ query: 'battery' })).TypedDocuments;

    expect(file).toMatchObject({ Type: 'FileContent', Fields: { _type: { Value: 'FileContent' } } });
    expect(file?.Fields['fc_Title']?.Value).toBe('Inverter manual');
    expect(file?.Fields['fc_Content']?.Value).toContain('inverter');
    expect(item?.Fields['Category']).toMatchObject({
      Value: 'Products, Guides',
      Values: ['Products', 'Guides'],
      IsArray: true,
    });
    expect(item?.Fields['Description']).toMatchObject({ Value: '', Values: [], IsArray: false });
  });

  test('case 39: camel case changes member names only', async () => {
    const response = camelCased(await respond({ query: 'solar', highlight: true, rangeFacets: { Price: PRICE } }));

    const text = JSON.stringify(response);
    expect(response).toMatchObject({
      typedDocuments: [
        { fields: { Title: { value: expect.any(String), isArray: false } }, highlight: { Title: expect.any(String) } },
        {},
        {},
      ],
      facets: { Category: { items: [{ key: 'Guides', count: 1, facets: {} }, {}, {}] } },
      rangeFacets: { Price: [1, 2] },
    });
    expect(text).not.toMatch(/"(TypedDocuments|Value|Items|Key|ResultIndex|Score)":/);
  });

  test('a row deleted after the search gives way to the next hit', async () => {
    const { TypedDocuments, TotalDocument } = await respond(all({ perPage: 2 }), { gone: [5] });

    expect(TotalDocument).toBe(6);
    expect(TypedDocuments.map(({ Id, ResultIndex }) => [NAMES.get(Id), ResultIndex])).toEqual([
      ['d3', 1],
      ['d4', 2],
    ]);
  });

  test('an answer is offered for words with hits on an engine with AI', async () => {
    const settings = { aiEnabled: true, features: ['AiChat'] };
    const offered = async (query: string, given: Settings) =>
      (await respond({ query }, { settings: given })).GenerativeAnswerAvailable;

    expect(await offered('solar', settings)).toBe(true);
    expect(await offered('*', settings)).toBe(false);
    expect(await offered('nothing', settings)).toBe(false);
    expect(await offered('solar', { ...settings, aiMinScore: 1_000 })).toBe(false);
    expect(await offered('solar', { aiEnabled: true })).toBe(false);
  });

  test('an answer is offered when the best hit covers enough of the query, on every page and in every order', async () => {
    const settings = { aiEnabled: true, features: ['AiChat'] };
    const offered = async (body: object, aiMinScore?: number) =>
      (await respond(body, { settings: { ...settings, ...(aiMinScore !== undefined && { aiMinScore }) } }))
        .GenerativeAnswerAvailable;
    const half = { query: 'solar unheard words' };

    expect(await offered(half)).toBe(false);
    expect(await offered(half, 0.1)).toBe(true);
    expect(await offered({ query: 'solar power', page: 2, perPage: 1 })).toBe(true);
    expect(await offered({ query: 'solar power', sort: { Price_number: 'desc' } })).toBe(true);
  });

  test('an engine with recency puts new documents before old ones that fit as well', async () => {
    const recency = { field: 'Published_date', halfLifeDays: 30, weight: 5 };
    const names = async (settings: Settings) =>
      (await respond({ query: 'solar panels' }, { settings, now: Date.UTC(2026, 2, 2) })).TypedDocuments.map(({ Id }) =>
        NAMES.get(Id),
      );

    expect(await names({})).toEqual(['d1', 'd3', 'd5']);
    expect(await names({ recency })).toEqual(['d3', 'd1', 'd5']);
  });
});

const PRICE = { fieldName: 'Price_number', ranges: [{ from: 0, to: '30' }, { from: '30' }] };

describe('contract 2.4: facets', () => {
  const items = (response: Awaited<ReturnType<typeof respond>>, name = 'Category') =>
    response.Facets[name]?.Items.map(({ Key, Count }) => `${Key} ${Count}`);

  test('case 16: the map form narrows results, not counts', async () => {
    const narrowed = await respond({ query: 'solar', facets: { Category: ['News'] } });
    const open = await respond({ query: 'solar', facets: { Category: null } });

    expect([narrowed.TotalDocument, open.TotalDocument]).toEqual([1, 3]);
    for (const response of [narrowed, open]) expect(items(response)).toEqual(['Guides 1', 'Manuals 1', 'News 1']);
  });

  test('case 17: counts do not depend on the page', async () => {
    const whole = await respond(all({ facets: ['Category'] }));
    const second = await respond(all({ facets: ['Category'], page: 2, perPage: 1 }));

    expect(whole.Facets).toEqual({
      Category: {
        FieldName: 'Category',
        Field: 'Category',
        MissingCount: 0,
        AllCount: 6,
        Items: [
          { Key: 'Guides', Count: 3, Facets: {} },
          { Key: 'News', Count: 2, Facets: {} },
          { Key: 'Manuals', Count: 1, Facets: {} },
          { Key: 'Products', Count: 1, Facets: {} },
        ],
      },
    });
    expect(second.Facets).toEqual(whole.Facets);
    expect(second.TypedDocuments).toHaveLength(1);
  });

  test('case 18: post-filters count in facets only when asked', async () => {
    const outside = await respond(all({ postFilters: { Category: ['News'] } }));
    const inside = await respond(all({ postFilters: { Category: ['News'] }, enableFacetFiltering: true }));

    expect([outside.TotalDocument, inside.TotalDocument]).toEqual([2, 2]);
    expect(items(outside)?.[0]).toBe('Guides 3');
    expect(items(inside)).toEqual(['News 2']);
  });

  test('the array form returns exactly its facets, the map form adds to the configured ones', async () => {
    const names = async (facets: unknown) => Object.keys((await respond(all({ facets }))).Facets);

    expect(await names(['Nope', 'Price_number'])).toEqual(['Nope', 'Price_number']);
    expect(await names({ Nope: [], Other: {} })).toEqual(['Category', 'Nope', 'Other']);
    expect(await names([])).toEqual(['Category']);
    expect(await names(undefined)).toEqual(['Category']);
  });

  test('a configured facet decides how its values combine, and may have a name of its own', async () => {
    const facet = { ...ENGINE_DEFAULTS.facets[0]!, name: 'Topic', field: 'Category' };
    const total = async (name: string, operator: 'Or' | 'And') => {
      const body = all({ facets: { [name]: ['Products', 'Guides'] } });
      return (await respond(body, { settings: { facets: [{ ...facet, operator }] } })).TotalDocument;
    };

    expect([await total('Category', 'Or'), await total('Category', 'And')]).toEqual([3, 1]);
    expect(await total('Topic', 'And')).toBe(1);
    const { Facets } = await respond(all({ facets: { Category: [] } }), { settings: { facets: [facet] } });
    expect(Facets).toMatchObject({ Topic: { FieldName: 'Topic', Field: 'Category', AllCount: 6 } });
    expect(Object.keys(Facets)).toEqual(['Topic']);
  });

  test('range facets partition numbers and dates, labels as sent', async () => {
    const { RangeFacets } = await respond(
      all({
        RANGEFACETS: {
          Price: PRICE,
          'Any date': {
            FieldName: 'Published_date',
            Ranges: [{ to: '2026' }, { from: 2026, to: '2026-02' }, { from: '2026-02' }],
          },
          Nothing: { fieldName: 'Nope', ranges: [{}] },
        },
      }),
    );

    expect(RangeFacets).toEqual({ Price: [2, 4], 'Any date': [2, 2, 2], Nothing: [0] });
  });

  test('nested facets are filled when asked', async () => {
    const nested = {
      ...ENGINE_DEFAULTS.facets[0]!,
      facets: [{ ...ENGINE_DEFAULTS.facets[0]!, name: 'Kind', field: '_type' }],
    };
    const settings = { facets: [nested] };

    const plain = await respond(all({}), { settings });
    const deep = await respond(all({ applyMultiLevelFacets: 'TRUE' }), { settings });

    expect(plain.Facets['Category']?.Items[0]?.Facets).toEqual({});
    expect(deep.Facets['Category']?.Items[0]?.Facets['Kind']?.Items).toEqual([
      { Key: 'PageContent', Count: 3, Facets: {} },
    ]);
  });
});

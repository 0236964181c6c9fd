import { describe, expect, test } from 'vitest';
import { bind } from '../../../src/api/binding.ts';
import { type ApiVersion, SEARCH_REQUEST } from '../../../src/api/search/schemas.ts';
import { all, found, NAMES, refusal, respond, sorted } from '../../helpers/search-respond.ts';

describe('contract 2.1 and 1.9: query and pages', () => {
  test.each([
    ['27: 300 characters', { query: 'x'.repeat(300) }],
    ['27: 300 emoji', { query: '\u{1F600}'.repeat(300) }],
    ['28: the last page of the window', all({ page: 10, perPage: 1000 })],
    ['12: unknown members', { query: 'solar', pageSize: 1, skip: 2, brandNew: { a: [1] } }],
    ['35: search contexts', { query: 'solar', searchContext: 'sayt' }],
    ['-: null is absent', all({ page: null, filters: null, sort: null, facets: null, operator: null })],
    [
      '-: wrong empty containers',
      all({ filters: [], notFilters: [], postFilters: [], sort: [], rangeFacets: [], facets: [], valueBoost: [] }),
    ],
    [
      '-: members without effect yet',
      all({
        topHitsFields: [{ field: 'A' }],
        traits: { a: ['b', 'c'], d: 'e' },
        enableHybridSearch: true,
        enableRelatedSearches: 'true',
        template: 'x',
        isInternalSearch: true,
      }),
    ],
  ])('case %s are accepted', async (_case, body) => {
    await expect(respond(body)).resolves.toBeDefined();
  });

  test.each([
    ['27', { query: 'x'.repeat(301) }, 'query'],
    ['28', all({ page: 10_001, perPage: 1 }), 'page'],
    ['28', all({ page: 0, perPage: 10 }), 'page'],
    ['28', all({ page: 1, perPage: 0 }), 'perPage'],
    ['31', {}, 'query'],
    ['31', { query: 5 }, 'query'],
    ['31', { query: null }, 'query'],
    ['-', all({ page: -1 }), 'page'],
  ])('case %s: %j is refused', async (_case, body, path) => {
    expect((await refusal(body)).paths).toEqual([path]);
  });

  test('case 28: the cap is named, and page 0 is 1 on v3', async () => {
    expect((await refusal(all({ page: 10_001, perPage: 1 }))).message).toContain('10,000');
    expect(await found(all({ page: 0 }), { version: 'v3' })).toHaveLength(6);
    expect((await refusal(all({ page: -1 }), { version: 'v3' })).paths).toEqual(['page']);
  });

  test.each([['*'], [''], ['  ']])('case 31: %j is everything', async (query) => {
    expect(await found({ query })).toHaveLength(6);
  });

  test('the form of the response is read by version', () => {
    const form = (version: ApiVersion, responseType: unknown) =>
      bind(SEARCH_REQUEST[version], all({ responseType })).responseType;

    expect(['JSONHTML', 'json', 'notSpecified', null].map((sent) => form('v4', sent))).toEqual([
      'JsonHtml',
      'JsonObject',
      'JsonObject',
      'JsonObject',
    ]);
    expect(['JsonHtml', 'xml'].map((sent) => form('v3', sent))).toEqual(['JsonHtml', 'JsonObject']);
  });

  test.each([
    ['40', 'title:"solar" AND (((', ['d1', 'd3', 'd5']],
    ['40', 'solar -park', ['d1', 'd5']],
    ['40', 'Title:solar', ['d1', 'd3']],
    ['-', 'Url:files', ['d5']],
    ['-', '"solar park"', ['d3']],
    ['-', '"sunlight power"~1', ['d1']],
    ['-', 'panel', ['d1']],
    ['-', 'the', ['d3', 'd5']],
    ['-', 'guide -solar', ['d2', 'd6']],
  ])('case %s: %s', async (_case, query, ids) => {
    expect(await sorted({ query })).toEqual(ids);
  });

  test('the operator decides whether all words must match', async () => {
    expect(await sorted({ query: 'solar guide' })).toEqual(['d1', 'd2', 'd3', 'd5', 'd6']);
    expect(await sorted({ query: 'solar guide', operator: 'and' })).toEqual(['d1']);
    expect(await found({ query: 'solar guide' }, { settings: { operator: 'AND' } })).toEqual(['d1']);
  });
});

describe('contract 2.5: order', () => {
  test.each([
    ['29', { sort: { Price_number: 'Descending' } }, ['d6', 'd5', 'd4', 'd3', 'd2', 'd1']],
    ['29', { sort: { Price_number: 'DESC' } }, ['d6', 'd5', 'd4', 'd3', 'd2', 'd1']],
    ['29', { sort: { Price_number: 'asc' } }, ['d1', 'd2', 'd3', 'd4', 'd5', 'd6']],
    ['-', { sort: { Price_number: 1 } }, ['d6', 'd5', 'd4', 'd3', 'd2', 'd1']],
    ['-', { sort: { _rank: 'asc', Price_number: '1' } }, ['d6', 'd5', 'd4', 'd3', 'd2', 'd1']],
    ['36', { valueBoost: { Category: ['Manuals'] } }, ['d5', 'd3', 'd4', 'd1', 'd2', 'd6']],
  ])('case %s: %j', async (_case, body, ids) => {
    expect(await found(all(body))).toEqual(ids);
  });

  test('case 30: several sort keys with filters', async () => {
    const body = all({
      sort: { Category: 'desc', Price_number: 'asc' },
      filters: { date: ['Published_date', '2026-01-01', ''], Category: ['News', 'Guides'] },
      notFilters: { Title: ['Wind turbines guide'], Category: ['Products'] },
    });

    const { TypedDocuments } = await respond(body);

    expect(TypedDocuments.map(({ Id }) => NAMES.get(Id))).toEqual(['d3', 'd1']);
    expect(TypedDocuments.map(({ Sortings }) => Sortings)).toEqual([
      ['News', 30],
      ['Guides', 10],
    ]);
  });

  test('boosts of the array form multiply', async () => {
    const Boosts = [
      { Boost: '3', Values: ['News'] },
      { Boost: 1.5, Values: ['News', 'Manuals'] },
    ];
    const { TypedDocuments } = await respond(all({ valueBoost: [{ FieldName: 'Category', boosts: Boosts }] }));

    expect(TypedDocuments.slice(0, 3).map(({ Id, Score }) => [NAMES.get(Id), Score])).toEqual([
      ['d3', 4.5],
      ['d4', 4.5],
      ['d5', 1.5],
    ]);
  });
});

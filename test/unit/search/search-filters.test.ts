import { describe, expect, test } from 'vitest';
import { all, refusal, respond, sorted } from '../../helpers/search-respond.ts';

describe('contract 2.3: filters', () => {
  test.each([
    ['19', { filters: { Category: ['News', 'Manuals'] } }, ['d3', 'd4', 'd5']],
    ['19', { filters: { Category: ['News', 'Manuals'], range: ['Price_number', '40', ''] } }, ['d4', 'd5']],
    ['19', { filters: { Category: ['news'] } }, []],
    ['20', { filters: { range: ['Price_number', '20', '40'] } }, ['d2', 'd3', 'd4']],
    ['20', { filters: { range: ['Price_number', 20, 40] } }, ['d2', 'd3', 'd4']],
    ['20', { filters: { range: ['Price_number', '', ''] } }, ['d1', 'd2', 'd3', 'd4', 'd5', 'd6']],
    ['20', { filters: { range: ['Price_number', '20', '', 'Price_number', '', '30'] } }, ['d2', 'd3']],
    ['21', { filters: { date: ['Published_date', '2026-01-10', '2026-01-10'] } }, ['d1']],
    ['21', { filters: { date: ['Published_date', '', '2025-12-31'] } }, ['d4', 'd5']],
    ['21', { filters: { date: ['Published_date', '2026', '2026'] } }, ['d1', 'd2', 'd3', 'd6']],
    ['22', { notFilters: { Category: ['Guides'] } }, ['d3', 'd4', 'd5']],
    ['22', { notFilters: { Category: ['Guides'], range: ['Price_number', '50', ''] } }, ['d3', 'd4']],
    ['23', { postFilters: { Category: ['Manuals'], range: ['Price_number', '', '10'] } }, []],
    [
      '23',
      { postFilters: { Category: ['Manuals'], range: ['Price_number', '', '10'] }, postFilterOperator: 'or' },
      ['d1', 'd5'],
    ],
    ['-', { postFilters: { Category: ['Products', 'Guides'] }, postFiltersItemOperator: 'AND' }, ['d6']],
    ['-', { filters: { Id: ['item-6'], _type: ['PageContent'] } }, ['d6']],
    ['-', { filters: { geo_distance: ['Place_geo_point', 55.7, '12.6', 5, 'kilometers'] } }, ['d1']],
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
      ['d3', 'd4', 'd6'],
    ],
    ['-', { advancedPostFilter: { field: 'Category', values: ['News'] }, facets: { Price_number: ['30'] } }, ['d3']],
  ])('case %s: %j', async (_case, body, ids) => {
    expect(await sorted(all(body))).toEqual(ids);
  });

  test.each([
    ['23', { postFiltersOperator: 'XOR' }, 'postFiltersOperator'],
    [
      '24',
      { postFilters: { Category: ['News'] }, advancedPostFilter: { field: 'Category', values: ['News'] } },
      'advancedPostFilter',
    ],
    [
      '25',
      { advancedPostFilter: { filters: [{ field: 'A', values: ['x'], comparisonOperator: 'Like' }] } },
      'advancedPostFilter.filters[0].comparisonOperator',
    ],
    ['26', { filters: { range: ['Price_number', '1'] } }, 'filters.range'],
    ['26', { filters: { range: ['Price_number', '1,5', ''] } }, 'filters.range[1]'],
    ['26', { filters: { date: ['Published_date', '31/01/2026', ''] } }, 'filters.date[1]'],
    ['26', { filters: { date: ['Published_date', '2026-02-31', ''] } }, 'filters.date[1]'],
    ['26', { filters: { geo_distance: ['Place_geo_point', '95', '12', '1', 'Meters'] } }, 'filters.geo_distance[1]'],
    ['26', { filters: { Category: 'News' } }, 'filters.Category'],
    ['26', { filters: 'x' }, 'filters'],
    ['-', { facets: { Category: 'News' } }, 'facets.Category'],
    ['-', { facets: ['A', 5] }, 'facets[1]'],
    ['-', { rangeFacets: { A: { ranges: [{}] } } }, 'rangeFacets.A.fieldName'],
    ['-', { rangeFacets: { A: { fieldName: 'x', ranges: [] } } }, 'rangeFacets.A.ranges'],
    ['-', { rangeFacets: { A: { fieldName: 'x', ranges: [{ from: 'y' }] } } }, 'rangeFacets.A.ranges[0].from'],
    ['-', { valueBoost: { A: 'x' } }, 'valueBoost.A'],
    ['-', { valueBoost: [{ fieldName: 'A', Boosts: [{ Boost: 0, Values: ['x'] }] }] }, 'valueBoost[0].boosts[0].boost'],
    [
      '-',
      { valueBoost: Array(11).fill({ fieldName: 'A', Boosts: Array(100).fill({ Boost: 2, Values: ['x'] }) }) },
      'valueBoost',
    ],
    ['-', { topHitsFields: [{ field: 'A', size: 21 }] }, 'topHitsFields[0].size'],
    ['-', { traits: { group: 5 } }, 'traits.group[0]'],
    ['-', { fields: ['Title', null] }, 'fields[1]'],
    ['29', { sort: { Price_number: 'up' } }, 'sort.Price_number'],
    ['35', { searchContext: 'other' }, 'searchContext'],
    ['-', { responseType: 'xml' }, 'responseType'],
    ['-', { highlight: 'yes' }, 'highlight'],
    ['-', { perPage: 1.5 }, 'perPage'],
  ])('case %s: %j is refused at its path', async (_case, body, path) => {
    expect(await refusal(all(body))).toMatchObject({ code: 'request.invalid', paths: [path] });
  });

  test('all faults are listed together', async () => {
    const { paths } = await refusal({ filters: { A: 'x', range: ['P', 'y', 'z'] }, sort: { A: 'up' }, page: 'one' });

    expect(paths.toSorted()).toEqual(['filters.A', 'filters.range[1]', 'filters.range[2]', 'page', 'query', 'sort.A']);
  });
});

describe('contract 1.10: strict fields', () => {
  const settings = { fieldMode: 'strict', enabledFields: ['Price_number'] } as const;

  test.each([
    [{ filters: { Author: ['x'] } }, 'filters.Author'],
    [{ notFilters: { range: ['Size', 1, 2] } }, 'notFilters.Size'],
    [{ postFilters: { Author: ['x'] } }, 'postFilters.Author'],
    [{ advancedPostFilter: { field: 'Author', values: ['x'] } }, 'advancedPostFilter.Author'],
    [{ facets: ['Author'] }, 'facets.Author'],
    [{ facets: { Author: null } }, 'facets.Author'],
    [{ rangeFacets: { A: { fieldName: 'Author', ranges: [{}] } } }, 'rangeFacets.Author'],
    [{ valueBoost: { Author: ['x'] } }, 'valueBoost.Author'],
    [{ sort: { Author: 'asc' } }, 'sort.Author'],
  ])('%j names a field that is not enabled', async (body, path) => {
    const { paths, message } = await refusal(all(body), { settings });

    expect(paths).toEqual([path]);
    expect(message).toMatch(/"(Author|Size)"/);
    await expect(respond(all(body))).resolves.toBeDefined();
  });

  test('enabled, configured and system fields are usable', async () => {
    const body = {
      filters: { Price_number: ['10'], Id: ['x'], _type: ['y'] },
      facets: { Category: ['z'] },
      sort: { _score: 'asc' },
    };

    await expect(respond(all(body), { settings })).resolves.toBeDefined();
  });
});

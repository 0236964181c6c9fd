import { expect, test } from 'vitest';
import {
  anyEntry,
  everyEntry,
  noEntry,
  parseAdvancedFilter,
  parseFilters,
  type ValueOperator,
} from '../../../src/search/query/filter-grammar.ts';

function read(sent: unknown, operator?: ValueOperator) {
  const faults: string[] = [];
  const entries = parseFilters(sent, (path, rule) => faults.push(`${path.join('.')}: ${rule}`), operator);
  return { entries, faults };
}

function faultPaths(sent: unknown): readonly string[] {
  return read(sent).faults.map((fault) => fault.slice(0, fault.indexOf(':')));
}

const infinity = Number.POSITIVE_INFINITY;

test.each([
  ['values as their text', { A: ['x', 20, true] }, [{ kind: 'value', field: 'A', values: ['x', '20', 'true'] }]],
  ['values are not trimmed', { A: [' x '] }, [{ kind: 'value', field: 'A', values: [' x '] }]],
  [
    'ordinary names',
    { __proto__x: ['a'], constructor: ['b'] },
    [
      { kind: 'value', field: '__proto__x', values: ['a'] },
      { kind: 'value', field: 'constructor', values: ['b'] },
    ],
  ],
  ['reserved names are lower case', { Range: ['a'] }, [{ kind: 'value', field: 'Range', values: ['a'] }]],
  ['no restriction', { A: [], B: null, range: [], date: null }, []],
  ['numbers and texts', { range: ['P', '20', 40] }, [{ kind: 'number', field: 'P', min: 20, max: 40 }]],
  ['exponents', { range: ['P', '-1.5e2', '+3'] }, [{ kind: 'number', field: 'P', min: -150, max: 3 }]],
  ['open ends', { range: ['P', '', 40] }, [{ kind: 'number', field: 'P', min: -infinity, max: 40 }]],
  ['null is open', { range: ['P', 20, null] }, [{ kind: 'number', field: 'P', min: 20, max: infinity }]],
  ['both ends open', { range: ['P', '', null] }, []],
  [
    'two groups',
    { range: ['P', '20', '', 'P', '', '30'] },
    [
      { kind: 'number', field: 'P', min: 20, max: infinity },
      { kind: 'number', field: 'P', min: -infinity, max: 30 },
    ],
  ],
  [
    'a day is whole',
    { date: ['D', '2026-01-10', '2026-01-10'] },
    [{ kind: 'date', field: 'D', from: Date.UTC(2026, 0, 10), to: Date.UTC(2026, 0, 11) - 1 }],
  ],
  [
    'a year as a number',
    { date: ['D', 2026, '2026'] },
    [{ kind: 'date', field: 'D', from: Date.UTC(2026), to: Date.UTC(2027) - 1 }],
  ],
  [
    'an instant in a zone',
    { date: ['D', '2026-01-01T00:30:00+01:00', ''] },
    [{ kind: 'date', field: 'D', from: Date.UTC(2025, 11, 31, 23, 30), to: infinity }],
  ],
  ['both dates open', { date: ['D', '', ''] }, []],
  [
    'places in any case of the unit',
    { geo_distance: ['G', '55.5', -12, '2', 'KILOMETERS'] },
    [{ kind: 'geo', field: 'G', latitude: 55.5, longitude: -12, metres: 2000 }],
  ],
])('%s', (_name, sent, nodes) => {
  expect(read(sent)).toEqual({ entries: nodes.map((node) => ({ field: node.field, node })), faults: [] });
});

test.each([[undefined], [null], [[]], [{}]])('%j restricts nothing', (sent) => {
  expect(read(sent)).toEqual({ entries: [], faults: [] });
});

test.each<[string, unknown, readonly string[]]>([
  ['not an object', 'x', ['']],
  ['a filled array', ['x'], ['']],
  ['a number', 5, ['']],
  ['a value outside an array', { Category: 'News' }, ['Category']],
  ['a null element', { Category: ['News', null] }, ['Category.1']],
  ['an object and an array', { Category: [{}, []] }, ['Category.0', 'Category.1']],
  ['half a group', { range: ['P', '1'] }, ['range']],
  ['a decimal comma', { range: ['P', '1,5', ''] }, ['range.1']],
  ['no number', { range: ['P', 'abc', 'NaN', 'Q', 'Infinity', true] }, ['range.1', 'range.2', 'range.4', 'range.5']],
  ['no field name', { range: ['', 1, 2], date: [5, '', '2026'] }, ['range.0', 'date.0']],
  ['a date in another order', { date: ['D', '31/01/2026', ''] }, ['date.1']],
  ['an impossible day', { date: ['D', '2026-02-31', ''] }, ['date.1']],
  ['a latitude', { geo_distance: ['G', '95', '12', '1', 'Meters'] }, ['geo_distance.1']],
  [
    'every place member',
    { geo_distance: [null, 'x', 181, -1, 'Steps'] },
    [0, 1, 2, 3, 4].map((at) => `geo_distance.${at}`),
  ],
  ['four members of a place', { geo_distance: ['G', 1, 2, 3] }, ['geo_distance']],
  ['too many values', { A: Array.from({ length: 1001 }, String) }, ['A']],
  ['too many fields', Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`f${i}`, ['x']])), ['']],
])('fault: %s', (_name, sent, paths) => {
  expect(faultPaths(sent)).toEqual(paths);
});

test('a faulty entry hides no other fault', () => {
  expect(faultPaths({ A: 'x', range: ['P', 'y', ''], B: ['ok'] })).toEqual(['A', 'range.1']);
});

test('values of a field can be required together', () => {
  expect(read({ A: ['x', 'y'] }, 'AND').entries[0]?.node).toEqual({
    kind: 'and',
    of: [
      { kind: 'value', field: 'A', values: ['x'] },
      { kind: 'value', field: 'A', values: ['y'] },
    ],
  });
});

test('entries combine by all, any and none', () => {
  const { entries } = read({ A: ['x'], B: ['y'] });
  const nodes = entries.map(({ node }) => node);

  expect(everyEntry(entries)).toEqual({ kind: 'and', of: nodes });
  expect(anyEntry(entries)).toEqual({ kind: 'or', of: nodes });
  expect(noEntry(entries)).toEqual({ kind: 'not', of: { kind: 'or', of: nodes } });
  for (const combine of [everyEntry, anyEntry, noEntry]) expect(combine([])).toEqual({ kind: 'all' });
});

function readAdvanced(sent: unknown) {
  const faults: string[] = [];
  const { node, fields } = parseAdvancedFilter(sent, (path, rule) => faults.push(`${path.join('.')}: ${rule}`));
  return { node, fields, faults };
}

test('an advanced filter nests groups of comparisons, names in any case', () => {
  const sent = {
    Operator: 'or',
    filters: [
      { field: 'Category', values: ['News', 5] },
      { FIELD: 'Price', comparisonOperator: 'gte', values: ['60'] },
      { field: 'A', comparisonOperator: 'NotExists', values: null },
      { filters: [{ field: 'B', comparisonOperator: 'Prefix', operator: 'And', values: ['x', 'y'] }] },
      { field: 'C', comparisonOperator: 'Ne', operator: 'And', values: ['x', 'y'] },
    ],
  };

  expect(readAdvanced(sent)).toEqual({
    fields: ['Category', 'Price', 'A', 'B', 'C'],
    faults: [],
    node: {
      kind: 'or',
      of: [
        { kind: 'compare', field: 'Category', operator: 'eq', values: ['News', '5'] },
        { kind: 'compare', field: 'Price', operator: 'gte', values: ['60'] },
        { kind: 'not', of: { kind: 'exists', field: 'A' } },
        {
          kind: 'and',
          of: [
            {
              kind: 'and',
              of: [
                { kind: 'text', field: 'B', operator: 'prefix', values: ['x'] },
                { kind: 'text', field: 'B', operator: 'prefix', values: ['y'] },
              ],
            },
          ],
        },
        { kind: 'compare', field: 'C', operator: 'ne', values: ['x', 'y'] },
      ],
    },
  });
});

const leaf = { field: 'A', values: ['x'] };
const nested = (depth: number): unknown => (depth === 1 ? leaf : { filters: [nested(depth - 1)] });

test.each<[string, unknown, readonly string[]]>([
  ['no object', 'x', ['']],
  ['neither field nor filters', {}, ['']],
  ['both', { ...leaf, filters: [leaf] }, ['']],
  ['empty filters', { filters: [] }, ['filters']],
  [
    'an unknown comparison',
    { filters: [leaf, { ...leaf, comparisonOperator: 'Like' }] },
    ['filters.1.comparisonOperator'],
  ],
  ['an unknown operator', { ...leaf, operator: 'XOR' }, ['operator']],
  ['no values', { field: 'A' }, ['values']],
  ['an empty list of values', { field: 'A', values: [] }, ['values']],
  ['two values to be above', { field: 'A', comparisonOperator: 'Gt', values: [1, 2] }, ['values']],
  ['an object as value', { field: 'A', values: ['x', {}] }, ['values.1']],
  ['an empty field name', { field: '', values: ['x'] }, ['field']],
  ['six levels', nested(6), ['filters.0.filters.0.filters.0.filters.0.filters.0']],
  ['101 nodes', { filters: Array.from({ length: 100 }, () => leaf) }, ['']],
])('advanced fault: %s', (_name, sent, paths) => {
  expect(readAdvanced(sent).faults.map((fault) => fault.slice(0, fault.indexOf(':')))).toEqual(paths);
});

test('five levels and 100 nodes are accepted', () => {
  expect(readAdvanced(nested(5)).faults).toEqual([]);
  expect(readAdvanced({ filters: Array.from({ length: 99 }, () => leaf) }).faults).toEqual([]);
});

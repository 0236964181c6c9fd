import { expect, test } from 'vitest';
import { columnHeads, measuredColumns, placesOf } from '../../../scripts/evaluate/engine-places.ts';

const ELEVEN = Array.from({ length: 11 }, (_, at) => `page-${at}`);

test.each([
  ['the first right page', ['a', 'right', 'right'], 2],
  ['a page that is not found', ['a', 'b'], 11],
  ['nothing found', [], 11],
  ['a page behind the places that are looked at', [...ELEVEN, 'right'], 11],
])('the place of %s', (_name, ids, place) => {
  expect(placesOf({ engine: ids }, (id) => id === 'right')).toEqual({ engine: place });
});

test('each engine has its own place', () => {
  const places = placesOf({ one: ['right', 'other'], another: ['other', 'right'] }, (id) => id === 'right');
  expect(places).toEqual({ one: 1, another: 2 });
});

test('shares of first places and of the first five, and the mean reciprocal place', () => {
  const places = [1, 2, 10, 11].map((place) => ({ engine: place }));
  expect(measuredColumns(['engine'], places).trim()).toBe('0.250 0.500 0.400');
});

test('an engine that ranked nothing finds nothing', () => {
  expect(measuredColumns(['absent'], [{ engine: 1 }]).trim()).toBe('0.000 0.000 0.000');
});

test('heads and figures stand in the same columns', () => {
  const [engines, measures] = columnHeads(['one', 'another']);
  const figures = measuredColumns(['one', 'another'], [{ one: 1, another: 2 }]);
  const at = engines.indexOf('another');
  expect([measures.indexOf('s@1', 1), figures.indexOf('0.000')]).toEqual([at, at]);
});

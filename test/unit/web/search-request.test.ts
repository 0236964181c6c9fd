import { expect, test } from 'vitest';
import { searchRequest, shortQuery } from '../../../web/search/search-request.ts';
import { parseState } from '../../../web/search/search-state.ts';

const NOW = Date.parse('2026-11-24T12:00:00Z');
const request = (address: string, options = {}) =>
  searchRequest(parseState(address), { isRested: false, now: NOW, isPlain: false, ...options });

test('what was chosen narrows, beside what is only counted', () => {
  const { facets, sort } = request('?q=a&f.Category=News&r.Date=month..&r.Price_number=2..9.5&sort=oldest');

  expect(facets).toEqual({
    Language: [],
    _type: [],
    Category: ['News'],
    date: ['Date', '2026-10-25', ''],
    range: ['Price_number', '2', '9.5'],
  });
  expect(sort).toEqual({ Date: 'asc' });
});

test.each(['r.Date=yesterday..', 'r.Date=..01/02/2026', 'r.Price_number=cheap..', 'r.Price_number=1..week'])(
  'a range that cannot be asked for narrows nothing: %s',
  (range) => {
    expect(request(`?q=a&${range}`).facets).toEqual({ Language: [], _type: [] });
  },
);

test('an engine that refuses fields is asked for those that were chosen', () => {
  const plain = request('?q=a&f.Category=News', { isPlain: true });

  expect(plain.facets).toEqual({ Category: ['News'] });
  expect(plain).not.toHaveProperty('rangeFacets');
});

test.each([
  ['alpine tr', 'alpine tr*'],
  ['alpine t', 'alpine t'],
  ['"alpine', '"alpine'],
])('the last word of «%s», left standing, is searched as «%s»', (text, query) => {
  expect(request(`?q=${encodeURIComponent(text)}`, { isRested: true }).query).toBe(query);
});

test('as much of a long text is searched as can be, in whole words and whole characters', () => {
  const words = Array.from({ length: 60 }, () => '𝒜lpine').join(' ');

  expect([...shortQuery(words)].length).toBe(293);
  expect(shortQuery(words)).toMatch(/ 𝒜lpine$/);
  expect([...shortQuery('x'.repeat(400))].length).toBe(300);
  expect(request(`?q=${'x'.repeat(400)}`, { isRested: true }).query).toBe('x'.repeat(300));
  expect(shortQuery('short enough')).toBe('short enough');
});

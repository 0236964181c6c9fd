import { expect, test } from 'vitest';
import { pageWindow } from '../../../web/parts/page-window.ts';
import {
  askAnew,
  chooseRange,
  countSelected,
  parseState,
  printState,
  type SearchState,
  toggleValue,
} from '../../../web/search/search-state.ts';

const EMPTY: SearchState = { query: '', page: 1, order: 'relevance', selected: {}, ranges: {}, isAsked: false };
const state: SearchState = {
  query: 'garten & haus',
  page: 3,
  order: 'newest',
  selected: { Category: ['News', 'Shop'], Language: ['de'] },
  ranges: { Date: { from: 'month', to: '' }, Price_number: { from: '1.5', to: '20' } },
  isAsked: true,
};

test('what stands in the address is what was asked', () => {
  expect(parseState(printState(state))).toEqual(state);
  expect(printState(EMPTY)).toBe('?');
  expect(parseState('?')).toEqual(EMPTY);
});

test.each(['0', '-1', '1.5', 'x', ''])('page %s in the address is the first page', (page) => {
  expect(parseState(`?q=a&page=${page}`).page).toBe(1);
});

test.each(['?q=a&sort=cheapest', '?q=a&r.Date=2026', '?q=a&r.Date=..', '?q=a&f.Category='])(
  '%s narrows and sorts nothing',
  (address) => {
    expect(parseState(address)).toEqual({ ...EMPTY, query: 'a' });
  },
);

test('a toggled value starts again at the first page, toggled twice it leaves nothing behind', () => {
  const once = toggleValue({ ...EMPTY, query: 'a', page: 4 }, 'Category', 'News');

  expect(once).toEqual({ ...EMPTY, query: 'a', selected: { Category: ['News'] } });
  expect(toggleValue(once, 'Category', 'News')).toEqual({ ...EMPTY, query: 'a' });
});

test('a range starts again at the first page, and open at both ends it narrows nothing', () => {
  const narrowed = chooseRange({ ...EMPTY, page: 4 }, 'Date', { from: '2026-01-01', to: '' });

  expect(narrowed).toEqual({ ...EMPTY, ranges: { Date: { from: '2026-01-01', to: '' } } });
  expect(chooseRange(narrowed, 'Date', { from: '', to: '' })).toEqual(EMPTY);
});

test('values and ranges are counted, and another query has none of them', () => {
  expect(countSelected(state)).toBe(5);
  expect(askAnew(state, 'haus')).toEqual({ ...EMPTY, query: 'haus' });
});

test.each([
  [1, 2, [1, 2]],
  [1, 9, [1, 2, 3, 4, 5]],
  [5, 9, [3, 4, 5, 6, 7]],
  [9, 9, [5, 6, 7, 8, 9]],
  [20, 9, [5, 6, 7, 8, 9]],
])('page %i of %i offers the pages %j', (page, pageCount, expected) => {
  expect(pageWindow(page, pageCount)).toEqual(expected);
});

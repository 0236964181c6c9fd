import { expect, test } from 'vitest';
import { pageWindow } from '../../../web/parts/page-window.ts';
import { countSelected, parseState, printState, toggleValue } from '../../../web/search/search-state.ts';

const state = { query: 'garten & haus', page: 3, selected: { Category: ['News', 'Shop'], Language: ['de'] } };

test('what stands in the address is what was asked', () => {
  expect(parseState(printState(state))).toEqual(state);
  expect(printState({ query: '', page: 1, selected: {} })).toBe('?');
});

test.each(['0', '-1', '1.5', 'x', ''])('page %s in the address is the first page', (page) => {
  expect(parseState(`?q=a&page=${page}`).page).toBe(1);
});

test('a toggled value starts again at the first page, toggled twice it leaves nothing behind', () => {
  const once = toggleValue({ query: 'a', page: 4, selected: {} }, 'Category', 'News');

  expect(once).toEqual({ query: 'a', page: 1, selected: { Category: ['News'] } });
  expect(toggleValue(once, 'Category', 'News')).toEqual({ query: 'a', page: 1, selected: {} });
  expect(countSelected(state)).toBe(3);
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

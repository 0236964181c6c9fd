import { expect, test } from 'vitest';
import type { Catalogue } from '../../../web/messages/catalogues.ts';
import { en } from '../../../web/messages/en.ts';
import { createLanguage } from '../../../web/messages/language.ts';

const polish: Catalogue = {
  ...en,
  'results.count': { one: '{count} wynik', few: '{count} wyniki', many: '{count} wyników', other: '{count} wyniku' },
};

test.each([
  ['pl', 1, '1 wynik'],
  ['pl', 3, '3 wyniki'],
  ['pl', 5, '5 wyników'],
  ['pl', 12_345, '12\u00a0345 wyników'],
])('%s writes %d results as «%s»', (code, count, expected) => {
  expect(createLanguage(code, polish).text('results.count', { count })).toBe(expected);
});

test('numbers are written in the digits of the language', () => {
  expect(createLanguage('hi-u-nu-deva', en).text('results.count', { count: 1234 })).toBe('१,२३४ results');
});

test('a text that has no value for a name keeps the name', () => {
  expect(createLanguage('en', en).text('pages.page')).toBe('Page {page}');
});

test('elements stand where their names stood', () => {
  expect(createLanguage('en', en).nodes('typed.orEnter', { search: 7 })).toEqual([7, ' or press Enter.']);
});

test('from right to left each value keeps its own direction', () => {
  const { text, nodes } = createLanguage('fa', en);
  expect([
    text('typed.search', { query: 'C++' }),
    text('results.count', { count: 1234 }),
    nodes('typed.orEnter', { search: 7 }),
  ]).toEqual(['Search for “\u2068C++\u2069”', '\u2068۱٬۲۳۴\u2069 results', ['\u2068', 7, '\u2069 or press Enter.']]);
});

test('what is no code of a language is shown as it is', () => {
  const { languageName } = createLanguage('de', en);
  expect([languageName('fr'), languageName('Deutsch (alt)'), languageName('xx')]).toEqual([
    'Französisch',
    'Deutsch (alt)',
    'xx',
  ]);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { termMatcher } from '../../../src/search-tools/tool-snapshot.ts';

test.each([
  // term, query, matches
  ['contact', 'contact', true],
  ['contact', 'Contact', true],
  ['Contact', 'cONTACT', true],
  ['contact', '  contact ', true],
  ['opening hours', 'opening \t  hours', true],
  ['opening  hours', 'opening hours', true],
  ['contact', 'contacts', false],
  ['contact', 'contact us', false],
  ['contact', 'a contact', false],
  ['ÆBLE', 'æble', true],
  ['cafe\u0301', 'café', true],
  ['cafe', 'café', false],
  ['*', '', true],
  ['*', 'anything at all', true],
  ['contact*', 'contact', true],
  ['contact*', 'Contact us', true],
  ['*contact', 'please contact', true],
  ['*solar*', 'the solar panel', true],
  ['*solar*', 'the polar panel', false],
  ['so*ar', 'solar', true],
  ['a*b*c', 'a1b2b3c', true],
  ['a*b*c', 'a1b2b3', false],
  ['s?lar', 'solar', true],
  ['s?lar', 'slar', false],
  ['s?lar', 'soolar', false],
  ['?', '😀', true],
  ['a.c', 'abc', false],
  ['(a|b)', 'a', false],
  ['c++', 'c++', true],
])('the term %j is called up by %j: %s', (term, query, expected) => {
  expect(termMatcher(query)(term)).toBe(expected);
});

test('a pattern of many stars is decided at once', () => {
  const term = `${'*a'.repeat(150)}b`;
  expect(termMatcher('a'.repeat(300))(term)).toBe(false);
});

test('a pattern matches what a regular expression of the same meaning does', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 8 });
  const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), maxLength: 6 });
  fc.assert(
    fc.property(pattern, letters, (term, query) => {
      const expression = new RegExp(`^${term.replaceAll('*', '.*').replaceAll('?', '.')}$`);
      expect(termMatcher(query)(term)).toBe(expression.test(query));
    }),
  );
});

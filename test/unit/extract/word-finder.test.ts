import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findWords, wordFinder } from '../../../src/extract/html/class-words.ts';

const GROUPS = [['nav', '<menu', 'he'], ['<ad>', 'she', 'hers'], ['tab>', 'tabs', 'side-bar'], ['his']];
const FINDER = wordFinder(GROUPS);

test.each([
  ['ushers', [0, 1]],
  ['menu-item', [0]],
  ['mainmenu', []],
  ['ad', [1]],
  ['header_ad', [0]],
  ['ad-slot load', [1]],
  ['tabular', []],
  ['tab-left', [2]],
  ['näher-tab', [0, 2]],
  ['side-ba side-bar', [2]],
  ['', []],
])('in %j the words of the groups %j are found', (text, expected) => {
  expect([...findWords(FINDER, text)].sort()).toEqual(expected);
});

test('words are found as expressions with borders find them', () => {
  const patterns = GROUPS.map((words) => new RegExp(words.map(expressionOf).join('|')));
  const letters = fc.constantFrom(...'hersinavtbdmu-_ 1é');
  fc.assert(
    fc.property(fc.array(fc.oneof(letters, fc.constantFrom('tab', 'ad', 'menu')), { maxLength: 30 }), (parts) => {
      const text = parts.join('');
      const expected = patterns.flatMap((pattern, group) => (pattern.test(text) ? [group] : []));
      expect([...findWords(FINDER, text)].sort()).toEqual(expected);
    }),
    { numRuns: 2_000 },
  );
});

function expressionOf(word: string): string {
  return word.replace(/^</, '\\b').replace(/>$/, '\\b');
}

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareCodePoints } from '../../../../src/core/compare-text.ts';
import { sortWords } from '../../../../src/search-index/embedded/segment/name-groups.ts';
import { WordTable } from '../../../../src/search-index/embedded/segment/word-table.ts';
import { hashWord } from '../../../../src/text/tokenizer.ts';

function internIn(table: WordTable, word: string, tag = 0): number {
  const units = Uint16Array.from({ length: word.length }, (_, i) => word.charCodeAt(i));
  return table.intern(units, units.length, hashWord(units, units.length), tag);
}

test('a word has one number per tag, whatever else is in the table', () => {
  const table = new WordTable();
  const keys = Array.from({ length: 30_000 }, (_, i) => ({ word: `w${i % 10_000}`, tag: i % 3 }));

  expect(keys.map(({ word, tag }) => internIn(table, word, tag))).toEqual(keys.map((_, i) => i));
  expect(keys.map(({ word, tag }) => internIn(table, word, tag))).toEqual(keys.map((_, i) => i));
  expect(keys.map((_, i) => table.text(i))).toEqual(keys.map(({ word }) => word));
});

test('words are sorted by code point, those with a long beginning in common too', () => {
  const unit = fc.constantFrom('a', 'b', '9', 'ä', 'ÿ', 'Ā', '\uffff', '\u{1f600}', 'abcde', '\ud801');
  const word = fc.string({ unit, minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(fc.uniqueArray(word, { maxLength: 300, size: 'max' }), (words) => {
      const table = new WordTable();
      for (const text of words) internIn(table, text);

      expect([...sortWords(table)].map((number) => words[number])).toEqual(words.toSorted(compareCodePoints));
    }),
    { numRuns: 300 },
  );
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { similarityHashOf } from '../../../src/extract/fingerprints.ts';
import { foldText } from '../../../src/extract/html/page-tree.ts';
import { countWords, scanWords } from '../../../src/extract/word-characters.ts';

const text = () =>
  fc
    .array(
      fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.constantFrom(
          'parcel',
          'Ærø 12',
          '𝒜b',
          '\ud835',
          'नमस्ते',
          '中文',
          ' ',
          '\u00ad',
          '  ',
          '\u00a0',
          '\u3000',
          '\n',
          '\u0001',
          '\u0085',
        ),
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join(''));

test('words are the runs of letters and digits', () => {
  fc.assert(
    fc.property(text(), (sample) => {
      const found: string[] = [];
      scanWords(sample, (start, end) => found.push(sample.slice(start, end)));

      const expected = sample.match(/[\p{L}\p{N}]+/gu) ?? [];
      expect(found).toEqual([...expected]);
      expect(countWords(sample)).toBe(expected.length);
    }),
  );
});

test('a folded text has single blanks and nothing invisible', () => {
  const invisible =
    /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]|[\u{e0000}-\u{e007f}]|(?!\s)\p{Cc}/gu;
  fc.assert(
    fc.property(text(), (sample) => {
      expect(foldText(sample)).toBe(sample.replace(invisible, '').replace(/\s+/g, ' ').trim());
    }),
  );
});

test.each([
  ['', '0000000000000000'],
  ['parcel', similarityHashOf('PARCEL!')],
  ['two words', similarityHashOf(' Two, words ')],
])('the similarity of %j depends on its words only', (sample, expected) => {
  expect(similarityHashOf(sample)).toBe(expected);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldWord } from '../../../src/text/folding.ts';

test.each([
  ['ascii stays', 'panel12', 'panel12'],
  ['French accents', 'élèves', 'eleves'],
  ['German', 'größe', 'grosse'],
  ['Nordic', 'ærø østerå þórður', 'aero ostera thordur'],
  ['Polish', 'łódź', 'lodz'],
  ['Turkish dotless i', 'kapı', 'kapi'],
  ['Vietnamese', 'đường', 'duong'],
  ['Greek', 'δρόμος', 'δρομοσ'],
  ['Cyrillic', 'ёлка', 'елка'],
  ['Arabic alef, yeh, teh marbuta, tatweel and vowels', 'أَحْمَدـ مدرسة على', 'احمد مدرسه علي'],
  ['Hebrew points', 'שָׁלוֹם', 'שלום'],
  ['Indic marks stay', 'हिन्दी', 'हिन्दी'],
  ['Thai marks stay', 'ที่', 'ที่'],
  ['Japanese voicing stays', 'が', 'が'],
  ['Hangul stays whole', '한국', '한국'],
])('%s', (_name, word, folded) => {
  expect(foldWord(word)).toBe(folded);
});

test('folding twice changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const folded = foldWord(text.toLowerCase());
      expect(foldWord(folded)).toBe(folded);
    }),
    { numRuns: 2_000 },
  );
});

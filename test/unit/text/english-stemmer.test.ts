import { stemmer } from '@orama/stemmers/english';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wordsOf } from '../../../src/text/analyzer.ts';
import { stemAscii, stemEnglish, stemWord } from '../../../src/text/stemming.ts';

const ENDINGS =
  `ational tional enci anci izer bli alli entli eli ousli ization ation ator alism iveness fulness ousness aliti iviti
  biliti logi icate ative alize iciti ical ful ness al ance ence er ic able ible ant ement ment ent ou ism ate iti ous
  ive ize sion tion e ll s es ies sses ed eed ing y at bl iz`.split(/\s+/);
const beginning = fc.string({ unit: fc.constantFrom(...'aeiouybcdlstzwxé𐐷'), maxLength: 6 });
const words = fc
  .tuple(beginning, fc.array(fc.constantFrom(...ENDINGS), { maxLength: 3 }))
  .map(([start, endings]) => start + endings.join(''));

/** The word's units with room behind them, as the stemmer works in place. */
function unitsOf(word: string): Uint16Array {
  return Uint16Array.from({ length: word.length + 8 }, (_, i) => (i < word.length ? word.charCodeAt(i) : 0));
}

test('stems are those of the package', () => {
  fc.assert(
    fc.property(words, (word) => {
      const units = unitsOf(word);

      expect(String.fromCharCode(...units.subarray(0, stemEnglish(units, word.length)))).toBe(stemmer(word));
    }),
    {
      numRuns: 20_000,
      examples: ['buzzing', 'hissing', 'falling', 'hopping', 'seeing'].map((word): [string] => [word]),
    },
  );
});

test.each(['en', 'de', 'ja'])('%s: the stem in place is the stem of the text, or none', (language) => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'abeginsy1+#c'), maxLength: 9 }), (text) => {
      for (const word of wordsOf(text)) {
        const units = unitsOf(word);
        const length = stemAscii(units, word.length, language);

        if (length >= 0) expect(String.fromCharCode(...units.subarray(0, length))).toBe(stemWord(word, language));
      }
    }),
    { numRuns: 3_000 },
  );
});

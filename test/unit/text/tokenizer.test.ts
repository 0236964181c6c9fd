import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { wordsOf } from '../../../src/text/analyzer.ts';
import { hashWord, tokenize, tokenizeSpans } from '../../../src/text/tokenizer.ts';

describe('borders of words', () => {
  test.each([
    ['plain words in lower case', 'Solar Panels', ['solar', 'panels']],
    ['possessives are cut', 'John’s dogs', ['john', 'dogs']],
    ['elisions are cut', "l'eau dell’arte qu'il", ['eau', 'arte', 'il']],
    ['other inner apostrophes are dropped', "don't O'Reilly", ['dont', 'oreilly']],
    ['letters keep ++ and #', 'C++, C# or F#.', ['c++', 'c#', 'or', 'f#']],
    ['a # before a word is a border', 'page#part', ['page', 'part']],
    ['a short part adds the joined form', 'wi-fi', ['wi', 'fi', 'wifi']],
    ['a digit adds the joined form', 'AB-12', ['ab', '12', 'ab12']],
    ['long parts have no joined form', 'snake_case user@example', ['snake', 'case', 'user', 'example']],
    ['a blank ends a chain', 'wi- fi', ['wi', 'fi']],
    ['abbreviations are joined', 'U.S.A.', ['u', 's', 'a', 'usa']],
    ['full-width forms are plain', 'ＡＢＣ１２', ['abc12']],
    ['half-width letters compose', 'ﾃﾞｰﾀ', ['データ']],
    ['lowered digits are plain, raised ones end a word', 'CO₂ Preis²', ['co2', 'preis']],
    ['digits of any script are plain', '٣٤ ३४', ['34', '34']],
    ['ligatures are letters', 'ﬁre', ['fire']],
    ['soft hyphens and joiners are dropped', 'soft\u00adware', ['software']],
    ['both sigmas are one', 'ΟΔΟΣ οδος', ['οδοσ', 'οδοσ']],
    ['marks belong to the word', 'हिन्दी', ['हिन्दी']],
    ['Chinese is cut by the dictionary', '电脑 iPhone手机', ['电脑', 'iphone', '手机']],
    ['Thai is cut by the dictionary', 'ภาษาไทย', ['ภาษา', 'ไทย']],
    ['Hangul keeps its blanks', '한국어 텍스트', ['한국어', '텍스트']],
    ['letters above U+FFFF are words', '𐐀𐐁 😀', ['𐐨𐐩']],
    ['nothing but signs is nothing', '--- ¿? 😀 \ud800', []],
  ])('%s', (_name, text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  test('a token is cut at 64 units and never inside a surrogate pair', () => {
    expect(wordsOf('x'.repeat(100))).toEqual(['x'.repeat(64)]);
    expect(wordsOf(`x${'𐐨'.repeat(50)}`)).toEqual([`x${'𐐨'.repeat(31)}`]);
  });

  test('a joined form over 64 units is left out', () => {
    expect(wordsOf(`${'x'.repeat(60)}-1-23456`)).toEqual(['x'.repeat(60), '1', '23456']);
  });
});

test('a joined form stands at the position of its first part', () => {
  const positions: [string, number][] = [];

  const used = tokenize('fast wi-fi here', {
    token: (units, length, position) => positions.push([String.fromCharCode(...units.subarray(0, length)), position]),
  });

  expect(positions).toEqual([
    ['fast', 0],
    ['wi', 1],
    ['fi', 2],
    ['wifi', 1],
    ['here', 3],
  ]);
  expect(used).toBe(4);
});

test('a token knows its place in the text as written', () => {
  const places: string[] = [];
  const text = "  e\u0301coles l'Eau John's AB-12";

  tokenizeSpans(text, {
    token: (_units, _length, _position, _hash, start, end) => places.push(text.slice(start, end)),
  });

  expect(places).toEqual(['e\u0301coles', 'Eau', 'John', 'AB', '12', 'AB-12']);
});

test('a sink may tokenize, and may fail', () => {
  const inner: string[] = [];
  const outer: string[] = [];
  const read = (units: Uint16Array, length: number) => String.fromCharCode(...units.subarray(0, length));
  const failing = () => {
    throw new Error('full');
  };

  expect(() => tokenize('one two', { token: failing })).toThrow('full');
  tokenize('one wi-fi', {
    token(units, length) {
      tokenize('ab-12 c++', { token: (own, count) => inner.push(read(own, count)) });
      outer.push(read(units, length));
    },
  });

  expect(outer).toEqual(['one', 'wi', 'fi', 'wifi']);
  expect(inner.slice(0, 4)).toEqual(['ab', '12', 'ab12', 'c++']);
});

const wild = fc.string({ unit: 'binary' });
const words = fc
  .array(fc.constantFrom('école', 'ﾃﾞ', 'Ünïcode', 'đạo', 'हिन्दी', "l'", "'s", '-', '12', 'c++', ' ', '手机', 'Å', 'Σ'))
  .map((parts) => parts.join(''));

test('composed and decomposed spelling give the same tokens', () => {
  fc.assert(
    fc.property(words, (text) => {
      expect(wordsOf(text.normalize('NFD'))).toEqual(wordsOf(text.normalize('NFC')));
    }),
  );
});

test('any text gives tokens of 1 to 64 units at growing places, and each term at growing positions', () => {
  fc.assert(
    fc.property(fc.oneof(wild, words), (text) => {
      const lastPosition = new Map<string, number>();
      let plainTokens = 0;
      const used = tokenizeSpans(text, {
        token(units, length, position, hash, start, end) {
          const word = String.fromCharCode(...units.subarray(0, length));
          expect(hash).toBe(hashWord(units, length));
          expect(length).toBeGreaterThan(0);
          expect(length).toBeLessThanOrEqual(64);
          expect(end).toBeGreaterThan(start);
          expect(position).toBeGreaterThan(lastPosition.get(word) ?? -1);
          lastPosition.set(word, position);
          plainTokens = Math.max(plainTokens, position + 1);
        },
      });
      expect(used).toBe(plainTokens);
    }),
    { numRuns: 2_000 },
  );
});

test('the words of a text are words again', () => {
  fc.assert(
    fc.property(words, (text) => {
      for (const word of wordsOf(text)) expect(wordsOf(word)).toContain(word);
    }),
    { numRuns: 1_000 },
  );
});

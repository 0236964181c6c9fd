import { describe, expect, test } from 'vitest';
import { countWords, endOfWords } from '../../../src/text/count-words.ts';

describe('ten characters of a script without blanks', () => {
  test.each([
    ['Thai, first', '\u0e00', 2],
    ['Lao, last', '\u0eff', 2],
    ['Tibetan', '\u0f40', 1],
    ['Myanmar, first', '\u1000', 2],
    ['Myanmar, last', '\u109f', 2],
    ['Georgian', '\u10a0', 1],
    ['Khmer, first', '\u1780', 2],
    ['Khmer, last', '\u17ff', 2],
    ['Mongolian', '\u1820', 1],
    ['radicals', '\u2e80', 5],
    ['kana', 'か', 5],
    ['Han, last', '\u9fff', 5],
    ['Yi', '\ua000', 1],
    ['Korean', '한', 1],
    ['Han of old standards', '\uf900', 5],
    ['Latin', 'a', 1],
  ])('%s', (_, character, words) => {
    expect(countWords(character.repeat(10))).toBeCloseTo(words, 9);
    expect(countWords(`one ${character.repeat(10)} two`)).toBeCloseTo(words + 2, 9);
  });
});

test.each([
  ['one two three', 2, 'one two'],
  ['one two three', 3, 'one two three'],
  ['', 1, ''],
  ['東京都庁舎', 2, '東京都庁'],
])('%j ends after %d words', (text, words, beginning) => {
  expect(text.slice(0, endOfWords(text, words))).toBe(beginning);
});

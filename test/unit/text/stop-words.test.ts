import { expect, test } from 'vitest';
import { wordsOf } from '../../../src/text/analyzer.ts';
import { isStopWord, STOP_WORD_LISTS } from '../../../src/text/stop-words.ts';

test.each([
  ['the', 'en', true],
  ['how', 'en', true],
  ['solar', 'en', false],
  ['für', 'de', true],
  ['fur', 'de', false],
  ['på', 'nb', true],
  ['på', 'nn', true],
  ['the', 'xx', false],
  ['nie', 'pl', true],
  ['для', 'ru', true],
  ['който', 'bg', true],
  ['година', 'bg', false],
  ['في', 'ar', true],
  ['は', 'ja', true],
  ['的', 'zh', true],
  ['ของ', 'th', true],
  ['may', 'en', false],
  ['siden', 'da', false],
  ['été', 'fr', false],
  ['the', 'constructor', false],
])('%s in %s: %s', (word, language, expected) => {
  expect(isStopWord(word, language)).toBe(expected);
});

test.each(Object.entries(STOP_WORD_LISTS))(
  'the list of %s has at most 150 words, each once and as the tokenizer writes it',
  (_language, list) => {
    const words = list.split(/\s+/);

    expect(words.length).toBeLessThanOrEqual(150);
    expect(words.filter((word) => wordsOf(word)[0] !== word)).toEqual([]);
    expect(words.filter((word, i) => words.indexOf(word) !== i)).toEqual([]);
  },
);

import { expect, test } from 'vitest';
import { isKoreanAsking, koreanStem } from '../../../src/text/korean-words.ts';

test.each([
  ['도서관은', '도서관'],
  ['도서관에서는', '도서관'],
  ['수영장이', '수영장'],
  ['접시를', '접시'],
  ['여권으로', '여권'],
  ['무료입니까', '무료'],
  ['버리나요', '버리'],
  ['나오기까지', '나오'],
  ['물은', '물은'],
  ['도서관', '도서관'],
])('%s without its ending is %s', (word, stem) => {
  expect(koreanStem(word)).toBe(stem);
});

test.each(['어디에서', '무엇을', '언제까지', '있나요', '몇', '도예요', '명인가요'])('%s only asks', (word) => {
  expect(isKoreanAsking(word)).toBe(true);
});

test.each(['수영장이', '물은', '값', '무료입니까', '건전지는'])('%s names something', (word) => {
  expect(isKoreanAsking(word)).toBe(false);
});

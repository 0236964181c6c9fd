import { expect, test } from 'vitest';
import { detectLanguage } from '../../../src/text/language.ts';

test.each([
  ['en', 'Solar panels turn sunlight into power, and one panel lasts about twenty-five years.'],
  ['de', 'Der schnelle braune Fuchs springt über den faulen Hund und läuft dann davon.'],
  ['da', 'Solpaneler omdanner sollys til strøm, og et panel holder i omkring femogtyve år.'],
  ['ja', '太陽光パネルは日光を電力に変えます。'.repeat(5)],
])('%s is told from its text', (language, text) => {
  expect(detectLanguage(text)).toBe(language);
});

test('a text of fewer than 60 characters, or without words, has no language', () => {
  expect(detectLanguage('Solar panels')).toBeUndefined();
  expect(detectLanguage('1234567890 '.repeat(10))).toBeUndefined();
});

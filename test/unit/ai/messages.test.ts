import { describe, expect, test } from 'vitest';
import { fixedSentences, MESSAGE_LANGUAGES } from '../../../src/ai/messages.ts';
import { detectLanguage, isDetectable, languageCode } from '../../../src/text/language.ts';
import { STOP_WORD_LISTS } from '../../../src/text/stop-words.ts';

describe('fixed sentences', () => {
  test.each(Object.keys(STOP_WORD_LISTS))('are written in %s, a language that texts are analysed in', (language) => {
    expect(MESSAGE_LANGUAGES).toContain(languageCode(language));
  });

  test.each(MESSAGE_LANGUAGES.filter(isDetectable))('in %s are in that language', (language) => {
    const text = Object.values(fixedSentences([language])).join(' ');

    expect(detectLanguage(text.repeat(2))).toBe(language);
  });

  test('differ from each other in every language', () => {
    for (const name of ['refusal', 'incomplete'] as const) {
      const texts = MESSAGE_LANGUAGES.map((language) => fixedSentences([language])[name]);
      expect(new Set(texts).size).toBe(MESSAGE_LANGUAGES.length);
      for (const text of texts) expect(text).toMatch(/^[^\n<>[\]]{8,120}$/);
    }
  });

  test.each([
    ['da-DK', /spørgsmål/],
    ['no', /spørsmålet/],
    ['NN', /spørsmålet/],
    ['zh-TW', /現有/],
    ['zh', /现有/],
  ])('for %s are those of its language', (tag, part) => {
    expect(fixedSentences([tag]).refusal).toMatch(part);
  });

  test.each<[readonly string[], RegExp]>([
    [['xx', 'de'], /Frage/],
    [['xx', 'yy'], /question/],
    [[], /question/],
    [['toString', 'fr'], /réponse/],
  ])('for %j fall back to the next language, then English', (languages, part) => {
    expect(fixedSentences(languages).refusal).toMatch(part);
  });
});

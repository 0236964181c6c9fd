import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSignReader, kindBySigns, SIGN_TYPES } from '../../../src/ai/blocks/block-signs.ts';
import { fitsType, hasKind } from '../../../src/ai/question-types.ts';
import { answerTableOf } from '../../../src/text/languages/packs.ts';
import { endsSentence } from '../../../src/text/sentences.ts';
import { makePassage } from '../../helpers/answer-corpus.ts';

const SIGNS = answerTableOf('answerSigns');
const phrasesOf = (language: string) =>
  Object.values(SIGNS[language] ?? {})
    .flatMap((list) => list.split('|').map((phrase) => phrase.trim()))
    .filter((phrase) => !/[\\()[\]]/.test(phrase));
/** What signs are made of beside the words of the lists. */
const MARKS = ['1874', '12:30', '5', 'ad', '-x', '--set', 'Ann', 'of', 'Lee', 'x()', 'aB', 'USB', 'step', 'v.', 'Chr'];
const ENDS = ['', '.', '?', ':', ' …', '.”'];

/** Sentences that are cut anywhere, in the middle of phrases, too. */
function sentencesIn(language: string) {
  const words = [...phrasesOf(language).flatMap((phrase) => [phrase, ...phrase.split(' ')]), ...MARKS, ...MARKS];
  const sentence = fc
    .tuple(fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 7 }), fc.constantFrom(...ENDS))
    .map(([own, end]) => own.join(' ') + end);
  return fc.array(sentence, { minLength: 1, maxLength: 4 });
}

test.each(Object.keys(SIGNS))('signs of sentences in a row are those of their joined text: %s', (language) => {
  fc.assert(
    fc.property(sentencesIn(language), (sentences) => {
      const signsOf = createSignReader(makePassage({ documentId: 'd', title: 't', language, sentences }));
      const text = sentences.join(' ');

      const signs = signsOf([...sentences.keys()]);

      expect(signs.fits).toEqual(Object.values(SIGN_TYPES).map((type) => fitsType(text, type, language)));
      expect(signs).toMatchObject({
        hasEnd: endsSentence(text),
        endsInColon: text.endsWith(':'),
        hasDigit: /\d/.test(text),
        hasCodeWord: /x\(\)|aB|USB|(?:^|\s)-/.test(text),
      });
      for (const kind of ['count', 'person', 'time'] as const) {
        expect(kindBySigns(kind, signs)).toBe(hasKind(text, kind, language));
      }
    }),
    { numRuns: 100 },
  );
});

test('no phrase of the signs spans more than the words that are read where two sentences meet', () => {
  const phrases = Object.values(SIGNS).flatMap((signs) => Object.values(signs).flatMap((list) => list.split('|')));
  expect(Math.max(...phrases.map((phrase) => phrase.trim().split(/ |\\s/).length))).toBeLessThanOrEqual(4);
});

test('what is not there shows nothing', () => {
  const signsOf = createSignReader(makePassage({ documentId: 'd', title: 't', sentences: ['One of 5.'] }));
  expect([signsOf([-1]).hasDigit, signsOf([0]).hasDigit, signsOf([]).hasEnd]).toEqual([false, true, false]);
});

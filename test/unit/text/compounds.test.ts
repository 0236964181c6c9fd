import { expect, test } from 'vitest';
import { createVocabulary, EMPTY_VOCABULARY, knownWord } from '../../../src/text/compounds.ts';
import { stemWord } from '../../../src/text/stemming.ts';

/** Splits a word by words with their document frequencies, in a site of 1,000 pages. */
function split(word: string, known: Readonly<Record<string, number>>, language = 'da') {
  const words = Object.entries(known).map(([text, documents]) => knownWord(text, documents, language));
  const vocabulary = createVocabulary(1, new Map([[language, { documents: 1_000, words }]]));
  return vocabulary.split(stemWord(word, language), language)?.words;
}

test.each([
  ['two words', 'solpaneler', { sol: 20, panel: 20 }, ['sol', 'panel']],
  ['words with a letter between them', 'arbejdsplads', { arbejde: 20, plads: 20 }, ['arbejde', 'plads']],
  ['three words', 'vindmøllepark', { vind: 20, molle: 20, park: 20 }, ['vind', 'molle', 'park']],
  [
    'the longer of two known words when it is frequent',
    'solcellepanel',
    { sol: 20, celle: 20, solcelle: 40, panel: 40 },
    ['solcelle', 'panel'],
  ],
])('a compound of %s is split into them', (_name, word, known, parts) => {
  expect(split(word, known)).toEqual(parts);
});

test.each([
  ['is known too seldom in two documents', 'solpanel', { sol: 20, panel: 2 }],
  ['has three letters and stands in few documents', 'solpanel', { sol: 9, panel: 20 }],
  ['is a stop word', 'forsikring', { for: 900, sikring: 20 }],
  ['is an ending', 'sikkerhed', { sikker: 20, hed: 90 }],
  ['is missing', 'solpanel', { panel: 20 }],
])('a word is left whole when a part %s', (_name, word, known) => {
  expect(split(word, known)).toBeUndefined();
});

test('a word that is more frequent than its parts is left whole', () => {
  expect(split('solpanel', { sol: 20, panel: 20, solpanel: 21 })).toBeUndefined();
  expect(split('solpanel', { sol: 20, panel: 20, solpanel: 19 })).toEqual(['sol', 'panel']);
});

test('languages that do not write words together, and unknown ones, split nothing', () => {
  expect(split('sunlight', { sun: 50, light: 50 }, 'en')).toBeUndefined();
  expect(EMPTY_VOCABULARY.split('solpanel', 'da')).toBeUndefined();
});

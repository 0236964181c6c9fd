import fc from 'fast-check';
import { expect, test } from 'vitest';
import { wordsOf } from '../../../src/text/analyzer.ts';
import { stemWord } from '../../../src/text/stemming.ts';

test.each([
  ['ar', 'المكتبة', 'مكتب'],
  ['bg', 'билетите', 'билет'],
  ['bg', 'билети', 'билет'],
  ['bg', 'голям', 'голем'],
  ['bg', 'големи', 'голем'],
  ['bg', 'училищата', 'училищ'],
  ['bg', 'работници', 'работник'],
  ['ca', 'cases', 'case'],
  ['cs', 'televizemi', 'televiz'],
  ['da', 'husene', 'hus'],
  ['de', 'häuser', 'haus'],
  ['el', 'δρόμοι', 'δρομ'],
  ['en', 'panels', 'panel'],
  ['en', 'résumés', 'resum'],
  ['es', 'casas', 'cas'],
  ['eu', 'etxeak', 'etxe'],
  ['fi', 'taloissa', 'talo'],
  ['fr', 'développement', 'developp'],
  ['hu', 'házakban', 'haz'],
  ['it', 'pannelli', 'pannell'],
  ['nb', 'husene', 'hus'],
  ['nl', 'panelen', 'panel'],
  ['pt', 'casas', 'cas'],
  ['ru', 'книгами', 'книг'],
  ['sl', 'hišami', 'hisam'],
  ['sv', 'husen', 'hus'],
  ['tr', 'evler', 'ev'],
])('%s: %s has the stem %s', (language, word, stem) => {
  expect(stemWord(word, language)).toBe(stem);
  expect(stemWord(word, language)).toBe(stem);
});

test('a language without a stemmer folds only', () => {
  expect(stemWord('łódź', 'pl')).toBe('lodz');
  expect(stemWord('panels', 'constructor')).toBe('panels');
});

test.each(['c++', 'c#', 'ab12s', '10s'])('%s holds signs or digits and is not stemmed', (word) => {
  expect(stemWord(word, 'en')).toBe(word);
});

const languages =
  'ar bg ca cs da de el en es eu fi fr ga hi hu hy id it lt nb ne nl pt ro ru sa sl sr sv ta tr uk'.split(' ');

test('no word makes a stemmer fail or leave nothing', () => {
  fc.assert(
    fc.property(fc.constantFrom(...languages), fc.string({ unit: 'binary' }), (language, text) => {
      for (const word of wordsOf(text)) expect(stemWord(word, language)).not.toBe('');
    }),
    { numRuns: 3_000 },
  );
});

/** Code units from and to, by languages that are not written in Latin letters. */
const LETTERS: readonly (readonly [languages: string, from: number, to: number])[] = [
  ['bg ru sr uk', 0x430, 0x45f],
  ['el', 0x3b1, 0x3ce],
  ['ar', 0x621, 0x64a],
  ['hy', 0x561, 0x586],
  ['hi ne sa', 0x905, 0x94d],
  ['ta', 0xb85, 0xbcd],
];

test.each(languages)('no word of letters of %s makes its stemmer fail', (language) => {
  const [, from, to] = LETTERS.find(([known]) => known.split(' ').includes(language)) ?? ['', 0x61, 0x7a];
  const unit = fc.integer({ min: from, max: to }).map((code) => String.fromCharCode(code));
  fc.assert(
    fc.property(fc.string({ unit, minLength: 3, maxLength: 12 }), (word) => {
      expect(stemWord(word, language)).not.toBe('');
    }),
    { numRuns: 1_000 },
  );
});

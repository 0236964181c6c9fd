import { describe, expect, test } from 'vitest';
import { hasVariants, possibleLastParts, variantKindOf } from '../../../src/text/morphological-variants.ts';
import { stemWord } from '../../../src/text/stemming.ts';

const variantKind = (language: string, asked: string, word: string) =>
  variantKindOf(stemWord(asked, language), language)(stemWord(word, language));

describe('what another word is to the one that is asked for', () => {
  test.each([
    ['de', 'leitet', 'leitung'],
    ['de', 'kostet', 'kosten'],
    ['nl', 'opent', 'opening'],
    ['sv', 'hämtar', 'hämtning'],
    ['da', 'betale', 'betaling'],
    ['nb', 'tømmes', 'tømming'],
    ['fi', 'noutaa', 'nouto'],
    ['pl', 'opon', 'opony'],
    ['pl', 'zjeżdżalnia', 'zjeżdżalnię'],
    ['pl', 'wypożyczyć', 'wypożyczamy'],
  ])('in %s "%s" and "%s" are forms of one word', (language, asked, word) => {
    expect(variantKind(language, asked, word)).toBe('form');
    expect(variantKind(language, word, asked)).toBe('form');
  });

  test.each([
    ['de', 'Ausweis', 'Personalausweis'],
    ['de', 'Fahrräder', 'Fahrradverleih'],
    ['de', 'Eintritt', 'Eintrittspreis'],
    ['nl', 'tijd', 'wachttijd'],
    ['da', 'affald', 'madaffaldet'],
    ['nb', 'billett', 'familiebillett'],
    ['sv', 'kort', 'tiokort'],
    ['fi', 'kortti', 'henkilökortti'],
  ])('in %s "%s" is a part of "%s", which is none of it', (language, asked, compound) => {
    expect(variantKind(language, asked.toLowerCase(), compound.toLowerCase())).toBe('part');
    expect(variantKind(language, compound.toLowerCase(), asked.toLowerCase())).toBeUndefined();
  });

  test.each([
    ['de', 'strafe', 'straße'],
    ['de', 'freibad', 'freitags'],
    ['de', 'reise', 'preise'],
    ['de', 'karte', 'kartoffel'],
    ['de', 'kommen', 'einkommen'],
    ['de', 'wohnung', 'wohnungen'],
    ['nl', 'huurt', 'verhuurt'],
    ['nb', 'kommer', 'kommune'],
    ['fi', 'kirja', 'kirjoittaja'],
    ['pl', 'miasto', 'miesiąc'],
    ['pl', 'karta', 'kara'],
    ['en', 'book', 'bookshop'],
    ['en', 'renewal', 'renewing'],
    ['ja', '図書館', '図書'],
  ])('in %s "%s" and "%s" are no kin, or one stem', (language, asked, word) => {
    expect(variantKind(language, asked, word)).toBeUndefined();
  });

  test('languages without endings and compounds have none', () => {
    expect(['de', 'pl', 'fi'].every(hasVariants)).toBe(true);
    expect(['en', 'fr', 'ko', ''].some(hasVariants)).toBe(false);
  });
});

test.each([
  ['de', 'badesaison', 'saison', 'aison'],
  ['sv', 'simskolan', 'skolan', 'kolan'],
  ['fi', 'passikuva', 'kuva', 'sikuva'],
])('in %s "%s" may end in "%s", longer ends first', (language, word, last, longer) => {
  const parts = possibleLastParts(word, language);
  expect(parts).toContain(last);
  expect(parts.every((part) => word.endsWith(part) && part.length >= 4)).toBe(true);
  expect(parts).toEqual(parts.toSorted((a, b) => b.length - a.length));
  expect(parts).toContain(longer);
});

test.each([
  ['de', 'einkommen', 'kommen'],
  ['nl', 'verhuurt', 'huurt'],
  ['de', 'hausein', 'sein'],
  ['en', 'passport', 'port'],
  ['pl', 'przedszkole', 'szkole'],
  ['de', 'mp3-spieler', 'spieler'],
])('in %s "%s" is not cut into "%s"', (language, word, last) => {
  expect(possibleLastParts(word, language)).not.toContain(last);
});

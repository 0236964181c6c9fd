import { expect, test } from 'vitest';
import { catalogueOf, chooseLanguage, directionOf } from '../../../src/core/interface-languages.ts';

test.each([
  [['tlh', 'en-GB', 'en'], 'en-GB'],
  [['tlh'], 'en'],
  [[], 'en'],
])('of %j the interface takes %s', (wanted, expected) => {
  expect(chooseLanguage(wanted)).toBe(expected);
});

test.each([
  ['ar', 'rtl'],
  ['fa-IR', 'rtl'],
  ['HE', 'rtl'],
  ['en', 'ltr'],
  ['', 'ltr'],
])('%s is written %s', (code, direction) => {
  expect(directionOf(code)).toBe(direction);
});

test.each([
  ['pt-BR', 'pt'],
  ['DE-at', 'de'],
  ['nb-NO', 'nb'],
  ['no', 'nb'],
  ['nn-NO', 'nb'],
  ['zh-CN', 'zh'],
  ['zh-Hans-TW', 'zh'],
  ['zh-TW', 'zh-Hant'],
  ['zh-HK', 'zh-Hant'],
  ['zh-Hant', 'zh-Hant'],
  ['zh-Hant-HK', 'zh-Hant'],
  ['tlh', undefined],
  ['', undefined],
])('%s takes the texts of %s', (code, expected) => {
  expect(catalogueOf(code)).toBe(expected);
});

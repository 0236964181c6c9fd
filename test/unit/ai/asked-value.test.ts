import { expect, test } from 'vitest';
import { isStrayCodeWord } from '../../../src/ai/asked-value.ts';

const PRICE = { type: 'number', asksFor: 'price' } as const;
const COUNT = { type: 'number', asksFor: 'count' } as const;
const DATE = { type: 'date', asksFor: undefined } as const;
const OTHER = { type: 'other', asksFor: undefined } as const;

test.each([
  ['a code', PRICE, 'The token of the kiln is QUARTZ-141.'],
  ['a word of letters and digits', COUNT, 'Readers of the lift page say kq141zj.'],
  ['a name with a number', COUNT, 'The choir goes with Brindlefax Ostrano 141.'],
  ['a code for a time', DATE, 'The ferry is told with Vellorint141.'],
])('%s beside no value is stray', (_, question, text) => {
  expect(isStrayCodeWord(text, question, 'en')).toBe(true);
});

test.each([
  ['a code with a price', PRICE, 'The KX-4711 costs 34 euros.'],
  ['a name with its price', PRICE, 'The Marlo Cabin 5 costs 315 euros a week.'],
  ['a unit', COUNT, 'The bridge takes 12V and 3A.'],
  ['a number that counts', COUNT, 'The choir has 46 singers.'],
  ['no number at all', PRICE, 'Bread is free on Sundays.'],
  ['a cell of a table', PRICE, 'Model | A4 | B5'],
  ['a day', { type: 'date', asksFor: 'price' } as const, 'The mooring prices were corrected on May 5.'],
  ['a time', DATE, 'Gate B12 closes at 21:40.'],
  ['a question for anything', OTHER, 'The token of the kiln is QUARTZ-141.'],
])('%s is not', (_, question, text) => {
  expect(isStrayCodeWord(text, question, 'en')).toBe(false);
});

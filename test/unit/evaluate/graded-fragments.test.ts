import { expect, test } from 'vitest';
import { fragmentsOf, isFragment } from '../../../scripts/evaluate/graded-answers/fragments.ts';

test.each([
  ['a sentence', 'The garden opens at nine.'],
  ['a sentence with closing marks', 'Ask for “the key.”'],
  ['a sentence with the number of a footnote', 'The garden opens at nine.18'],
  ['a sentence in bold', '**Dogs stay outside.**'],
  ['a sentence that begins with a number', '5 kg of soil are enough.'],
  ['a sentence that begins with a name of code', 'sqlite3_open() returns a handle.'],
  ['a sentence that begins with a name with a capital in it', 'iPhone owners pay at the gate.'],
  ['a sentence that begins with a hidden file', '.htaccess files slow the server down.'],
  ['an item of a list in lower case', '- a ticket for the palm house'],
  ['a step', '3. Press the button'],
  ['a row of a table', 'Adults | 12 € | 9 €'],
  ['a row of numbers', '2021 | 14 | 3'],
  ['a name with its value', 'Opening hours: 9 to 17'],
  ['a short name in lower case with its value', 'page size: 4096 bytes'],
  ['a block of code', '```\nnpm start\n```'],
  ['a line of code', '`npm start`'],
  ['what an opening introduces', 'You need:\n- a spade'],
  ['a sentence without Latin letters', '水温は一年中30度です。'],
])('%s is whole', (_name, unit) => {
  expect(isFragment(unit, undefined)).toBe(false);
});

test.each([
  ['a sentence that begins in its middle', 'and is closed on Mondays.'],
  ['a sentence in brackets that begins in its middle', '(see below) the gate is closed.'],
  ['a sentence without its end', 'The garden opens at'],
  ['a sentence that ends in a number', 'The gate is open until 17.30'],
  ['a heading', 'Opening hours'],
  ['punctuation of what stood before', ', which opens at nine.'],
  ['a bracket of what stood before', ') The garden opens at nine.'],
  ['a full stop of what stood before', '. The garden opens at nine.'],
  ['a number', '12.'],
  ['an item that is a number', '- 4'],
  ['an item that begins with punctuation', '- ; the key'],
])('%s is a fragment', (_name, unit) => {
  expect(isFragment(unit, undefined)).toBe(true);
});

test('a line that ends in a colon is whole in front of something alone', () => {
  const [line, item] = ['Bring these to the gate on Sundays please:', '- a ticket'];
  expect(fragmentsOf([line, item])).toEqual([]);
  expect(fragmentsOf([item, line])).toEqual([line]);
});

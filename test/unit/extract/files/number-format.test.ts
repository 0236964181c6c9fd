import fc from 'fast-check';
import { expect, test } from 'vitest';
import { numberFormat, plainNumber } from '../../../../src/extract/files/sheet-parts.ts';

const shown = (code: string, value: number, from1904 = false) => numberFormat(164, code, { from1904 })(value);
const builtIn = (id: number, value: number) => numberFormat(id, undefined, { from1904: false })(value);

test.each<[string, number, string]>([
  ['0.00', 2.7172, '2.72'],
  ['0', 1234.5, '1235'],
  ['#,##0', 1234567, '1,234,567'],
  ['#,##0.00', -1234.5, '-1,234.50'],
  ['#,##0.0#', 2, '2.0'],
  ['#,##0,', 1_250_000, '1,250'],
  ['0.0,,"M"', 12_500_000, '12.5M'],
  ['000', 7, '007'],
  ['#', 0, ''],
  ['.00', 0.5, '.50'],
  ['0%', 0.125, '13%'],
  ['0.0%', 0.125, '12.5%'],
  ['0.00E+00', 12345, '1.23E+04'],
  ['"kr" #,##0', 1500, 'kr 1,500'],
  ['[$€-407] #,##0.00', 9.5, '€ 9.50'],
  ['$#,##0.00', -9.5, '-$9.50'],
  ['_-* #,##0.00 _€_-', 12, '12.00'],
  ['$#,##0_);[Red]($#,##0)', -20, '($20)'],
  ['0;-0;"none"', 0, 'none'],
  ['0;;', -3, ''],
  ['@', 12.5, '12.5'],
  ['General', 0.1 + 0.2, '0.3'],
  ['General" pieces"', 4, '4 pieces'],
  ['# ?/?', 0.5, '0.5'],
  ['', 5, '5'],
])('%s shows %d as %s', (...[code, value, text]) => {
  expect(shown(code, value)).toBe(text);
});

test.each<[string, number, string]>([
  ['yyyy-mm-dd', 45_000, '2023-03-15'],
  ['dd.mm.yyyy hh:mm', 45_000.75, '15.03.2023 18:00'],
  ['d mmmm yyyy', 45_000, '15 March 2023'],
  ['ddd, mmm d', 45_000, 'Wed, Mar 15'],
  ['h:mm AM/PM', 0.5, '12:00 PM'],
  ['mm:ss', 0.5 + 61 / 86_400, '01:01'],
  ['[h]:mm', 1.5, '36:00'],
  ['ss.0', 1.25 / 86_400, '1.3'],
  ['[$-409]mmmm\\ d\\,\\ yyyy;@', 45_000, 'March 15, 2023'],
  ['yyyy-mm-dd', -1, '-1'],
  ['yyyy-mm-dd', 1, '1900-01-01'],
  ['yyyy-mm-dd', 61, '1900-03-01'],
])('the date format %s shows %d as %s', (...[code, value, text]) => {
  expect(shown(code, value)).toBe(text);
});

test('a workbook may count its days from 1904', () => {
  expect(shown('yyyy-mm-dd', 0, true)).toBe('1904-01-01');
});

test.each<[number, number, string]>([
  [0, 12.5, '12.5'],
  [4, 1234.5, '1,234.50'],
  [9, 0.5, '50%'],
  [14, 45_000, '2023-03-15'],
  [22, 45_000.5, '2023-03-15 12:00'],
  [44_444, 45_000, '45000'],
])('the built-in format %d shows %d as %s', (...[id, value, text]) => {
  expect(builtIn(id, value)).toBe(text);
});

test.each<[number, string]>([
  [0.785398163397, '0.785398163'],
  [12_345_678_901, '12345678901'],
  [123_456_789_012, '1.23457E+11'],
  [0.00001, '1E-5'],
  [-2.5, '-2.5'],
  [0, '0'],
])('without a format %d is %s', (value, text) => {
  expect(plainNumber(value)).toBe(text);
});

test('any code shows any number without a fault', () => {
  const code = fc.string({ unit: fc.constantFrom(...'0#?.,%E+-@;"[]\\_*$€ymdhsAP/ General'), maxLength: 40 });
  fc.assert(
    fc.property(code, fc.double({ noNaN: true }), (text, value) => {
      expect(typeof shown(text, value)).toBe('string');
    }),
  );
});

import { expect, test } from 'vitest';
import { machineNumber, shownNumber, shownRating } from '../../../src/extract/html/fields/page-numbers.ts';

test.each([
  ['no decimals', '129', '129'],
  ['one decimal', '129.5', '129.5'],
  ['two decimals', '129.00', '129.00'],
  ['three decimals', '1299.000', '1299'],
  ['three decimals behind three digits', '129.000', '129'],
  ['four decimals', '129.0000', '129'],
  ['four decimals that count', '4.8571', '4.8571'],
  ['no digit before the point', '.99', '0.99'],
  ['a sign', '+12.500', '12.5'],
  ['below zero', '-3', '-3'],
  ['a text in its place', '1.299,00 €', '1299.00'],
  ['thousands in its place', '1,299', '1299'],
  ['no number', 'NaN', ''],
  ['nothing', '', ''],
])('a number for machines with %s: %s', (_, text, number) => {
  expect(machineNumber(text)).toBe(number);
});

test.each([
  ['English', '1,299.00', '1299.00'],
  ['German', '1.299,00', '1299.00'],
  ['French', '1\u202f299,00', '1299.00'],
  ['Swiss', "1'299.00", '1299.00'],
  ['Indian', '₹1,23,456.00', '123456.00'],
  ['Danish, whole', '1.299,-', '1299'],
  ['millions', '1.299.000', '1299000'],
  ['no decimals', '1299', '1299'],
  ['thousands with a comma', '1,299', '1299'],
  ['thousands with a point', '1.299', '1299'],
  ['one decimal', '12.5', '12.5'],
  ['one decimal behind a comma', '12,5', '12.5'],
  ['three decimals of less than one', '0,125', '0.125'],
  ['three decimals of an ungrouped number', '1299.125', '1299.125'],
  ['three decimals behind thousands', '1,299.125', '1299.125'],
  ['four decimals', '4,8571', '4.8571'],
  ['four decimals behind thousands', '1.299,0000', '1299'],
  ['a sign before', '€ 1.299,95', '1299.95'],
  ['a sign behind', '1.299,95 €', '1299.95'],
  ['an abbreviation before', 'Rs.99', '99'],
  ['no digit before the mark', 'only .99', '0.99'],
  ['the first of two', '$129.00 $199.00', '129.00'],
  ['the first of a span', '10-20 €', '10'],
  ['what it is out of', '4.5 out of 5', '4.5'],
  ['a minus', '−3 °C', '-3'],
  ['a hyphen before it', 'A-4', '4'],
  ['a date', '12.10.2026', ''],
  ['no number', 'on request', ''],
])('a number for people, %s: %s', (_, text, number) => {
  expect(shownNumber(text)).toBe(number);
});

test.each([
  ['1.299', '.', '1.299'],
  ['1,299', ',', '1.299'],
  ['1.299', ',', '1299'],
  ['1,2,3', ',', ''],
] as const)('a number for people whose decimal mark is known: %s with %s', (text, decimal, number) => {
  expect(shownNumber(text, decimal)).toBe(number);
});

test.each([
  ['4.857', '4.857'],
  ['4,857 of 5', '4.857'],
  ['4.5', '4.5'],
])('a rating has no thousands: %s', (text, number) => {
  expect(shownRating(text)).toBe(number);
});

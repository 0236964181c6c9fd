import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findDates, readDate } from '../../../src/extract/html/dates/dates.ts';

const now = Date.parse('2026-11-20T10:00:00Z');

describe('a date is read', () => {
  test.each([
    ['English', '4 March 2026'],
    ['English, the month first', 'March 4th, 2026'],
    ['English, short', 'Mar 4 2026'],
    ['English, with the day of the week', 'Wednesday, the 4th of March, 2026'],
    ['German', '4. März 2026'],
    ['German, from Austria', 'Mittwoch, 4. März 2026, 10:30 Uhr'],
    ['French', '4 mars 2026'],
    ['Spanish', '4 de marzo de 2026'],
    ['Spanish, del', '4 de marzo del 2026'],
    ['Italian', '4 marzo 2026'],
    ['Portuguese', '4 de março de 2026'],
    ['Dutch', '4 maart 2026'],
    ['Danish', 'den 4. marts 2026'],
    ['Swedish', '4 mars 2026'],
    ['Norwegian', '4. mars 2026'],
    ['Finnish', '4. maaliskuuta 2026'],
    ['Polish', '4 marca 2026'],
    ['Czech', '4. března 2026'],
    ['Slovak', '4. marca 2026'],
    ['Hungarian', '2026. március 4.'],
    ['Romanian', '4 martie 2026'],
    ['Turkish', '4 Mart 2026'],
    ['Russian', '4 марта 2026 г.'],
    ['Ukrainian', '4 березня 2026'],
    ['Bulgarian', '4 март 2026'],
    ['Greek', '4 Μαρτίου 2026'],
    ['Estonian', '4. märts 2026'],
    ['Lithuanian', '2026 m. kovo 4 d.'],
    ['Catalan', '4 de març de 2026'],
    ['Indonesian', '4 maret 2026'],
    ['Japanese', '2026年3月4日'],
    ['Chinese', '2026 年 03 月 04 日'],
    ['Korean', '2026년 3월 4일'],
  ])('%s: %s', (_, text) => {
    expect(readDate(text, now)).toBe('2026-03-04');
  });

  test.each([
    ['2026-03-04', '2026-03-04'],
    ['2026-03-04T10:05', '2026-03-04T10:05:00'],
    ['2026-03-04 10:05:06', '2026-03-04T10:05:06'],
    ['2026-03-04T10:05:06.789Z', '2026-03-04T10:05:06Z'],
    ['2026-03-04T23:30:00-08:00', '2026-03-04T23:30:00-08:00'],
    ['2026-03-04T10:00:00+0100', '2026-03-04T10:00:00+01:00'],
    ['2026-03-04T99:00', '2026-03-04'],
    ['20260304', '2026-03-04'],
    ['20260304T100506', '2026-03-04'],
    ['2026/3/4', '2026-03-04'],
    ['2026.03.04', '2026-03-04'],
    ['04.03.2026', '2026-03-04'],
    ['4.3.26', '2026-03-04'],
    ['04-Mar-2026', '2026-03-04'],
    ['Wed, 04 Mar 2026 10:00:00 GMT', '2026-03-04'],
    ['Wed Mar 04 10:00:00 +0000 2026', '2026-03-04'],
  ])('%s as %s', (text, date) => {
    expect(readDate(text, now)).toBe(date);
  });
});

test.each([
  ['no such day', '30 February 2026'],
  ['no such month', '2026-13-01'],
  ['before the web', '4 March 1994'],
  ['the day after tomorrow', '22 November 2026'],
  ['no day', 'March 2026'],
  ['no month', '4 Smarch 2026'],
  ['a version', '1.2.2026.4'],
  ['nothing', ''],
])('%s is no date: %s', (_, text) => {
  expect(readDate(text, now)).toBe('');
});

test.each([
  ['03/04/2026', '2026-04-03', '2026-03-04'],
  ['03.04.2026', '2026-04-03', '2026-04-03'],
  ['03/24/2026', '2026-03-24', '2026-03-24'],
  ['24/03/2026', '2026-03-24', '2026-03-24'],
])('%s with the day first is %s, with the month first %s', (text, dayFirst, monthFirst) => {
  expect(readDate(text, now, 'day-first')).toBe(dayFirst);
  expect(readDate(text, now, 'month-first')).toBe(monthFirst);
});

test('all dates of a text are found in order', () => {
  const text = 'Published March 3, 2020 | updated 5 April 2021, © 2021, see 2021-05-06T10:00:00Z and 7.6.2021';
  const dates = findDates(text, { now, order: 'day-first' }).map(({ date }) => date);
  expect(dates).toEqual(['2020-03-03', '2021-04-05', '2021-05-06T10:00:00Z', '2021-06-07']);
});

test('no text makes reading fail, and what is found is a day of the calendar', () => {
  const part = fc.constantFrom('2026', '12', '3', '.', '/', '-', ' ', 'May', 'de', 'T', ':', '年', '月', 'Z', 'x');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
      for (const { date } of findDates(parts.join(''), { now, order: 'month-first' })) {
        expect(new Date(`${date.slice(0, 10)}T00:00:00Z`).toISOString().slice(0, 10)).toBe(date.slice(0, 10));
      }
    }),
  );
});

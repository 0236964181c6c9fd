import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDate } from '../../../src/core/field-values.ts';

const at = (iso: string) => Date.parse(iso);

test.each([
  ['a year', '2026', '2026-01-01T00:00:00.000Z', '2026-12-31T23:59:59.999Z'],
  ['a month', '2026-02', '2026-02-01T00:00:00.000Z', '2026-02-28T23:59:59.999Z'],
  ['a leap month', '2024-02', '2024-02-01T00:00:00.000Z', '2024-02-29T23:59:59.999Z'],
  ['a day', '2026-01-31', '2026-01-31T00:00:00.000Z', '2026-01-31T23:59:59.999Z'],
  ['a day with slashes', '2026/01/31', '2026-01-31T00:00:00.000Z', '2026-01-31T23:59:59.999Z'],
  ['a compact day', '20260131', '2026-01-31T00:00:00.000Z', '2026-01-31T23:59:59.999Z'],
  ['a minute', '2026-01-31T10:15', '2026-01-31T10:15:00.000Z', '2026-01-31T10:15:59.999Z'],
  ['a second without zone is UTC', '2026-01-31T10:15:20', '2026-01-31T10:15:20.000Z', '2026-01-31T10:15:20.999Z'],
  ['a second in a zone', '2025-12-31T23:30:00+01:00', '2025-12-31T22:30:00.000Z', '2025-12-31T22:30:00.999Z'],
  ['a compact second', '20260131T101520Z', '2026-01-31T10:15:20.000Z', '2026-01-31T10:15:20.999Z'],
  ['a fraction is an instant', '2026-01-31T10:15:20.5Z', '2026-01-31T10:15:20.500Z', '2026-01-31T10:15:20.500Z'],
])('%s covers its whole unit', (_name, text, from, to) => {
  expect(parseDate(text)).toEqual({ from: at(from), to: at(to) });
});

test.each([
  ['2026-02-31'],
  ['2025-02-29'],
  ['2026-13-01'],
  ['2026-00-10'],
  ['31/01/2026'],
  ['2026/01-31'],
  ['2026-1-1'],
  ['20261'],
  ['2026-01-31T24:00'],
  ['2026-01-31T10:60'],
  ['2026-01-31T10:15:20+1'],
  ['2026-01-31 10:15:20+19:00'],
  [' 2026'],
  ['tomorrow'],
  [''],
])('%j is no date', (text) => {
  expect(parseDate(text)).toBeUndefined();
});

test('the ISO form of every instant is read back', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true }),
      (date) => {
        expect(parseDate(date.toISOString())).toEqual({ from: date.getTime(), to: date.getTime() });
        expect(parseDate(date.toISOString().slice(0, 10))?.from).toBe(
          Math.floor(date.getTime() / 86_400_000) * 86_400_000,
        );
      },
    ),
  );
});

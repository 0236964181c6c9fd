import { expect, test } from 'vitest';
import { durationBetween, durationText, timeShown } from '../../../src/cli/shown-times.ts';

test.each([
  [0, '0.0 s'],
  [440, '0.4 s'],
  [9_949, '9.9 s'],
  [9_999, '10 s'],
  [12_400, '12 s'],
  [59_600, '1 min 0 s'],
  [185_000, '3 min 5 s'],
  [7_380_000, '2 h 3 min'],
])('%i ms are %s', (ms, text) => {
  expect(durationText(ms)).toBe(text);
});

test('what has not ended has no duration, what has not begun no time', () => {
  expect(durationBetween('2026-11-20T11:00:00.000Z', null)).toBe('-');
  expect(durationBetween(null, null)).toBe('-');
  expect(timeShown(null)).toBe('-');
  expect(timeShown('2026-11-20T11:00:59.123Z')).toBe('2026-11-20 11:00 UTC');
});

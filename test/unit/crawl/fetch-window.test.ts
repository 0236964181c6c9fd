import { describe, expect, test } from 'vitest';
import { isOpen, limitReached, openMs, parseWindow } from '../../../src/crawl/rules/schedule.ts';
import { parseCrawlSettings } from '../../../src/crawl/rules/settings.ts';

const at = (text: string) => Date.parse(`2026-03-10T${text}Z`);
const HOUR = 3_600_000;

test.each([
  ['22:00-06:00', '21:59', false],
  ['22:00-06:00', '22:00', true],
  ['22:00-06:00', '05:59', true],
  ['22:00-06:00', '06:00', false],
  ['08:30-17:00', '08:29', false],
  ['08:30-17:00', '12:00', true],
  ['08:30-17:00', '17:00', false],
  ['00:00-00:01', '00:00', true],
])('the window %s at %s is open: %s', (text, time, expected) => {
  expect(isOpen({ window: parseWindow(text), timezone: 'UTC' }, at(`${time}:00`))).toBe(expected);
});

test('a window is one of the time zone', () => {
  const window = parseWindow('22:00-06:00');

  expect(isOpen({ window, timezone: 'America/New_York' }, at('03:00:00'))).toBe(true);
  expect(isOpen({ window, timezone: 'Asia/Tokyo' }, at('03:00:00'))).toBe(false);
});

test('without a window it is always open', () => {
  expect(isOpen({ window: undefined, timezone: 'UTC' }, at('03:00:00'))).toBe(true);
});

test.each(['22-6', '22:00', '24:00-06:00', '22:00-22:00', '22:60-06:00', ''])('%j is no window', (text) => {
  expect(() => parseWindow(text)).toThrow(SyntaxError);
});

test('the time that a window was open is summed over days, from and to within it', () => {
  const of = { window: parseWindow('22:00-06:00'), timezone: 'UTC' };

  expect(openMs(of, at('21:00:00'), at('21:30:00'))).toBe(0);
  expect(openMs(of, at('22:30:30'), at('23:00:00'))).toBe(29.5 * 60_000);
  expect(openMs(of, at('23:00:00'), at('23:00:00') + 48 * HOUR)).toBe(16 * HOUR);
  expect(openMs({ ...of, window: undefined }, at('01:00:00'), at('02:00:00'))).toBe(HOUR);
});

describe('the limits of a run', () => {
  const run = { kind: 'full', state: 'running', bytes: 10, startedAt: 0, createdAt: 0, pausedMs: 0 } as const;
  const settings = parseCrawlSettings({ seeds: [], limits: { runMinutes: 60, runBytes: 1_000 } });
  const reached = (changes: object, now = 59 * 60_000) =>
    limitReached({ ...run, ...changes }, settings, { now, timezone: 'UTC' });

  test.each([
    ['its time has not come', {}, 59, undefined],
    ['its time is over', {}, 60, 'runMinutes'],
    ['it was paused for a while', { pausedMs: 60_000 }, 60, undefined],
    ['it has taken its bytes', { bytes: 1_000 }, 0, 'runBytes'],
    ['it is one of queued URLs', { kind: 'urls', bytes: 5_000 }, 600, undefined],
    ['it is paused', { state: 'paused' }, 600, undefined],
  ])('%s', (_name, changes, minutes, limit) => {
    expect(reached(changes, minutes * 60_000)).toBe(limit);
  });
});

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { REASONS } from '../../../src/core/crawl-words.ts';
import { REASON_TEXTS } from '../../../src/crawl/rules/reasons.ts';
import { nextIntervalMs } from '../../../src/crawl/rules/recrawl-policy.ts';
import { backOffMs, RETRY_RULES, retryAfterMs } from '../../../src/crawl/rules/retry-policy.ts';
import { lastDueAt, parseSchedule } from '../../../src/crawl/rules/schedule.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe('reasons', () => {
  test.each(REASONS)('%s has a sentence, and no advice or one sentence', (reason) => {
    const { cause, advice } = REASON_TEXTS[reason];

    expect(cause).toMatch(/^[A-Z].*\.$/);
    expect(advice ?? 'None.').toMatch(/^[A-Z].*\.$/);
  });

  /** Reserved: nothing gives them in this version, or only a race of processes does. */
  const WITHOUT_TEST = new Set([
    ...['encrypted', 'over-limit', 'no-slot', 'lease-lost', 'run-limit', 'required-field', 'removal-suspected'],
    ...['canonical-broken', 'canonical-shared', 'canonical-elsewhere'],
  ]);
  const tests = globSync(join(import.meta.dirname, '../../{unit,contract,integration,spec,e2e}/**/*.test.ts'))
    .filter((path) => path !== import.meta.filename)
    .map((path) => readFileSync(path, 'utf8'));

  test.each(REASONS.filter((reason) => !WITHOUT_TEST.has(reason)))('%s is expected by a test', (reason) => {
    expect(tests.some((text) => text.includes(`'${reason}'`))).toBe(true);
  });

  test('their codes are fixed for ever', () => {
    expect(REASONS.slice(0, 4)).toEqual(['none', 'dns-temporary', 'dns-not-found', 'refused']);
    expect([REASONS.indexOf('not-found'), REASONS.indexOf('robots'), REASONS.indexOf('lastmod-unchanged')]).toEqual([
      12, 48, 74,
    ]);
  });
});

describe('retry table', () => {
  const ROWS = [
    ['dns-temporary', 'retry', 1, 'good'],
    ['dns-not-found', 'hold', 0, 'good'],
    ['refused', 'retry', 1, 'strain'],
    ['reset', 'retry', 1, 'strain'],
    ['truncated', 'retry', 1, 'strain'],
    ['protocol', 'retry', 1, 'strain'],
    ['server-error', 'retry', 1, 'overload'],
    ['timeout', 'retry', 1, 'overload'],
    ['tls', 'next-run', 0, 'good'],
    ['rate-limited', 'hold', 1, 'overload'],
    ['forbidden', 'end-of-run', 1, 'good'],
    ['robot-wall', 'end-of-run', 1, 'overload'],
    ['login-wall', 'next-run', 0, 'good'],
    ['client-error', 'next-run', 0, 'good'],
    ['redirect-loop', 'next-run', 0, 'good'],
    ['too-many-redirects', 'next-run', 0, 'good'],
    ['redirected-out', 'next-run', 0, 'good'],
    ['blocked-address', 'next-run', 0, 'good'],
    ['private-name', 'next-run', 0, 'good'],
    ['blocked-port', 'next-run', 0, 'good'],
    ['scheme', 'next-run', 0, 'good'],
    ['unsupported-type', 'next-run', 0, 'good'],
    ['too-large', 'next-run', 0, 'good'],
    ['bomb', 'next-run', 0, 'good'],
    ['bad-encoding', 'next-run', 0, 'good'],
    ['malformed', 'next-run', 0, 'good'],
    ['encrypted', 'next-run', 0, 'good'],
    ['over-limit', 'next-run', 0, 'good'],
    ['unparsable', 'next-run', 0, 'good'],
    ['render-failed', 'retry', 3, 'good'],
    ['crashed', 'next-run', 0, 'good'],
  ] as const;

  test.each(ROWS)('%s: %s, costs %i, tells the pace %s', (reason, next, cost, pace) => {
    expect(RETRY_RULES[reason]).toEqual({ next, cost, pace });
  });

  test('has no row that is not tested', () => {
    expect(Object.keys(RETRY_RULES).sort()).toEqual(ROWS.map(([reason]) => reason).sort());
  });

  test('back-off doubles from 30 s to 6 h, within a tenth', () => {
    expect([0, 1, 2, 20].map((attempts) => backOffMs(attempts, 0))).toEqual([30_000, 60_000, 120_000, 6 * HOUR]);
    expect([backOffMs(0, -1), backOffMs(0, 1)]).toEqual([27_000, 33_000]);
  });

  test.each([
    ['120', 120_000],
    ['0', 1_000],
    ['999999', 999_999_000],
    ['Thu, 01 Jan 1970 00:01:00 GMT', 60_000],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 1_000],
    [' 120 ', 120_000],
    ['-5', undefined],
    ['1.5', undefined],
    ['9'.repeat(400), 365 * DAY],
    ['soon', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('Retry-After %s is %s ms', (header, expected) => {
    expect(retryAfterMs(header, 0)).toBe(expected);
  });
});

test('the interval halves with a change, grows without, within its bounds', () => {
  const settings = { interval: { minMinutes: 60, maxDays: 30, fileDays: 7 } };
  const interval = (beforeMs: number | undefined, changed: boolean, more = {}) =>
    nextIntervalMs(settings, { kind: 'page', beforeMs, changed, patternMs: undefined, ...more });

  expect(interval(undefined, true)).toBe(DAY);
  expect(interval(undefined, true, { patternMs: 6 * HOUR })).toBe(6 * HOUR);
  expect(interval(DAY, true)).toBe(DAY / 2);
  expect(interval(DAY, false)).toBe(1.5 * DAY);
  expect(interval(HOUR, true)).toBe(HOUR);
  expect(interval(29 * DAY, false)).toBe(30 * DAY);
  expect(interval(DAY, true, { kind: 'file' })).toBe(7 * DAY);
});

describe('schedules', () => {
  test.each([
    ['manual', undefined],
    ['hourly', { cron: '59 * * * *' }],
    ['Daily', { cron: '59 3 * * *' }],
    ['weekly', { cron: '59 3 * * 3' }],
    ['every 6h', { everyMs: 6 * HOUR }],
    ['every 30 minutes', { everyMs: HOUR / 2 }],
    ['every 2 days', { everyMs: 2 * DAY }],
    ['15 3 * * *', { cron: '15 3 * * *' }],
  ])('%s', (text, rule) => {
    expect(parseSchedule(text, 17)).toEqual(rule);
  });

  test.each(['', 'often', 'every', 'every 1m', 'every 6 fortnights', '99 3 * * *', '* * * * * *'])(
    '%j is refused',
    (text) => {
      expect(() => parseSchedule(text, 17)).toThrow(SyntaxError);
    },
  );

  test('the last due time respects the time zone', () => {
    const now = Date.parse('2026-06-10T12:00:00Z');

    expect(lastDueAt({ cron: '0 3 * * *' }, 'Europe/Berlin', now)).toBe(Date.parse('2026-06-10T01:00:00Z'));
    expect(lastDueAt({ cron: '0 3 * * *' }, 'UTC', now)).toBe(Date.parse('2026-06-10T03:00:00Z'));
  });
});

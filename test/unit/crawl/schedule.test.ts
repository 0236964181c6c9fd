import { expect, test } from 'vitest';
import { nextDueAt, parseSchedule } from '../../../src/crawl/rules/schedule.ts';

/** A Friday. */
const NOW = Date.UTC(2026, 10, 20, 11, 30);
const HOUR = 3_600_000;

test.each<[rule: string, timezone: string, next: string]>([
  ['hourly', 'UTC', '2026-11-20T11:59:00.000Z'],
  ['daily', 'UTC', '2026-11-21T03:59:00.000Z'],
  ['weekly', 'UTC', '2026-11-25T03:59:00.000Z'],
  ['0 20 * * *', 'UTC', '2026-11-20T20:00:00.000Z'],
  ['0 20 * * *', 'Asia/Tokyo', '2026-11-21T11:00:00.000Z'],
  ['every 6h', 'UTC', '2026-11-20T16:30:00.000Z'],
  ['every 30m', 'UTC', '2026-11-20T11:30:00.000Z'],
])('%s in %s is next due at %s', (text, timezone, next) => {
  const rule = parseSchedule(text, 17);
  if (rule === undefined) throw new Error('no rule');

  const at = nextDueAt(rule, { timezone, last: NOW - HOUR, now: NOW });

  expect(new Date(at).toISOString()).toBe(next);
});

import { describe, expect, test } from 'vitest';
import { areDirectivesBelieved, isHealthy } from '../../../src/crawl/rules/host-health.ts';
import {
  type AbsenceObservation,
  allowedRemovals,
  judgeRemoval,
  signalOf,
} from '../../../src/crawl/rules/removal-policy.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = 1_000 * DAY;

const sighting = (changes: Partial<AbsenceObservation>): AbsenceObservation => ({
  signal: 'hard',
  isGone: false,
  queued: false,
  state: 'live',
  hasDocument: true,
  misses: 0,
  missedAt: undefined,
  nextAt: undefined,
  now: NOW,
  hostIsHealthy: true,
  held: undefined,
  runIsFull: false,
  confirmAfterMs: 2 * HOUR,
  autoApproveDays: 0,
  ...changes,
});

const ago = (hours: number) => ({ state: 'suspected', misses: 1, missedAt: NOW - hours * HOUR }) as const;
const soft = { signal: 'soft' } as const;
const held = (days: number, sightings: number) =>
  ({
    ...ago(days * 24),
    held: { class: 'hard', cause: 'not-found', heldAt: NOW - days * DAY, sightings },
    runIsFull: true,
  }) as const;

describe('hard evidence', () => {
  test.each([
    ['first sighting', {}, 'suspect'],
    ['second sighting in time', ago(2), 'remove'],
    ['second sighting too early', ago(1.9), 'suspect'],
    ['second sighting after weeks', ago(1_000), 'remove'],
    ['410 needs half of the wait', { ...ago(1), isGone: true }, 'remove'],
    ['410 too early', { ...ago(0.9), isGone: true }, 'suspect'],
    ['second sighting of an ill host', { ...ago(10), hostIsHealthy: false }, 'suspect'],
    ['first sighting after other evidence', { ...ago(10), misses: 0, missedAt: undefined }, 'suspect'],
    ['a queued URL', { queued: true }, 'remove'],
    ['a queued URL of an ill host', { queued: true, hostIsHealthy: false }, 'remove'],
    ['a queued URL that was never seen', { queued: true, state: 'known', hasDocument: false }, 'remove'],
    ['a URL without a document', { state: 'known', hasDocument: false }, 'absent'],
    ['a known URL with a pushed document', { state: 'known' }, 'suspect'],
    ['a URL that failed before', { state: 'failed', hasDocument: false }, 'absent'],
    ['an alias', { state: 'alias', hasDocument: false }, 'absent'],
    ['what is gone already', { state: 'gone', hasDocument: false, misses: 1 }, 'absent'],
  ] satisfies [string, Partial<AbsenceObservation>, string][])('%s: %s', (_name, changes, verdict) => {
    expect(judgeRemoval(sighting(changes)).verdict).toBe(verdict);
  });
});

describe('directives', () => {
  test.each([
    ['first sighting', {}, 'suspect'],
    ['second sighting in time', ago(2), 'remove'],
    ['second sighting too early', ago(1), 'suspect'],
    ['when most pages of the host say so', { ...ago(10), hostIsHealthy: false }, 'suspect'],
    ['of a queued URL', { queued: true }, 'suspect'],
    ['of a page without a document', { state: 'known', hasDocument: false }, 'absent'],
  ] satisfies [string, Partial<AbsenceObservation>, string][])('%s: %s', (_name, changes, verdict) => {
    expect(judgeRemoval(sighting({ ...changes, signal: 'directive' })).verdict).toBe(verdict);
  });
});

describe('soft evidence', () => {
  test.each([
    ['first sighting', {}, 'suspect', 1],
    ['second sighting', { ...ago(2), misses: 1, nextAt: NOW }, 'suspect', 2],
    ['second sighting before its time', { ...ago(1), misses: 1, nextAt: NOW + HOUR }, 'suspect', 1],
    ['third sighting', { ...ago(4), misses: 2, nextAt: NOW }, 'hold', 3],
    ['third sighting before its time', { ...ago(4), misses: 2, nextAt: NOW + HOUR }, 'suspect', 2],
    ['third sighting of a queued URL', { ...ago(4), misses: 2, nextAt: NOW, queued: true }, 'hold', 3],
  ] satisfies [string, Partial<AbsenceObservation>, string, number][])('%s: %s', (_name, changes, verdict, misses) => {
    expect(judgeRemoval(sighting({ ...soft, ...changes }))).toMatchObject({ verdict, misses });
  });
});

describe('held removals', () => {
  test.each([
    ['stay held without the setting', held(30, 9), 'hold'],
    ['leave after the days, seen in three full runs', { ...held(7, 2), autoApproveDays: 7 }, 'approved'],
    ['stay before the days have passed', { ...held(6, 9), autoApproveDays: 7 }, 'hold'],
    ['stay before three full runs', { ...held(9, 1), autoApproveDays: 7 }, 'hold'],
    ['stay in a run that is not full', { ...held(9, 9), autoApproveDays: 7, runIsFull: false }, 'hold'],
    ['stay while the host is ill', { ...held(9, 9), autoApproveDays: 7, hostIsHealthy: false }, 'hold'],
    ['of soft evidence stay', { ...held(9, 9), autoApproveDays: 7, ...soft }, 'hold'],
  ] satisfies [string, Partial<AbsenceObservation>, string][])('%s', (_name, changes, verdict) => {
    expect(judgeRemoval(sighting(changes)).verdict).toBe(verdict);
  });

  test('are looked at again after six hours', () => {
    expect(judgeRemoval(sighting(held(1, 0))).nextAt).toBe(NOW + 6 * HOUR);
  });
});

test('the second look comes when its time has come', () => {
  expect(judgeRemoval(sighting({})).nextAt).toBe(NOW + 2 * HOUR);
  expect(judgeRemoval(sighting({ isGone: true })).nextAt).toBe(NOW + HOUR);
  expect(judgeRemoval(sighting(ago(1))).nextAt).toBe(NOW + HOUR);
  expect(judgeRemoval(sighting({ ...ago(10), hostIsHealthy: false })).nextAt).toBe(NOW + HOUR / 2);
});

test('a page that is gone is looked at after a day, a week and a month', () => {
  const gone = { state: 'gone', hasDocument: false } as const;
  const removed = judgeRemoval(sighting(ago(2)));
  const looks = [removed];
  for (let look = 0; look < 3; look++) {
    looks.push(judgeRemoval(sighting({ ...gone, misses: looks.at(-1)?.misses ?? 0 })));
  }

  expect(looks.map(({ nextAt }) => (nextAt - NOW) / DAY)).toEqual([1, 7, 30, 30]);
});

test.each([
  [0, 20, 5],
  [5, 15, 5],
  [9, 91, 10],
  [10, 90, 10],
  [0, 0, 5],
  [0, 1_000, 100],
])('with %i removals and %i documents left, %i may leave in a day', (removed, documents, allowed) => {
  expect(allowedRemovals({ removed, documents }, { guardMinimum: 5, guardPercent: 10 })).toBe(allowed);
});

test.each([
  ['not-found', 'hard'],
  ['gone', 'hard'],
  ['noindex', 'directive'],
  ['expired', 'directive'],
  ['soft-404', 'soft'],
  ['redirect', 'soft'],
  ['type-changed', 'soft'],
  ['server-error', undefined],
  ['forbidden', undefined],
  ['robots', undefined],
  ['empty', undefined],
  ['login-wall', undefined],
  ['robot-wall', undefined],
  ['identical-pages', undefined],
  ['removal-held', undefined],
] as const)('%s is evidence: %s', (reason, signal) => {
  expect(signalOf(reason)).toBe(signal);
});

describe('host health', () => {
  const good = 'g'.repeat(50);

  test.each([
    ['', true],
    [good, true],
    [`${'g'.repeat(46)}mmmm`, true],
    [`${'g'.repeat(30)}${'m'.repeat(20)}`, false],
    [`${'g'.repeat(45)}fffff`, false],
    [`${'g'.repeat(45)}xxxxx`, false],
    [`${'g'.repeat(45)}iilss`, false],
    [`${'g'.repeat(29)}mmmmm${'g'.repeat(16)}`, true],
    ['gm', true],
    ['ggmmm', true],
    ['gf', false],
  ])('missing pages of a host with answers %s are believed: %s', (answers, healthy) => {
    expect(isHealthy(answers)).toBe(healthy);
  });

  test.each([
    [good, true],
    ['gd', true],
    ['ddd', true],
    ['dddd', false],
    [`${'g'.repeat(36)}${'d'.repeat(14)}`, true],
    [`${'g'.repeat(35)}${'d'.repeat(15)}`, false],
  ])('directives of a host with answers %s are believed: %s', (answers, believed) => {
    expect(areDirectivesBelieved(answers)).toBe(believed);
  });
});

import { expect, test } from 'vitest';
import { dueChanges, dueDigest, reportedAfter, targetSubject } from '../../../src/alerts/due-message.ts';
import type { AlertSettings, ReportedFinding } from '../../../src/core/alert-target.ts';
import { isTimeSpan, isTimeZone, isWithin, localTime } from '../../../src/core/local-time.ts';

const SETTINGS: AlertSettings = {
  name: 'operators',
  kind: 'webhook',
  url: 'http://127.0.0.1/hook',
  active: true,
  leastSeverity: 'warning',
  changes: true,
  timeZone: 'UTC',
  errorsBreakQuiet: true,
};
const at = (time: string) => Date.parse(`2026-01-31T${time}:00Z`);
const NOON = at('12:00');

function found(subject: string, severity: ReportedFinding['severity'] = 'error'): ReportedFinding {
  const name = severity === 'error' ? 'disk-full' : 'disk-low';
  return { name, severity, subject, sentence: `The disk ${subject}`, command: 'du', since: 1_000 };
}

type Case = {
  readonly settings?: Partial<AlertSettings>;
  readonly told?: readonly ReportedFinding[];
  readonly open: readonly ReportedFinding[];
  readonly at?: number;
  readonly knowsEnds?: boolean;
};

function due({ settings, told = [], open, at = NOON, knowsEnds = true }: Case) {
  const target = { id: 10, settings: { ...SETTINGS, ...settings } as AlertSettings };
  const changes = dueChanges(target, { told }, { at, open, knowsEnds });
  const subjects = (findings: readonly ReportedFinding[] = []) => findings.map(({ subject }) => subject);
  return changes && { begun: subjects(changes.begun), ended: subjects(changes.ended), open: changes.open };
}

test('a target is told once what begins, and once that it is over', () => {
  expect(due({ open: [found('a')] })).toEqual({ begun: ['a'], ended: [], open: 1 });
  expect(due({ open: [found('a')], told: [found('a')] })).toBeUndefined();
  expect(due({ open: [], told: [found('a')] })).toEqual({ begun: [], ended: ['a'], open: 0 });
  expect(due({ open: [] })).toBeUndefined();
});

test('a target for errors is told of no warning', () => {
  const settings = { leastSeverity: 'error' } as const;

  expect(due({ settings, open: [found('a', 'warning'), found('b')] })).toEqual({ begun: ['b'], ended: [], open: 1 });
});

test('a target that wants digests alone is told of no change', () => {
  expect(due({ settings: { changes: false }, open: [found('a')] })).toBeUndefined();
});

test('a process that has just begun does not say that anything is over', () => {
  expect(due({ open: [found('b')], told: [found('a')], knowsEnds: false })).toMatchObject({ begun: ['b'], ended: [] });
});

test.each([
  ['errors come in quiet hours', true, ['a']],
  ['errors wait where they may not break through', false, undefined],
])('%s, warnings and ends wait', (_name, errorsBreakQuiet, begun) => {
  const settings = { quietHours: '22:00-07:00', errorsBreakQuiet };
  const input = { settings, told: [found('over')], open: [found('a'), found('b', 'warning')] };

  expect(due({ ...input, at: at('23:30') })?.begun).toEqual(begun);
  expect(due({ ...input, at: at('23:30') })?.ended ?? []).toEqual([]);
  expect(due({ ...input, at: at('07:00') })).toEqual({ begun: ['a', 'b'], ended: ['over'], open: 2 });
});

test('quiet hours are those of the time zone', () => {
  const settings = { quietHours: '22:00-07:00', errorsBreakQuiet: false, timeZone: 'Asia/Tokyo' };

  expect(due({ settings, open: [found('a')], at: at('14:00') })).toBeUndefined();
  expect(due({ settings, open: [found('a')], at: at('23:00') })?.begun).toEqual(['a']);
});

test('a target is not told that it takes no messages', () => {
  const failing = { ...found(targetSubject(10)), name: 'alert-target-failing' };

  expect(due({ open: [failing] })).toBeUndefined();
  expect(due({ open: [{ ...failing, subject: targetSubject(11) }] })?.begun).toEqual([targetSubject(11)]);
});

test('of a thousand findings five hundred are told, a hundred at a time, and all are counted', () => {
  const open = Array.from({ length: 1_000 }, (_, number) => found(`disk ${number}`));
  let told: readonly ReportedFinding[] = [];
  const sizes: number[] = [];

  for (;;) {
    const changes = dueChanges({ id: 10, settings: SETTINGS }, { told }, { at: NOON, open, knowsEnds: true });
    if (changes === undefined) break;
    sizes.push(changes.begun.length);
    expect(changes.open).toBe(1_000);
    told = reportedAfter(told, changes);
  }

  expect(sizes).toEqual([100, 100, 100, 100, 100]);
});

test.each([
  ['before its hour', '07:29', '2026-01-30', undefined],
  ['at its hour', '07:30', '2026-01-30', { day: '2026-01-31', isSent: true }],
  ['later that day, as nothing ran', '18:00', '2026-01-30', { day: '2026-01-31', isSent: true }],
  ['when it was sent', '18:00', '2026-01-31', undefined],
  ['first before its hour', '07:29', undefined, { day: '', isSent: false }],
  ['first after its hour', '07:31', undefined, { day: '2026-01-31', isSent: false }],
])('the digest of a day %s', (_name, time, digestOn, expected) => {
  expect(dueDigest({ ...SETTINGS, digestAt: '07:30' }, { digestOn }, at(time))).toEqual(expected);
});

test('without an hour there is no digest', () => {
  expect(dueDigest(SETTINGS, { digestOn: undefined }, NOON)).toBeUndefined();
});

test.each([
  ['Europe/Berlin', '2026-03-29T00:59:00Z', '2026-03-29', 119],
  // An hour is skipped here.
  ['Europe/Berlin', '2026-03-29T01:00:00Z', '2026-03-29', 180],
  ['Asia/Kathmandu', '2026-01-31T18:14:00Z', '2026-01-31', 1_439],
  ['Asia/Kathmandu', '2026-01-31T18:15:00Z', '2026-02-01', 0],
  ['UTC', '2026-01-31T00:00:00Z', '2026-01-31', 0],
])('in %s %s is minute %i of its day', (timeZone, time, day, minute) => {
  expect(localTime(Date.parse(time), timeZone)).toEqual({ day, minute });
});

test.each([
  ['09:00-17:00', 540, true],
  ['09:00-17:00', 1_020, false],
  ['22:00-07:00', 1_320, true],
  ['22:00-07:00', 419, true],
  ['22:00-07:00', 420, false],
  ['00:00-00:00', 720, true],
])('%s holds minute %i: %s', (span, minute, expected) => {
  expect(isWithin(span, minute)).toBe(expected);
});

test('spans and time zones are checked', () => {
  expect(['22:00-07:00', '22:00', '22:00-24:00', '7:00-8:00', '01:00-02:00-03:00'].map(isTimeSpan)).toEqual([
    true,
    false,
    false,
    false,
    false,
  ]);
  expect(['Europe/Berlin', 'UTC', 'Mars/Olympus', ''].map(isTimeZone)).toEqual([true, true, false, false]);
});

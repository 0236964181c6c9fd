import { CronExpressionParser } from 'cron-parser';
import type { Run, RunLimit } from '../../storage/engine/runs.ts';
import type { CrawlSettings } from './settings.ts';

/** Hours of the day in which runs fetch, as minutes of local time; `to` before `from` lies on the next day. */
export type FetchWindow = { readonly from: number; readonly to: number };

const MINUTE = 60_000;
const DAY_MINUTES = 1_440;
const TEXT = /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)$/;

/** @throws SyntaxError with the form that is allowed */
export function parseWindow(text: string): FetchWindow {
  const [, fromHour, fromMinute, toHour, toMinute] = (TEXT.exec(text.trim()) ?? []).map(Number);
  const from = (fromHour ?? Number.NaN) * 60 + (fromMinute ?? 0);
  const to = (toHour ?? Number.NaN) * 60 + (toMinute ?? 0);
  if (Number.isNaN(from) || from === to) throw new SyntaxError(`"${text}" is no window such as "22:00-06:00"`);
  return { from, to };
}

/** Where a window is looked at; no timezone: that of the machine. */
export type WindowOf = { readonly window: FetchWindow | undefined; readonly timezone: string | undefined };

/** Runs may fetch at that time; without a window always. */
export function isOpen({ window, timezone }: WindowOf, at: number): boolean {
  if (window === undefined) return true;
  const minute = minuteOfDay(at, timezone);
  return sinceMinutes(window.from, minute) < sinceMinutes(window.from, window.to);
}

/** How long the window was open between two times. A shift of the clocks counts as an hour too many or too few. */
export function openMs(input: WindowOf, from: number, to: number): number {
  const { window, timezone } = input;
  if (window === undefined) return Math.max(to - from, 0);
  let sum = 0;
  for (let at = from; at < to; ) {
    const open = isOpen(input, at);
    const next = sinceMinutes(minuteOfDay(at, timezone), open ? window.to : window.from);
    const flipAt = Math.min(at - (at % MINUTE) + next * MINUTE, to);
    if (open) sum += flipAt - at;
    at = flipAt;
  }
  return sum;
}

/** Minutes from one time of the day to the next occurrence of another. */
function sinceMinutes(from: number, to: number): number {
  return (to - from + DAY_MINUTES) % DAY_MINUTES;
}

const formats = new Map<string | undefined, Intl.DateTimeFormat>();

function minuteOfDay(at: number, timezone: string | undefined): number {
  const known = formats.get(timezone);
  const options = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const format =
    known ?? new Intl.DateTimeFormat('en', { ...options, ...(timezone !== undefined && { timeZone: timezone }) });
  if (known === undefined) formats.set(timezone, format);
  const part = (type: string) => Number(format.formatToParts(at).find((found) => found.type === type)?.value ?? 0);
  return part('hour') * 60 + part('minute');
}

/** What makes the runs of a crawler start by themselves. */
export type ScheduleRule = { readonly cron: string } | { readonly everyMs: number };
const UNITS = { m: MINUTE, h: 60 * MINUTE, d: 24 * 60 * MINUTE } as const;
const SHORTEST_MS = 5 * MINUTE;

/**
 * Reads `hourly`, `daily`, `weekly`, `every 6h`, a cron expression of five fields, or `manual` (undefined). The minute
 * of words is spread by crawler id, daily and weekly runs start at night.
 * @throws SyntaxError with the texts that are allowed
 */
export function parseSchedule(text: string, crawlerId: number): ScheduleRule | undefined {
  const value = text.trim().toLowerCase();
  if (value === 'manual') return undefined;
  const minute = (crawlerId * 7) % 60;
  const hour = 1 + (crawlerId % 5);
  if (value === 'hourly') return { cron: `${minute} * * * *` };
  if (value === 'daily') return { cron: `${minute} ${hour} * * *` };
  if (value === 'weekly') return { cron: `${minute} ${hour} * * ${crawlerId % 7}` };
  const every = /^every\s+(\d{1,4})\s*(m|h|d)(?:in|ours?|ays?|inutes?)?$/.exec(value);
  if (every !== null) return everyRule(Number(every[1]), every[2] as keyof typeof UNITS);
  if (value.split(/\s+/).length !== 5) throw badSchedule(text);
  try {
    CronExpressionParser.parse(value);
  } catch (cause) {
    throw badSchedule(text, cause);
  }
  return { cron: value };
}

/** The last time before `now` at which the rule was due; undefined for intervals, which count from the last run. */
export function lastDueAt(rule: ScheduleRule, timezone: string, now: number): number | undefined {
  if (!('cron' in rule)) return undefined;
  return CronExpressionParser.parse(rule.cron, { tz: timezone, currentDate: new Date(now) })
    .prev()
    .getTime();
}

/** The next time at which the rule is due; `last` is the start of the last run. No timezone: that of the machine. */
export function nextDueAt(
  rule: ScheduleRule,
  { timezone, last, now }: { readonly timezone: string | undefined; readonly last: number; readonly now: number },
): number {
  if (!('cron' in rule)) return Math.max(now, last + rule.everyMs);
  const options = { currentDate: new Date(now), ...(timezone !== undefined && { tz: timezone }) };
  return CronExpressionParser.parse(rule.cron, options).next().getTime();
}

function everyRule(count: number, unit: keyof typeof UNITS): ScheduleRule {
  const everyMs = count * UNITS[unit];
  if (everyMs < SHORTEST_MS) throw new SyntaxError('the shortest interval is "every 5m"');
  return { everyMs };
}

function badSchedule(text: string, cause?: unknown): SyntaxError {
  const message = `"${text}" is none of "manual", "hourly", "daily", "weekly", "every 6h" and a cron text of five fields`;
  return new SyntaxError(message, { cause });
}

/**
 * The limit that a running run has reached. Time counts while the run may fetch: not while it is paused, nor outside of
 * its window. Runs of queued URLs have none.
 */
export function limitReached(
  run: Pick<Run, 'kind' | 'state' | 'bytes' | 'startedAt' | 'createdAt' | 'pausedMs'>,
  settings: Pick<CrawlSettings, 'limits' | 'window'>,
  { now, timezone }: { readonly now: number; readonly timezone: string | undefined },
): RunLimit | undefined {
  if (run.kind === 'urls' || run.state !== 'running') return undefined;
  const { limits } = settings;
  if (run.bytes >= limits.runBytes) return 'runBytes';
  const open = openMs(windowOf(settings, timezone), run.startedAt ?? run.createdAt, now) - run.pausedMs;
  return open >= limits.runMinutes * MINUTE ? 'runMinutes' : undefined;
}

/** The window of a crawler, in its time zone. */
export function windowOf({ window }: Pick<CrawlSettings, 'window'>, timezone: string | undefined): WindowOf {
  return { window: window === undefined ? undefined : parseWindow(window), timezone };
}

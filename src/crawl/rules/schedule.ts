import { CronExpressionParser } from 'cron-parser';

/** What makes the runs of a crawler start by themselves. */
export type ScheduleRule = { readonly cron: string } | { readonly everyMs: number };

const MINUTE = 60_000;
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

import { z } from 'zod';
import { DEVICES } from '../../storage/system/tracking.ts';
import type { SearchCounters, StatisticsRange } from '../../tracking/statistics.ts';
import { requireOrder, SPAN, spanOf } from './requests.ts';

const DAY_MS = 86_400_000;
/** Days of a range without `from`. */
const DEFAULT_DAYS = 30;

/** Days of statistics in a query string. */
export const RANGE = {
  ...SPAN,
  device: z.enum(DEVICES, `must be one of ${DEVICES.join(', ')}`).optional(),
};
type SentRange = {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly device?: StatisticsRange['device'];
};

/** @throws AppError `request.invalid` when `from` is after `to` */
export function rangeOf(sent: SentRange, engineId: number, now: number): StatisticsRange {
  const { from: sentFrom, to = now } = spanOf(sent);
  const from = sentFrom ?? to - (DEFAULT_DAYS - 1) * DAY_MS;
  requireOrder(from, to);
  return { engineId, from, to, device: sent.device };
}

/** From the first moment of its first day to the last of its last one. */
export function wholeDays<Range extends { readonly from: number; readonly to: number }>(range: Range): Range {
  const { from, to } = range;
  return { ...range, from: from - (from % DAY_MS), to: to - (to % DAY_MS) + DAY_MS - 1 };
}

export const DAY = z.iso.date();
export const RANGE_BODY = { from: DAY, to: DAY, device: z.enum(DEVICES).nullable() };
const RATIO = z.number().nullable();
export const COUNTERS = {
  searches: z.int(),
  withoutResults: z.int(),
  withoutResultsRatio: RATIO.describe('In the searches that stated their results.'),
  clickedSearches: z.int(),
  clickThroughRatio: RATIO,
  clicks: z.int(),
  meanClickRank: z.number().nullable().describe('From 1; of the clicks that stated their rank.'),
};
export const COUNTER_NAMES = Object.keys(COUNTERS) as readonly (keyof typeof COUNTERS)[];

/** `from` and `to` are the first and last day that count, in UTC. */
export function rangeBody({ from, to, device }: StatisticsRange) {
  return { from: dayText(from), to: dayText(to), device: device ?? null };
}

export function countersBody(counters: SearchCounters) {
  return {
    searches: counters.searches,
    withoutResults: counters.withoutResults,
    withoutResultsRatio: rounded(counters.withoutResultsRatio),
    clickedSearches: counters.clickedSearches,
    clickThroughRatio: rounded(counters.clickThroughRatio),
    clicks: counters.clicks,
    meanClickRank: rounded(counters.meanClickRank),
  };
}

/** Four digits behind the point are more than statistics of clicks can tell apart. */
export function rounded(value: number | undefined): number | null {
  return value === undefined ? null : Number(value.toFixed(4));
}

export function dayText(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

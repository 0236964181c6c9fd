import type { CrawlSettings } from './settings.ts';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const CHANGED_FACTOR = 0.5;
const SAME_FACTOR = 1.5;

/** Time to the next visit by itself: 24 h at first, half after a change, half as much again without (crawling 15). */
export function nextIntervalMs(
  { interval }: Pick<CrawlSettings, 'interval'>,
  beforeMs: number | undefined,
  changed: boolean,
): number {
  const wanted = beforeMs === undefined ? DAY : beforeMs * (changed ? CHANGED_FACTOR : SAME_FACTOR);
  return Math.round(Math.min(Math.max(wanted, interval.minMinutes * MINUTE), interval.maxDays * DAY));
}

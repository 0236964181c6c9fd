import type { UrlKind } from '../../core/crawl-words.ts';
import type { CrawlSettings } from './settings.ts';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const CHANGED_FACTOR = 0.5;
const SAME_FACTOR = 1.5;

export type IntervalOf = {
  readonly kind: UrlKind;
  /** The interval before; undefined at the first visit. */
  readonly beforeMs: number | undefined;
  /** Median of the URL's pattern, when it has one. */
  readonly patternMs: number | undefined;
  readonly changed: boolean;
};

/**
 * Time to the next visit by itself: that of the pattern or 24 h at first, half after a change, half as much again
 * without. Files have an interval of their own. (crawling 15.4)
 */
export function nextIntervalMs({ interval }: Pick<CrawlSettings, 'interval'>, input: IntervalOf): number {
  if (input.kind === 'file') return interval.fileDays * DAY;
  const factor = input.changed ? CHANGED_FACTOR : SAME_FACTOR;
  const wanted = input.beforeMs === undefined ? (input.patternMs ?? DAY) : input.beforeMs * factor;
  return Math.round(Math.min(Math.max(wanted, interval.minMinutes * MINUTE), interval.maxDays * DAY));
}

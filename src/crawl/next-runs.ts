import type { Crawler } from '../core/records.ts';
import type { Run } from '../storage/engine/runs.ts';
import { nextDueAt, parseSchedule } from './rules/schedule.ts';
import type { CrawlSettings } from './rules/settings.ts';

const SCHEDULED_KINDS = ['full', 'incremental'] as const;

export type NextRun = { readonly kind: (typeof SCHEDULED_KINDS)[number]; readonly at: number };

export type Schedule = Pick<CrawlSettings, 'schedule' | 'timezone'>;

type ScheduledCrawler = Pick<Crawler, 'id' | 'activeSince'> & {
  /** Newest first. */
  readonly runs: readonly Pick<Run, 'kind' | 'createdAt'>[];
};

/** The next run of each kind that starts by itself, the earliest first; a full one stands before another of its time. */
export function nextRuns(
  { schedule, timezone }: Schedule,
  { id, activeSince, runs }: ScheduledCrawler,
  now: number,
): readonly NextRun[] {
  const next = SCHEDULED_KINDS.flatMap((kind) => {
    const rule = parseSchedule(schedule[kind], id);
    const last = runs.find((run) => run.kind === 'full' || run.kind === kind)?.createdAt ?? activeSince ?? now;
    return rule === undefined ? [] : [{ kind, at: nextDueAt(rule, { timezone, last, now }) }];
  });
  return next.toSorted((a, b) => a.at - b.at);
}

/** The next `count` runs, as if each started when it is due. A full run spares the incremental one of its time. */
export function plannedRuns(
  schedule: Schedule,
  crawler: ScheduledCrawler,
  { now, count }: { readonly now: number; readonly count: number },
): readonly NextRun[] {
  const planned: NextRun[] = [];
  let runs = crawler.runs;
  for (let at = now; planned.length < count; ) {
    const [next] = nextRuns(schedule, { ...crawler, runs }, at);
    if (next === undefined) break;
    planned.push(next);
    runs = [{ kind: next.kind, createdAt: next.at }, ...runs];
    at = next.at;
  }
  return planned;
}

import type { Queue } from 'bullmq';
import type { Crawler } from '../core/records.ts';
import { compileCrawlRules } from '../crawl/rules/crawl-rules.ts';
import { parseSchedule } from '../crawl/rules/schedule.ts';
import type { UpkeepPayload } from './job-types.ts';

const KINDS = ['full', 'incremental'] as const;

export type Schedules = {
  /** Makes Redis hold the schedules that the crawler's record says; asks Redis only when the record has changed. */
  sync(crawler: Crawler): Promise<void>;
  /** Redis was emptied: everything is made again. */
  forget(): void;
};

/** Runs that start by themselves, as job schedulers of BullMQ. An inactive crawler has none. */
export function createSchedules(deps: { readonly upkeep: Queue; readonly timezone: string }): Schedules {
  const synced = new Map<number, string>();
  return {
    sync: async (crawler) => {
      const state = `${crawler.active}/${crawler.activation}/${crawler.configVersion}`;
      if (synced.get(crawler.id) === state) return;
      for (const kind of KINDS) await syncKind(deps, crawler, kind);
      synced.set(crawler.id, state);
    },
    forget: () => synced.clear(),
  };
}

async function syncKind(
  { upkeep, timezone }: { readonly upkeep: Queue; readonly timezone: string },
  crawler: Crawler,
  kind: (typeof KINDS)[number],
): Promise<void> {
  const schedulerId = `${kind}-${crawler.id}`;
  const { settings } = compileCrawlRules(crawler);
  const rule = crawler.active ? parseSchedule(settings.schedule[kind], crawler.id) : undefined;
  if (rule === undefined) {
    await upkeep.removeJobScheduler(schedulerId);
    return;
  }
  const { engineId, id: crawlerId } = crawler;
  const data: UpkeepPayload = { kind: 'start-run', engineId, crawlerId, run: kind, startedBy: 'schedule' };
  const when = 'cron' in rule ? { pattern: rule.cron, tz: settings.timezone ?? timezone } : { every: rule.everyMs };
  await upkeep.upsertJobScheduler(schedulerId, when, { name: 'start-run', data });
}

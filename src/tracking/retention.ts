import type { Clock } from '../core/clock.ts';
import type { Engine } from '../core/records.ts';
import type { StatisticsStore } from '../storage/statistics-store.ts';

const MS_PER_DAY = 86_400_000;
/** Rows of a log in one write: some 20 ms of the write thread, which other writes share. */
const STEP = 100;

export type RetentionDeps = {
  readonly systemStore: Pick<StatisticsStore, 'dropTracking'> & { listEngines(): Promise<readonly Engine[]> };
  readonly clock: Clock;
  /** cfg `TRACKING_RETENTION_DAYS`. */
  readonly retentionDays: number;
};

/** Drops events older than the retention, with what they added to statistics, in bounded steps until none is left. */
export async function dropOldTracking(deps: RetentionDeps, signal: AbortSignal): Promise<void> {
  const { systemStore, clock, retentionDays } = deps;
  const before = clock.now() - retentionDays * MS_PER_DAY;
  for (const { id: engineId } of await systemStore.listEngines()) {
    let hasMore = true;
    while (hasMore && !signal.aborted) {
      hasMore = await systemStore.dropTracking({ engineId, before, limit: STEP });
    }
  }
}

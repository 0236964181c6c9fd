import type { Clock } from '../core/clock.ts';
import type { Engine } from '../core/records.ts';
import type { ConversationStore } from '../storage/conversation-store.ts';
import type { StatisticsStore } from '../storage/system-store.ts';

const MS_PER_HOUR = 3_600_000;
const MS_PER_DAY = 24 * MS_PER_HOUR;
/** Rows of a log in one write: some 20 ms of the write thread, which other writes share. */
const STEP = 100;

export type RetentionDeps = {
  readonly systemStore: Pick<StatisticsStore, 'dropTracking'> &
    Pick<ConversationStore, 'dropConversations'> & { listEngines(): Promise<readonly Engine[]> };
  readonly clock: Clock;
  /** cfg `TRACKING_RETENTION_DAYS`. */
  readonly retentionDays: number;
  /** cfg `CONVERSATION_TTL_HOURS`. */
  readonly conversationTtlHours: number;
};

/**
 * Ends conversations whose time is over, and drops events and exchanges older than the retention with what they added
 * to statistics, in bounded steps until none is left.
 */
export async function dropOldTracking(deps: RetentionDeps, signal: AbortSignal): Promise<void> {
  const { systemStore, clock, retentionDays, conversationTtlHours } = deps;
  const ended = clock.now() - conversationTtlHours * MS_PER_HOUR;
  const before = clock.now() - retentionDays * MS_PER_DAY;
  for (const { id: engineId } of await systemStore.listEngines()) {
    await inSteps(signal, () => systemStore.dropConversations({ engineId, before: ended, limit: STEP }));
    await inSteps(signal, () => systemStore.dropTracking({ engineId, before, limit: STEP }));
  }
}

async function inSteps(signal: AbortSignal, step: () => Promise<boolean>): Promise<void> {
  let hasMore = true;
  while (hasMore && !signal.aborted) hasMore = await step();
}

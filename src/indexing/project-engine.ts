import { pause } from '../observability/background.ts';
import type { Log } from '../observability/logger.ts';
import type { IndexWriter } from '../search-index/index-writer.ts';
import type { EngineStore } from '../storage/engine-store.ts';

/** Changes that one step reads, and pending ones after which a generation is published at once (search-engine 8.1). */
const STEP = { rows: 5_000, bytes: 32 * 1024 * 1024 } as const;
const MAX_PENDING = 20_000;
/** How often the store is asked for new changes: soon after the last ones, and later. */
const HOT_PAUSE_MS = 25;
const IDLE_PAUSE_MS = 250;
const HOT_FOR_MS = 2_000;
const PURGE_STEP = 1_000;

export type ProjectDeps = {
  readonly store: EngineStore;
  readonly writer: IndexWriter;
  readonly log: Log;
  /** Time between two generations while changes come in. */
  readonly refreshMs: number;
  /** Milliseconds that only grow. */
  readonly monotonicMs: () => number;
};

/**
 * Follows the changes of one engine into its index until the signal ends it. A generation ends at a write border,
 * so the rows of one request appear together. An idle engine costs one look at the store's version per pause.
 */
export async function projectEngine(deps: ProjectDeps, signal: AbortSignal): Promise<void> {
  const { store, writer, monotonicMs } = deps;
  let readSeq = writer.appliedSeq;
  let seenToken: number | undefined;
  let hotUntil = 0;
  let refreshedAt = Number.NEGATIVE_INFINITY;
  let purgedSeq = 0;
  while (!signal.aborted) {
    const token = store.changeToken();
    const changes = token === seenToken ? [] : await store.changesAfter(readSeq, STEP);
    if (changes.length > 0) {
      writer.apply(changes);
      readSeq = changes.at(-1)?.seq ?? readSeq;
      hotUntil = monotonicMs() + HOT_FOR_MS;
    } else {
      seenToken = token;
    }
    if (writer.pending > 0 && (writer.pending >= MAX_PENDING || monotonicMs() - refreshedAt >= deps.refreshMs)) {
      refreshedAt = monotonicMs();
      await writer.refresh();
    } else if (changes.length === 0) {
      const hot = monotonicMs() < hotUntil || writer.pending > 0;
      if (!hot && purgedSeq < writer.appliedSeq) purgedSeq = await purge(deps);
      await pause(hot ? HOT_PAUSE_MS : IDLE_PAUSE_MS, signal);
    }
  }
}

/** Removes the rows of deleted documents that the index has passed; resolves with the `seq` up to which none is left. */
async function purge({ store, writer }: ProjectDeps): Promise<number> {
  const seq = writer.appliedSeq;
  while ((await store.purgeDeleted(seq, PURGE_STEP)) === PURGE_STEP);
  return seq;
}

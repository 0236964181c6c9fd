import type { Clock } from '../../core/clock.ts';
import type { LeasedLane } from '../../storage/engine/lanes.ts';
import type { CountedPattern } from '../../storage/engine/patterns.ts';
import type { RecordedVisit } from '../../storage/engine/visits.ts';
import type { EngineStore } from '../../storage/engine-store.ts';
import type { SplitLinks } from '../visit/page-links.ts';

/** A commit holds at most that many visits or bytes of text, and waits at most that long (crawling 7). */
const MAX_VISITS = 16;
const MAX_CHARS = 1024 * 1024;
const MAX_WAIT_MS = 25;

export type VisitBatchEntry = {
  readonly visit: Omit<RecordedVisit, 'links'>;
  readonly links: SplitLinks | undefined;
  readonly pageLimit: number;
};

export type VisitBatchWriter = {
  /** Resolves when the visit is on disk: false when its lease was gone. */
  record(entry: VisitBatchEntry): Promise<boolean>;
  /** Resolves when nothing waits any more. */
  flush(): Promise<void>;
};

type Waiting = {
  readonly entry: VisitBatchEntry;
  readonly resolve: (applied: boolean) => void;
  readonly reject: (error: unknown) => void;
};

/** Gathers the visits of a slice into commits, one at a time. */
export function openVisitBatchWriter(
  deps: {
    readonly store: Pick<EngineStore, 'recordVisits'>;
    readonly clock: Clock;
    /** Called for each new link with its id, after the commit. */
    readonly remember: (text: string, id: number) => void;
    /** Visits that could still join a commit; when all of them wait, it goes at once. */
    readonly underWay: () => number;
    readonly lost: () => void;
    /** The lane was beaten by a commit. */
    readonly beaten: () => void;
    /** Failures in a row of the hosts that were visited; awaited before the visits count as recorded. */
    readonly judge: (failures: ReadonlyMap<number, number>) => Promise<void>;
    /** Patterns that got statistics, as they are after the commit. */
    readonly counted: (patterns: readonly CountedPattern[]) => void;
  },
  input: { readonly lane: LeasedLane; readonly crawlerId: number; readonly activation: number },
): VisitBatchWriter {
  const waiting: Waiting[] = [];
  let chars = 0;
  let timer: NodeJS.Timeout | undefined;
  let draining: Promise<void> | undefined;

  const commit = async (batch: readonly Waiting[]): Promise<void> => {
    try {
      const visits = batch.map(({ entry }) => recorded(entry));
      const receipt = await deps.store.recordVisits({ ...input, now: deps.clock.now(), visits });
      if (receipt.lost) deps.lost();
      else deps.beaten();
      await deps.judge(receipt.failures);
      for (const [position, { entry, resolve }] of batch.entries()) {
        remember(deps, entry, receipt.freshIds[position] ?? []);
        resolve(receipt.applied[position] ?? false);
      }
      deps.counted(receipt.patterns);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };
  const drain = async (): Promise<void> => {
    // What is recorded in the same turn joins the commit.
    await Promise.resolve();
    while (waiting.length > 0) {
      chars = 0;
      await commit(waiting.splice(0, MAX_VISITS));
    }
    draining = undefined;
  };
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    draining ??= drain();
    return draining;
  };
  return {
    record: (entry) => {
      const recording = new Promise<boolean>((resolve, reject) => waiting.push({ entry, resolve, reject }));
      chars += charsOf(entry);
      const isFull = waiting.length >= MAX_VISITS || chars >= MAX_CHARS;
      if (isFull || waiting.length >= deps.underWay()) void flush();
      else timer ??= setTimeout(flush, MAX_WAIT_MS);
      return recording;
    },
    flush,
  };
}

function recorded({ visit, links, pageLimit }: VisitBatchEntry): RecordedVisit {
  if (links === undefined) return { ...visit, links };
  const { known, fresh, left, names } = links;
  return { ...visit, links: { known, fresh, left, names, pageLimit } };
}

function remember(
  deps: { readonly remember: (text: string, id: number) => void },
  { links }: VisitBatchEntry,
  ids: readonly (number | undefined)[],
): void {
  for (const [position, text] of (links?.freshTexts ?? []).entries()) {
    const id = ids[position];
    if (id !== undefined) deps.remember(text, id);
  }
}

function charsOf({ visit }: VisitBatchEntry): number {
  if (visit.document === undefined || 'remove' in visit.document) return 0;
  let chars = 0;
  for (const values of visit.document.put.fields.values()) for (const value of values) chars += value.length;
  return chars;
}

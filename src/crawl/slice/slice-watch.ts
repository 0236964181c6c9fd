import type { Clock } from '../../core/clock.ts';
import type { Crawler } from '../../core/records.ts';
import type { LeasedLane } from '../../storage/engine/lanes.ts';
import type { EngineStore } from '../../storage/engine-store.ts';

/** How often the crawler's record is looked at, and the lane beaten unless another write has done so (crawling 5, 7). */
const LOOK_MS = 200;
const BEAT_MS = 1_000;
/** Time that visits under way have to end: when the process stops, when the time box ends. */
const STOP_GRACE_MS = 5_000;
const HANDOVER_GRACE_MS = 10_000;

export type SliceWatch = Disposable & {
  /** Aborted when nothing more may start. */
  readonly starts: AbortSignal;
  /** Aborted when visits under way must end. */
  readonly fetches: AbortSignal;
  /** The crawler was deactivated or the lane is another's: nothing may be recorded. */
  isVoid(): boolean;
  /** The lane was lost. */
  lose(): void;
  /** The lane was beaten just now by another write of its slice. */
  beaten(): void;
  /** The time is up: visits under way may end. */
  handOver(): void;
  /** Nothing more starts; visits under way end in their own time. */
  end(): void;
  /** Ends the slice; `throwIfFailed` gives the error to its owner. */
  fail(error: unknown): void;
  throwIfFailed(): void;
};

/** Keeps a slice's lane and ends its work when the crawler, the lane or the process says so. */
export function watchSlice(
  deps: {
    readonly store: Pick<EngineStore, 'beatLane'>;
    readonly findCrawler: (crawlerId: number) => Promise<Crawler | undefined>;
    readonly clock: Clock;
    readonly changed: (crawler: Crawler) => void;
    /** Asked at each look: the runs of the crawler say that nothing more may start. */
    readonly mustEnd: () => Promise<boolean>;
  },
  input: { readonly crawler: Crawler; readonly lane: LeasedLane },
  signal: AbortSignal,
): SliceWatch {
  const starts = new AbortController();
  const fetches = new AbortController();
  const timers = new Set<NodeJS.Timeout>();
  let isVoid = false;
  let failure: { readonly error: unknown } | undefined;
  let configVersion = input.crawler.configVersion;
  let beatenAtMs = performance.now();

  const lose = () => {
    isVoid = true;
    starts.abort();
    fetches.abort();
  };
  const beaten = () => {
    beatenAtMs = performance.now();
  };
  const fail = (error: unknown) => {
    failure ??= { error };
    starts.abort();
  };
  const endWithin = (graceMs: number) => timers.add(setTimeout(() => fetches.abort(), graceMs));
  const stop = () => {
    if (starts.signal.aborted) return;
    starts.abort();
    endWithin(STOP_GRACE_MS);
  };
  const look = async () => {
    const present = await deps.findCrawler(input.crawler.id);
    if (present === undefined || !present.active || present.activation !== input.crawler.activation) return lose();
    if (present.configVersion !== configVersion) {
      configVersion = present.configVersion;
      deps.changed(present);
    }
    if (await deps.mustEnd()) stop();
  };
  const beat = async () => {
    if (performance.now() - beatenAtMs < BEAT_MS) return;
    if (await deps.store.beatLane(input.lane)) beaten();
    else lose();
  };
  timers.add(every(LOOK_MS, look, fail));
  timers.add(every(LOOK_MS, beat, fail));
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop);
  return {
    starts: starts.signal,
    fetches: fetches.signal,
    isVoid: () => isVoid,
    lose,
    beaten,
    handOver: () => endWithin(HANDOVER_GRACE_MS),
    end: () => starts.abort(),
    fail,
    throwIfFailed: () => {
      if (failure !== undefined) throw failure.error;
    },
    [Symbol.dispose]: () => {
      for (const timer of timers) clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    },
  };
}

/** A round that takes longer than its time is not overtaken by the next one. */
function every(ms: number, work: () => Promise<void>, failed: (error: unknown) => void): NodeJS.Timeout {
  let busy = false;
  return setInterval(() => {
    if (busy) return;
    busy = true;
    work()
      .catch(failed)
      .finally(() => {
        busy = false;
      });
  }, ms);
}

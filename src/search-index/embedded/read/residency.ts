import type { Clock } from '../../../core/clock.ts';

/** An open engine as the memory budget sees it. */
export type ResidentEngine = {
  readonly engineId: number;
  /** Bytes of its segments, columns, positions and live bits that are held now. */
  bytes(): number;
  /** Something is being searched or loaded: nothing of it may go. */
  isBusy(): boolean;
  usedAt(): number;
  /** Lets go of columns that no search has read since: none under way needs one, as its deadline is far nearer. */
  dropColumns(unusedSince: number): void;
  dropPositions(): void;
  /** Closes it; the next search opens it again. */
  unload(): void;
};

/** What all open engines of a process may hold together. */
export type Residency = {
  readonly budgetBytes: number;
  usedBytes(): number;
  add(engine: ResidentEngine): void;
  remove(engineId: number): void;
  /** Makes room for bytes that are about to be loaded and counts them until it is disposed: they are held then. */
  reserve(bytes: number): Disposable;
};

/** Part of the memory of indexes that segments may hold; bitsets and tables of the search threads take the rest. */
export const SEGMENT_SHARE = 0.85;
const COLUMNS_UNUSED_MS = 60_000;
const ENGINE_IDLE_MS = 10_000;

/**
 * Keeps open engines below a budget. Over it go, until there is room: columns unused for 60 s, positions of the engines
 * used longest ago, engines idle for 10 s, at last any engine that is not busy (search-engine design 9). What is
 * dropped is loaded again by the search that needs it. What the searches under way need is held, budget or not.
 */
export function createResidency(budgetBytes: number, clock: Clock): Residency {
  const engines = new Map<number, ResidentEngine>();
  let reserved = 0;
  const usedBytes = () => {
    let bytes = reserved;
    for (const engine of engines.values()) bytes += engine.bytes();
    return bytes;
  };
  return {
    budgetBytes,
    usedBytes,
    add: (engine) => void engines.set(engine.engineId, engine),
    remove: (engineId) => void engines.delete(engineId),
    reserve(bytes) {
      reserved += bytes;
      if (usedBytes() > budgetBytes) evict([...engines.values()], () => usedBytes() <= budgetBytes, clock.now());
      return {
        [Symbol.dispose]() {
          reserved -= bytes;
        },
      };
    },
  };
}

function evict(engines: readonly ResidentEngine[], isEnough: () => boolean, now: number): void {
  const oldestFirst = [...engines].sort((a, b) => a.usedAt() - b.usedAt());
  for (const engine of oldestFirst) {
    engine.dropColumns(now - COLUMNS_UNUSED_MS);
    if (isEnough()) return;
  }
  const free = oldestFirst.filter((engine) => !engine.isBusy());
  const steps: ((engine: ResidentEngine) => void)[] = [
    (engine) => engine.dropPositions(),
    (engine) => {
      if (now - engine.usedAt() >= ENGINE_IDLE_MS) engine.unload();
    },
    (engine) => engine.unload(),
  ];
  for (const step of steps) {
    for (const engine of free) {
      step(engine);
      if (isEnough()) return;
    }
  }
}

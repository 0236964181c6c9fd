/** A lease as it is found; `name` tells it from all others that the same watch looks at. */
export type WatchedLease = { readonly name: string; readonly holder: string; readonly beats: number };

export type HolderWatch = {
  /**
   * True when the holder is dead, or has not beaten for the time of silence. To be asked again and again: silence is
   * what this process has watched itself.
   */
  isGone(lease: WatchedLease): Promise<boolean>;
};

/** A look counts for no more than this share of the silence: nothing is heard while nobody looks. */
const COUNTED_RATIO = 1 / 3;

/**
 * Judges the holders of leases without comparing the clocks of two processes, which a change of the time would turn
 * into nonsense (decision 0101): by what tells that a process has died (`ProcessRegistry`), and for one that stands still by
 * its beats, which this process counts against time that only grows. When the whole machine stood still, the holders
 * have their turn before they are judged. Remembers one entry per lease.
 */
export function createHolderWatch(deps: {
  /** Whether the process of a holder's name lives; what cannot be decided counts as alive. */
  readonly isProcessAlive: (holder: string) => Promise<boolean>;
  /** Milliseconds that only grow. */
  readonly monotonicMs: () => number;
  readonly silenceMs: number;
}): HolderWatch {
  const { isProcessAlive, monotonicMs, silenceMs } = deps;
  const watched = new Map<string, { holder: string; beats: number; silentMs: number; lookedAtMs: number }>();
  return {
    isGone: async ({ name, holder, beats }) => {
      if (!(await isProcessAlive(holder))) return true;
      const nowMs = monotonicMs();
      const known = watched.get(name);
      if (known === undefined || known.holder !== holder || known.beats !== beats) {
        watched.set(name, { holder, beats, silentMs: 0, lookedAtMs: nowMs });
        return false;
      }
      known.silentMs += Math.min(nowMs - known.lookedAtMs, silenceMs * COUNTED_RATIO);
      known.lookedAtMs = nowMs;
      return known.silentMs >= silenceMs;
    },
  };
}

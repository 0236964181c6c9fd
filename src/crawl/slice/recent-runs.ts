import type { Run } from '../../storage/engine/runs.ts';
import type { EngineStore } from '../../storage/engine-store.ts';

/** A little more than the time between two looks of a slice, which bring the runs along. */
const FRESH_MS = 300;

export type RecentRuns = {
  /** Runs of the crawler that have not ended, as they were at most 300 ms ago, or since when nothing was committed. */
  find(): Promise<readonly Run[]>;
  /** Before runs are read for another reason: what is to be called with them. */
  looks(): (runs: readonly Run[]) => void;
};

/** Runs of a slice's crawler: who asks before each host and five times a second would read them once a page. */
export function openRecentRuns(
  store: Pick<EngineStore, 'livingRunsOf' | 'changeToken'>,
  crawlerId: number,
  monotonicMs: () => number = () => performance.now(),
): RecentRuns {
  let known: { readonly atMs: number; readonly token: number; readonly runs: Promise<readonly Run[]> } | undefined;
  /** The token is read first: a commit between the two shows as a change at the next look. */
  const now = () => ({ atMs: monotonicMs(), token: store.changeToken() });
  return {
    find: () => {
      if (known !== undefined && monotonicMs() - known.atMs < FRESH_MS) return known.runs;
      const asked = now();
      if (known?.token === asked.token) return known.runs;
      const read = { ...asked, runs: store.livingRunsOf(crawlerId) };
      known = read;
      read.runs.catch(() => {
        if (known === read) known = undefined;
      });
      return read.runs;
    },
    looks: () => {
      const asked = now();
      return (runs) => {
        if (known === undefined || asked.atMs >= known.atMs) known = { ...asked, runs: Promise.resolve(runs) };
      };
    },
  };
}

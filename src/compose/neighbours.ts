import type { MetricFamily } from '../observability/exposition.ts';
import { monotonicMs, type SupervisedChild, type SupervisorMessage } from './role.ts';

/** What the supervisor says of the other processes. */
export type Neighbours = {
  readonly hear: (message: SupervisorMessage) => void;
  /** None where roles run alone. */
  readonly children: () => readonly SupervisedChild[];
  /** How often the Redis of the supervisor began with an empty folder. */
  readonly redisFoldersSetAside: () => number;
  /** Figures of the processes that have told theirs lately. */
  readonly families: () => ReadonlyMap<string, readonly MetricFamily[]>;
  /** The longest answer that the supervisor has waited for lately. */
  readonly probeSeconds: () => number | undefined;
};

/** Told every five seconds: what is older is of a process that has ended. */
const COUNTERS_LIVE_MS = 20_000;
const PROBES_LIVE_MS = 15_000;

type Timed<Value> = { readonly value: Value; readonly atMs: number };

export function createNeighbours(): Neighbours {
  const told = new Map<string, Timed<readonly MetricFamily[]>>();
  let children: readonly SupervisedChild[] = [];
  let redisFoldersSetAside = 0;
  let probes: readonly Timed<number>[] = [];
  const isFresh = ({ atMs }: Timed<unknown>, livesMs: number) => monotonicMs() - atMs < livesMs;
  return {
    hear: (message) => {
      const atMs = monotonicMs();
      if (message.type === 'metrics') {
        told.set(message.process, { value: message.families, atMs });
        return;
      }
      ({ children, redisFoldersSetAside } = message);
      probes = probes.filter((probe) => isFresh(probe, PROBES_LIVE_MS));
      if (message.probeSeconds !== undefined) probes = [...probes, { value: message.probeSeconds, atMs }];
    },
    children: () => children,
    redisFoldersSetAside: () => redisFoldersSetAside,
    families: () => {
      const fresh = [...told].filter(([, counters]) => isFresh(counters, COUNTERS_LIVE_MS));
      return new Map(fresh.map(([process, { value }]) => [process, value]));
    },
    probeSeconds: () => {
      const fresh = probes.filter((probe) => isFresh(probe, PROBES_LIVE_MS));
      return fresh.length === 0 ? undefined : Math.max(...fresh.map(({ value }) => value));
    },
  };
}

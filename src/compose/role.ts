import type { Config } from '../config/config.ts';
import type { MetricFamily } from '../observability/exposition.ts';
import type { Log } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';

/** What a role starts with. `name` is the instance on its machine (`crawl-1`): field of every log line. */
export type RoleContext = {
  readonly config: Config;
  readonly log: Log;
  readonly name: string;
  /** Of this process. */
  readonly metrics: Metrics;
};

/** What the supervisor tells the api every few seconds, and at once when a child begins or ends. */
export type SupervisorMessage =
  | { readonly type: 'metrics'; readonly process: string; readonly families: readonly MetricFamily[] }
  | {
      readonly type: 'children';
      /** The Redis of its own among them. */
      readonly children: readonly SupervisedChild[];
      /** How often its Redis could not read its folder, which was set aside. */
      readonly redisFoldersSetAside: number;
      /** How long the supervisor waited for an answer of the api on a new connection. */
      readonly probeSeconds: number | undefined;
    };

export type SupervisedChild = {
  readonly name: string;
  readonly isReady: boolean;
  readonly restarts: number;
  readonly lastCause: string | undefined;
};

/** A started role; disposing it stops it without losing work. */
export type RunningRole = AsyncDisposable & {
  /** Told to the supervisor (the api's address). */
  readonly note?: string;
  /** Told what the supervisor says. */
  readonly hear?: (message: SupervisorMessage) => void;
};

/** Milliseconds that only grow. */
export const monotonicMs = (): number => performance.now();

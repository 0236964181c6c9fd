import type { Config } from '../config/config.ts';
import type { Log } from '../observability/logger.ts';

/** What a role starts with. `name` is the instance (`crawl-1`): holder of leases, field of every log line. */
export type RoleContext = { readonly config: Config; readonly log: Log; readonly name: string };

/** A started role; disposing it stops it without losing work. */
export type RunningRole = AsyncDisposable & {
  /** Told to the supervisor (the api's address). */
  readonly note?: string;
  /** Children of a crawl role that were killed over a file, by reason; it grows. */
  readonly parserKills?: ReadonlyMap<string, number>;
};

/** Milliseconds that only grow. */
export const monotonicMs = (): number => performance.now();

import type { Config } from '../config/config.ts';
import type { Log } from '../observability/logger.ts';

/** What a role starts with. `name` is the instance (`crawl-1`): holder of leases, field of every log line. */
export type RoleContext = { readonly config: Config; readonly log: Log; readonly name: string };

/** A started role; disposing it stops it without losing work. `note` is told to the supervisor (the api's address). */
export type RunningRole = AsyncDisposable & { readonly note?: string };

/** Milliseconds that only grow. */
export const monotonicMs = (): number => performance.now();

import { repeat } from '../observability/background.ts';
import type { Log } from '../observability/logger.ts';
import { dropOldTracking, type RetentionDeps } from '../tracking/statistics.ts';

const TRACKING_PAUSE_MS = 60_000;

/** The tracking part of the scheduler role: looks every minute for events whose time is over. */
export function startTrackingUpkeep(deps: RetentionDeps & { readonly log: Log }): AsyncDisposable {
  const stop = new AbortController();
  const { signal } = stop;
  const running = repeat({ log: deps.log, name: 'tracking retention', pauseMs: TRACKING_PAUSE_MS, signal }, () =>
    dropOldTracking(deps, signal),
  );
  return {
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await running;
    },
  };
}

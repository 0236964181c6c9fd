import { repeat } from '../observability/background.ts';
import type { Log } from '../observability/logger.ts';

/** A check is due once a day; this is how late it may be. */
const LOOK_EVERY_MS = 600_000;

export type ToolUpkeepDeps = {
  readonly log: Log;
  readonly checkDueTools: (signal: AbortSignal) => Promise<void>;
};

/** Job `check-search-tools`: looks every ten minutes for engines whose tools were not checked for a day. */
export function startToolChecks({ log, checkDueTools }: ToolUpkeepDeps): AsyncDisposable {
  const stop = new AbortController();
  const { signal } = stop;
  const running = repeat({ log, name: 'search tool checks', pauseMs: LOOK_EVERY_MS, signal }, () =>
    checkDueTools(signal),
  );
  return {
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await running;
    },
  };
}

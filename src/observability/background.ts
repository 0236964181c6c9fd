import type { Log } from './logger.ts';

/** Runs work that nobody awaits; a failure is logged, never lost and never thrown. */
export function runInBackground(log: Log, name: string, work: () => Promise<unknown>): void {
  void work().catch((err: unknown) => log.error({ err, work: name }, 'background work failed'));
}

/** For `.catch` where something else does: the cause at `debug`, and the value in its place. */
export function loggedInstead<T>(log: Pick<Log, 'debug'>, what: string, value: T): (err: unknown) => T {
  return (err) => {
    log.debug({ err }, what);
    return value;
  };
}

const MAX_REPORTED = 10;

/**
 * Repeats `work` with a pause after each end until the signal ends it; resolves then. The next round comes after a
 * failed one all the same. Of failures in a row those are logged that say something new, at most ten, and that they are
 * over.
 */
export async function repeat(
  options: { readonly log: Log; readonly name: string; readonly pauseMs: number; readonly signal: AbortSignal },
  work: () => Promise<unknown>,
): Promise<void> {
  const { log, name, pauseMs, signal } = options;
  const told = new Set<string>();
  while (!signal.aborted) {
    try {
      await work();
      if (told.size > 0) log.info({ work: name }, 'repeated work goes on');
      told.clear();
    } catch (err) {
      const isNew = !told.has(String(err)) && told.size < MAX_REPORTED;
      if (isNew) log.error({ err, work: name }, 'repeated work failed');
      if (isNew) told.add(String(err));
    }
    await pause(pauseMs, signal);
  }
}

/** Resolves after `ms`, or as soon as the signal is aborted. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
  });
}

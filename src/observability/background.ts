import type { Log } from './logger.ts';

/** Runs work that nobody awaits; a failure is logged, never lost and never thrown. */
export function runInBackground(log: Log, name: string, work: () => Promise<unknown>): void {
  void work().catch((err: unknown) => log.error({ err, work: name }, 'background work failed'));
}

/**
 * Repeats `work` with a pause after each end until the signal ends it; resolves then. The next round comes after a
 * failed one all the same; of failures in a row the first is logged.
 */
export async function repeat(
  options: { readonly log: Log; readonly name: string; readonly pauseMs: number; readonly signal: AbortSignal },
  work: () => Promise<unknown>,
): Promise<void> {
  const { log, name, pauseMs, signal } = options;
  let isFailing = false;
  while (!signal.aborted) {
    try {
      await work();
      isFailing = false;
    } catch (err) {
      if (!isFailing) log.error({ err, work: name }, 'repeated work failed');
      isFailing = true;
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

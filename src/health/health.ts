import { pause } from '../observability/background.ts';
import { type Finding, finding } from './finding.ts';

/** One look at one part of the installation. It costs little, and what it reads has bounds. */
export type Check = {
  /** `disk`, `crawlers`: named when the look fails. */
  readonly name: string;
  readonly look: () => Promise<readonly Finding[]>;
  /** How long a look may take before that is a finding itself; 2 s when absent. */
  readonly withinMs?: number;
};

export type Health = {
  /**
   * What all checks find: at most 4 s old, without waiting for a look longer than 2 s. A check that fails, or does not
   * come to an end, is a finding beside those that it had before.
   */
  findings(): Promise<readonly Finding[]>;
};

const FRESH_FOR_MS = 4_000;
const WAIT_MS = 2_000;

type Result = { readonly findings: readonly Finding[]; readonly failure: unknown };

/** Is all well, and what mends it? Looks are shared by all who ask, and none is begun while the one before goes on. */
export function createHealth(options: {
  readonly checks: readonly Check[];
  /** Milliseconds that only grow. */
  readonly monotonicMs: () => number;
  /** Longest wait for a look, 2 s when absent. */
  readonly waitMs?: number;
}): Health {
  const observed = options.checks.map((check) => observe(check, options.monotonicMs));
  return {
    findings: async () => {
      const waiting = new AbortController();
      const timeout = pause(options.waitMs ?? WAIT_MS, waiting.signal);
      try {
        return (await Promise.all(observed.map((current) => current(timeout)))).flat();
      } finally {
        waiting.abort();
      }
    },
  };
}

/** The findings of one check, looked at anew when they are old; waits for that until `timeout`. */
function observe(check: Check, monotonicMs: () => number): (timeout: Promise<void>) => Promise<readonly Finding[]> {
  let last: Result = { findings: [], failure: undefined };
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let running: { readonly sinceMs: number; readonly ended: Promise<void> } | undefined;

  const begin = () => {
    const sinceMs = monotonicMs();
    const ended = Promise.try(check.look)
      .then(
        (findings) => {
          last = { findings, failure: undefined };
        },
        (failure: unknown) => {
          last = { findings: last.findings, failure };
        },
      )
      .finally(() => {
        lookedAtMs = monotonicMs();
        running = undefined;
      });
    return { sinceMs, ended };
  };
  const overdue = () => running !== undefined && monotonicMs() - running.sinceMs >= (check.withinMs ?? WAIT_MS);

  return async (timeout) => {
    if (running === undefined && monotonicMs() - lookedAtMs >= FRESH_FOR_MS) running = begin();
    if (running !== undefined && !overdue()) await Promise.race([running.ended, timeout]);
    const { findings, failure } = last;
    if (overdue()) return [...findings, notLookedAt(check, 'it does not answer')];
    return failure === undefined ? findings : [...findings, notLookedAt(check, messageOf(failure))];
  };
}

function notLookedAt({ name }: Check, why: string): Finding {
  return finding('check-failed', {
    subject: name,
    sentence: `The check of "${name}" failed (${why}): what it watches may be broken`,
    command: 'fossick doctor',
  });
}

function messageOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}

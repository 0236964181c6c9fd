import type { Clock } from '../core/clock.ts';
import { AppError } from '../core/errors.ts';
import { createHolderWatch, type HolderWatch } from '../core/holder-watch.ts';
import { loggedInstead, pause } from '../observability/background.ts';
import type { Log } from '../observability/logger.ts';
import type { LeaseStore } from '../storage/system/installation.ts';

/** How often a holder beats, the age at which it stops trusting its last beat, and the silence after which others do. */
const RENEW_EVERY_MS = 3_000;
const TRUST_FOR_MS = 8_000;
const SILENCE_MS = 10_000;
/** How often one that waits for the role looks. */
const LOOK_EVERY_MS = 1_000;

const WAITED_FOR: readonly string[] = ['storage.full', 'storage.unavailable'];

export type RunWithLeaseDeps = {
  readonly leases: LeaseStore;
  readonly clock: Clock;
  /** Milliseconds that only grow: a process that was frozen must not believe an old renewal. */
  readonly monotonicMs: () => number;
  /** Whether the process of a holder's name lives; what cannot be decided counts as alive. */
  readonly isProcessAlive: (holder: string) => Promise<boolean>;
  /** False before others take this process for dead. */
  readonly isTrusted: () => boolean;
  readonly log: Log;
};

/** A role that at most one process of the installation has at a time. */
export type RoleLease = {
  /**
   * False as soon as the lease may have passed to another process: ask before every publication. What is under way when
   * the signal of the role ends may still be published.
   */
  isHeld(): boolean;
};

/**
 * Runs `work` whenever this process has the role, until the signal ends it. `work` gets a signal of its own that
 * ends when the lease is lost. Another process takes the role at once when this one is dead, and after 10 s without a
 * renewal when it stands still, whatever the clocks of the two say.
 */
export async function runWithLease(
  deps: RunWithLeaseDeps,
  input: { readonly role: string; readonly holder: string; readonly signal: AbortSignal },
  work: (held: RoleLease, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const { role, holder, signal } = input;
  const watch = createHolderWatch({ ...deps, silenceMs: SILENCE_MS });
  // A full disk, or a server that is away, gives no lease: whoever waits for the role goes on waiting.
  const couldNot = (error: unknown) => {
    if (error instanceof AppError && WAITED_FOR.includes(error.code)) return false;
    throw error;
  };
  while (!signal.aborted) {
    if (await takeFrom(watch, deps, { role, holder }).catch(couldNot)) {
      deps.log.info({ role }, 'role taken');
      await workWhileLeased(deps, input, work);
      await deps.leases.giveLease(role, holder).catch(couldNot);
    } else {
      await pause(LOOK_EVERY_MS, signal);
    }
  }
}

async function takeFrom(
  watch: HolderWatch,
  { leases, clock }: RunWithLeaseDeps,
  { role, holder }: { readonly role: string; readonly holder: string },
): Promise<boolean> {
  const lease = await leases.findLease(role);
  const isFree = lease === undefined || lease.holder === holder;
  if (!isFree && !(await watch.isGone({ name: role, ...lease }))) return false;
  return leases.takeLease({ name: role, holder, at: clock.now(), over: isFree ? undefined : lease });
}

async function workWhileLeased(
  deps: RunWithLeaseDeps,
  { role, holder, signal }: { readonly role: string; readonly holder: string; readonly signal: AbortSignal },
  work: (held: RoleLease, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const lost = new AbortController();
  const ended = AbortSignal.any([signal, lost.signal]);
  const { leases, clock, log } = deps;
  let renewedAtMs = deps.monotonicMs();
  const isHeld = () => !lost.signal.aborted && deps.monotonicMs() - renewedAtMs < TRUST_FOR_MS && deps.isTrusted();
  const renewing = renew();
  try {
    await work({ isHeld }, ended);
  } finally {
    lost.abort();
    await renewing;
  }

  async function renew(): Promise<void> {
    await pause(RENEW_EVERY_MS, ended);
    while (!ended.aborted) {
      const askedAtMs = deps.monotonicMs();
      const kept = await leases
        .takeLease({ name: role, holder, at: clock.now() })
        .catch(loggedInstead(log, `the lease of ${role} was not renewed`, false));
      if (kept) renewedAtMs = askedAtMs;
      else if (deps.monotonicMs() - renewedAtMs >= TRUST_FOR_MS) lost.abort();
      await pause(RENEW_EVERY_MS, ended);
    }
  }
}

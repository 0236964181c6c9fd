import type { Clock } from '../core/clock.ts';
import { pause } from '../observability/background.ts';
import type { Log } from '../observability/logger.ts';
import type { LeaseStore } from '../storage/lease-store.ts';

/** Life of a role lease, how often it is renewed, and the age at which its holder stops trusting it (reliability 6). */
const LEASE_MS = 10_000;
const RENEW_EVERY_MS = 3_000;
const TRUST_FOR_MS = 8_000;

export type HoldRoleDeps = {
  readonly leases: LeaseStore;
  readonly clock: Clock;
  /** Milliseconds that only grow: a process that was frozen must not believe an old renewal. */
  readonly monotonicMs: () => number;
  readonly log: Log;
};

/** A role that at most one process of the installation has at a time. */
export type HeldRole = {
  /**
   * False as soon as the lease may have passed to another process: ask before every publication. What is under way when
   * the signal of the role ends may still be published.
   */
  isHeld(): boolean;
};

/**
 * Runs `work` whenever this process has the role, until the signal ends it. `work` gets a signal of its own that
 * ends when the lease is lost; another process may take the role 10 s after the last renewal.
 */
export async function holdRole(
  deps: HoldRoleDeps,
  input: { readonly role: string; readonly holder: string; readonly signal: AbortSignal },
  work: (held: HeldRole, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const { role, holder, signal } = input;
  while (!signal.aborted) {
    if (await take(deps, role, holder)) {
      deps.log.info({ role }, 'role taken');
      await workWhileHeld(deps, input, work);
      await deps.leases.giveLease(role, holder);
    } else {
      await pause(RENEW_EVERY_MS, signal);
    }
  }
}

function take({ leases, clock }: HoldRoleDeps, role: string, holder: string): Promise<boolean> {
  const now = clock.now();
  return leases.takeLease(role, holder, now, now + LEASE_MS);
}

async function workWhileHeld(
  deps: HoldRoleDeps,
  { role, holder, signal }: { readonly role: string; readonly holder: string; readonly signal: AbortSignal },
  work: (held: HeldRole, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const lost = new AbortController();
  const ended = AbortSignal.any([signal, lost.signal]);
  let renewedAtMs = deps.monotonicMs();
  const isHeld = () => !lost.signal.aborted && deps.monotonicMs() - renewedAtMs < TRUST_FOR_MS;
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
      const kept = await take(deps, role, holder).catch(() => false);
      if (kept) renewedAtMs = askedAtMs;
      else if (deps.monotonicMs() - renewedAtMs >= TRUST_FOR_MS) lost.abort();
      await pause(RENEW_EVERY_MS, ended);
    }
  }
}

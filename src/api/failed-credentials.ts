import type { Clock } from '../core/clock.ts';

/**
 * Slows down whoever tries credentials: answers to failures of one address wait longer and longer, one behind the
 * other. Right ones are answered at once, also from that address, as long as few failures wait there. The status of
 * an answer never changes. Contract: 1.1 (401 comes before 429).
 */
export type FailedCredentials = {
  /** Looks credentials of an address up; undefined, which may take its time, when they are wrong. */
  check<T>(address: string, look: () => Promise<T | undefined>): Promise<T | undefined>;
};

/** A person mistypes a few times; a server with an old key meets the delays. */
const FREE_FAILURES = 5;
const FIRST_DELAY_MS = 50;
const MAX_DELAY_MS = 1_000;
/** Without a failure for so long an address begins anew. */
const FORGET_AFTER_MS = 600_000;
/** Of one address. Above it nothing of the address is looked up before a place is free. */
const MAX_WAITING = 64;
const MAX_ADDRESSES = 10_000;

type Offender = { failures: number; lastAt: number; waiting: number; queue: Promise<void> };

export function limitFailedCredentials(deps: {
  readonly clock: Clock;
  readonly pause: (ms: number) => Promise<void>;
}): FailedCredentials {
  const offenders = new Map<string, Offender>();
  return {
    check: async (address, look) => {
      const known = offenders.get(address);
      if (known !== undefined && known.waiting >= MAX_WAITING) await known.queue;
      const found = await look();
      if (found === undefined) await delay(offenderOf(address));
      return found;
    },
  };

  function offenderOf(address: string): Offender {
    const now = deps.clock.now();
    const known = offenders.get(address);
    const isFresh = known !== undefined && now - known.lastAt < FORGET_AFTER_MS;
    const offender = known ?? { failures: 0, lastAt: now, waiting: 0, queue: Promise.resolve() };
    offender.failures = isFresh ? offender.failures + 1 : 1;
    offender.lastAt = now;
    // Behind all others: a map keeps the order in which keys came.
    offenders.delete(address);
    offenders.set(address, offender);
    if (offenders.size > MAX_ADDRESSES) offenders.delete(offenders.keys().next().value ?? '');
    return offender;
  }

  async function delay(offender: Offender): Promise<void> {
    const beyond = offender.failures - FREE_FAILURES;
    if (beyond <= 0) return;
    const ms = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (beyond - 1));
    offender.waiting++;
    offender.queue = offender.queue.then(() => deps.pause(ms));
    await offender.queue;
    offender.waiting--;
  }
}

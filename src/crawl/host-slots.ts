import type { Reason } from '../core/crawl-words.ts';

/** At most `slots` fetches of a host at once, starts at least `spacingMs` apart. */
export type Pace = { readonly slots: number; readonly spacingMs: number };

export type SlotRequest = {
  readonly origin: string;
  readonly want: number;
  /** The fastest pace allowed. */
  readonly floor: Pace;
  /** The pace to start with when nothing is known. */
  readonly seed: Pace;
};

export type SlotGrant = { readonly origin: string; readonly grant: string; readonly startInMs: number };

export const SLOT_RESULTS = ['good', 'strain', 'overload', 'unused'] as const;
export type SlotResult = (typeof SLOT_RESULTS)[number];

/**
 * Port: the right to fetch from a host now, over all processes, crawlers and customers. Promises:
 * 1. never more live slots of an origin than its pace allows, never two starts closer than the spacing in force;
 * 2. a slot ends with `release`, or within 5 s of the end of its holder, however that came;
 * 3. a hold is seen by every process before its next start;
 * 4. lost state starts again from `seed`, never faster than `floor`;
 * 5. the pace quickens with good answers down to `floor`, slows at once with an overload, and an unused grant changes
 *    nothing;
 * 6. when the slots cannot be asked, `acquire` rejects and nothing is fetched.
 */
export interface HostSlots {
  /** Starts at most 1 s ahead are granted; an origin that has none is left out. */
  acquire(asked: readonly SlotRequest[]): Promise<readonly SlotGrant[]>;
  release(done: readonly { readonly grant: string; readonly result: SlotResult }[]): Promise<void>;
  /** A shorter hold never replaces a longer one. */
  hold(origin: string, forMs: number, reason: Reason): Promise<void>;
}

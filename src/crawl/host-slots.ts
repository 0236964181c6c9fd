import type { ObservedPace } from '../storage/engine/hosts.ts';

/** At most `slots` fetches of a host at once, starts at least `spacingMs` apart. */
export type Pace = { readonly slots: number; readonly spacingMs: number };

export type SlotRequest = {
  readonly origin: string;
  readonly want: number;
  /** The fastest pace allowed. */
  readonly floor: Pace;
  /** The pace to start with when nothing is known. */
  readonly seed: ObservedPace;
  /** The pace follows the host's answers; else it only slows down with an overload, and comes back. */
  readonly observes: boolean;
};

/** `spacingMs`: the spacing in force, which a start that comes late would break. */
export type SlotGrant = {
  readonly origin: string;
  readonly grant: string;
  readonly startInMs: number;
  readonly spacingMs: number;
};

export const SLOT_RESULTS = ['good', 'strain', 'overload', 'unused'] as const;
export type SlotResult = (typeof SLOT_RESULTS)[number];

/**
 * `firstByteMs`: how long the host took to begin its answer. `sinceStartMs`: how long ago the fetch really began, which
 * the next start keeps its distance to.
 */
export type SlotDone = {
  readonly grant: string;
  readonly result: SlotResult;
  readonly firstByteMs?: number | undefined;
  readonly sinceStartMs?: number | undefined;
};

/**
 * Port: the right to fetch from a host now, over all processes, crawlers and customers. Promises:
 * 1. never more live slots of an origin than its pace allows, never two starts closer than the spacing in force;
 * 2. a slot ends with `release`, or within 5 s of the end of its holder, however that came;
 * 3. a hold is seen by every process before its next start, for as long as it lasts, 5 s at most: by then every process
 *    has seen it in the store; an older generation never takes the place of a newer one;
 * 4. lost state starts again from `seed`, never faster than `floor`;
 * 5. the pace quickens down to `floor` while answers begin as soon as they did with one slot, and goes back when they do
 *    not; of ten answers the fourth overload halves slots and rate at once, with three failures nothing quickens, and
 *    fewer count for nothing; an unused grant changes nothing;
 * 6. `learned` is what would be lost with the state: the seed of its next life;
 * 7. when the slots cannot be asked, `acquire` rejects and nothing is fetched.
 */
export interface HostSlots {
  /** Starts at most 1 s ahead are granted; an origin that has none is left out. */
  acquire(requests: readonly SlotRequest[]): Promise<readonly SlotGrant[]>;
  release(done: readonly SlotDone[]): Promise<void>;
  /** Paces by origin; an origin of which nothing is known is left out. */
  observedPace(origins: readonly string[]): Promise<ReadonlyMap<string, ObservedPace>>;
  hold(origin: string, hold: { readonly forMs: number; readonly generation: number }): Promise<void>;
}

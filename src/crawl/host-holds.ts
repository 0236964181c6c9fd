import type { Clock } from '../core/clock.ts';
import { urlPattern } from '../core/url.ts';
import type { HostHoldStore, StoredHold } from '../storage/system/host-holds.ts';
import type { HostSlots } from './host-slots.ts';
import { type BadAnswer, type HoldChange, holdsAfter, holdsAfterGood } from './rules/hold-policy.ts';

/** How long a hold that another process has just stored may stay unseen; the slots keep a copy for longer than that. */
const RECHECK_MS = 200;

/** What a bad answer has brought: a hold of the whole host, or none but of the URL and its URL template. */
export type PlacedHold = { readonly ofHost: StoredHold | undefined };

/** Holds of hosts, as the one row of each in the system store says: shared by all crawlers, customers and processes. */
export type HostHolds = {
  /** The hold of a whole host that is in force at a time. */
  ofHost(origin: string, at: number): StoredHold | undefined;
  /** The hold of a URL's URL template that is in force at a time. */
  ofUrlTemplate(origin: string, url: string, at: number): StoredHold | undefined;
  /** Holds of whole hosts that are in force at a time, and the hosts. */
  ofHosts(at: number): readonly StoredHold[];
  heldOrigins(at: number): readonly string[];
  /** A hold of the whole host has ended, and nobody knows yet whether the host is well again. */
  isProbed(origin: string, at: number): boolean;
  /** All holds that are known of a host, also those whose time has passed. */
  of(origin: string): readonly StoredHold[];
  all(): readonly StoredHold[];
  place(answer: BadAnswer): Promise<PlacedHold>;
  /** Durable when it resolves; at most hosts nothing has to be stored. */
  answeredWell(origin: string, url: string, at: number): Promise<void>;
  /** Forgets holds that ended that long ago, at most `limit`. */
  forget(before: number, limit: number): Promise<void>;
  /** Ends all holds of a host; durable when it resolves, and seen by all processes within 200 ms. */
  end(origin: string): Promise<readonly StoredHold[]>;
};

type Store = HostHoldStore & { changeToken(): number };
type Known = { readonly token: number; readonly byOrigin: ReadonlyMap<string, readonly StoredHold[]> };

/** One per process: keeps the holds in memory until a commit of the system store may have changed them. */
export function createHostHolds({ store, clock }: { readonly store: Store; readonly clock: Clock }): HostHolds {
  const read = holdSnapshot(store, clock);
  /** Bad answers of a process follow one another: each is judged by what the one before has stored. */
  let placing: Promise<unknown> = Promise.resolve();
  const change = async (changed: HoldChange) => {
    if (changed.put.length + changed.drop.length === 0) return;
    await store.changeHolds(changed);
    read.drop();
  };
  const place = async (answer: BadAnswer): Promise<PlacedHold> => {
    const changed = holdsAfter(await store.holdsOf(answer.origin), answer);
    await change(changed);
    if (!changed.put.some(({ urlTemplate }) => urlTemplate === '')) return { ofHost: undefined };
    const stored = await store.holdsOf(answer.origin);
    return { ofHost: stored.find(({ urlTemplate }) => urlTemplate === '') };
  };
  const of = (origin: string) => read.now().get(origin) ?? [];
  const inForce = (origin: string, urlTemplate: string, at: number) =>
    of(origin).find((hold) => hold.urlTemplate === urlTemplate && hold.until > at);
  const ofHosts = (at: number) =>
    [...read.now().values()].flatMap((holds) =>
      holds.filter(({ urlTemplate, until }) => urlTemplate === '' && until > at),
    );
  return {
    ofHost: (origin, at) => inForce(origin, '', at),
    ofUrlTemplate: (origin, url, at) => (of(origin).length === 0 ? undefined : inForce(origin, urlPattern(url), at)),
    ofHosts,
    heldOrigins: (at) => ofHosts(at).map(({ origin }) => origin),
    isProbed: (origin, at) => of(origin).some(({ urlTemplate, until }) => urlTemplate === '' && until <= at),
    of,
    all: () => [...read.now().values()].flat(),
    place: (answer) => {
      const placed = placing.then(() => place(answer));
      placing = placed.catch(() => undefined);
      return placed;
    },
    answeredWell: async (origin, url, now) => {
      const known = of(origin);
      if (known.length > 0) await change(holdsAfterGood(known, { url, now }));
    },
    forget: async (before, limit) => {
      if ((await store.dropHolds(before, limit)) > 0) read.drop();
    },
    end: async (origin) => {
      const ended = await store.endHolds(origin);
      read.drop();
      return ended;
    },
  };
}

function holdSnapshot(store: Store, clock: Clock) {
  let known: Known | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  return {
    now: (): Known['byOrigin'] => {
      const now = clock.now();
      // A clock set back must not freeze the snapshot.
      if (known !== undefined && now >= askedAt && now - askedAt < RECHECK_MS) return known.byOrigin;
      // The token is read first: a commit between the two shows as a change at the next look.
      const token = store.changeToken();
      askedAt = now;
      if (known?.token !== token) {
        known = { token, byOrigin: Map.groupBy(store.listHolds(), ({ origin }) => origin) };
      }
      return known.byOrigin;
    },
    drop: () => {
      askedAt = Number.NEGATIVE_INFINITY;
    },
  };
}

/**
 * Host slots that start nothing on a host that is held as a whole. What another process has held a moment ago is known
 * to the slots themselves (`HostSlots.hold`).
 */
export function heedingHolds(slots: HostSlots, holds: Pick<HostHolds, 'ofHost'>, clock: Clock): HostSlots {
  return {
    ...slots,
    acquire: (requests) => {
      const now = clock.now();
      return slots.acquire(requests.filter(({ origin }) => holds.ofHost(origin, now) === undefined));
    },
  };
}

import type { Clock } from '../../core/clock.ts';
import type { Stage } from '../../core/crawl-words.ts';
import type { DueRow, FrontierStore, HeldLane } from '../../storage/frontier-store.ts';
import type { HostWithWork, RunStore } from '../../storage/run-store.ts';
import type { HostHolds } from '../host-holds.ts';
import type { SlotRequest } from '../host-slots.ts';
import type { HostPace } from '../rules/politeness.ts';
import type { SliceSlots } from './slice-slots.ts';

/** Hosts that are looked at in one turn. */
const HOSTS_PER_TURN = 64;
/** Unstarted leases of a host: twice what it may start at once, so that a kill repeats little. */
const LEASES_PER_SLOT = 2;
/** Longest sleep; new work of other processes is seen after it. */
const LONGEST_WAIT_MS = 1_000;
/** Pause between two looks for what is due soon: the end of a hold tells nobody. */
const LOOK_AGAIN_MS = 100;

export type GrantedVisit = { readonly row: DueRow; readonly grant: string };

/** What a host needs before its first page: its pace. `held`: it is left alone, and its rows with it. */
export type PreparedHost = { readonly pace: HostPace } | 'held';

export type FeedDeps = {
  readonly store: Pick<FrontierStore, 'takeDue' | 'returnLeases'> & Pick<RunStore, 'hostsWithWork' | 'heldUntil'>;
  readonly slots: Pick<SliceSlots, 'acquire' | 'giveBack'>;
  readonly holds: Pick<HostHolds, 'ofHost' | 'heldOrigins'>;
  readonly clock: Clock;
  readonly prepareHost: (origin: string) => Promise<PreparedHost>;
  /** Asked before anything is asked of the row's host; false: the row was dealt with and is not visited. */
  readonly isInScope: (row: DueRow) => boolean;
  /** Asked once per row of a host that is prepared; false: the row was dealt with and is not visited. */
  readonly admit: (row: DueRow) => boolean;
  readonly failed: (error: unknown) => void;
};

export type FeedOf = {
  readonly lane: HeldLane;
  readonly crawlerId: number;
  readonly activation: number;
  readonly stage: Stage;
  readonly maxPriority: number;
};

export type SliceFeed = {
  /**
   * The next visit that may start now; undefined after waiting up to 1 s for one, or at once when there is nothing to
   * wait for: no lease, no visit under way, and nothing that is due within that second. One call at a time.
   */
  take(underWay: number): Promise<GrantedVisit | undefined>;
  /** Something may have changed: rows were added, a slot came free, the slice ends. */
  notify(): void;
  /** Gives back leases of a host that is left alone: they stay due, and the hold keeps them from being taken. */
  drop(hostId: number): Promise<void>;
  /** Prepares a host anew: its pace has changed. */
  renew(hostId: number): void;
  /** No leases, and nothing due within 1 s. */
  isIdle(): Promise<boolean>;
  /** Gives back the slots that nothing was started with. */
  close(): void;
};

type FeedHost = {
  readonly hostId: number;
  readonly origin: string;
  /** Admitted once `pace` is known. */
  rows: DueRow[];
  grants: { readonly grant: string; readonly startAt: number; readonly spacingMs: number }[];
  pace: HostPace | undefined;
};

type Feed = {
  readonly deps: FeedDeps;
  readonly of: FeedOf;
  readonly hosts: Map<number, FeedHost>;
  /** Host id after which the next turn begins. */
  cursor: number;
  /** There may be rows that were not seen yet. */
  stale: boolean;
  wake: () => void;
};

/** Leases due rows host by host and asks for the right to start them. */
export function openFeed(deps: FeedDeps, of: FeedOf): SliceFeed {
  const feed: Feed = { deps, of, hosts: new Map(), cursor: 0, stale: true, wake: () => undefined };
  return {
    take: (underWay) => take(feed, underWay),
    notify: () => {
      feed.stale = true;
      feed.wake();
    },
    drop: (hostId) => drop(feed, hostId),
    renew: (hostId) => {
      const host = feed.hosts.get(hostId);
      if (host === undefined) return;
      host.pace = undefined;
      prepare(feed, host).catch(feed.deps.failed);
    },
    isIdle: () => isIdle(feed),
    close: () => {
      for (const host of feed.hosts.values()) giveBack(feed, host.grants.splice(0));
    },
  };
}

async function take(feed: Feed, underWay: number): Promise<GrantedVisit | undefined> {
  const ready = startable(feed);
  if (ready !== undefined) return ready;
  if (feed.stale) await refill(feed);
  await acquire(feed);
  const granted = startable(feed);
  if (granted !== undefined) return granted;
  if (underWay > 0 || holdsRows(feed)) {
    await sleep(feed, Math.min(LONGEST_WAIT_MS, nextStartMs(feed)));
    return startable(feed);
  }
  if (await isDueSoonOnly(feed)) await sleep(feed, LOOK_AGAIN_MS);
  feed.stale = true;
  return undefined;
}

/** A start that comes later than that, beside a quarter of the spacing, would break the spacing to the next. */
const LATE_MS = 10;

/** A grant whose time was missed, because this process was busy, is not used: another process may start just now. */
function dropLate(feed: Feed, host: FeedHost, now: number): void {
  const isLate = ({ startAt, spacingMs }: FeedHost['grants'][number]) =>
    spacingMs > 0 && now - startAt > LATE_MS + spacingMs / 4;
  if (!host.grants.some(isLate)) return;
  const late = host.grants.filter(isLate);
  host.grants = host.grants.filter((grant) => !isLate(grant));
  giveBack(feed, late);
}

function giveBack(feed: Feed, grants: readonly { readonly grant: string }[]): void {
  feed.deps.slots.giveBack(...grants.map(({ grant }) => ({ grant, result: 'unused' as const })));
}

/** Hosts in turn: one that was served goes behind the others. */
function startable(feed: Feed): GrantedVisit | undefined {
  const now = performance.now();
  for (const host of feed.hosts.values()) {
    dropLate(feed, host, now);
    const at = host.pace === undefined ? -1 : host.grants.findIndex(({ startAt }) => startAt <= now);
    const row = at < 0 ? undefined : host.rows.shift();
    if (row === undefined) continue;
    const [grant] = host.grants.splice(at, 1);
    feed.hosts.delete(host.hostId);
    feed.hosts.set(host.hostId, host);
    if (host.rows.length < slotsOf(host)) feed.stale = true;
    if (grant !== undefined) return { row, grant: grant.grant };
  }
  return undefined;
}

async function refill(feed: Feed): Promise<void> {
  const { deps, of } = feed;
  feed.stale = false;
  const now = deps.clock.now();
  await dropHeld(feed, now);
  const found = await hostsWithWork(feed, now, feed.cursor);
  feed.cursor = found.length < HOSTS_PER_TURN ? 0 : (found.at(-1)?.hostId ?? 0);
  const wanted = found.filter(({ dueAt }) => dueAt <= now).flatMap((host) => roomOf(feed, host));
  if (wanted.length === 0) return;
  const rows = await deps.store.takeDue({ ...of, now, hosts: wanted });
  const origins = new Map(found.map(({ hostId, origin }) => [hostId, origin]));
  for (const row of rows) addRow(feed, row, origins.get(row.hostId) ?? '');
}

/** Another process may have had to hold a host: what is left of it is looked at anew after the hold. */
async function dropHeld(feed: Feed, now: number): Promise<void> {
  if (feed.of.stage === 'file') return;
  for (const { hostId, origin, rows, pace } of feed.hosts.values()) {
    if (rows.length === 0 || pace === undefined) continue;
    const isHeld = feed.deps.holds.ofHost(origin, now) !== undefined;
    if (isHeld || (await feed.deps.store.heldUntil(hostId)) > now) await drop(feed, hostId);
  }
}

function roomOf(feed: Feed, { hostId }: HostWithWork): { hostId: number; limit: number }[] {
  const host = feed.hosts.get(hostId);
  const limit = slotsOf(host) * LEASES_PER_SLOT - (host?.rows.length ?? 0);
  return limit > 0 ? [{ hostId, limit }] : [];
}

function slotsOf(host: FeedHost | undefined): number {
  return host?.pace?.floor.slots ?? 1;
}

function addRow(feed: Feed, row: DueRow, origin: string): void {
  if (!feed.deps.isInScope(row)) return;
  const known = feed.hosts.get(row.hostId);
  if (known?.pace !== undefined) {
    if (feed.deps.admit(row)) known.rows.push(row);
    return;
  }
  if (known !== undefined) {
    known.rows.push(row);
    return;
  }
  const host: FeedHost = { hostId: row.hostId, origin, rows: [row], grants: [], pace: undefined };
  feed.hosts.set(row.hostId, host);
  prepare(feed, host).catch(feed.deps.failed);
}

async function prepare(feed: Feed, host: FeedHost): Promise<void> {
  const prepared = await feed.deps.prepareHost(host.origin);
  if (prepared === 'held') await drop(feed, host.hostId);
  else {
    host.pace = prepared.pace;
    host.rows = host.rows.filter((row) => feed.deps.admit(row));
  }
  feed.stale = true;
  feed.wake();
}

async function acquire(feed: Feed): Promise<void> {
  const asked = [...feed.hosts.values()].flatMap(wantOf);
  if (asked.length === 0) return;
  const granted = await feed.deps.slots.acquire(asked);
  const now = performance.now();
  const byOrigin = new Map([...feed.hosts.values()].map((host) => [host.origin, host]));
  for (const { origin, grant, startInMs, spacingMs } of granted) {
    const host = byOrigin.get(origin);
    if (host === undefined) giveBack(feed, [{ grant }]);
    else host.grants.push({ grant, startAt: now + startInMs, spacingMs });
  }
}

function wantOf({ origin, rows, grants, pace }: FeedHost): SlotRequest[] {
  const want = pace === undefined ? 0 : Math.min(rows.length - grants.length, pace.floor.slots);
  return pace === undefined || want <= 0 ? [] : [{ origin, want, ...pace }];
}

function nextStartMs({ hosts }: Feed): number {
  const now = performance.now();
  const starts = [...hosts.values()].flatMap(({ grants, rows }) => (rows.length === 0 ? [] : grants));
  return Math.min(...starts.map(({ startAt }) => startAt - now));
}

/** Until the time has passed or `wake` is called; then there may be rows to see. */
function sleep(feed: Feed, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      feed.stale = true;
      feed.wake = () => undefined;
      resolve();
    };
    const timer = setTimeout(end, Math.max(ms, 1));
    feed.wake = end;
  });
}

async function drop(feed: Feed, hostId: number): Promise<void> {
  const host = feed.hosts.get(hostId);
  if (host === undefined) return;
  feed.hosts.delete(hostId);
  giveBack(feed, host.grants);
  const dueAt = feed.deps.clock.now();
  await feed.deps.store.returnLeases(
    feed.of.lane,
    host.rows.map(({ urlId }) => ({ urlId, dueAt })),
  );
}

function holdsRows({ hosts }: Feed): boolean {
  return [...hosts.values()].some(({ rows }) => rows.length > 0);
}

async function isIdle(feed: Feed): Promise<boolean> {
  return !holdsRows(feed) && !(await isDueBy(feed, feed.deps.clock.now() + LONGEST_WAIT_MS));
}

/** A host that asked for a second is waited for: what looks for work looks less often. */
async function isDueSoonOnly(feed: Feed): Promise<boolean> {
  const now = feed.deps.clock.now();
  return !(await isDueBy(feed, now)) && (await isDueBy(feed, now + LONGEST_WAIT_MS));
}

async function isDueBy(feed: Feed, at: number): Promise<boolean> {
  return (await hostsWithWork(feed, at, 0)).some(({ dueAt }) => dueAt <= at);
}

function hostsWithWork({ deps, of }: Feed, now: number, after: number): Promise<readonly HostWithWork[]> {
  const heldOrigins = deps.holds.heldOrigins(now);
  return deps.store.hostsWithWork({ ...of, now, heldOrigins, limit: HOSTS_PER_TURN, after });
}

import type { Clock } from '../../core/clock.ts';
import type { Stage } from '../../core/crawl-words.ts';
import type { DueRow, HostWithWork, WorkFound } from '../../storage/engine/due-rows.ts';
import type { HostFacts } from '../../storage/engine/hosts.ts';
import type { LeasedLane } from '../../storage/engine/lanes.ts';
import type { EngineStore } from '../../storage/engine-store.ts';
import type { HostHolds } from '../host-holds.ts';
import type { SlotRequest } from '../host-slots.ts';
import type { HostPace } from '../rules/politeness.ts';
import type { SliceSlots } from './visit-slot.ts';

/** Hosts that are looked at in one turn. */
const HOSTS_PER_READ = 64;
/** Unstarted leases of a host at most, by what it may start at once: a kill repeats little. */
const LEASES_PER_SLOT = 2;
/**
 * Rows that a slice has leased ahead for each of its visits, over all hosts of a look: what one slice holds, no other can
 * visit.
 */
const LEASES_PER_VISIT = 8;
/** Longest sleep; new work of other processes is seen after it. */
const LONGEST_WAIT_MS = 1_000;
/** Between two turns over the hosts while rows are held that wait for a slot or a visit. */
const LOOK_EVERY_MS = 250;
/** Shortest pause between two looks for what is due soon: the end of a hold tells nobody. */
const RECHECK_MS = 100;

export type GrantedVisit = { readonly row: DueRow; readonly grant: string };

/** What a host needs before its first page: its pace. `held`: it is left alone, and its rows with it. */
export type PreparedHost = { readonly pace: HostPace } | 'held';

export type HostKey = { readonly hostId: number; readonly origin: string };

export type DispatcherDeps = {
  readonly store: Pick<EngineStore, 'takeDue' | 'returnLeases' | 'hostsWithWork' | 'lookForWork'>;
  readonly slots: Pick<SliceSlots, 'acquire' | 'giveBack'>;
  readonly holds: Pick<HostHolds, 'ofHost' | 'heldOrigins'>;
  readonly clock: Clock;
  /** Begins a look for work: is called with what it finds of hosts and runs. */
  readonly looks: () => (found: WorkFound) => void;
  /** Told on how many hosts there is work that this slice has no room for. */
  readonly leaves: (hosts: number) => void;
  /** Told that the lane has been beaten. */
  readonly beaten: () => void;
  readonly prepareHost: (host: HostKey) => Promise<PreparedHost>;
  /** Asked before anything is asked of the row's host; false: the row was dealt with and is not visited. */
  readonly isInScope: (row: DueRow) => boolean;
  /** Asked once per row of a host that is prepared; false: the row was dealt with and is not visited. */
  readonly admit: (row: DueRow) => boolean;
  readonly failed: (error: unknown) => void;
};

export type DispatchScope = {
  readonly lane: LeasedLane;
  readonly crawlerId: number;
  readonly activation: number;
  readonly stage: Stage;
  readonly maxPriority: number;
  /** Visits at once. */
  readonly concurrency: number;
};

export type SliceDispatcher = {
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

type DispatchHost = HostKey & {
  /** Admitted once `pace` is known. */
  rows: DueRow[];
  grants: { readonly grant: string; readonly startAt: number; readonly spacingMs: number }[];
  pace: HostPace | undefined;
};

type Dispatcher = {
  readonly deps: DispatcherDeps;
  readonly of: DispatchScope;
  readonly hosts: Map<number, DispatchHost>;
  /** Host id after which the next turn begins. */
  cursor: number;
  /** There may be rows that were not seen yet. */
  stale: boolean;
  /** The rows that were leased of a host are used up: it may have more. */
  isShort: boolean;
  /** The last look has leased rows. */
  hasTaken: boolean;
  /** When the last turn over the hosts ended. */
  lookedAtMs: number;
  wake: () => void;
};

/** Leases due rows host by host and asks for the right to start them. */
export function openDispatcher(deps: DispatcherDeps, input: DispatchScope): SliceDispatcher {
  const dispatcher: Dispatcher = {
    deps,
    of: input,
    hosts: new Map(),
    cursor: 0,
    stale: true,
    isShort: true,
    hasTaken: false,
    lookedAtMs: Number.NEGATIVE_INFINITY,
    wake: () => undefined,
  };
  return {
    take: (underWay) => take(dispatcher, underWay),
    notify: () => {
      dispatcher.stale = true;
      dispatcher.wake();
    },
    drop: (hostId) => drop(dispatcher, hostId),
    renew: (hostId) => {
      const host = dispatcher.hosts.get(hostId);
      if (host === undefined) return;
      host.pace = undefined;
      prepare(dispatcher, host).catch(dispatcher.deps.failed);
    },
    isIdle: () => isIdle(dispatcher),
    close: () => {
      for (const host of dispatcher.hosts.values()) giveBack(dispatcher, host.grants.splice(0));
    },
  };
}

async function take(dispatcher: Dispatcher, underWay: number): Promise<GrantedVisit | undefined> {
  if (!canStart(dispatcher)) await acquire(dispatcher);
  if (isLookDue(dispatcher)) {
    await look(dispatcher, hasRoom(dispatcher) || !canStart(dispatcher));
    if (!canStart(dispatcher)) await acquire(dispatcher);
  }
  const granted = startable(dispatcher);
  if (granted !== undefined) return granted;
  if (underWay > 0 || holdsRows(dispatcher)) {
    await sleep(dispatcher, Math.min(LONGEST_WAIT_MS, nextStartMs(dispatcher)));
    return startable(dispatcher);
  }
  // A host that asked for a second is waited for: what looks for work looks less often.
  const soonMs = dispatcher.hasTaken ? undefined : await dueSoonMs(dispatcher);
  if (soonMs !== undefined) await sleep(dispatcher, Math.max(RECHECK_MS, soonMs));
  dispatcher.stale = true;
  return undefined;
}

/** The turn has more hosts, the last one is some time ago, or visits wait for rows that there may be. */
function isLookDue(dispatcher: Dispatcher): boolean {
  const { stale, cursor, lookedAtMs, isShort } = dispatcher;
  const isWaiting = !holdsRows(dispatcher) || (isShort && !canStart(dispatcher));
  return stale && (cursor > 0 || isWaiting || performance.now() - lookedAtMs >= LOOK_EVERY_MS);
}

/** A row that is held may be visited now. Grants whose time was missed are given back. */
function canStart(dispatcher: Dispatcher): boolean {
  const now = performance.now();
  return dispatcher.hosts.values().some((host) => {
    dropLate(dispatcher, host, now);
    return host.rows.length > 0 && host.pace !== undefined && host.grants.some(({ startAt }) => startAt <= now);
  });
}

/** Less than half of the rows that the visits of the slice have ahead. */
function hasRoom({ hosts, of: { concurrency } }: Dispatcher): boolean {
  const held = hosts.values().reduce((sum, { rows }) => sum + rows.length, 0);
  return held < (LEASES_PER_VISIT * concurrency) / 2;
}

/** A start that comes later than that, beside a quarter of the spacing, would break the spacing to the next. */
const LATE_MS = 10;

/** A grant whose time was missed, because this process was busy, is not used: another process may start just now. */
function dropLate(dispatcher: Dispatcher, host: DispatchHost, now: number): void {
  const isLate = ({ startAt, spacingMs }: DispatchHost['grants'][number]) =>
    spacingMs > 0 && now - startAt > LATE_MS + spacingMs / 4;
  if (!host.grants.some(isLate)) return;
  const late = host.grants.filter(isLate);
  host.grants = host.grants.filter((grant) => !isLate(grant));
  giveBack(dispatcher, late);
}

function giveBack(dispatcher: Dispatcher, grants: readonly { readonly grant: string }[]): void {
  dispatcher.deps.slots.giveBack(...grants.map(({ grant }) => ({ grant, result: 'unused' as const })));
}

/** Hosts in turn: one that was served goes behind the others. */
function startable(dispatcher: Dispatcher): GrantedVisit | undefined {
  const now = performance.now();
  for (const host of dispatcher.hosts.values()) {
    dropLate(dispatcher, host, now);
    const at = host.pace === undefined ? -1 : host.grants.findIndex(({ startAt }) => startAt <= now);
    const row = at < 0 ? undefined : host.rows.shift();
    if (row === undefined) continue;
    const [grant] = host.grants.splice(at, 1);
    dispatcher.hosts.delete(host.hostId);
    dispatcher.hosts.set(host.hostId, host);
    if (host.rows.length === 0) {
      dispatcher.stale = true;
      dispatcher.isShort = true;
    }
    if (grant !== undefined) return { row, grant: grant.grant };
  }
  return undefined;
}

/** For what is due, and what has become of the hosts whose rows are held. What there is no room for is others' work. */
async function look(dispatcher: Dispatcher, isRoomy: boolean): Promise<void> {
  const { deps, of: input } = dispatcher;
  dispatcher.stale = false;
  dispatcher.isShort = false;
  const now = deps.clock.now();
  const found = deps.looks();
  const of = [...dispatcher.hosts.values()].flatMap(({ hostId, rows }) => (rows.length === 0 ? [] : [hostId]));
  const seen = await deps.store.lookForWork({ ...workOf(dispatcher, now), after: dispatcher.cursor, of });
  found(seen);
  await dropHeld(dispatcher, seen.hosts, now);
  const { work } = seen;
  dispatcher.cursor = work.length < HOSTS_PER_READ ? 0 : (work.at(-1)?.hostId ?? 0);
  dispatcher.lookedAtMs = performance.now();
  const due = work.filter(({ dueAt }) => dueAt <= now);
  if (!isRoomy && due.length > 0) deps.leaves(due.length);
  const wanted = isRoomy ? roomOf(dispatcher, due) : [];
  const rows = wanted.length === 0 ? [] : await deps.store.takeDue({ ...input, now, hosts: wanted });
  dispatcher.hasTaken = rows.length > 0;
  if (rows.length > 0) deps.beaten();
  const origins = new Map(work.map(({ hostId, origin }) => [hostId, origin]));
  for (const row of rows) addRow(dispatcher, row, origins.get(row.hostId) ?? '');
}

/** Another process may have had to hold a host: what is left of it is looked at anew after the hold. */
async function dropHeld(dispatcher: Dispatcher, seen: readonly HostFacts[], now: number): Promise<void> {
  if (dispatcher.of.stage === 'file') return;
  const own = new Set(seen.flatMap((host) => (isLeftAlone(host, now) ? [host.id] : [])));
  for (const { hostId, origin, rows, pace } of dispatcher.hosts.values()) {
    if (rows.length === 0 || pace === undefined) continue;
    if (own.has(hostId) || dispatcher.deps.holds.ofHost(origin, now) !== undefined) await drop(dispatcher, hostId);
  }
}

/** Rows that are held have passed the look at their host before a run, or need none. */
function isLeftAlone({ heldUntil, holdReason }: HostFacts, now: number): boolean {
  return heldUntil > now && holdReason !== 'start-probe';
}

/**
 * How many rows are leased of each host. What the visits of a slice can start is shared among its hosts: other slices find
 * work beside it, and a kill repeats little.
 */
function roomOf(dispatcher: Dispatcher, due: readonly HostWithWork[]): { hostId: number; limit: number }[] {
  const share = Math.floor((LEASES_PER_VISIT * dispatcher.of.concurrency) / Math.max(1, due.length));
  return due.flatMap(({ hostId }) => {
    const host = dispatcher.hosts.get(hostId);
    const most = slotsOf(host) * LEASES_PER_SLOT;
    const limit = Math.min(most, Math.max(share, LEASES_PER_SLOT)) - (host?.rows.length ?? 0);
    return limit > 0 ? [{ hostId, limit }] : [];
  });
}

function slotsOf(host: DispatchHost | undefined): number {
  return host?.pace?.floor.slots ?? 1;
}

function addRow(dispatcher: Dispatcher, row: DueRow, origin: string): void {
  if (!dispatcher.deps.isInScope(row)) return;
  const known = dispatcher.hosts.get(row.hostId);
  if (known?.pace !== undefined) {
    if (dispatcher.deps.admit(row)) known.rows.push(row);
    return;
  }
  if (known !== undefined) {
    known.rows.push(row);
    return;
  }
  const host: DispatchHost = { hostId: row.hostId, origin, rows: [row], grants: [], pace: undefined };
  dispatcher.hosts.set(row.hostId, host);
  prepare(dispatcher, host).catch(dispatcher.deps.failed);
}

async function prepare(dispatcher: Dispatcher, host: DispatchHost): Promise<void> {
  const prepared = await dispatcher.deps.prepareHost(host);
  if (prepared === 'held') await drop(dispatcher, host.hostId);
  else {
    host.pace = prepared.pace;
    host.rows = host.rows.filter((row) => dispatcher.deps.admit(row));
  }
  dispatcher.stale = true;
  dispatcher.wake();
}

async function acquire(dispatcher: Dispatcher): Promise<void> {
  const requests = [...dispatcher.hosts.values()].flatMap((host) => wantOf(host, dispatcher.of));
  if (requests.length === 0) return;
  const granted = await dispatcher.deps.slots.acquire(requests);
  const now = performance.now();
  const byOrigin = new Map([...dispatcher.hosts.values()].map((host) => [host.origin, host]));
  for (const { origin, grant, startInMs, spacingMs } of granted) {
    const host = byOrigin.get(origin);
    if (host === undefined) giveBack(dispatcher, [{ grant }]);
    else host.grants.push({ grant, startAt: now + startInMs, spacingMs });
  }
}

function wantOf({ origin, rows, grants, pace }: DispatchHost, { concurrency }: DispatchScope): SlotRequest[] {
  const want = pace === undefined ? 0 : Math.min(Math.min(rows.length, concurrency) - grants.length, pace.floor.slots);
  return pace === undefined || want <= 0 ? [] : [{ origin, want, ...pace }];
}

function nextStartMs({ hosts }: Dispatcher): number {
  const now = performance.now();
  const starts = [...hosts.values()].flatMap(({ grants, rows }) => (rows.length === 0 ? [] : grants));
  return Math.min(...starts.map(({ startAt }) => startAt - now));
}

/** Until the time has passed or `wake` is called; then there may be rows to see. */
function sleep(dispatcher: Dispatcher, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      dispatcher.stale = true;
      dispatcher.wake = () => undefined;
      resolve();
    };
    const timer = setTimeout(end, Math.max(ms, 1));
    dispatcher.wake = end;
  });
}

async function drop(dispatcher: Dispatcher, hostId: number): Promise<void> {
  const host = dispatcher.hosts.get(hostId);
  if (host === undefined) return;
  dispatcher.hosts.delete(hostId);
  giveBack(dispatcher, host.grants);
  const dueAt = dispatcher.deps.clock.now();
  await dispatcher.deps.store.returnLeases(
    dispatcher.of.lane,
    host.rows.map(({ urlId }) => ({ urlId, dueAt })),
  );
}

function holdsRows({ hosts }: Dispatcher): boolean {
  return [...hosts.values()].some(({ rows }) => rows.length > 0);
}

async function isIdle(dispatcher: Dispatcher): Promise<boolean> {
  return !holdsRows(dispatcher) && (await dueSoonMs(dispatcher)) === undefined;
}

/** Until the first row is due that is due within a second, also of a host whose hold ends by then; undefined: none is. */
async function dueSoonMs(dispatcher: Dispatcher): Promise<number | undefined> {
  const now = dispatcher.deps.clock.now();
  const soon = now + LONGEST_WAIT_MS;
  const work = await dispatcher.deps.store.hostsWithWork({ ...workOf(dispatcher, soon), after: 0 });
  const dueAt = Math.min(...work.map((host) => host.dueAt));
  return dueAt > soon ? undefined : Math.max(0, dueAt - now);
}

function workOf({ deps, of: input }: Dispatcher, now: number) {
  const { crawlerId, activation, stage, maxPriority } = input;
  return {
    crawlerId,
    activation,
    stage,
    maxPriority,
    now,
    heldOrigins: deps.holds.heldOrigins(now),
    limit: HOSTS_PER_READ,
  };
}

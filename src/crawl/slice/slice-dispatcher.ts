import type { Clock } from '../../core/clock.ts';
import type { Stage } from '../../core/crawl-words.ts';
import type { DueRow, HostWithWork } from '../../storage/engine/due-rows.ts';
import type { LeasedLane } from '../../storage/engine/lanes.ts';
import type { EngineStore } from '../../storage/engine-store.ts';
import type { HostHolds } from '../host-holds.ts';
import type { SlotRequest } from '../host-slots.ts';
import type { HostPace } from '../rules/politeness.ts';
import type { SliceSlots } from './visit-slot.ts';

/** Hosts that are looked at in one turn. */
const HOSTS_PER_READ = 64;
/** Unstarted leases of a host: twice what it may start at once, so that a kill repeats little. */
const LEASES_PER_SLOT = 2;
/** Longest sleep; new work of other processes is seen after it. */
const LONGEST_WAIT_MS = 1_000;
/** Pause between two looks for what is due soon: the end of a hold tells nobody. */
const RECHECK_MS = 100;

export type GrantedVisit = { readonly row: DueRow; readonly grant: string };

/** What a host needs before its first page: its pace. `held`: it is left alone, and its rows with it. */
export type PreparedHost = { readonly pace: HostPace } | 'held';

export type DispatcherDeps = {
  readonly store: Pick<EngineStore, 'takeDue' | 'returnLeases' | 'hostsWithWork' | 'heldUntil'>;
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

export type DispatchScope = {
  readonly lane: LeasedLane;
  readonly crawlerId: number;
  readonly activation: number;
  readonly stage: Stage;
  readonly maxPriority: number;
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

type DispatchHost = {
  readonly hostId: number;
  readonly origin: string;
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
  wake: () => void;
};

/** Leases due rows host by host and asks for the right to start them. */
export function openDispatcher(deps: DispatcherDeps, input: DispatchScope): SliceDispatcher {
  const dispatcher: Dispatcher = { deps, of: input, hosts: new Map(), cursor: 0, stale: true, wake: () => undefined };
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
  const ready = startable(dispatcher);
  if (ready !== undefined) return ready;
  if (dispatcher.stale) await refill(dispatcher);
  await acquire(dispatcher);
  const granted = startable(dispatcher);
  if (granted !== undefined) return granted;
  if (underWay > 0 || holdsRows(dispatcher)) {
    await sleep(dispatcher, Math.min(LONGEST_WAIT_MS, nextStartMs(dispatcher)));
    return startable(dispatcher);
  }
  if (await isDueSoonOnly(dispatcher)) await sleep(dispatcher, RECHECK_MS);
  dispatcher.stale = true;
  return undefined;
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
    if (host.rows.length < slotsOf(host)) dispatcher.stale = true;
    if (grant !== undefined) return { row, grant: grant.grant };
  }
  return undefined;
}

async function refill(dispatcher: Dispatcher): Promise<void> {
  const { deps, of: input } = dispatcher;
  dispatcher.stale = false;
  const now = deps.clock.now();
  await dropHeld(dispatcher, now);
  const found = await hostsWithWork(dispatcher, now, dispatcher.cursor);
  dispatcher.cursor = found.length < HOSTS_PER_READ ? 0 : (found.at(-1)?.hostId ?? 0);
  const wanted = found.filter(({ dueAt }) => dueAt <= now).flatMap((host) => roomOf(dispatcher, host));
  if (wanted.length === 0) return;
  const rows = await deps.store.takeDue({ ...input, now, hosts: wanted });
  const origins = new Map(found.map(({ hostId, origin }) => [hostId, origin]));
  for (const row of rows) addRow(dispatcher, row, origins.get(row.hostId) ?? '');
}

/** Another process may have had to hold a host: what is left of it is looked at anew after the hold. */
async function dropHeld(dispatcher: Dispatcher, now: number): Promise<void> {
  if (dispatcher.of.stage === 'file') return;
  for (const { hostId, origin, rows, pace } of dispatcher.hosts.values()) {
    if (rows.length === 0 || pace === undefined) continue;
    const isHeld = dispatcher.deps.holds.ofHost(origin, now) !== undefined;
    if (isHeld || (await dispatcher.deps.store.heldUntil(hostId)) > now) await drop(dispatcher, hostId);
  }
}

function roomOf(dispatcher: Dispatcher, { hostId }: HostWithWork): { hostId: number; limit: number }[] {
  const host = dispatcher.hosts.get(hostId);
  const limit = slotsOf(host) * LEASES_PER_SLOT - (host?.rows.length ?? 0);
  return limit > 0 ? [{ hostId, limit }] : [];
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
  const prepared = await dispatcher.deps.prepareHost(host.origin);
  if (prepared === 'held') await drop(dispatcher, host.hostId);
  else {
    host.pace = prepared.pace;
    host.rows = host.rows.filter((row) => dispatcher.deps.admit(row));
  }
  dispatcher.stale = true;
  dispatcher.wake();
}

async function acquire(dispatcher: Dispatcher): Promise<void> {
  const requests = [...dispatcher.hosts.values()].flatMap(wantOf);
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

function wantOf({ origin, rows, grants, pace }: DispatchHost): SlotRequest[] {
  const want = pace === undefined ? 0 : Math.min(rows.length - grants.length, pace.floor.slots);
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
  return !holdsRows(dispatcher) && !(await isDueBy(dispatcher, dispatcher.deps.clock.now() + LONGEST_WAIT_MS));
}

/** A host that asked for a second is waited for: what looks for work looks less often. */
async function isDueSoonOnly(dispatcher: Dispatcher): Promise<boolean> {
  const now = dispatcher.deps.clock.now();
  return !(await isDueBy(dispatcher, now)) && (await isDueBy(dispatcher, now + LONGEST_WAIT_MS));
}

async function isDueBy(dispatcher: Dispatcher, at: number): Promise<boolean> {
  return (await hostsWithWork(dispatcher, at, 0)).some(({ dueAt }) => dueAt <= at);
}

function hostsWithWork({ deps, of: input }: Dispatcher, now: number, after: number): Promise<readonly HostWithWork[]> {
  const heldOrigins = deps.holds.heldOrigins(now);
  return deps.store.hostsWithWork({ ...input, now, heldOrigins, limit: HOSTS_PER_READ, after });
}

import type { Clock } from '../core/clock.ts';
import type { Reason } from '../core/crawl-words.ts';
import { AppError } from '../core/errors.ts';
import type { Crawler } from '../core/records.ts';
import type { Wake } from '../core/wake.ts';
import type { HostState } from '../storage/engine/host-content.ts';
import type { Host } from '../storage/engine/hosts.ts';
import type { WaitingHost } from '../storage/engine/url-look-up.ts';
import { type EngineStore, type EngineStores, usableStore } from '../storage/engine-store.ts';
import type { StoredHold } from '../storage/system/host-holds.ts';
import type { HostHolds } from './host-holds.ts';
import { compileCrawlRules } from './rules/crawl-rules.ts';
import { hostConcern } from './rules/host-health.ts';
import { windowOf } from './rules/schedule.ts';
import { isHeld, type Wait, type WaitCause, type WorkOn, whyNotNow } from './work-on.ts';

/** How long an operator who releases a host vouches for what it answers. */
const BELIEVED_MS = 24 * 3_600_000;
/** Hosts of a crawler that its status looks at. */
const MOST_HOSTS = 1_000;

type Deps = { readonly engineStores: Pick<EngineStores, 'of'>; readonly clock: Clock };
type ReleaseDeps = Deps & {
  readonly hostHolds: Pick<HostHolds, 'end'>;
  readonly listCrawlers: () => Promise<readonly Crawler[]>;
  readonly wake: Wake;
};
type Of = Pick<Crawler, 'id' | 'engineId'>;

/** Nothing has started for that long on a host that is due: an operator should know. */
const STALL_MS = 60_000;

/**
 * `concern`: why an operator should look at the host; undefined when nothing is wrong. `wait`: why nothing of it is
 * visited now; undefined when nothing of it waits or something has just been visited. `holds`: all that are in force.
 */
export type ListedHost = HostState & {
  readonly concern: Reason | undefined;
  readonly wait: Wait | undefined;
  readonly holds: readonly StoredHold[];
};

/** A host that is due and on which nothing has started for a minute. */
export type StalledHost = { readonly crawlerId: number; readonly origin: string; readonly wait: Wait };

export type HostsDeps = Deps & { readonly hostHolds: Pick<HostHolds, 'of'>; readonly workOn: WorkOn };

/** Hosts of a crawler in the order of their ids. */
export async function listHosts(
  deps: HostsDeps,
  crawler: Crawler,
  page: { readonly after: number; readonly limit: number },
): Promise<readonly ListedHost[]> {
  const now = deps.clock.now();
  const store = await deps.engineStores.of(crawler.engineId);
  const waiting = new Map((await waitingHosts(deps, crawler)).map((each) => [each.host.id, each]));
  const hosts = await store.listHosts({ crawlerId: crawler.id, ...page });
  return hosts.map((host) => {
    const waits = waiting.get(host.id);
    const holds = deps.hostHolds.of(host.origin).filter(({ until }) => until > now);
    return { ...host, wait: waits?.wait, holds, concern: concernOf(host, waits, now) };
  });
}

/** Hosts that look down, closed, or not like themselves, or that wait for a hold. */
export async function concerningHosts(deps: HostsDeps, crawler: Crawler): Promise<readonly ConcerningHost[]> {
  const hosts = await listHosts(deps, crawler, { after: 0, limit: MOST_HOSTS });
  return hosts.flatMap(({ origin, concern, wait }) => (concern === undefined ? [] : [{ origin, concern, wait }]));
}

export type ConcerningHost = {
  readonly origin: string;
  readonly concern: Reason;
  readonly wait: Wait | undefined;
};

/** Hosts of active crawlers that are due and stand still, each with the cause. */
export async function stalledHosts(
  deps: HostsDeps & { readonly listCrawlers: () => Promise<readonly Crawler[]> },
): Promise<readonly StalledHost[]> {
  const stalled: StalledHost[] = [];
  for (const crawler of await deps.listCrawlers()) {
    if (!crawler.active || (await usableStore(deps.engineStores, crawler.engineId)) === undefined) continue;
    for (const { host, wait, isStalled } of await waitingHosts(deps, crawler)) {
      if (isStalled) stalled.push({ crawlerId: crawler.id, origin: host.origin, wait });
    }
  }
  return stalled;
}

type Waits = { readonly host: WaitingHost; readonly wait: Wait; readonly isStalled: boolean };

async function waitingHosts(deps: HostsDeps, crawler: Crawler): Promise<readonly Waits[]> {
  const { id: crawlerId, activation } = crawler;
  const now = deps.clock.now();
  const store = await deps.engineStores.of(crawler.engineId);
  const hosts = await store.listWaitingHosts({ crawlerId, activation, startedSince: now - STALL_MS });
  if (hosts.length === 0) return [];
  const run = (await store.livingRunsOf(crawlerId)).find(({ state }) => state === 'paused');
  const work = await deps.workOn(store, crawlerId);
  const { settings } = compileCrawlRules(crawler);
  const input = {
    now,
    crawler,
    run,
    work,
    window: windowOf(settings, settings.timezone),
    isQueued: false,
    url: undefined,
  };
  return hosts.map((host) => {
    const { dueAt = now, isLeased } = host;
    const wait = whyNotNow({ ...input, host, holds: deps.hostHolds.of(host.origin), dueAt, isLeased });
    return { host, wait, isStalled: isStalled(host, wait, now) };
  });
}

/** What the operator has set to wait is meant to. */
function isStalled({ dueAt, isVisited }: WaitingHost, { cause }: Wait, now: number): boolean {
  return dueAt !== undefined && dueAt <= now - STALL_MS && !isVisited && !MEANT.has(cause);
}

const MEANT: ReadonlySet<WaitCause> = new Set(['inactive', 'run-paused', 'window-closed']);

/** What the host waits for comes before what its last answers look like. */
function concernOf(host: HostState, waits: Waits | undefined, now: number): Reason | undefined {
  const concern = hostConcern(host, now);
  if (waits === undefined || host.content.probe?.failedSince !== undefined) return concern;
  if (isHeld(waits.wait)) return waits.wait.reason;
  return waits.isStalled ? 'no-slot' : concern;
}

/**
 * Ends every hold of a host, whichever crawler caused it, and takes what it answers this crawler in the next 24 h for
 * what it is. What waits for it, in all crawlers, is due at once.
 * @throws AppError `record.not-found` for a host that the crawler does not know
 */
export async function releaseHost(deps: ReleaseDeps, crawler: Of, origin: string): Promise<void> {
  const { store, host } = await knownHost(deps, crawler, origin);
  await store.releaseHost(host.id, deps.clock.now() + BELIEVED_MS);
  await deps.hostHolds.end(host.origin);
  for (const each of await deps.listCrawlers()) {
    if (!each.active || !(await makeRowsDue(deps, each, host.origin))) continue;
    deps.wake({ kind: 'crawler-changed', engineId: each.engineId, crawlerId: each.id });
  }
}

/** What waits for a host whose hold has ended is due; false when the crawler does not know the host. */
export async function makeRowsDue({ engineStores, clock }: Deps, crawler: Crawler, origin: string): Promise<boolean> {
  const { id: crawlerId, engineId, activation } = crawler;
  const store = await usableStore(engineStores, engineId);
  const host = await store?.findHostOf(crawlerId, origin);
  if (store === undefined || host === undefined) return false;
  await store.makeDue(host.id, { crawlerId, activation, now: clock.now() });
  return true;
}

/**
 * Has robots.txt of a host read anew before its next visit.
 * @throws AppError `record.not-found` for a host that the crawler does not know
 */
export async function refreshRobots(deps: Deps, crawler: Of, origin: string): Promise<void> {
  const { store, host } = await knownHost(deps, crawler, origin);
  await store.forgetRobots(host.id);
}

async function knownHost(
  { engineStores }: Deps,
  { id, engineId }: Of,
  origin: string,
): Promise<{ readonly store: EngineStore; readonly host: Host }> {
  const store = await engineStores.of(engineId);
  const host = await store.findHostOf(id, URL.parse(origin)?.origin ?? origin);
  if (host === undefined) throw new AppError('record.not-found', `Crawler ${id} knows no host ${origin}`);
  return { store, host };
}

import type { Reason } from '../../core/crawl-words.ts';
import type { Crawler } from '../../core/records.ts';
import { originOf } from '../../core/url.ts';
import { loggedInstead } from '../../observability/background.ts';
import type { DueRow } from '../../storage/engine/due-rows.ts';
import type { Host } from '../../storage/engine/hosts.ts';
import type { LoggedVisit } from '../../storage/engine/visit-log.ts';
import type { EngineStore } from '../../storage/engine-store.ts';
import type { SlotResult } from '../host-slots.ts';
import type { CrawlRules } from '../rules/crawl-rules.ts';
import type { HeldReason } from '../rules/hold-policy.ts';
import { type HostPace, hostPace, probePace } from '../rules/politeness.ts';
import { BREAKER_FAILURES, isFailureReason } from '../rules/retry-policy.ts';
import type { SliceDeps } from '../run-slice.ts';
import type { HoldRequest } from '../visit/decision.ts';
import type { RobotsCopies } from '../visit/robots-copies.ts';
import type { PreparedHost, SliceDispatcher } from './slice-dispatcher.ts';
import type { SliceWatch } from './slice-watch.ts';
import { takeSlot } from './visit-slot.ts';

/** Newest visits of a crawler that are looked at for the failure that opened a breaker. */
const RECENT_VISITS = 50;

export type HostsOf = {
  readonly deps: Pick<SliceDeps, 'hostSlots' | 'hostHolds' | 'clock' | 'hostDelayMs' | 'log'>;
  readonly store: EngineStore;
  readonly crawler: Pick<Crawler, 'id' | 'configVersion'>;
  readonly watch: SliceWatch;
  readonly dispatcher: () => SliceDispatcher;
};

/** What the slice does about a host before and beside its pages. */
export type SliceHosts = {
  /** Reads robots.txt, which takes a slot of its host like any other fetch. */
  prepare(host: Host, rules: CrawlRules, robots: RobotsCopies): Promise<PreparedHost>;
  /** Stores what the bad answer of a visit holds; true when it is the whole host. */
  hold(row: DueRow, request: Pick<HoldRequest, 'reason' | 'askedMs'>): Promise<boolean>;
  /**
   * By failures in a row of hosts that were visited: holds those that failed too often, and lets a host at its full
   * pace again that answered its probe.
   */
  judge(failures: ReadonlyMap<number, number>): Promise<void>;
};

export function openHosts(input: HostsOf): SliceHosts {
  const probed = new Set<number>();
  return {
    prepare: async (host, rules, robots) => {
      const prepared = await prepare(input, { host, rules, robots });
      if (prepared === 'held' || !input.deps.hostHolds.isProbed(host.origin, input.deps.clock.now())) return prepared;
      probed.add(host.id);
      return { pace: probePace(prepared.pace) };
    },
    hold: ({ hostId, url }, request) => hold(input, { hostId, url, ...request }),
    judge: async (failures) => {
      for (const [hostId, inRow] of failures) {
        if (inRow >= BREAKER_FAILURES) await openBreaker(input, hostId);
        else if (inRow === 0 && probed.delete(hostId)) input.dispatcher().renew(hostId);
      }
    },
  };
}

/** What was under way when it opened prolongs nothing. */
async function openBreaker(input: HostsOf, hostId: number): Promise<void> {
  const host = await input.store.findHost(hostId);
  if (host === undefined || input.deps.hostHolds.ofHost(host.origin, input.deps.clock.now()) !== undefined) return;
  const last = await lastFailure(input, host.origin);
  const url = last?.url ?? `${host.origin}/`;
  await hold(input, { hostId, url, reason: 'host-held', met: last?.reason, askedMs: undefined });
}

/** What the newest visits of the crawler met on the host; it names the hold. */
async function lastFailure({ store, crawler }: HostsOf, origin: string): Promise<LoggedVisit | undefined> {
  const visits = await store.listVisits({ crawlerId: crawler.id, limit: RECENT_VISITS });
  return visits.find(({ url, reason }) => isFailureReason(reason) && originOf(url) === origin);
}

type BadHost = {
  readonly hostId: number;
  readonly url: string;
  readonly reason: HeldReason;
  readonly met?: Reason | undefined;
  readonly askedMs: number | undefined;
};

/** The store is what counts; the slots keep a copy for the moment until every process has seen it. */
async function hold({ deps, crawler, dispatcher }: HostsOf, { hostId, ...bad }: BadHost): Promise<boolean> {
  const { hostHolds, hostSlots, clock } = deps;
  const origin = originOf(bad.url) ?? '';
  const now = clock.now();
  const by = { crawlerId: crawler.id, configVersion: crawler.configVersion };
  const { ofHost } = await hostHolds.place({ origin, ...bad, now, ...by });
  if (ofHost === undefined) return false;
  await hostSlots.hold(origin, { forMs: ofHost.until - now, generation: ofHost.generation });
  await dispatcher().drop(hostId);
  return true;
}

type Prepared = { readonly host: Host; readonly rules: CrawlRules; readonly robots: RobotsCopies };

async function prepare(input: HostsOf, { host, rules, robots }: Prepared): Promise<PreparedHost> {
  const { deps } = input;
  const { origin, pace: observedPace } = host;
  const paceOf = (crawlDelaySeconds: number | undefined) =>
    hostPace(rules, { origin, crawlDelaySeconds, observedPace }, deps.hostDelayMs);
  const known = await robots.known(origin, host);
  if (known?.kind === 'rules') return { pace: paceOf(known.crawlDelaySeconds) };
  return askRobots(input, { host, robots, paceOf });
}

type RobotsRequest = {
  readonly host: Host;
  readonly robots: RobotsCopies;
  readonly paceOf: (crawlDelaySeconds: number | undefined) => HostPace;
};

async function askRobots(input: HostsOf, { host, robots, paceOf }: RobotsRequest): Promise<PreparedHost> {
  const { deps, watch } = input;
  const { origin } = host;
  const grant = await takeSlot(deps.hostSlots, { origin, pace: paceOf(undefined) }, watch.starts);
  let result: SlotResult = 'unused';
  try {
    if (grant === undefined) return waits(input, origin, 'no slot of the host was free before the slice ended');
    const policy = await robots.of(origin, watch.fetches);
    result = policy.kind === 'unreachable' ? 'overload' : 'good';
    if (policy.kind === 'rules') return { pace: paceOf(policy.crawlDelaySeconds) };
    return waits(input, origin, 'its robots.txt cannot be read');
  } catch (error) {
    if (watch.fetches.aborted) return 'held';
    throw error;
  } finally {
    // One that cannot be given back ends by itself.
    const notReleased = loggedInstead(deps.log, 'a host slot was not released', undefined);
    if (grant !== undefined) await deps.hostSlots.release([{ grant, result }]).catch(notReleased);
  }
}

/** Says in the log why nothing of a host is fetched now. */
function waits({ deps, crawler }: HostsOf, origin: string, cause: string): 'held' {
  deps.log.debug({ crawlerId: crawler.id, origin, cause }, 'pages of a host wait');
  return 'held';
}

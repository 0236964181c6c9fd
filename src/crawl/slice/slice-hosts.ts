import type { Reason } from '../../core/crawl-words.ts';
import { pause } from '../../observability/background.ts';
import type { EngineStore } from '../../storage/engine-store.ts';
import type { HostSlots, SlotResult } from '../host-slots.ts';
import type { CrawlRules } from '../rules/crawl-rules.ts';
import { type HostPace, hostPace } from '../rules/politeness.ts';
import { BREAKER_FAILURES, FIRST_HOLD_MS, holdMs } from '../rules/retry-policy.ts';
import type { SliceDeps } from '../run-slice.ts';
import type { RobotsCopies } from '../visit/robots-copies.ts';
import type { PreparedHost, SliceFeed } from './slice-feed.ts';
import type { SliceWatch } from './slice-watch.ts';

/** Pause before a slot for robots.txt is asked for again. */
const ASK_AGAIN_MS = 100;

export type HostsOf = {
  readonly deps: Pick<SliceDeps, 'hostSlots' | 'clock' | 'hostDelayMs'>;
  readonly store: EngineStore;
  readonly crawlerId: number;
  readonly watch: SliceWatch;
  readonly feed: () => SliceFeed;
};

/** What the slice does about a host before and beside its pages. */
export type SliceHosts = {
  /** Reads robots.txt, which takes a slot of its host like any other fetch. */
  prepare(origin: string, rules: CrawlRules, robots: RobotsCopies): Promise<PreparedHost>;
  hold(host: HeldHost): Promise<void>;
  /** Holds hosts that failed too often in a row. */
  openBreakers(failures: ReadonlyMap<number, number>): Promise<void>;
};

export type HeldHost = {
  readonly hostId: number;
  readonly origin: string;
  readonly forMs: number;
  readonly reason: Reason;
};

export function openHosts(of: HostsOf): SliceHosts {
  return {
    prepare: (origin, rules, robots) => prepare(of, { origin, rules, robots }),
    hold: (host) => hold(of, host),
    openBreakers: async (failures) => {
      for (const [hostId, inRow] of failures) {
        if (inRow < BREAKER_FAILURES) continue;
        const origin = (await of.store.findHost(hostId))?.origin ?? '';
        const forMs = holdMs(FIRST_HOLD_MS.breaker, inRow - BREAKER_FAILURES);
        await hold(of, { hostId, origin, forMs, reason: 'host-held' });
      }
    },
  };
}

type Prepared = { readonly origin: string; readonly rules: CrawlRules; readonly robots: RobotsCopies };

async function prepare(of: HostsOf, { origin, rules, robots }: Prepared): Promise<PreparedHost> {
  const { deps, watch, store, crawlerId } = of;
  const paceOf = (crawlDelaySeconds: number | undefined) =>
    hostPace(rules, { origin, crawlDelaySeconds }, deps.hostDelayMs);
  if (rules.settings.robots === 'ignore') return { pace: paceOf(undefined) };
  const grant = await slotFor(of, origin, paceOf(undefined));
  let result: SlotResult = 'unused';
  try {
    if (grant === undefined) return { heldUntil: deps.clock.now() };
    const policy = await robots.of(origin, watch.fetches);
    result = policy.kind === 'unreachable' ? 'overload' : 'good';
    if (policy.kind === 'rules') return { pace: paceOf(policy.crawlDelaySeconds) };
    const { id: hostId } = await store.ensureHost(crawlerId, origin);
    const forMs = policy.untilAt - deps.clock.now();
    await hold(of, { hostId, origin, forMs, reason: 'robots-unreachable' });
    return { heldUntil: policy.untilAt };
  } catch (error) {
    if (watch.fetches.aborted) return { heldUntil: deps.clock.now() };
    throw error;
  } finally {
    // One that cannot be given back ends by itself.
    if (grant !== undefined) await deps.hostSlots.release([{ grant, result }]).catch(() => undefined);
  }
}

async function slotFor({ deps, watch }: HostsOf, origin: string, pace: HostPace): Promise<string | undefined> {
  while (!watch.starts.aborted) {
    const [granted] = await deps.hostSlots.acquire([{ origin, want: 1, ...pace }]);
    await pause(granted?.startInMs ?? ASK_AGAIN_MS, watch.starts);
    if (granted !== undefined) return granted.grant;
  }
  return undefined;
}

/** Seen by every process: in the store for what waits, in the slots for what is leased already. */
async function hold(
  {
    deps,
    store,
    feed,
  }: Pick<HostsOf, 'deps' | 'store' | 'feed'> & { readonly deps: { readonly hostSlots: HostSlots } },
  { hostId, origin, forMs, reason }: HeldHost,
): Promise<void> {
  const untilAt = deps.clock.now() + forMs;
  await store.holdHost(hostId, untilAt, reason);
  await deps.hostSlots.hold(origin, forMs, reason);
  await feed().drop(hostId, untilAt);
}

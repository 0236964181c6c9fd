import type { Crawler } from '../../core/records.ts';
import type { DueRow, WorkFound } from '../../storage/engine/due-rows.ts';
import type { HostTrust } from '../../storage/engine/host-trust.ts';
import type { Host } from '../../storage/engine/hosts.ts';
import type { LeasedLane } from '../../storage/engine/lanes.ts';
import type { EngineStore } from '../../storage/engine-store.ts';
import type { SiteLogin } from '../crawl-access.ts';
import { gatherReads } from '../gather-reads.ts';
import type { HostSlots } from '../host-slots.ts';
import { type CrawlRules, compileCrawlRules } from '../rules/crawl-rules.ts';
import type { SliceDeps, SliceInput } from '../run-slice.ts';
import { type HostTemplates, openHostTemplates } from '../visit/host-templates.ts';
import { type ReadRemovalLoad, removalLoadOf } from '../visit/judge-visit.ts';
import type { KnownLinks } from '../visit/page-links.ts';
import { openReservations, type Reservations } from '../visit/page-rendering.ts';
import { openRobotsCopies, type RobotsCopies, type RobotsPolicy } from '../visit/robots-copies.ts';
import type { VisitDeps } from '../visit/visit-url.ts';
import { openRecentHosts, type RecentHosts } from './recent-hosts.ts';
import { openRecentRuns, type RecentRuns } from './recent-runs.ts';
import { openRunGuard } from './run-guard.ts';
import { type HostKey, openDispatcher, type PreparedHost, type SliceDispatcher } from './slice-dispatcher.ts';
import { openHosts, type SliceHosts } from './slice-hosts.ts';
import { openPatterns, openUrlTemplateGate, type SlicePatterns, type UrlTemplateGate } from './slice-patterns.ts';
import { openSitemaps, type SliceSitemaps } from './slice-sitemaps.ts';
import { type SliceWatch, watchSlice } from './slice-watch.ts';
import { openVisitBatchWriter, type VisitBatchWriter } from './visit-batch-writer.ts';
import { gatherReleases, type SliceSlots } from './visit-slot.ts';
import { openWorkHints } from './work-hints.ts';

/** How rows and hosts are admitted (`admit-row.ts`). */
export type Admission = {
  readonly prepareHost: (slice: SliceState, host: HostKey) => Promise<PreparedHost>;
  readonly isInScope: (slice: SliceState, row: DueRow) => boolean;
  readonly admit: (slice: SliceState, row: DueRow) => boolean;
};

type Opened = {
  readonly admission: Admission;
  readonly input: SliceInput;
  readonly crawler: Crawler;
  readonly store: EngineStore;
  readonly lane: LeasedLane;
  /** Priorities that the slice works on: 0 is queued URLs only. */
  readonly maxPriority: number;
};

/** What changes when the settings of the crawler change. */
type Compiled = {
  readonly rules: CrawlRules;
  readonly robots: RobotsCopies;
  readonly links: KnownLinks;
  readonly login: SiteLogin | undefined;
};

/** What a slice owns: all that changes while it works, and what it works with. */
export type SliceState = Opened & {
  readonly deps: SliceDeps;
  readonly watch: SliceWatch;
  readonly hosts: SliceHosts;
  readonly dispatcher: SliceDispatcher;
  readonly writer: VisitBatchWriter;
  /** Visits begun so far, and those under way. */
  readonly counts: { begun: number; underWay: number };
  readonly patterns: SlicePatterns;
  readonly removalLoad: ReadRemovalLoad;
  readonly reservations: Reservations;
  readonly templates: HostTemplates;
  /** Records and holds that no visit waits for. */
  readonly background: Set<Promise<unknown>>;
  readonly policies: Map<string, RobotsPolicy>;
  readonly trusts: Map<number, HostTrust>;
  readonly recentHosts: RecentHosts;
  readonly readHost: (hostId: number) => Promise<Host | undefined>;
  readonly runs: RecentRuns;
  /** The store with the hosts as visits see them. */
  readonly visitStore: VisitDeps['store'];
  readonly lists: SliceSitemaps;
  /** Undefined: this stage asks no host. */
  readonly templateGate: UrlTemplateGate | undefined;
  /** Who is asked for the right to start a visit. */
  readonly slots: SliceSlots;
  compiled: Compiled;
  /** When another stage was last told of its rows. */
  hintedAt: number;
};

/** Everything of a slice is open, and nothing has begun. Closed by `closeSlice`. */
export function openSliceState(deps: SliceDeps, opened: Opened, signal: AbortSignal): SliceState {
  const { crawler, store, lane, input, admission } = opened;
  const counts = { begun: 0, underWay: 0 };
  const slots = gatherReleases(input.stage === 'file' ? FREE_SLOTS : deps.hostSlots, deps.log);
  const of = { crawlerId: crawler.id, activation: crawler.activation, lane };
  const changed = (present: Crawler) => {
    slice.compiled = compile(deps, { store, runs }, present);
  };
  const runs = openRecentRuns(store, crawler.id);
  const recentHosts = openRecentHosts({ store, clock: deps.clock });
  const guard = openRunGuard({ store, runs, clock: deps.clock }, { hasWindow: opened.maxPriority > 0 });
  const mustEnd = () => guard(slice.compiled.rules.settings);
  const { findCrawler, clock } = deps;
  const watch = watchSlice({ store, findCrawler, clock, changed, mustEnd }, opened, signal);
  const hosts = openHosts({ deps, store, crawler, watch, dispatcher: () => slice.dispatcher });
  const dispatcher = openDispatcher(
    {
      store,
      slots,
      holds: deps.hostHolds,
      clock: deps.clock,
      looks: () => looksOf(recentHosts, runs),
      leaves: openWorkHints(deps, input),
      beaten: watch.beaten,
      prepareHost: (host) => admission.prepareHost(slice, host),
      isInScope: (row) => admission.isInScope(slice, row),
      admit: (row) => admission.admit(slice, row),
      failed: watch.fail,
    },
    { ...of, stage: input.stage, maxPriority: opened.maxPriority, concurrency: deps.concurrency[input.stage] },
  );
  const writer = openVisitBatchWriter(
    {
      store,
      clock: deps.clock,
      remember: (text, id) => slice.compiled.links.put(text, id),
      underWay: () => counts.underWay,
      lost: watch.lose,
      beaten: watch.beaten,
      judge: hosts.judge,
      counted: (patterns) => inBackground(slice, slice.patterns.judge(patterns)),
    },
    of,
  );
  const compiled = compile(deps, { store, runs }, crawler);
  const patterns = openPatterns({ store, clock: deps.clock, urlTemplates: deps.urlTemplates(crawler.id) });
  const rest = {
    background: new Set<Promise<unknown>>(),
    policies: new Map<string, RobotsPolicy>(),
    trusts: new Map<number, HostTrust>(),
    removalLoad: removalLoadOf({ store, clock: deps.clock }, crawler.id),
    recentHosts,
    readHost: gatherReads(store.findHosts),
    runs,
    visitStore: { ...store, findHost: recentHosts.find },
    lists: openSitemaps({ store, clock: deps.clock }, of),
    templateGate: input.stage === 'file' ? undefined : openUrlTemplateGate(deps.hostHolds, deps.clock),
    compiled,
    hintedAt: 0,
    reservations: openReservations(),
    templates: openHostTemplates(store),
  };
  const slice: SliceState = { ...opened, deps, watch, hosts, dispatcher, writer, counts, slots, patterns, ...rest };
  watch.starts.addEventListener('abort', dispatcher.notify, { once: true });
  return slice;
}

function looksOf(hosts: RecentHosts, runs: RecentRuns): (found: WorkFound) => void {
  const [ofHosts, ofRuns] = [hosts.looks(), runs.looks()];
  return (found) => {
    ofHosts(found.hosts);
    ofRuns(found.runs);
  };
}

function compile(
  deps: SliceDeps,
  { store, runs }: { readonly store: EngineStore; readonly runs: RecentRuns },
  crawler: Crawler,
): Compiled {
  const compiled = compileCrawlRules(crawler);
  const { access, login } = deps.crawlAccess.of(crawler.id, compiled);
  const rules = { ...compiled, access };
  const robotsStore = { ...store, livingRunsOf: runs.find };
  const robots = openRobotsCopies({ ...deps, store: robotsStore }, crawler.id, rules);
  return { rules, robots, login, links: deps.knownLinks(crawler.id, crawler.configVersion) };
}

export function inBackground(slice: SliceState, work: Promise<unknown>): void {
  const watched = work.catch(slice.watch.fail).finally(() => slice.background.delete(watched));
  slice.background.add(watched);
}

/** Nothing is leased, nothing is to be recorded and nothing is due. */
export async function isDrained(slice: SliceState): Promise<boolean> {
  await drain(slice);
  return slice.dispatcher.isIdle();
}

/** Records what is done, gives everything else back and frees the lane. */
export async function closeSlice(slice: SliceState): Promise<void> {
  try {
    await drain(slice);
    await giveBackSlots(slice);
  } finally {
    slice.watch[Symbol.dispose]();
    await slice.store.freeLane(slice.lane);
  }
}

/** What was learned of the hosts is kept for the next time. */
async function giveBackSlots({ slots, dispatcher, policies, store, crawler }: SliceState): Promise<void> {
  dispatcher.close();
  await slots.flush();
  const observedPace = await slots.observedPace([...policies.keys()]);
  if (observedPace.size > 0) await store.savePaces(crawler.id, observedPace);
}

async function drain(slice: SliceState): Promise<void> {
  await slice.writer.flush();
  while (slice.background.size > 0) await Promise.all(slice.background);
}

/** A stage that asks no host needs no leave of one: every visit may start at once. */
const FREE_SLOTS: HostSlots = {
  acquire: async (requests) =>
    requests.flatMap(({ origin, want }) =>
      Array.from({ length: want }, (_, position) => ({
        origin,
        grant: `free-${position}`,
        startInMs: 0,
        spacingMs: 0,
      })),
    ),
  release: async () => undefined,
  observedPace: async () => new Map(),
  hold: async () => undefined,
};

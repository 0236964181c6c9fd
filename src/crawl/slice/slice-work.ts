import type { Crawler } from '../../core/records.ts';
import { originOf } from '../../core/url.ts';
import type { DueRow } from '../../storage/engine/due-rows.ts';
import { type HostTrust, NO_TRUST } from '../../storage/engine/host-trust.ts';
import type { LeasedLane } from '../../storage/engine/lanes.ts';
import type { EngineStore } from '../../storage/engine-store.ts';
import { pauseForAccess, type SiteLogin } from '../crawl-access.ts';
import type { SlotResult } from '../host-slots.ts';
import { reExtract } from '../re-extract.ts';
import { hasFewSources } from '../rules/canonical.ts';
import { type CrawlRules, compileCrawlRules } from '../rules/crawl-rules.ts';
import type { SliceDeps, SliceInput } from '../run-slice.ts';
import { reEvaluateShared } from '../visit/decide-duplicate.ts';
import { wakesOf } from '../visit/decide-visit.ts';
import type { Decision } from '../visit/decision.ts';
import { type HostTemplates, openHostTemplates } from '../visit/host-templates.ts';
import { type ReadRemovalLoad, removalLoadOf } from '../visit/judge-visit.ts';
import { feedsOfPage, type KnownLinks, splitLinks } from '../visit/page-links.ts';
import { openReservations, type Reservations } from '../visit/page-rendering.ts';
import { openRobotsCopies, type RobotsCopies, type RobotsPolicy } from '../visit/robots-copies.ts';
import { visitLoggedIn } from '../visit/visit-logged-in.ts';
import { isSitemap } from '../visit/visit-sitemap.ts';
import type { Visited } from '../visit/visit-url.ts';
import { probedHost } from './probe-slice.ts';
import { openRecentHosts, type RecentHosts } from './recent-hosts.ts';
import { refuseByScope, refuseRow } from './refuse-row.ts';
import { openRunGuard } from './run-guard.ts';
import { type GrantedVisit, openDispatcher, type PreparedHost, type SliceDispatcher } from './slice-dispatcher.ts';
import { openHosts, type SliceHosts } from './slice-hosts.ts';
import { openPatterns, openUrlTemplateGate, type SlicePatterns, type UrlTemplateGate } from './slice-patterns.ts';
import { openSitemaps, type SliceSitemaps } from './slice-sitemaps.ts';
import { type SliceWatch, watchSlice } from './slice-watch.ts';
import { FREE_SLOTS, UNPACED, visitOf } from './stage-visits.ts';
import { openVisitBatchWriter, type VisitBatchEntry, type VisitBatchWriter } from './visit-batch-writer.ts';
import { gatherReleases, openVisitSlot, type SliceSlots, type VisitSlot } from './visit-slot.ts';

/** The work of one slice: its feed, its batch writer, and what happens to a visit between them. */
export type SliceWork = {
  readonly dispatcher: SliceDispatcher;
  readonly watch: SliceWatch;
  /** Visits under way, and visits begun so far. */
  underWay(): number;
  begun(): number;
  /** No lease, nothing to record, nothing due. */
  isDrained(): Promise<boolean>;
  /** Chooses the text of some early pages again; resolves with how many. */
  reExtract(): Promise<number>;
  begin(granted: GrantedVisit): GrantedVisit;
  /** Makes a visit and resolves when it is recorded. */
  visit(granted: GrantedVisit): Promise<void>;
  /** Records what is done, gives everything else back and frees the lane. */
  close(): Promise<void>;
};

type Opened = {
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

type Slice = Opened & {
  readonly deps: SliceDeps;
  readonly watch: SliceWatch;
  readonly hosts: SliceHosts;
  readonly dispatcher: SliceDispatcher;
  readonly writer: VisitBatchWriter;
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
  /** The store with the hosts as visits see them. */
  readonly visitStore: EngineStore;
  readonly lists: SliceSitemaps;
  /** Undefined: this stage asks no host. */
  readonly templateGate: UrlTemplateGate | undefined;
  /** Who is asked for the right to start a visit. */
  readonly slots: SliceSlots;
  compiled: Compiled;
  /** When another stage was last told of its rows. */
  hintedAt: number;
};

export function openSliceWork(deps: SliceDeps, opened: Opened, signal: AbortSignal): SliceWork {
  const slice = assemble(deps, opened, signal);
  const { dispatcher, watch, counts } = slice;
  return {
    dispatcher,
    watch,
    underWay: () => counts.underWay,
    begun: () => counts.begun,
    isDrained: async () => {
      await drain(slice);
      return dispatcher.isIdle();
    },
    reExtract: () =>
      opened.input.stage === 'file'
        ? Promise.resolve(0)
        : reExtract(
            { ...deps, store: opened.store },
            { crawlerId: opened.crawler.id, rules: slice.compiled.rules },
            watch.starts,
          ),
    begin: (granted) => {
      counts.begun++;
      counts.underWay++;
      return granted;
    },
    visit: (granted) => visit(slice, granted),
    close: async () => {
      try {
        await drain(slice);
        await giveBackSlots(slice);
      } finally {
        watch[Symbol.dispose]();
        await opened.store.freeLane(opened.lane);
      }
    },
  };
}

function assemble(deps: SliceDeps, opened: Opened, signal: AbortSignal): Slice {
  const { crawler, store, lane, input } = opened;
  const counts = { begun: 0, underWay: 0 };
  const slots = gatherReleases(input.stage === 'file' ? FREE_SLOTS : deps.hostSlots, deps.log);
  const of = { crawlerId: crawler.id, activation: crawler.activation, lane };
  const changed = (present: Crawler) => {
    slice.compiled = compile(deps, store, present);
  };
  const guard = openRunGuard(
    { store, clock: deps.clock },
    { crawlerId: crawler.id, hasWindow: opened.maxPriority > 0 },
  );
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
      prepareHost: (origin) => prepareHost(slice, origin),
      isInScope: (row) => isInScope(slice, row),
      admit: (row) => admit(slice, row),
      failed: watch.fail,
    },
    { ...of, stage: input.stage, maxPriority: opened.maxPriority },
  );
  const writer = openVisitBatchWriter(
    {
      store,
      clock: deps.clock,
      remember: (text, id) => slice.compiled.links.put(text, id),
      underWay: () => counts.underWay,
      lost: watch.lose,
      judge: hosts.judge,
      counted: (patterns) => inBackground(slice, slice.patterns.judge(patterns)),
    },
    of,
  );
  const compiled = compile(deps, store, crawler);
  const recentHosts = openRecentHosts({ store, clock: deps.clock });
  const patterns = openPatterns({ store, clock: deps.clock, urlTemplates: deps.urlTemplates(crawler.id) });
  const rest = {
    background: new Set<Promise<unknown>>(),
    policies: new Map<string, RobotsPolicy>(),
    trusts: new Map<number, HostTrust>(),
    removalLoad: removalLoadOf({ store, clock: deps.clock }, crawler.id),
    recentHosts,
    visitStore: { ...store, findHost: recentHosts.find },
    lists: openSitemaps({ store, clock: deps.clock }, of),
    templateGate: input.stage === 'file' ? undefined : openUrlTemplateGate(deps.hostHolds, deps.clock),
    compiled,
    hintedAt: 0,
    reservations: openReservations(),
    templates: openHostTemplates(store),
  };
  const slice: Slice = { ...opened, deps, watch, hosts, dispatcher, writer, counts, slots, patterns, ...rest };
  watch.starts.addEventListener('abort', dispatcher.notify, { once: true });
  return slice;
}

function compile(deps: SliceDeps, store: EngineStore, crawler: Crawler): Compiled {
  const compiled = compileCrawlRules(crawler);
  const { access, login } = deps.crawlAccess.of(crawler.id, compiled);
  const rules = { ...compiled, access };
  const robots = openRobotsCopies({ store, fetcher: deps.fetcher, clock: deps.clock }, crawler.id, rules);
  return { rules, robots, login, links: deps.knownLinks(crawler.id, crawler.configVersion) };
}

async function prepareHost(slice: Slice, origin: string): Promise<PreparedHost> {
  if (slice.input.stage === 'file') return UNPACED;
  const { rules, robots, login } = slice.compiled;
  const prepared = await slice.hosts.prepare(origin, rules, robots);
  if (prepared === 'held') return prepared;
  slice.policies.set(origin, await robots.of(origin, slice.watch.fetches));
  const { id, trust } = await slice.store.ensureHost(slice.crawler.id, origin);
  slice.trusts.set(id, trust);
  if (slice.input.stage !== 'page' || slice.input.lane === 0) return prepared;
  const of = { crawlerId: slice.crawler.id, origin, pace: prepared.pace, rules, robots, login };
  return probedHost({ ...slice.deps, store: slice.store }, of, slice.watch.starts);
}

/** What is outside is recorded at once. */
function isInScope(slice: Slice, row: DueRow): boolean {
  const decision = refuseByScope(row, slice.compiled.rules, slice.deps.clock.now());
  if (decision !== undefined) inBackground(slice, recordRefused(slice, row, decision));
  return decision === undefined;
}

/** What may not or need not be visited is recorded at once. */
function admit(slice: Slice, row: DueRow): boolean {
  const { rules } = slice.compiled;
  const policy = slice.policies.get(originOf(row.url) ?? '');
  const begun = slice.lists.begin(row, rules, policy);
  if (begun !== undefined) inBackground(slice, begun.then(slice.dispatcher.notify));
  const trust = slice.trusts.get(row.hostId) ?? NO_TRUST;
  const decision = refuseRow(row, rules, { policy, trust, now: slice.deps.clock.now() });
  if (decision !== undefined) inBackground(slice, recordRefused(slice, row, decision));
  const heldUntil = decision === undefined ? slice.templateGate?.heldUntil(row) : undefined;
  if (heldUntil !== undefined)
    inBackground(slice, slice.store.returnLeases(slice.lane, [{ urlId: row.urlId, dueAt: heldUntil }]));
  return decision === undefined && heldUntil === undefined;
}

async function recordRefused(slice: Slice, row: DueRow, decision: Decision): Promise<void> {
  await slice.writer.record(await entryOf(slice, row, { decision, extraction: undefined }));
}

async function visit(slice: Slice, { row, grant }: GrantedVisit): Promise<void> {
  const { deps, store, watch, counts } = slice;
  const slot = openVisitSlot({ ...deps, slots: slice.slots }, grant);
  let result: SlotResult = 'unused';
  try {
    const waitsUntil = await mayBegin(slice, row);
    if (waitsUntil !== undefined)
      return await store.returnLeases(slice.lane, [{ urlId: row.urlId, dueAt: waitsUntil }]);
    const made = await makeVisit(slice, row, slot);
    result = made?.decision.pace ?? 'unused';
    if (watch.isVoid()) return;
    if (made === undefined) await store.returnLeases(slice.lane, [{ urlId: row.urlId, dueAt: deps.clock.now() }]);
    else await recordVisit(slice, row, made);
  } finally {
    slot.release(result);
    slice.templateGate?.end(row);
    if (!isSitemap(row)) slice.patterns.end(row);
    counts.underWay--;
    slice.dispatcher.notify();
  }
}

/** Until when a row waits that was granted a start all the same. */
async function mayBegin(slice: Slice, row: DueRow): Promise<number | undefined> {
  const heldUntil = slice.templateGate?.begin(row);
  if (heldUntil !== undefined) return heldUntil;
  return isSitemap(row) || (await slice.patterns.mayBegin(row)) ? undefined : slice.deps.clock.now();
}

/** A visit without what the page said: only its record waits for the disk. */
type Recording = Omit<Visited, 'extraction' | 'read'> & { readonly entry: VisitBatchEntry };

async function makeVisit(slice: Slice, row: DueRow, slot: VisitSlot): Promise<Recording | undefined> {
  const { deps, visitStore, watch, removalLoad, reservations, templates } = slice;
  const { rules, robots, login } = slice.compiled;
  const { renderer, extract, spool, clock, random } = deps;
  const { id: crawlerId, activation } = slice.crawler;
  const tools = { fetcher: slot.fetcher, renderer, extract, spool, robots, clock, random, log: deps.log };
  const visitDeps = { ...tools, store: visitStore, removalLoad, reservations, templates };
  const stageVisit = visitOf(slice.input.stage);
  const visitRow = login ? visitLoggedIn(stageVisit, { login, refused: (why) => refuse(slice, why) }) : stageVisit;
  const visited = await visitRow(visitDeps, { crawlerId, activation, row, rules }, watch.fetches);
  if (visited === undefined || watch.isVoid()) return undefined;
  const decision = await heldDecision(slice, row, visited.decision);
  const { target, recorded, error } = visited;
  const entry = await entryOf(slice, row, { ...visited, decision });
  return { decision, target, error, ...(recorded && { recorded }), entry };
}

/** What becomes of a visit whose host answered badly depends on what is held for it. */
async function heldDecision({ hosts }: Slice, row: DueRow, decision: Decision): Promise<Decision> {
  const { hold } = decision;
  return hold !== undefined && (await hosts.hold(row, hold)) ? { ...decision, ...hold.whenHeld } : decision;
}

/** Nobody gets in: the run waits for the operator, and the rows with it. */
async function refuse({ deps, watch, store, crawler }: Slice, why: string): Promise<void> {
  watch.end();
  await pauseForAccess({ store, clock: deps.clock, log: deps.log }, crawler, { reason: 'login-failed', why });
}

async function recordVisit(slice: Slice, row: DueRow, made: Recording): Promise<void> {
  const { decision, error } = made;
  const { answer, trust } = decision;
  if (error !== undefined) slice.deps.log.error({ err: error, urlId: row.urlId }, 'visit failed unexpectedly');
  await slice.writer.record(made.entry);
  await made.recorded?.();
  await recheck(slice, row, made);
  hintOf(slice, decision);
  slice.recentHosts.visited(row.hostId, decision);
  if (trust !== undefined) await readTrust(slice, row.hostId);
  if (answer === undefined || answer === 'failure') return;
  await slice.deps.hostHolds.answeredWell(originOf(row.url) ?? '', row.url, slice.deps.clock.now());
}

async function recheck({ store, crawler, deps }: Slice, row: DueRow, { decision, target }: Recording): Promise<void> {
  if (target?.by !== 'canonical' || decision.log?.outcome !== 'aliased' || !hasFewSources(target.others ?? [])) return;
  const of = { crawlerId: crawler.id, activation: crawler.activation, now: deps.clock.now() };
  await reEvaluateShared(store, of, { row, target });
}

/** What a visit has shown of its host counts for the next rows of this slice. */
async function readTrust({ store, trusts }: Slice, hostId: number): Promise<void> {
  const host = await store.findHost(hostId);
  if (host !== undefined) trusts.set(hostId, host.trust);
}

/** Hints at most that often, however many rows move on; the sweep finds what a lost one meant. */
const HINT_EVERY_MS = 1_000;

/** The row waits in another stage now: somebody shall look for a slice there. */
function hintOf(slice: Slice, { next }: Decision): void {
  const now = performance.now();
  if (next === 'done' || next.to === undefined || now - slice.hintedAt < HINT_EVERY_MS) return;
  slice.hintedAt = now;
  const { engineId, crawlerId } = slice.input;
  slice.deps.wake({ kind: 'crawler-changed', engineId, crawlerId });
}

async function entryOf(slice: Slice, row: DueRow, visited: Visited): Promise<VisitBatchEntry> {
  const { rules, links: cache } = slice.compiled;
  const { decision, extraction } = visited;
  const now = slice.deps.clock.now();
  const reads = decision.readsLinks && extraction !== undefined;
  const links = reads ? splitLinks({ row, rules, now }, extraction, cache) : undefined;
  const statistics = isSitemap(row) ? undefined : await slice.patterns.statisticsOf(row, visited, links?.fresh ?? []);
  return {
    visit: {
      urlId: row.urlId,
      hostId: row.hostId,
      statistics,
      wakes: wakesOf(row, decision),
      ...recordedParts(decision),
      templates: templatesOf(slice, row, visited),
      lists: decision.lists ?? feedsOfPage(row, rules, visited),
    },
    links,
    pageLimit: rules.settings.limits.pages,
  };
}

function templatesOf({ templates }: Slice, row: DueRow, { decision, extraction, read }: Visited) {
  const isPut = decision.document !== undefined && 'put' in decision.document;
  return isPut && extraction?.kind === 'PageContent' ? templates.record(row, { extraction, read }) : undefined;
}

function recordedParts({ next, log, answer, record: facts, target, document, ...more }: Decision) {
  const { released, supersedes, rendering, isRendered, trust, unasked } = more;
  const pages = { released, supersedes, rendering, isRendered, trust, unasked };
  return { next, log, answer, record: facts, target, document, ...pages };
}

function inBackground(slice: Slice, work: Promise<unknown>): void {
  const watched = work.catch(slice.watch.fail).finally(() => slice.background.delete(watched));
  slice.background.add(watched);
}

/** What was learned of the hosts is kept for the next time. */
async function giveBackSlots({ slots, dispatcher, policies, store, crawler }: Slice): Promise<void> {
  dispatcher.close();
  await slots.flush();
  const observedPace = await slots.observedPace([...policies.keys()]);
  if (observedPace.size > 0) await store.savePaces(crawler.id, observedPace);
}

async function drain(slice: Slice): Promise<void> {
  await slice.writer.flush();
  while (slice.background.size > 0) await Promise.all(slice.background);
}

import type { Clock } from '../core/clock.ts';
import type { Stage } from '../core/crawl-words.ts';
import type { Crawler } from '../core/records.ts';
import type { Wake } from '../core/wake.ts';
import type { Fetcher, FileSpool } from '../fetch/fetcher.ts';
import type { Renderer } from '../fetch/renderer.ts';
import type { Log } from '../observability/logger.ts';
import type { EngineStores } from '../storage/engine-store.ts';
import { accessFault, type CrawlAccess, pauseForAccess } from './crawl-access.ts';
import type { HostHolds } from './host-holds.ts';
import type { HostSlots } from './host-slots.ts';
import { reExtract } from './re-extract.ts';
import { compileCrawlRules } from './rules/crawl-rules.ts';
import { isOpen, windowOf } from './rules/schedule.ts';
import { ADMISSION } from './slice/admit-row.ts';
import type { GrantedVisit } from './slice/slice-dispatcher.ts';
import { closeSlice, isDrained, openSliceState, type SliceState } from './slice/slice-state.ts';
import { runVisits } from './slice/visit-loop.ts';
import { visitGranted } from './slice/visit-pipeline.ts';
import { advanceRuns } from './start-run.ts';
import type { KnownLinks } from './visit/page-links.ts';
import type { UrlTemplateStatistics } from './visit/url-template-statistics.ts';
import type { Extract } from './visit/visit-url.ts';

export type SliceDeps = {
  readonly engineStores: Pick<EngineStores, 'of'>;
  /** From a snapshot at most 200 ms old. */
  readonly findCrawler: (crawlerId: number) => Promise<Crawler | undefined>;
  readonly fetcher: Pick<Fetcher, 'fetch'>;
  /** Undefined without Chromium. */
  readonly renderer: Pick<Renderer, 'render'> | undefined;
  readonly crawlAccess: CrawlAccess;
  readonly extract: Extract;
  readonly spool: FileSpool;
  readonly hostSlots: HostSlots;
  readonly hostHolds: HostHolds;
  readonly knownLinks: (crawlerId: number, configVersion: number) => KnownLinks;
  readonly urlTemplates: (crawlerId: number) => UrlTemplateStatistics;
  /** Other slices wait in the queue of this one. */
  readonly othersWait: () => Promise<boolean>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
  /** Name of this process; a restarted process of the same name has its rows back at once. */
  readonly holder: string;
  /** Visits of a slice at once. */
  readonly concurrency: Readonly<Record<Stage, number>>;
  /** Told when rows have moved on to another stage. */
  readonly wake: Wake;
  /** Pause between two fetches of a host whose pace is not known yet (`CRAWL_HOST_DELAY_MS`). */
  readonly hostDelayMs: number;
};

export type SliceInput = {
  readonly engineId: number;
  readonly crawlerId: number;
  readonly stage: Stage;
  /** 0 works on queued URLs only, and reads early pages again. */
  readonly lane: number;
};

/**
 * `busy`: somebody works on this lane · `idle`: nothing is due · `handover`: time is up, rows remain · `stopped`: the
 * crawler was deactivated, a run paused, stopped, cut or out of its window, the lane taken over, or the signal came.
 */
export type SliceEnd = 'busy' | 'idle' | 'handover' | 'stopped';

export type SliceReport = {
  readonly end: SliceEnd;
  /** A run has ended, or early pages were read again, which an ended one may wait for. */
  readonly wantsSweep: boolean;
};

/** Time box of a slice (crawling 11). */
const BOX_MS = 20_000;
const BOX_VISITS = 2_000;
const LONGEST_MS = 60_000;
const QUEUED_PRIORITY = 0;
const LOWEST_PRIORITY = 3;

/**
 * Time-boxed work of this process on one lane of a crawler: leases rows, visits them, records them. Idempotent: a
 * second slice of the lane ends at once, and what a killed one left is taken back by the next.
 */
export async function runSlice(deps: SliceDeps, input: SliceInput, signal: AbortSignal): Promise<SliceReport> {
  const crawler = await deps.findCrawler(input.crawlerId);
  if (crawler === undefined || !crawler.active) return { end: 'stopped', wantsSweep: false };
  const store = await deps.engineStores.of(input.engineId);
  const fault = accessFault(deps.crawlAccess, crawler);
  if (fault !== undefined) {
    await pauseForAccess({ store, clock: deps.clock, log: deps.log }, crawler, fault);
    return { end: 'stopped', wantsSweep: false };
  }
  const { crawlerId, stage, lane } = input;
  const maxPriority = lane === 0 || isClosed(deps, crawler) ? QUEUED_PRIORITY : LOWEST_PRIORITY;
  // Queued pages are the work of lane 0, in all later stages of any lane.
  if (stage === 'page' && lane !== 0 && maxPriority === QUEUED_PRIORITY) return { end: 'idle', wantsSweep: false };
  const held = await store.takeLane({ crawlerId, stage, lane, holder: deps.holder });
  if (held === undefined) return { end: 'busy', wantsSweep: false };
  if (stage === 'page' && maxPriority === QUEUED_PRIORITY && lane === 0 && isClosed(deps, crawler)) {
    deps.log.debug({ crawlerId }, 'outside of its window a crawler visits queued URLs only');
  }
  const slice = openSliceState(deps, { input, crawler, store, lane: held, maxPriority, admission: ADMISSION }, signal);
  const report: Report = { startedAt: performance.now(), end: 'idle', wantsSweep: false };
  try {
    await runVisits({
      next: () => nextVisit(deps, slice, report),
      visit: (granted) => visitGranted(slice, granted),
      concurrency: deps.concurrency[stage],
      signal: slice.watch.starts,
    });
  } finally {
    await closeSlice(slice);
  }
  slice.watch.throwIfFailed();
  return { end: slice.watch.starts.aborted ? 'stopped' : report.end, wantsSweep: report.wantsSweep };
}

/** Outside of the window of the crawler, where only queued URLs are visited. */
function isClosed({ clock }: SliceDeps, crawler: Crawler): boolean {
  const { settings } = compileCrawlRules(crawler);
  return !isOpen(windowOf(settings, settings.timezone), clock.now());
}

type Report = { readonly startedAt: number; wantsSweep: boolean; end: SliceEnd };

async function nextVisit(deps: SliceDeps, slice: SliceState, report: Report): Promise<GrantedVisit | undefined> {
  const { watch, dispatcher, counts, store, crawler } = slice;
  while (!watch.starts.aborted) {
    if (await isTimeUp(deps, slice, report)) {
      report.end = 'handover';
      watch.handOver();
      return undefined;
    }
    const granted = await dispatcher.take(counts.underWay);
    if (granted !== undefined) return granted;
    if (counts.underWay > 0 || !(await isDrained(slice))) continue;
    if ((await reExtractEarly(deps, slice)) > 0) {
      report.wantsSweep = true;
      continue;
    }
    const { ended, planned } = await advanceRuns(deps, {
      store,
      crawlerId: crawler.id,
      activation: crawler.activation,
    });
    report.wantsSweep ||= ended.length > 0;
    if (planned === 0) return undefined;
    dispatcher.notify();
  }
  return undefined;
}

/** Chooses the text of some early pages again; resolves with how many. */
async function reExtractEarly(
  deps: SliceDeps,
  { input, store, crawler, compiled, watch }: SliceState,
): Promise<number> {
  if (input.stage === 'file') return 0;
  return reExtract({ ...deps, store }, { crawlerId: crawler.id, rules: compiled.rules }, watch.starts);
}

async function isTimeUp(deps: SliceDeps, { counts }: SliceState, { startedAt }: Report): Promise<boolean> {
  const elapsedMs = performance.now() - startedAt;
  if (elapsedMs >= LONGEST_MS) return true;
  if (elapsedMs < BOX_MS && counts.begun < BOX_VISITS) return false;
  return deps.othersWait();
}

import type { RemovalState, UrlState } from '../core/crawl-words.ts';
import type { Crawler } from '../core/records.ts';
import type { LoggedVisit, Run } from '../storage/run-store.ts';
import { closedSite, type Notice } from './closed-site.ts';
import { type ConcerningHost, concerningHosts, type HostsDeps } from './host-control.ts';
import { type LeftPages, lastFullRun, leftPages, summaryOf } from './left-pages.ts';
import { refusalWarning, refusedNames } from './private-names.ts';
import { compileCrawlRules } from './rules/crawl-rules.ts';
import { nextDueAt, parseSchedule } from './rules/schedule.ts';
import { settingWarnings } from './rules/setting-warnings.ts';

export type CrawlerStatus = {
  /** The newest run, also one of queued URLs. */
  readonly run: Run | undefined;
  /** Newest first. */
  readonly runs: readonly Run[];
  readonly documents: number;
  readonly urls: ReadonlyMap<UrlState, number>;
  readonly lastVisits: readonly LoggedVisit[];
  readonly removals: ReadonlyMap<RemovalState, number>;
  /** Hosts that an operator should look at. */
  readonly hosts: readonly ConcerningHost[];
  /** Rows of the frontier. */
  readonly waiting: number;
  /** A site that seems closed, settings to watch, names that lead inside, pages left out: one sentence each. */
  readonly warnings: readonly string[];
  /** Runs that will start by themselves, the earliest first; none while the crawler is inactive. */
  readonly nextRuns: readonly NextRun[];
};

export type NextRun = { readonly kind: 'full' | 'incremental'; readonly at: number };

const RUNS = 5;
const VISITS = 20;

/** What a crawler is doing and has done. */
export async function crawlerStatus(deps: HostsDeps, crawler: Crawler): Promise<CrawlerStatus> {
  const store = await deps.engineStores.of(crawler.engineId);
  const runs = await store.listRuns(crawler.id, RUNS);
  const scheduled = await store.scheduledRuns(crawler.id, RUNS);
  const removals = await store.countRemovals(crawler.id);
  const living = await store.livingRunsOf(crawler.id);
  const { settings } = compileCrawlRules(crawler);
  return {
    run: runs[0],
    runs,
    documents: await store.countDocuments(crawler.id),
    urls: await store.countUrls(crawler.id),
    removals,
    hosts: await concerningHosts(deps, crawler),
    lastVisits: await store.listVisits({ crawlerId: crawler.id, limit: VISITS }),
    waiting: living.reduce((sum, { open }) => sum + open, 0),
    warnings: [
      ...closedWarning(await closedSite(store, crawler.id, removals.get('held') ?? 0)),
      ...robotsWarning(crawler, scheduled),
      ...pageLimitWarning(crawler, leftPages(scheduled, settings.limits.pages)),
      ...settingWarnings(settings),
      ...(await refusedNames(store, crawler)).map(refusalWarning),
    ],
    nextRuns: crawler.active ? nextRuns(crawler, scheduled, deps.clock.now()) : [],
  };
}

/** Visits from which on a share of them says something, and the share that a robots.txt forbids by mistake. */
const ENOUGH_VISITS = 5;
const FORBIDDEN_RATIO = 0.9;

/** The newest full run that has ended was kept from nearly all pages. */
function robotsWarning({ id }: Crawler, scheduled: readonly Run[]): readonly string[] {
  const run = lastFullRun(scheduled);
  if (run === undefined) return [];
  const count = summaryOf(run).reasons?.['robots'] ?? 0;
  if (count < ENOUGH_VISITS || count < run.visited * FORBIDDEN_RATIO) return [];
  return [
    `The robots.txt forbids ${count} of ${run.visited} pages of run ${run.id} (robots), and their documents stay; allow them there, or for your own site: fossick crawler set ${id} robots=ignore`,
  ];
}

function closedWarning(notice: Notice | undefined): readonly string[] {
  return notice === undefined ? [] : [`${notice.sentence}: ${notice.command}`];
}

function pageLimitWarning({ id }: Crawler, left: LeftPages | undefined): readonly string[] {
  return left === undefined ? [] : [`${left.sentence}; to have them: fossick crawler set ${id} ${left.setting}`];
}

function nextRuns(crawler: Crawler, runs: readonly Run[], now: number): readonly NextRun[] {
  const { schedule, timezone } = compileCrawlRules(crawler).settings;
  const next = (['full', 'incremental'] as const).flatMap((kind) => {
    const rule = parseSchedule(schedule[kind], crawler.id);
    const last = runs.find((run) => run.kind === 'full' || run.kind === kind)?.createdAt ?? crawler.activeSince ?? now;
    return rule === undefined ? [] : [{ kind, at: nextDueAt(rule, { timezone, last, now }) }];
  });
  return next.toSorted((a, b) => a.at - b.at);
}

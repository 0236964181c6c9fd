import type { RemovalState, UrlState } from '../core/crawl-words.ts';
import type { Crawler } from '../core/records.ts';
import type { LoggedVisit, Run } from '../storage/run-store.ts';
import { closedSiteWarning } from './closed-site.ts';
import { type ConcerningHost, concerningHosts, type HostsDeps } from './host-control.ts';
import { refusalWarning, refusedNames } from './private-names.ts';
import { compileCrawlRules } from './rules/crawl-rules.ts';
import { nextDueAt, parseSchedule } from './rules/schedule.ts';
import { settingWarnings } from './rules/setting-warnings.ts';
import type { RunSummary } from './summarize-run.ts';

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
      ...(await closedSiteWarning(store, crawler.id, removals.get('held') ?? 0)),
      ...robotsWarning(crawler, scheduled),
      ...pageLimitWarning(crawler, scheduled),
      ...settingWarnings(compileCrawlRules(crawler).settings),
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
  const { run, summary } = lastFullRun(scheduled);
  const count = summary.reasons?.['robots'] ?? 0;
  if (run === undefined || count < ENOUGH_VISITS || count < run.visited * FORBIDDEN_RATIO) return [];
  return [
    `The robots.txt forbids ${count} of ${run.visited} pages of run ${run.id} (robots), and their documents stay; allow them there, or for your own site: fossick crawler set ${id} robots=ignore`,
  ];
}

/** The newest full run that has ended tells what it left out. */
function pageLimitWarning(crawler: Crawler, scheduled: readonly Run[]): readonly string[] {
  const { run, summary } = lastFullRun(scheduled);
  const count = summary.left?.['page-limit'];
  if (run === undefined || count === undefined) return [];
  return [
    `Run ${run.id} left about ${count} pages out (page-limit), because it held as many as \`limits.pages\` allows; to have them: fossick crawler set ${crawler.id} limits.pages=${run.visited + count}`,
  ];
}

function lastFullRun(scheduled: readonly Run[]): {
  readonly run: Run | undefined;
  readonly summary: Partial<RunSummary>;
} {
  const run = scheduled.find(({ kind, state }) => kind === 'full' && state === 'finished');
  return { run, summary: run?.summary === undefined ? {} : (JSON.parse(run.summary) as Partial<RunSummary>) };
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

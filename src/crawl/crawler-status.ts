import type { Reason, RemovalState, UrlState } from '../core/crawl-words.ts';
import { AppError } from '../core/errors.ts';
import type { Crawler } from '../core/records.ts';
import type { HostState } from '../storage/engine/host-content.ts';
import type { Run } from '../storage/engine/runs.ts';
import type { LoggedVisit } from '../storage/engine/visit-log.ts';
import type { EngineStore } from '../storage/engine-store.ts';
import { type ConcerningHost, concerningHosts, type HostsDeps, type ListedHost, listHosts } from './host-control.ts';
import { type NextRun, nextRuns } from './next-runs.ts';
import { type RefusedName, refusalWarning, refusedNames } from './private-names.ts';
import { compileCrawlRules } from './rules/crawl-rules.ts';
import { REASON_TEXTS } from './rules/reasons.ts';
import { BREAKER_FAILURES } from './rules/retry-policy.ts';
import { robotsFailure } from './rules/robots.ts';
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
    nextRuns: crawler.active ? nextRuns(settings, { ...crawler, runs: scheduled }, deps.clock.now()) : [],
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

/** What an operator is told, and the command that goes with it. */
type Notice = { readonly sentence: string; readonly command: string };

/** Pages from which on a share of them says something. */
const ENOUGH = 5;
/** Pages with documents that look gone for each one that is live, from which on the site does: nine of ten. */
const GONE_PER_LIVE = 9;
/** A site of more pages that look gone is judged as if it had so many: counting them all takes 30 ms per million. */
const MOST_COUNTED = 100_000;

/**
 * Says that nearly all pages of a crawler answer as if they were gone, with the command that lets their documents go;
 * nothing leaves by itself then. Costs 0.02 ms for a site that is well, at
 * most 3 ms for one that is closed.
 */
async function closedSite(store: EngineStore, crawlerId: number, heldRemovals: number): Promise<Notice | undefined> {
  const count = (state: 'suspected' | 'live', limit: number) => store.countUrlsUpTo({ crawlerId, state, limit });
  if ((await count('suspected', ENOUGH)) < ENOUGH) return undefined;
  const suspected = await count('suspected', MOST_COUNTED);
  const mostLive = Math.floor(suspected / GONE_PER_LIVE);
  const live = await count('live', mostLive + 1);
  if (live > mostLive) return undefined;
  const sentence = `The site of crawler ${crawlerId} seems closed: ${suspected} of ${suspected + live} pages answer ${await reasonOf(store, crawlerId)}, and their documents stay`;
  return heldRemovals > 0
    ? { sentence, command: `fossick crawler approve-removals ${crawlerId} --all (if it is closed for good)` }
    : {
        sentence: `${sentence}; what still answers so a day after the first time is put before you`,
        command: `fossick crawler removals ${crawlerId} --groups`,
      };
}

/** What the pages answer; the record of one that is held tells that alone. */
async function reasonOf(store: EngineStore, crawlerId: number): Promise<Reason> {
  const { rows } = await store.stepUrls({ crawlerId, state: 'suspected' }, undefined, 1);
  const reason = rows[0]?.reason ?? 'none';
  if (reason !== 'removal-held') return reason;
  const [removal] = await store.listRemovals({ crawlerId, state: 'held', after: 0, limit: 1 });
  return removal?.cause ?? reason;
}

/** Pages that the newest full run left out because it held as many as its crawler allows. */
type LeftPages = {
  readonly sentence: string;
  /** The setting that has room for them. */
  readonly setting: string;
};

/** @param pageLimit of now: where it was raised, the next run has room */
function leftPages(scheduled: readonly Run[], pageLimit: number): LeftPages | undefined {
  const run = lastFullRun(scheduled);
  if (run === undefined || run.visited < pageLimit) return undefined;
  const count = summaryOf(run).left?.['page-limit'];
  if (count === undefined) return undefined;
  const sentence = `Run ${run.id} of crawler ${run.crawlerId} left about ${count} pages out (page-limit), because it held as many as \`limits.pages\` allows`;
  return { sentence, setting: `limits.pages=${run.visited + count}` };
}

/** The newest full run that has ended. @param scheduled newest first */
function lastFullRun(scheduled: readonly Run[]): Run | undefined {
  return scheduled.find(({ kind, state }) => kind === 'full' && state === 'finished');
}

function summaryOf({ summary }: Run): Partial<RunSummary> {
  return summary === undefined ? {} : (JSON.parse(summary) as Partial<RunSummary>);
}

/** What keeps an active crawler from its work, or waits for its operator. */
export type CrawlerFaults = {
  readonly hosts: readonly FaultyHost[];
  /** Seeds that the crawler's own rules leave out. */
  readonly seedsOutside: readonly {
    readonly seed: string;
    readonly reason: Reason;
    readonly why: string;
    readonly rule: string;
  }[];
  /** Hosts whose names lead into a private network without a mark. */
  readonly privateNames: readonly RefusedName[];
  /** Settings that this version cannot read; undefined when it can. */
  readonly settings: string | undefined;
  /** Why the crawler does not get in: the summary of a run that is paused for it. */
  readonly access: string | undefined;
  readonly heldRemovals: number;
  /** Nearly all pages answer as if they were gone. */
  readonly closed: Notice | undefined;
  readonly leftPages: LeftPages | undefined;
  /** The newest scheduled run, when it failed. */
  readonly failedRun: { readonly id: number; readonly why: string } | undefined;
};

export type FaultyHost = {
  readonly origin: string;
  readonly cause: Reason;
  /** The cause as one sentence. */
  readonly why: string;
  /** Until when it is left alone; undefined when it is not. */
  readonly heldUntil: number | undefined;
};

/** Hosts of a crawler that are looked at, in the order in which they became known: those of its seeds come first. */
const MOST_HOSTS = 200;
const SHOWN_HOSTS = 10;
const SHOWN_SEEDS = 10;
/** Among them is one that has ended. */
const NEWEST_RUNS = 5;

/** What follows from the settings alone. `pageLimit`: infinite where they cannot be read. `mayVisit`: whether an origin is one that the crawler would still visit. */
type SettingFaults = Pick<CrawlerFaults, 'seedsOutside' | 'settings'> & {
  readonly pageLimit: number;
  readonly configVersion: number;
  readonly mayVisit: (host: Pick<HostState, 'origin' | 'waiting'>) => boolean;
};

/**
 * Reads the faults of one crawler: some ten look-ups by key and 200 rows of hosts, 0.3 ms. What follows from the
 * settings alone is kept until they change.
 */
export function createCrawlerFaults(deps: HostsDeps): (crawler: Crawler) => Promise<CrawlerFaults> {
  const kept = new Map<number, SettingFaults>();
  const settingFaultsOf = (crawler: Crawler): SettingFaults => {
    const known = kept.get(crawler.id);
    if (known?.configVersion === crawler.configVersion) return known;
    const faults = readSettingFaults(crawler);
    kept.set(crawler.id, faults);
    return faults;
  };
  return async (crawler) => {
    const store = await deps.engineStores.of(crawler.engineId);
    const { seedsOutside, settings, pageLimit, mayVisit } = settingFaultsOf(crawler);
    const page = { after: 0, limit: MOST_HOSTS };
    const heldRemovals = (await store.countRemovals(crawler.id)).get('held') ?? 0;
    const scheduled = await store.scheduledRuns(crawler.id, NEWEST_RUNS);
    const hosts = settings === undefined ? await listHosts(deps, crawler, page) : [];
    return {
      seedsOutside,
      settings,
      privateNames: settings === undefined ? await refusedNames(store, crawler) : [],
      hosts: hosts.filter(mayVisit).flatMap(faultyHost).slice(0, SHOWN_HOSTS),
      access: accessFaultOf(await store.livingRunsOf(crawler.id)),
      heldRemovals,
      closed: await closedSite(store, crawler.id, heldRemovals),
      leftPages: leftPages(scheduled, pageLimit),
      failedRun: failedRunOf(scheduled),
    };
  };
}

function readSettingFaults(crawler: Crawler): SettingFaults {
  const { configVersion } = crawler;
  try {
    const { seeds, scope, settings } = compileCrawlRules(crawler);
    const judge = (url: string) => scope({ url, depth: 0, queued: false, knownUrls: 0 });
    const outside = seeds.flatMap((seed) => {
      const verdict = judge(seed);
      if (verdict.in) return [];
      return [{ seed, reason: verdict.reason, why: REASON_TEXTS[verdict.reason].cause, rule: verdict.rule }];
    });
    const ofSeeds = new Set(seeds.map((seed) => new URL(seed).origin));
    const isInDomain = (origin: string) => {
      const verdict = judge(`${origin}/`);
      return verdict.in || verdict.reason !== 'out-of-domain';
    };
    // A host that nothing leads to any more stays known with its last answer.
    const mayVisit: SettingFaults['mayVisit'] = ({ origin, waiting }) =>
      (waiting > 0 || ofSeeds.has(origin)) && isInDomain(origin);
    return {
      seedsOutside: outside.slice(0, SHOWN_SEEDS),
      settings: undefined,
      pageLimit: settings.limits.pages,
      configVersion,
      mayVisit,
    };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const pageLimit = Number.POSITIVE_INFINITY;
    return { seedsOutside: [], settings: error.message, pageLimit, configVersion, mayVisit: () => false };
  }
}

function faultyHost(host: ListedHost): readonly FaultyHost[] {
  const { origin, wait, holds } = host;
  const cause = hostFault(host);
  if (cause === undefined) return [];
  const ofHost = holds.find(({ urlTemplate }) => urlTemplate === '');
  const why = wait?.reason === cause || cause === 'no-slot' ? wait?.sentence : undefined;
  return [{ origin, cause, why: why ?? REASON_TEXTS[cause].cause, heldUntil: wait?.until ?? ofHost?.until }];
}

/** Why pages of the host are not visited now, or not believed; one good answer ends what was a failure. */
function hostFault({ robotsStatus, holds, concern, failures, content }: ListedHost): Reason | undefined {
  const unread = robotsStatus === undefined ? undefined : robotsFailure(robotsStatus);
  if (unread !== undefined) return unread;
  const ofHost = holds.find(({ urlTemplate }) => urlTemplate === '');
  if (ofHost !== undefined) return ofHost.reason;
  const isLasting = failures >= BREAKER_FAILURES || content.probe?.failedSince !== undefined;
  return concern !== 'server-error' || isLasting ? concern : undefined;
}

function accessFaultOf(runs: readonly Run[]): string | undefined {
  const whys = runs.flatMap(({ state, summary }) => {
    const { reason, why } = (state === 'paused' && summary !== undefined ? JSON.parse(summary) : {}) as AccessSummary;
    return reason === 'login-failed' || reason === 'secrets' ? [why ?? reason] : [];
  });
  return whys[0];
}

/** Written by `crawl-access.ts`. */
type AccessSummary = { readonly reason?: string; readonly why?: string };

function failedRunOf([newest]: readonly Run[]): CrawlerFaults['failedRun'] {
  if (newest?.state !== 'failed') return undefined;
  const { reason } = (newest.summary === undefined ? {} : JSON.parse(newest.summary)) as { readonly reason?: unknown };
  return { id: newest.id, why: typeof reason === 'string' ? reason : (newest.summary ?? 'unknown') };
}

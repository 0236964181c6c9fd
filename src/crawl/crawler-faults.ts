import type { Reason } from '../core/crawl-words.ts';
import { AppError } from '../core/errors.ts';
import type { Crawler } from '../core/records.ts';
import type { HostState } from '../storage/host-content-store.ts';
import type { Run } from '../storage/run-store.ts';
import { closedSite, type Notice } from './closed-site.ts';
import { type HostsDeps, type ListedHost, listHosts } from './host-control.ts';
import { type LeftPages, leftPages } from './left-pages.ts';
import { type RefusedName, refusedNames } from './private-names.ts';
import { compileCrawlRules } from './rules/crawl-rules.ts';
import { REASON_TEXTS } from './rules/reasons.ts';
import { BREAKER_FAILURES } from './rules/retry-policy.ts';
import { robotsFailure } from './rules/robots.ts';

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

/** Written by `pause-for-access.ts`. */
type AccessSummary = { readonly reason?: string; readonly why?: string };

function failedRunOf([newest]: readonly Run[]): CrawlerFaults['failedRun'] {
  if (newest?.state !== 'failed') return undefined;
  const { reason } = (newest.summary === undefined ? {} : JSON.parse(newest.summary)) as { readonly reason?: unknown };
  return { id: newest.id, why: typeof reason === 'string' ? reason : (newest.summary ?? 'unknown') };
}

import type { Clock } from '../../core/clock.ts';
import { FRONTIER_FLAGS } from '../../core/crawl-words.ts';
import { AppError } from '../../core/errors.ts';
import type { Crawler } from '../../core/records.ts';
import type { FetchedResource, Fetcher, Hop } from '../../fetch/fetcher.ts';
import { loggedInstead } from '../../observability/background.ts';
import type { Log } from '../../observability/logger.ts';
import type { EngineStore } from '../../storage/engine-store.ts';
import type { DueRow, UrlFacts } from '../../storage/frontier-store.ts';
import { NO_TRUST } from '../../storage/host-trust.ts';
import type { Host, UrlRecord } from '../../storage/run-store.ts';
import type { CrawlAccess } from '../crawl-access.ts';
import type { HostSlots } from '../host-slots.ts';
import { type CrawlRules, compileCrawlRules } from '../rules/crawl-rules.ts';
import { hostPace } from '../rules/politeness.ts';
import { takeSlot } from '../slice/take-slot.ts';
import { openHostTemplates } from '../visit/host-templates.ts';
import { openReservations } from '../visit/page-rendering.ts';
import { openRobotsCopies, type RobotsCopies } from '../visit/robots-copies.ts';
import { visitLoggedIn } from '../visit/visit-logged-in.ts';
import { type Extract, type Visited, visitUrl } from '../visit/visit-url.ts';

export type DryRunVisitDeps = {
  readonly fetcher: Pick<Fetcher, 'fetch'>;
  readonly extract: Extract;
  readonly hostSlots: HostSlots;
  readonly crawlAccess: CrawlAccess;
  readonly clock: Clock;
  /** Pause between two fetches of a host whose pace is not known yet. */
  readonly hostDelayMs: number;
  readonly log: Log;
};

/** A URL in normal form that is visited without a trace, by settings that need not be stored. */
export type DryRunVisit = {
  readonly crawler: Crawler;
  readonly rules: CrawlRules;
  readonly store: EngineStore;
  readonly url: string;
  readonly record: UrlRecord | undefined;
  readonly robots: RobotsCopies;
};

export type DryRunVisited = {
  readonly visited: Visited | undefined;
  /** What the fetch of the page brought, whatever its status. */
  readonly resource: FetchedResource | undefined;
  /** The way of redirects, also of one that was refused. */
  readonly hops: readonly Hop[];
  /** Why the form login let nobody in. */
  readonly loginRefusal: string | undefined;
};

const NOTHING_LISTED = { added: 0, changed: 0, beyondLimit: 0 };
/** Settings with access; robots.txt is read like anywhere, but its copy is not stored. */
export function prepareDryRun(
  deps: DryRunVisitDeps,
  of: { readonly crawler: Crawler; readonly store: EngineStore },
): Pick<DryRunVisit, 'rules' | 'robots'> {
  const { crawler, store } = of;
  const compiled = compileCrawlRules(crawler);
  const rules = { ...compiled, access: deps.crawlAccess.of(crawler.id, compiled).access };
  const robotsStore = {
    livingRunsOf: store.livingRunsOf,
    leaseRobots: async () => true,
    freeRobots: async () => undefined,
    ensureHost: async (crawlerId: number, origin: string) =>
      (await store.findHostOf(crawlerId, origin)) ?? unknownHost(origin),
    saveRobots: async () => undefined,
  };
  return { rules, robots: openRobotsCopies({ ...deps, store: robotsStore }, crawler.id, rules) };
}

/** One visit as a slice makes it, under a slot of its host; nothing of it is recorded. */
export async function visitWithoutTrace(
  deps: DryRunVisitDeps,
  visit: DryRunVisit,
  signal: AbortSignal,
): Promise<DryRunVisited> {
  const { crawler, rules, robots, store } = visit;
  const seen: { resource?: FetchedResource; hops?: readonly Hop[]; loginRefusal?: string } = {};
  const { login } = deps.crawlAccess.of(crawler.id, rules);
  const refused = async (why: string) => {
    seen.loginRefusal = why;
  };
  const visitRow = login === undefined ? visitUrl : visitLoggedIn(visitUrl, { login, refused });
  const visitDeps = {
    ...deps,
    // Entries of sitemaps and feeds enter while they are read.
    store: { ...store, addSitemapEntries: async () => NOTHING_LISTED },
    renderer: undefined,
    spool: undefined,
    reservations: openReservations(),
    templates: openHostTemplates(store),
    robots,
    fetcher: watched(deps.fetcher, seen),
    extract: explained(deps.extract),
    random: () => 0.5,
    removalLoad: async () => ({ removed: 0, documents: 0 }),
  };
  const row = rowOf(visit, (await store.findHostOf(crawler.id, new URL(visit.url).origin))?.id ?? 0);
  const visited = await visitRow(
    visitDeps,
    { crawlerId: crawler.id, activation: crawler.activation, row, rules },
    signal,
  );
  signal.throwIfAborted();
  const { resource, hops = resource?.redirects ?? [], loginRefusal } = seen;
  return { visited, resource, hops, loginRefusal };
}

/** Work under one slot of the URL's host. Waits for the slot as long as the signal allows. */
export async function withSlot<T>(
  deps: DryRunVisitDeps,
  of: { readonly visit: DryRunVisit; readonly signal: AbortSignal },
  work: () => Promise<T>,
): Promise<T> {
  const { visit, signal } = of;
  const { origin } = new URL(visit.url);
  const observedPace = (await visit.store.findHostOf(visit.crawler.id, origin))?.pace;
  const pace = hostPace(visit.rules, { origin, crawlDelaySeconds: undefined, observedPace }, deps.hostDelayMs);
  const grant = await takeSlot(deps.hostSlots, { origin, pace }, signal);
  signal.throwIfAborted();
  try {
    return await work();
  } finally {
    // One that cannot be given back ends by itself.
    const notReleased = loggedInstead(deps.log, 'a host slot was not released', undefined);
    await deps.hostSlots.release([{ grant: grant ?? '', result: 'unused' }]).catch(notReleased);
  }
}

function explained(extract: Extract): Extract {
  return (input, signal) => extract({ ...input, explain: true }, signal);
}

function watched(
  fetcher: Pick<Fetcher, 'fetch'>,
  seen: { resource?: FetchedResource; hops?: readonly Hop[] },
): Pick<Fetcher, 'fetch'> {
  return {
    fetch: async (request, signal) => {
      try {
        const resource = await fetcher.fetch(request, signal);
        if (request.purpose === 'page') seen.resource = resource;
        return resource;
      } catch (error) {
        const hops = error instanceof AppError ? error.options.details?.['hops'] : undefined;
        if (hops !== undefined) seen.hops = hops as readonly Hop[];
        throw error;
      }
    },
  };
}

/** A row as a full run makes it; forced, so that an unchanged page is read all the same. */
function rowOf({ url, record }: DryRunVisit, hostId: number): DueRow {
  return {
    urlId: record?.id ?? 0,
    hostId,
    url,
    depth: record?.depth ?? 0,
    runId: 0,
    runKind: 'full',
    priority: 0,
    attempts: 0,
    crashes: 0,
    flags: FRONTIER_FLAGS.force | FRONTIER_FLAGS.follow,
    stage: 'page',
    detail: undefined,
    origin: record?.origin ?? 'queued',
    patternId: undefined,
    visits: record?.visits ?? 0,
    firstSeenAt: record?.firstSeenAt ?? 0,
    visitedAt: record?.visitedAt,
    sitemapLastmod: undefined,
    patternIntervalMs: undefined,
    record: record?.facts ?? UNVISITED,
  };
}

const UNVISITED: UrlFacts = {
  kind: 'page',
  state: 'known',
  reason: 'none',
  httpStatus: undefined,
  etag: undefined,
  lastModified: undefined,
  extractVersion: undefined,
  bodyHash: undefined,
  contentHash: undefined,
  similarity: undefined,
  contentChars: undefined,
  changedAt: undefined,
  intervalMs: undefined,
  nextAt: undefined,
  misses: 0,
  missedAt: undefined,
  asksPassword: false,
  hasEndTag: false,
  isUnconfirmed: false,
};

function unknownHost(origin: string): Host {
  return {
    id: 0,
    origin,
    heldUntil: 0,
    holdReason: undefined,
    failures: 0,
    pace: undefined,
    health: '',
    trust: NO_TRUST,
    robots: undefined,
    content: { probe: undefined, notFound: undefined, believedUntil: 0 },
  };
}

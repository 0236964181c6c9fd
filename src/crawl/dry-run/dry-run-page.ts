import type { Clock } from '../../core/clock.ts';
import { FRONTIER_FLAGS, type Reason } from '../../core/crawl-words.ts';
import type { DocumentKind, Section } from '../../core/document.ts';
import { AppError } from '../../core/errors.ts';
import type { Crawler } from '../../core/records.ts';
import { normalizeUrl } from '../../core/url.ts';
import type { Directives, ExplainedBlock, Extraction, ExtractionStatus, RuledField } from '../../extract/extraction.ts';
import type { FetchedResource, Fetcher, Hop } from '../../fetch/fetcher.ts';
import { loggedInstead } from '../../observability/background.ts';
import type { Log } from '../../observability/logger.ts';
import type { DueRow } from '../../storage/engine/due-rows.ts';
import { NO_TRUST } from '../../storage/engine/host-trust.ts';
import type { Host } from '../../storage/engine/hosts.ts';
import type { UrlFacts, UrlRecord } from '../../storage/engine/urls.ts';
import type { EngineStore } from '../../storage/engine-store.ts';
import type { CrawlAccess } from '../crawl-access.ts';
import type { HostSlots } from '../host-slots.ts';
import { type CrawlRules, compileCrawlRules } from '../rules/crawl-rules.ts';
import { type HostPace, hostPace } from '../rules/politeness.ts';
import { takeSlot } from '../slice/visit-slot.ts';
import { openHostTemplates } from '../visit/host-templates.ts';
import { openReservations } from '../visit/page-rendering.ts';
import { openRobotsCopies, type RobotsCopies } from '../visit/robots-copies.ts';
import { visitLoggedIn } from '../visit/visit-logged-in.ts';
import { type Extract, type Visited, visitUrl } from '../visit/visit-url.ts';

export type DryRunLink = {
  readonly url: string;
  readonly text: string;
  /** The page allows to follow it. */
  readonly follow: boolean;
  readonly inScope: boolean;
  readonly reason: Reason | undefined;
  readonly rule: string | undefined;
};

export type DryRunField = {
  readonly name: string;
  readonly values: readonly string[];
  /** `og:title`, `h1`, `json-ld` … */
  readonly source: string | undefined;
};

/** A section as answers find it, cut short. */
export type DryRunSection = {
  readonly headings: readonly string[];
  readonly anchor: string | undefined;
  readonly page: number | undefined;
  /** May be quoted, and be a source of an answer. */
  readonly grounding: boolean;
  readonly chars: number;
  /** The beginning, at most 120 characters. */
  readonly text: string;
};

/** What was read from a page or file. */
export type DryRunPage = {
  readonly status: ExtractionStatus;
  readonly note: string;
  readonly kind: DocumentKind;
  readonly media: string;
  readonly charset: string;
  readonly language: string | undefined;
  readonly languageFrom: string | undefined;
  readonly canonicalUrl: string | undefined;
  readonly refreshUrl: string | undefined;
  readonly renderWanted: string | undefined;
  readonly directives: Directives;
  readonly fields: readonly DryRunField[];
  readonly sections: readonly DryRunSection[];
  /** Every block of the page with what became of it, in order. */
  readonly blocks: readonly ExplainedBlock[];
  /** What each rule for a field did, values cut short. */
  readonly rules: readonly RuledField[];
  readonly hiddenChars: number;
  readonly notes: readonly string[];
  readonly links: readonly DryRunLink[];
  /** Links of the page, shown or not. */
  readonly linkCount: number;
};

const MAX_LINKS = 500;
const MAX_SECTIONS = 500;
const MAX_BLOCKS = 2_000;
const MAX_TEXT_CHARS = 120;
const MAX_VALUES = 20;

export function dryRunPage(extraction: Extraction, rules: CrawlRules, depth: number): DryRunPage {
  const { status, reason, kind, trace, language, canonicalUrl, refreshUrl, renderWanted, directives } = extraction;
  return {
    status,
    note: reason,
    kind,
    media: trace.media,
    charset: trace.charset,
    language: language?.code,
    languageFrom: language?.from,
    canonicalUrl,
    refreshUrl,
    renderWanted,
    directives,
    fields: [...extraction.fields].map(([name, values]) => ({ name, values, source: sourceOf(name, extraction) })),
    sections: extraction.structure.sections.slice(0, MAX_SECTIONS).map(dryRunSection),
    blocks: (trace.blocks ?? []).slice(0, MAX_BLOCKS),
    rules: (trace.rules ?? []).map(dryRunRule),
    hiddenChars: trace.hiddenChars,
    notes: trace.notes,
    links: extraction.outlinks.slice(0, MAX_LINKS).map((link) => dryRunLink(link, rules, depth + 1)),
    linkCount: extraction.outlinks.length,
  };
}

function sourceOf(name: string, { trace, language }: Extraction): string | undefined {
  return trace.sources[name] ?? (name === 'Language' ? language?.from : undefined);
}

function dryRunSection({ headings, page, grounding, blocks }: Section): DryRunSection {
  return {
    headings: headings.map(({ text }) => text),
    anchor: headings.at(-1)?.anchor,
    page,
    grounding,
    chars: blocks.reduce((sum, { text }) => sum + text.length, 0),
    text: (blocks[0]?.text ?? '').slice(0, MAX_TEXT_CHARS),
  };
}

function dryRunRule(rule: RuledField): RuledField {
  const shortened = (values: readonly string[]) =>
    values.slice(0, MAX_VALUES).map((value) => value.trim().slice(0, MAX_TEXT_CHARS));
  return { ...rule, raw: shortened(rule.raw), values: shortened(rule.values) };
}

function dryRunLink(
  { url: text, text: words, follow }: Extraction['outlinks'][number],
  rules: CrawlRules,
  depth: number,
) {
  const url = normalizeUrl(text, rules.urlRules);
  if (url === undefined)
    return { url: text, text: words, follow, inScope: false, reason: 'scheme' as const, rule: undefined };
  const verdict = rules.scope({ url, depth, queued: false, knownUrls: 0 });
  const rule = verdict.rule === '' ? undefined : verdict.rule;
  return { url, text: words, follow, inScope: verdict.in, reason: verdict.in ? undefined : verdict.reason, rule };
}

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
  return underSlot(deps, { origin, pace, signal }, work);
}

/** The same for a host whose pace is known. */
export async function underSlot<T>(
  deps: Pick<DryRunVisitDeps, 'hostSlots' | 'log'>,
  of: { readonly origin: string; readonly pace: HostPace; readonly signal: AbortSignal },
  work: () => Promise<T>,
): Promise<T> {
  const { signal } = of;
  const grant = await takeSlot(deps.hostSlots, of, signal);
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

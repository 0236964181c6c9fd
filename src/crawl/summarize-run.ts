import type { SharedTitles } from '../storage/engine/documents.ts';
import type { UrlPatternRecord } from '../storage/engine/patterns.ts';
import type { Run } from '../storage/engine/runs.ts';
import type { UrlCursor } from '../storage/engine/url-browser.ts';
import type { EngineStore } from '../storage/engine-store.ts';
import type { DuplicateSummary } from './duplicates.ts';
import type { HostHolds } from './host-holds.ts';
import type { OfferedSetting } from './rules/duplicates.ts';

const SHOWN_PATTERNS = 50;
const SHOWN_HOSTS = 50;
const SHOWN_TITLES = 20;
const SHOWN_CUTS = 20;
const LOOKED_AT_RUNS = 50;
const COMPARED = ['visited', 'added', 'changed', 'removed', 'failed', 'bytes'] as const;

/** What a run did and found, for people; JSON in `runs.summary`. */
export type RunSummary = {
  readonly millis: number;
  readonly states: Readonly<Record<string, number>>;
  /** Visits by reason. */
  readonly reasons: Readonly<Record<string, number>>;
  readonly outcomes: Readonly<Record<string, number>>;
  /** Pages that were found and not visited, by reason. */
  readonly left: Readonly<Record<string, number>>;
  readonly heldHosts: readonly {
    readonly origin: string;
    readonly heldUntil: number;
    readonly reason: string | null;
  }[];
  readonly closedPatterns: { readonly count: number; readonly shown: readonly ClosedPattern[] };
  readonly duplicates: Omit<DuplicateSummary, 'proposals'> | null;
  readonly proposals: readonly OfferedSetting[];
  /** Documents whose title another one has, and the titles of most of them. */
  readonly sharedTitles: SharedTitles;
  /** Pages and files of which not all was read, and what stopped their reading. */
  readonly cutShort: { readonly count: number; readonly shown: readonly CutPage[] };
  /** The run of the same kind before, and what this one had more of. */
  readonly before: { readonly run: number; readonly more: Readonly<Record<string, number>> } | null;
};

export type CutPage = { readonly url: string; readonly cuts: readonly string[] };

export type ClosedPattern = {
  readonly pattern: string;
  readonly host: string;
  readonly rule: string;
  /** URLs of it that are known, first visits that were made, and those that brought something. */
  readonly known: number;
  readonly visited: number;
  readonly informative: number;
  readonly examples: readonly string[];
};

/**
 * @param duplicates undefined for a run that does not judge them
 * @param pageLimit pages that the run might visit; infinite where its settings do not say
 */
export async function summarizeRun(
  { store, hostHolds }: { readonly store: EngineStore; readonly hostHolds: Pick<HostHolds, 'ofHosts'> },
  run: Run,
  {
    at,
    duplicates,
    pageLimit,
  }: { readonly at: number; readonly duplicates: DuplicateSummary | undefined; readonly pageLimit: number },
): Promise<RunSummary> {
  const { crawlerId } = run;
  const counts = await store.countVisits({ id: run.id, crawlerId, since: run.createdAt });
  const { proposals = [], ...found } = duplicates ?? {};
  return {
    millis: at - (run.startedAt ?? run.createdAt) - run.pausedMs,
    states: Object.fromEntries(await store.countUrls(crawlerId)),
    reasons: sums(counts.map(({ reason, count }) => [reason, count])),
    outcomes: sums(counts.map(({ outcome, count }) => [outcome, count])),
    left: run.visited < pageLimit ? {} : await unfollowedLinks(store, crawlerId),
    heldHosts: [
      ...(await heldForAll(store, { crawlerId, at, hostHolds })),
      ...(await heldForItself(store, crawlerId, at)),
    ],
    closedPatterns: await closedPatterns(store, crawlerId),
    duplicates: duplicates === undefined ? null : (found as Omit<DuplicateSummary, 'proposals'>),
    proposals,
    sharedTitles: await store.sharedTitles({ crawlerId, limit: SHOWN_TITLES }),
    cutShort: await cutPages(store, crawlerId),
    before: await comparison(store, run),
  };
}

async function unfollowedLinks(store: EngineStore, crawlerId: number): Promise<RunSummary['left']> {
  const count = await store.countUnfollowedLinks(crawlerId, 'page-limit');
  return count === 0 ? {} : { 'page-limit': count };
}

type SuspendedHosts = RunSummary['heldHosts'];

/** Hosts of the crawler that are held for all crawlers. */
async function heldForAll(
  store: EngineStore,
  { crawlerId, at, hostHolds }: { crawlerId: number; at: number; hostHolds: Pick<HostHolds, 'ofHosts'> },
): Promise<SuspendedHosts> {
  const held: SuspendedHosts[number][] = [];
  for (const { origin, until, reason } of hostHolds.ofHosts(at)) {
    if (held.length === SHOWN_HOSTS) break;
    const isKnown = (await store.findHostOf(crawlerId, origin)) !== undefined;
    if (isKnown) held.push({ origin, heldUntil: until, reason });
  }
  return held;
}

async function heldForItself(store: EngineStore, crawlerId: number, at: number): Promise<SuspendedHosts> {
  const hosts = await store.listBusyHosts(crawlerId, at, SHOWN_HOSTS);
  return hosts.flatMap(({ origin, heldUntil, holdReason = null }) =>
    heldUntil > at ? [{ origin, heldUntil, reason: holdReason }] : [],
  );
}

function sums(counts: readonly (readonly [string, number])[]): Readonly<Record<string, number>> {
  const summed = new Map<string, number>();
  for (const [name, count] of counts) summed.set(name, (summed.get(name) ?? 0) + count);
  return Object.fromEntries(summed);
}

async function closedPatterns(store: EngineStore, crawlerId: number): Promise<RunSummary['closedPatterns']> {
  const closed = await store.listPatterns({ crawlerId, after: 0, limit: 1_000, closed: true });
  const shown = closed.toSorted((a, b) => b.known - a.known).slice(0, SHOWN_PATTERNS);
  return { count: closed.length, shown: await Promise.all(shown.map((pattern) => closedPattern(store, pattern))) };
}

async function closedPattern(
  store: EngineStore,
  { hostId, pattern, closeRule, known, visited, informative, examples }: UrlPatternRecord,
): Promise<ClosedPattern> {
  const host = (await store.findHost(hostId))?.origin ?? '';
  return { pattern, host, rule: closeRule ?? '', known, visited, informative, examples };
}

async function cutPages(store: EngineStore, crawlerId: number): Promise<RunSummary['cutShort']> {
  const filter = { crawlerId, state: 'live', reason: 'cut-short' } as const;
  let count = 0;
  let after: UrlCursor | undefined;
  do {
    const { counts, next } = await store.countUrlsBy('reason', filter, after);
    for (const group of counts) count += group.count;
    after = next;
  } while (after !== undefined);
  const { rows } = await store.stepUrls(filter, undefined, SHOWN_CUTS);
  const documents = await Promise.all(rows.map(({ url }) => store.findDocument(crawlerId, url)));
  return { count, shown: rows.map(({ url }, at) => ({ url, cuts: documents[at]?.structure?.cuts ?? [] })) };
}

async function comparison(store: EngineStore, run: Run): Promise<RunSummary['before']> {
  const runs = await store.listRuns(run.crawlerId, LOOKED_AT_RUNS);
  const before = runs.find(({ id, kind, state }) => id < run.id && kind === run.kind && state === 'finished');
  if (before === undefined) return null;
  return { run: before.id, more: Object.fromEntries(COMPARED.map((name) => [name, run[name] - before[name]])) };
}

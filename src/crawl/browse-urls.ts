import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { EngineStores } from '../storage/engine-store.ts';
import type { UrlBrowser, UrlCursor, UrlFilter, UrlGrouping, UrlRow } from '../storage/url-browser.ts';

type Deps = { readonly engineStores: Pick<EngineStores, 'of'> };

/** `host` = origin, or host with or without port. */
export type BrowseFilter = Omit<UrlFilter, 'crawlerId' | 'hostIds'> & { readonly host?: string | undefined };

export type Browse = {
  readonly engineId: number;
  readonly crawlerId: number;
  readonly filter: BrowseFilter;
};

export type UrlList = {
  readonly rows: readonly UrlRow[];
  /** Where the list goes on; undefined at its end. */
  readonly next: UrlCursor | undefined;
  /** The search for a text ended before it had looked at all records. */
  readonly isCut: boolean;
};

export type UrlGroup = { readonly value: string | null; readonly count: number };

/** Records that a search for a text looks at before it answers with what it has. */
const TEXT_RECORDS = 100_000;
const MAX_GROUPS = 1_000;
const STREAM_ROWS = 1_000;

/** URL records of a crawler by state, reason and id. Other work has its turn between steps of 2,000 records. */
export async function browseUrls(
  deps: Deps,
  browse: Browse & { readonly after: UrlCursor | undefined; readonly limit: number },
  signal: AbortSignal,
): Promise<UrlList> {
  const { limit } = browse;
  const { store, filter } = await filterOf(deps, browse);
  const rows: UrlRow[] = [];
  let next = browse.after;
  let lookedAt = 0;
  do {
    signal.throwIfAborted();
    const step = await store.stepUrls(filter, next, limit - rows.length);
    rows.push(...step.rows);
    next = step.next;
    lookedAt += step.lookedAt;
    if (filter.text !== undefined && lookedAt >= TEXT_RECORDS) break;
    await yieldToEventLoop();
  } while (next !== undefined && rows.length < limit);
  return { rows, next, isCut: next !== undefined && rows.length < limit };
}

/** Every URL record that passes the filter, in pieces. */
export async function* streamUrls(deps: Deps, browse: Browse, signal: AbortSignal): AsyncGenerator<readonly UrlRow[]> {
  const { store, filter } = await filterOf(deps, browse);
  let next: UrlCursor | undefined;
  do {
    signal.throwIfAborted();
    const step = await store.stepUrls(filter, next, STREAM_ROWS);
    if (step.rows.length > 0) yield step.rows;
    next = step.next;
    await yieldToEventLoop();
  } while (next !== undefined);
}

/** How many URL records there are by one of their properties, most first; `other` counts what is in no group shown. */
export async function groupUrls(
  deps: Deps,
  browse: Browse & { readonly by: UrlGrouping },
  signal: AbortSignal,
): Promise<{ readonly groups: readonly UrlGroup[]; readonly other: number }> {
  const { store, filter } = await filterOf(deps, browse);
  const counts = new Map<number | null, number>();
  let next: UrlCursor | undefined;
  do {
    signal.throwIfAborted();
    const step = await store.countUrlsBy(browse.by, filter, next);
    for (const { value, count } of step.counts) counts.set(value, (counts.get(value) ?? 0) + count);
    next = step.next;
    await yieldToEventLoop();
  } while (next !== undefined);
  const sorted = [...counts].toSorted((a, b) => b[1] - a[1]);
  const shown = sorted.slice(0, MAX_GROUPS);
  const names = await store.nameGroups(
    browse.by,
    shown.flatMap(([value]) => value ?? []),
  );
  return {
    groups: shown.map(([value, count]) => ({ value: value === null ? null : (names.get(value) ?? null), count })),
    other: sorted.slice(MAX_GROUPS).reduce((sum, [, count]) => sum + count, 0),
  };
}

async function filterOf(
  { engineStores }: Deps,
  { engineId, crawlerId, filter }: Browse,
): Promise<{ readonly store: UrlBrowser; readonly filter: UrlFilter }> {
  const store = await engineStores.of(engineId);
  const { host, ...rest } = filter;
  const hostIds = host === undefined ? undefined : await store.findHostIds(crawlerId, host);
  return { store, filter: { ...rest, crawlerId, hostIds } };
}

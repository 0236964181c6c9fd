import { foldBlanks, normalQuery } from '../../src/core/normal-query.ts';
import type { Device, TrackingStore } from '../../src/storage/system/tracking.ts';

export type LoggedSearch = {
  readonly text: string;
  readonly at?: number;
  readonly resultCount?: number;
  readonly fixedQuery?: string;
  readonly device?: Device;
  /** `qsid`. */
  readonly session?: string;
  readonly queryId?: string;
  readonly counted?: boolean;
};

export type LoggedClick = {
  readonly queryId: string;
  readonly at?: number;
  readonly rank?: number;
  readonly kind?: string;
  readonly url?: string;
  readonly title?: string;
  readonly bannerId?: string;
};

let nextId = 1;

/** Stores a search as the query log does. */
export function logSearch(
  store: Pick<TrackingStore, 'addQueryEvent'>,
  engineId: number,
  { text, at = 1_000, resultCount, fixedQuery, device = 'desktop', session, queryId, counted = true }: LoggedSearch,
): Promise<void> {
  const id = `search-${nextId++}`;
  const event = {
    id,
    engineId,
    at,
    queryId: queryId ?? id,
    text,
    resultCount,
    device,
    querySessionId: session,
    fixedQuery,
    sessionId: undefined,
    ip: undefined,
    extra: {},
  };
  const counters = { query: normalQuery(text), spelling: foldBlanks(text), ownResultCount: resultCount };
  return store.addQueryEvent(event, counted ? counters : undefined);
}

/** Stores a click as the click log does. */
export function logClickOn(
  store: Pick<TrackingStore, 'addClickEvent'>,
  engineId: number,
  { queryId, at = 1_000, rank, kind = 'searchresult', url = 'https://example.com/', title, bannerId }: LoggedClick,
): Promise<void> {
  return store.addClickEvent({
    id: `click-${nextId++}`,
    engineId,
    at,
    queryId,
    kind,
    rank,
    url,
    extra: {},
    bannerId,
    title,
    text: undefined,
    sessionId: undefined,
    ip: undefined,
  });
}

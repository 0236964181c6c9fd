import { RUN_KINDS, type RunKind, type Stage, URL_ORIGINS, type UrlOrigin } from '../../core/crawl-words.ts';
import type { DueRow } from '../frontier-store.ts';
import type { CloseRule } from '../pattern-store.ts';
import { type FactsRow, factsOf } from './url-records.ts';

/** A row that was leased just now. */
export type TakenRow = {
  url_id: number;
  run_id: number;
  due_at: number;
  attempts: number;
  crashes: number;
  flags: number;
  detail: string | null;
};

/** What is known of its URL. */
export type TakenUrl = FactsRow & {
  url: string;
  depth: number;
  origin: number;
  visits: number;
  pattern_id: number | null;
  pattern_closed_at: number | null;
  found_on: number | null;
  first_seen_at: number;
  pattern_interval_ms: number | null;
  visited_at: number | null;
  sitemap_lastmod: number | null;
  run_kind: string;
  run_created_at: number;
};

export function dueRowOf(
  row: TakenRow,
  url: TakenUrl,
  from: {
    readonly hostId: number;
    readonly priority: number;
    readonly stage: Stage;
    readonly closedBy: CloseRule | undefined;
  },
): DueRow {
  return {
    urlId: row.url_id,
    hostId: from.hostId,
    url: url.url,
    depth: url.depth,
    runId: row.run_id,
    runKind: RUN_KINDS.find((kind) => kind === url.run_kind) as RunKind,
    priority: from.priority,
    attempts: row.attempts,
    crashes: row.crashes,
    flags: row.flags,
    stage: from.stage,
    detail: row.detail ?? undefined,
    origin: URL_ORIGINS[url.origin] as UrlOrigin,
    patternId: url.pattern_id ?? undefined,
    patternIsClosed: url.pattern_closed_at !== null,
    closedBy: from.closedBy,
    visits: url.visits,
    firstSeenAt: url.first_seen_at,
    visitedAt: url.visited_at ?? undefined,
    sitemapLastmod: url.sitemap_lastmod ?? undefined,
    patternIntervalMs: url.pattern_interval_ms ?? undefined,
    record: factsOf(url),
  };
}

import { sql } from 'kysely';
import { RUN_KINDS, type RunKind, STAGES, type Stage, URL_ORIGINS, type UrlOrigin } from '../../../core/crawl-words.ts';
import type { DueRow, LeasedLane, MakeDue, TakeDue } from '../../frontier-store.ts';
import type { CloseRule } from '../../pattern-store.ts';
import { execute, fetchAll, fetchFirst, type Operation } from '../operation.ts';
import { engineSql, statement } from '../statement.ts';
import { CrawlCounts } from './crawl-counts.ts';
import { closedByOf } from './frontier.ts';
import { beatLane } from './lanes.ts';
import { discardEnded, isPaused } from './run-control.ts';
import { FACT_COLUMNS, type FactsRow, factsOf, HASH_COLUMNS } from './url-records.ts';

type TakeValues = {
  laneId: number;
  fence: number;
  crawlerId: number;
  activation: number;
  stage: number;
  hostId: number;
  priority: number;
  now: number;
  limit: number;
};

type LaterValues = { crawlerId: number; activation: number; stage: number; hostId: number; priority: number };

const STEP_ROWS = 5_000;

const PRIORITIES = [0, 1, 2, 3] as const;

export const takeStatements = {
  take: statement<TakeValues, TakenRow>((p) =>
    engineSql
      .updateTable('frontier')
      .set({ lane_id: p.laneId, fence: p.fence })
      .where('url_id', 'in', (row) =>
        row
          .selectFrom('frontier')
          .select('url_id')
          .where('crawler_id', '=', p.crawlerId)
          .where('activation', '=', p.activation)
          .where('stage', '=', p.stage)
          .where('host_id', '=', p.hostId)
          .where('priority', '=', p.priority)
          .where('due_at', '<=', p.now)
          .where('lane_id', 'is', null)
          .orderBy('due_at')
          .limit(p.limit),
      )
      .returning(['url_id', 'run_id', 'due_at', 'attempts', 'crashes', 'flags', 'detail']),
  ),
  readTaken: statement<{ urlId: number; runId: number }, TakenUrl>((p) =>
    engineSql
      .selectFrom('urls')
      .innerJoin('runs', (join) => join.on('runs.id', '=', p.runId))
      .leftJoin('url_patterns', 'url_patterns.id', 'urls.pattern_id')
      .select(FACT_COLUMNS)
      .select(HASH_COLUMNS)
      .select(['urls.url', 'urls.depth', 'urls.origin', 'urls.visits', 'urls.pattern_id', 'runs.kind as run_kind'])
      .select('runs.created_at as run_created_at')
      .select(['urls.found_on', 'urls.first_seen_at', 'url_patterns.closed_at as pattern_closed_at'])
      .select(['urls.visited_at', 'urls.sitemap_lastmod', 'url_patterns.interval_ms as pattern_interval_ms'])
      .where('urls.id', '=', p.urlId),
  ),
  putBack: statement<{ urlId: number; laneId: number; fence: number; dueAt: number }, { host_id: number }>((p) =>
    engineSql
      .updateTable('frontier')
      .set({ lane_id: null, fence: null, due_at: p.dueAt })
      .where('url_id', '=', p.urlId)
      .where('lane_id', '=', p.laneId)
      .where('fence', '=', p.fence)
      .returning('host_id'),
  ),
  makeDue: statement<LaterValues & { now: number }>((p) =>
    engineSql
      .updateTable('frontier')
      .set({ due_at: p.now })
      .where('url_id', 'in', (row) =>
        row
          .selectFrom('frontier')
          .select('url_id')
          .where('crawler_id', '=', p.crawlerId)
          .where('activation', '=', p.activation)
          .where('stage', '=', p.stage)
          .where('host_id', '=', p.hostId)
          .where('priority', '=', p.priority)
          .where('due_at', '>', p.now)
          .where('lane_id', 'is', null)
          .limit(sql.lit(STEP_ROWS)),
      ),
  ),
};

/** Write operation: rows of a host that wait for a later time are due now, at most 5,000 of each stage and priority. */
export function* makeDue({ hostId, ...of }: MakeDue & { readonly hostId: number }): Operation<void> {
  for (const stage of STAGES.keys()) {
    for (const priority of PRIORITIES) yield* execute(takeStatements.makeDue, { ...of, hostId, stage, priority });
  }
}

/** Rows of ended runs that are dropped before others are taken. */
const DISCARDED_FIRST = 1_000;

/**
 * Write operation: beats the lane, then leases rows of each host by priority. Nothing when the lane is lost, the
 * crawler is paused, or rows of ended runs lie in the way.
 */
export function* takeDue(input: TakeDue): Operation<readonly DueRow[]> {
  const { lane, crawlerId, hosts, maxPriority, now } = input;
  if (!(yield* beatLane(lane)) || (yield* isPaused(crawlerId))) return [];
  if ((yield* discardEnded({ crawlerId, limit: DISCARDED_FIRST, at: now })) > 0) return [];
  const counts = new CrawlCounts();
  const taken: DueRow[] = [];
  for (const { hostId, limit } of hosts) {
    const before = taken.length;
    for (let priority = 0; priority <= maxPriority; priority++) {
      const wanted = limit - (taken.length - before);
      if (wanted > 0) yield* takeOf(input, { hostId, priority, limit: wanted }, taken);
    }
    counts.addWaiting(hostId, before - taken.length);
  }
  yield* counts.store();
  return taken;
}

function* takeOf(
  input: TakeDue,
  from: { readonly hostId: number; readonly priority: number; readonly limit: number },
  taken: DueRow[],
): Operation<void> {
  const { lane, crawlerId, activation, stage, now } = input;
  const values = { ...lane, crawlerId, activation, stage: STAGES.indexOf(stage), now, ...from };
  // RETURNING keeps no order.
  const rows = (yield* fetchAll(takeStatements.take, values)).sort(
    (a, b) => a.due_at - b.due_at || a.url_id - b.url_id,
  );
  for (const row of rows) {
    const url = yield* fetchFirst(takeStatements.readTaken, { urlId: row.url_id, runId: row.run_id });
    if (url === undefined) continue;
    const closedBy = yield* closedByOf(url, {
      runId: row.run_id,
      priority: from.priority,
      failures: row.attempts + row.crashes,
    });
    taken.push(dueRowOf(row, url, { ...from, stage, closedBy }));
  }
}

/** Write operation. */
export function* returnLeases(
  lane: LeasedLane,
  rows: readonly { readonly urlId: number; readonly dueAt: number }[],
): Operation<void> {
  const counts = new CrawlCounts();
  for (const row of rows) {
    const returned = yield* fetchFirst(takeStatements.putBack, { ...lane, ...row });
    if (returned !== undefined) counts.addWaiting(returned.host_id, 1);
  }
  yield* counts.store();
}

/** A row that was leased just now. */
type TakenRow = {
  url_id: number;
  run_id: number;
  due_at: number;
  attempts: number;
  crashes: number;
  flags: number;
  detail: string | null;
};

/** What is known of its URL. */
type TakenUrl = FactsRow & {
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

function dueRowOf(
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

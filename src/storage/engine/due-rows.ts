import { sql } from 'kysely';
import { RUN_KINDS, type RunKind, STAGES, type Stage, URL_ORIGINS, type UrlOrigin } from '../../core/crawl-words.ts';
import {
  all,
  defineStore,
  execute,
  fetchAll,
  fetchFirst,
  fetchFirstOfEach,
  mapTogether,
  type Operation,
} from '../sql/operation.ts';
import { engineSql, statement } from '../sql/statement.ts';
import { type ClockJump, followClockJumps } from '../system/installation.ts';
import { CrawlCounts } from './crawl-counts.ts';
import { closedByOf } from './frontier.ts';
import { findHostFacts, type HostFacts, hostStatements } from './hosts.ts';
import { beatLane, type LeasedLane } from './lanes.ts';
import type { CloseRule } from './patterns.ts';
import { discardEnded, hasEndedRows, isPaused } from './run-control.ts';
import { livingRunsOf, type Run } from './runs.ts';
import { FACT_COLUMNS, type FactsRow, factsOf, HASH_COLUMNS } from './url-records.ts';
import type { UrlFacts } from './urls.ts';

/**
 * Part of the port `EngineStore`: what is due, and leased to a lane. Promises:
 * 1. `takeDue` leases a row to one lane, by priority, then time, until it is recorded, returned or the lane changes hands;
 * 2. a clock that was set back moves the times that rows and hosts wait for by as much, once per jump.
 */
export interface DueRowStore {
  /**
   * Hosts of the crawler with waiting rows and no hold, from `after` (a host id) on; `dueAt` is their earliest row. Stage
   * `file` asks no host, so no hold keeps it.
   */
  hostsWithWork(input: HostsWithWork): Promise<readonly HostWithWork[]>;
  /** The same in one exchange with what a slice has to know besides: of hosts that it works on, and of runs. */
  lookForWork(input: HostsWithWork & { readonly of: readonly number[] }): Promise<WorkFound>;
  /** Crawlers with waiting rows, due or not. */
  crawlersWithRows(): Promise<readonly number[]>;
  takeDue(input: TakeDue): Promise<readonly DueRow[]>;
  /** Gives leases back with a later time, without an attempt. */
  returnLeases(lane: LeasedLane, rows: readonly { readonly urlId: number; readonly dueAt: number }[]): Promise<void>;
  /** Rows of a host that wait for a later time are due now: its holds have ended. */
  makeDue(hostId: number, input: MakeDue): Promise<void>;
  /** `at` is the present time, after all of the jumps. */
  followClockJumps(jumps: readonly ClockJump[], at: number): Promise<void>;
}

type MakeDue = { readonly crawlerId: number; readonly activation: number; readonly now: number };

type TakeDue = {
  readonly lane: LeasedLane;
  readonly crawlerId: number;
  readonly activation: number;
  readonly stage: Stage;
  readonly now: number;
  /** Priorities that the lane works on: lane 0 only takes priority 0. */
  readonly maxPriority: number;
  readonly hosts: readonly { readonly hostId: number; readonly limit: number }[];
};

/** A leased frontier row with what is known of its URL. */
export type DueRow = {
  readonly urlId: number;
  readonly hostId: number;
  readonly url: string;
  readonly depth: number;
  readonly runId: number;
  readonly runKind: RunKind;
  readonly priority: number;
  readonly attempts: number;
  readonly crashes: number;
  /** Bits of `FRONTIER_FLAGS`. */
  readonly flags: number;
  readonly stage: Stage;
  /** JSON of the stage before: spool file, statistics. */
  readonly detail: string | undefined;
  readonly origin: UrlOrigin;
  readonly patternId: number | undefined;
  /** The pattern was closed when the row was taken, and the rule that keeps this row from being visited. */
  readonly patternIsClosed?: boolean;
  readonly closedBy?: CloseRule | undefined;
  readonly visits: number;
  readonly firstSeenAt: number;
  readonly visitedAt: number | undefined;
  /** Last change of the page in the words of its sitemap. */
  readonly sitemapLastmod: number | undefined;
  /** Running median of the intervals of the URL's pattern. */
  readonly patternIntervalMs: number | undefined;
  readonly record: UrlFacts;
};

type HostsWithWork = {
  readonly crawlerId: number;
  readonly activation: number;
  readonly stage: Stage;
  readonly maxPriority: number;
  readonly after: number;
  readonly limit: number;
  readonly now: number;
  /** Hosts that are held for all crawlers; absent: none. */
  readonly heldOrigins?: readonly string[];
};

/** `slots`: fetches at once that it bears, 1 while nothing was learned. */
export type HostWithWork = {
  readonly hostId: number;
  readonly origin: string;
  readonly dueAt: number;
  readonly slots: number;
};

/** `hosts`: those that were asked for and are there · `runs`: those of the crawler that have not ended. */
export type WorkFound = {
  readonly work: readonly HostWithWork[];
  readonly hosts: readonly HostFacts[];
  readonly runs: readonly Run[];
};

export const dueRowStore = defineStore<DueRowStore>()(
  { hostsWithWork, lookForWork, crawlersWithRows },
  { takeDue, returnLeases, makeDue: (hostId, input) => makeDue({ hostId, ...input }), followClockJumps },
);

type TakeValues = {
  laneId: number;
  fence: number;
  crawlerId: number;
  activation: number;
  stage: number;
  hostId: number;
  maxPriority: number;
  now: number;
  limit: number;
};

type LaterValues = { crawlerId: number; activation: number; stage: number; hostId: number; priority: number };

const STEP_ROWS = 5_000;

const PRIORITIES = [0, 1, 2, 3] as const;

export const takeStatements = {
  /** Of a host, by priority, then time: one index seek for each priority. */
  take: statement<TakeValues, TakenRow>((p) => {
    const due = PRIORITIES.map(
      (priority) => sql`SELECT * FROM (SELECT url_id, priority, due_at FROM frontier WHERE crawler_id = ${p.crawlerId}
        AND activation = ${p.activation} AND stage = ${p.stage} AND host_id = ${p.hostId}
        AND priority = ${sql.lit(priority)} AND ${sql.lit(priority)} <= ${p.maxPriority} AND due_at <= ${p.now}
        AND lane_id IS NULL ORDER BY due_at LIMIT ${p.limit}) AS ${sql.ref(`level${priority}`)}`,
    );
    return engineSql
      .updateTable('frontier')
      .set({ lane_id: p.laneId, fence: p.fence })
      .where(
        sql<boolean>`url_id IN (SELECT url_id FROM (${sql.join(due, sql` UNION ALL `)}) AS due
          ORDER BY priority, due_at LIMIT ${p.limit})`,
      )
      .returning(['url_id', 'run_id', 'priority', 'due_at', 'attempts', 'crashes', 'flags', 'detail']);
  }),
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
function* makeDue({ hostId, ...of }: MakeDue & { readonly hostId: number }): Operation<void> {
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
function* takeDue(input: TakeDue): Operation<readonly DueRow[]> {
  const { lane, crawlerId, hosts, now } = input;
  const [isHeld, isWaiting, hasEnded] = yield* all([beatLane(lane), isPaused(crawlerId), hasEndedRows(crawlerId)]);
  if (!isHeld || isWaiting) return [];
  if (hasEnded && (yield* discardEnded({ crawlerId, limit: DISCARDED_FIRST, at: now })) > 0) return [];
  const taken = yield* mapTogether(hosts, (host) => takeOf(input, host));
  const counts = new CrawlCounts();
  for (const [at, { hostId }] of hosts.entries()) counts.addWaiting(hostId, -(taken[at]?.length ?? 0));
  yield* counts.store();
  const rows = hosts.flatMap(({ hostId }, at) => (taken[at] ?? []).map((row) => ({ hostId, row })));
  return yield* dueRowsOf(rows, input.stage);
}

/** Leases of a host, by priority, then time. */
function* takeOf(
  input: TakeDue,
  from: { readonly hostId: number; readonly limit: number },
): Operation<readonly TakenRow[]> {
  const { lane, crawlerId, activation, stage, maxPriority, now } = input;
  const values = { ...lane, crawlerId, activation, stage: STAGES.indexOf(stage), maxPriority, now, ...from };
  // RETURNING keeps no order.
  return (yield* fetchAll(takeStatements.take, values)).sort(
    (a, b) => a.priority - b.priority || a.due_at - b.due_at || a.url_id - b.url_id,
  );
}

function* dueRowsOf(
  taken: readonly { readonly hostId: number; readonly row: TakenRow }[],
  stage: Stage,
): Operation<readonly DueRow[]> {
  const urls = yield* fetchFirstOfEach(
    takeStatements.readTaken,
    taken.map(({ row }) => ({ urlId: row.url_id, runId: row.run_id })),
  );
  const known = taken.flatMap((of, at) => {
    const url = urls[at];
    return url === undefined ? [] : [{ ...of, url }];
  });
  return yield* mapTogether(known, function* ({ hostId, row, url }): Operation<DueRow> {
    const { run_id: runId, priority, attempts, crashes } = row;
    const closedBy = yield* closedByOf(url, { runId, priority, failures: attempts + crashes });
    return dueRowOf(row, url, { hostId, stage, closedBy });
  });
}

/** Write operation. */
export function* returnLeases(
  lane: LeasedLane,
  rows: readonly { readonly urlId: number; readonly dueAt: number }[],
): Operation<void> {
  const counts = new CrawlCounts();
  const returned = yield* mapTogether(rows, (row) => fetchFirst(takeStatements.putBack, { ...lane, ...row }));
  for (const row of returned) if (row !== undefined) counts.addWaiting(row.host_id, 1);
  yield* counts.store();
}

/** A row that was leased just now. */
type TakenRow = {
  url_id: number;
  run_id: number;
  priority: number;
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
    priority: row.priority,
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

function* hostsWithWork(input: HostsWithWork): Operation<readonly HostWithWork[]> {
  const asksHosts = input.stage !== 'file';
  const rows = yield* fetchAll(hostStatements.withWork, {
    ...input,
    stage: STAGES.indexOf(input.stage),
    now: asksHosts ? input.now : Number.MAX_SAFE_INTEGER,
    heldOrigins: JSON.stringify(asksHosts ? (input.heldOrigins ?? []) : []),
  });
  return rows.flatMap(({ id, origin, due_at, slots }) =>
    due_at === null ? [] : [{ hostId: id, origin, dueAt: due_at, slots }],
  );
}

function* lookForWork({ of, ...input }: HostsWithWork & { readonly of: readonly number[] }): Operation<WorkFound> {
  const [work, hosts, runs] = yield* all([hostsWithWork(input), findHostFacts(of), livingRunsOf(input.crawlerId)]);
  return { work, hosts, runs };
}

function* crawlersWithRows(): Operation<readonly number[]> {
  return (yield* fetchAll(hostStatements.crawlersWithRows, {})).map((row) => row.crawler_id);
}

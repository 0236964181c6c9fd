import { sql } from 'kysely';
import { FRONTIER_FLAGS, REASONS, URL_ORIGINS, URL_STATES } from '../../core/crawl-words.ts';
import { jsonNumber } from '../sql/dialect.ts';
import { execute, fetchAll, fetchFirst, type Operation } from '../sql/operation.ts';
import { engineSql, type Parameters, rawQuery, statement } from '../sql/statement.ts';
import { CrawlCounts } from './crawl-counts.ts';
import { discardVoid } from './frontier.ts';
import { linkedIds } from './outlinks.ts';
import { runStatements } from './run-states.ts';

/** -2^63: no single number of SQL text is so low. */
const LOWEST_KEY = sql`-9223372036854775807 - 1`;
/** States that every full run visits; the others only when their time has come. */
const PLANNED_STATES = (['known', 'live', 'suspected', 'failed'] as const).map((state) => URL_STATES.indexOf(state));
/** States of pages whose document left by what the page itself answered. */
const REMOVED_STATES = (['gone', 'skipped'] as const).map((state) => sql.lit(URL_STATES.indexOf(state)));
/** What a robots.txt refused is judged again by each full run: another one may have been read since. */
const REFUSED_BY_ROBOTS = sql`(state = ${sql.lit(URL_STATES.indexOf('skipped'))} AND reason = ${sql.lit(REASONS.indexOf('robots'))})`;
const KNOWN_PRIORITY = 2;
/** How long a change that a sitemap was silent about counts, and full runs that ask for every page (crawling 15.3). */
const SILENCE_COUNTS_MS = 90 * 86_400_000;
const ASKING_RUNS = 4;

type PlanValues = {
  runId: number;
  crawlerId: number;
  activation: number;
  startedAt: number;
  now: number;
  limit: number;
  /** Flag `ask`, or 0. */
  ask: number;
};

/** The next records in order of their key, which spreads hosts and patterns. */
function planWindow(p: Parameters<PlanValues>) {
  return sql`(SELECT * FROM urls WHERE crawler_id = ${p.crawlerId}
    AND key > coalesce((SELECT plan_cursor FROM runs WHERE runs.id = ${p.runId}), ${LOWEST_KEY})
    ORDER BY key LIMIT ${p.limit})`;
}

const INTO_FRONTIER = sql`INSERT INTO frontier
  (url_id, crawler_id, activation, run_id, host_id, stage, priority, due_at, flags)`;

function plannedRow(p: Parameters<PlanValues>) {
  return sql`SELECT id, crawler_id, ${p.activation}, ${p.runId}, host_id, 0, ${KNOWN_PRIORITY}, ${p.now},
    ${FRONTIER_FLAGS.follow} | ${p.ask}`;
}

/** What was sent through the API and discarded unvisited is never planned (contract 9). */
const FOUND_ON_SITE = sql`NOT (state = ${sql.lit(URL_STATES.indexOf('known'))}
  AND origin = ${sql.lit(URL_ORIGINS.indexOf('queued'))})`;
const NOT_WAITING = sql`NOT EXISTS (SELECT 1 FROM frontier WHERE url_id = urls.id AND frontier.activation >= `;

/** A leased row that is void gives way; what this run has visited already is left out. */
function planRest(p: Parameters<PlanValues>) {
  return sql`(visited_at IS NULL OR visited_at < ${p.startedAt})`;
}

/** Of the URLs that were refused as traps, the samples of this run (`isSample` in patterns.ts). */
function sampleOf(p: Parameters<PlanValues>) {
  return sql`(state = ${URL_STATES.indexOf('skipped')} AND reason = ${REASONS.indexOf('trap')}
    AND abs(key % 100) = ${p.runId} % 100)`;
}

const REPLACE_VOID = sql`ON CONFLICT (url_id) DO UPDATE SET activation = excluded.activation, run_id = excluded.run_id,
  host_id = excluded.host_id, stage = excluded.stage, detail = NULL, priority = excluded.priority,
  due_at = excluded.due_at, flags = excluded.flags, attempts = 0, crashes = 0, lane_id = NULL, fence = NULL
  WHERE frontier.activation < excluded.activation
    OR (SELECT state FROM runs WHERE runs.id = frontier.run_id) NOT IN ('running', 'paused') RETURNING host_id`;

export const planStatements = {
  planFull: statement<PlanValues, { host_id: number }>((p) =>
    rawQuery(sql<{ host_id: number }>`${INTO_FRONTIER} ${plannedRow(p)} FROM ${planWindow(p)} AS page
      WHERE kind IN (0, 1) AND first_seen_at < ${p.startedAt} AND ${planRest(p)} AND ${FOUND_ON_SITE}
      AND (state IN (${sql.join(PLANNED_STATES)}) OR ${REFUSED_BY_ROBOTS} OR next_at <= ${p.now} OR ${sampleOf(p)})
      ${REPLACE_VOID}`),
  ),
  /** Pages whose documents left lately, each with the live page that it was found on. */
  removedPages: statement<PlanValues, { id: number; found_on: number }>((p) =>
    rawQuery(sql<{ id: number; found_on: number }>`SELECT page.id, page.found_on FROM ${planWindow(p)} AS page
      JOIN urls AS parent ON parent.id = page.found_on AND parent.state = ${sql.lit(URL_STATES.indexOf('live'))}
      JOIN documents ON documents.crawler_id = page.crawler_id AND documents.id = page.url
      JOIN removals ON removals.rid = documents.rid AND removals.state = 'removed'
      WHERE page.state IN (${sql.join(REMOVED_STATES)}) AND page.next_at > ${p.now}
      AND (page.visited_at IS NULL OR page.visited_at < ${p.startedAt})`),
  ),
  planOne: statement<PlanValues & { id: number }, { host_id: number }>((p) =>
    rawQuery(sql<{ host_id: number }>`${INTO_FRONTIER} ${plannedRow(p)} FROM urls
      WHERE id = ${p.id} AND ${NOT_WAITING}${p.activation}) ${REPLACE_VOID}`),
  ),
  windowSize: statement<PlanValues, { count: number }>((p) =>
    rawQuery(sql<{ count: number }>`SELECT count(*) AS count FROM ${planWindow(p)} AS page`),
  ),
  advance: statement<PlanValues & { done: number }>((p) =>
    rawQuery(sql`UPDATE runs SET plan_done = ${p.done},
      plan_cursor = coalesce((SELECT max(key) FROM ${planWindow(p)} AS page), plan_cursor) WHERE id = ${p.runId}`),
  ),
  planDue: statement<PlanValues, { host_id: number }>((p) =>
    rawQuery(sql<{ host_id: number }>`${INTO_FRONTIER} ${plannedRow(p)} FROM urls
      WHERE crawler_id = ${p.crawlerId} AND next_at <= ${p.now} AND kind IN (0, 1) AND ${planRest(p)}
      AND ${NOT_WAITING}${p.activation})
      ORDER BY next_at, id LIMIT ${p.limit} ${REPLACE_VOID}`),
  ),
  planUnvisited: statement<PlanValues, { host_id: number }>((p) =>
    rawQuery(sql<{ host_id: number }>`${INTO_FRONTIER} ${plannedRow(p)} FROM urls
      WHERE crawler_id = ${p.crawlerId} AND state = ${URL_STATES.indexOf('known')} AND kind IN (0, 1)
      AND ${FOUND_ON_SITE} AND ${planRest(p)} AND ${NOT_WAITING}${p.activation})
      LIMIT ${p.limit} ${REPLACE_VOID}`),
  ),
  /** Pages that often bring new links. */
  planHubs: statement<PlanValues, { host_id: number }>((p) =>
    rawQuery(sql<{ host_id: number }>`${INTO_FRONTIER} ${plannedRow(p)} FROM urls
      WHERE crawler_id = ${p.crawlerId} AND hub = 1 AND ${planRest(p)} AND ${NOT_WAITING}${p.activation})
      LIMIT ${p.limit} ${REPLACE_VOID}`),
  ),
  /** Pages that were left out on the word of a sitemap that has since been silent about a change. */
  planRechecks: statement<PlanValues & { recheckSince: number }, { host_id: number }>((p) =>
    rawQuery(sql<{ host_id: number }>`${INTO_FRONTIER} ${plannedRow(p)} FROM urls
      WHERE crawler_id = ${p.crawlerId} AND state = ${URL_STATES.indexOf('live')}
      AND reason = ${REASONS.indexOf('lastmod-unchanged')} AND ${planRest(p)}
      AND host_id IN (SELECT id FROM hosts WHERE crawler_id = ${p.crawlerId}
        AND ${jsonNumber(sql.ref('lastmod_trust'), 'silentAt')} >= ${p.recheckSince})
      AND ${NOT_WAITING}${p.activation}) LIMIT ${p.limit} ${REPLACE_VOID}`),
  ),
  /** Pages that were refused in this run by patterns that have opened since. */
  planForgiven: statement<PlanValues, { host_id: number }>((p) =>
    rawQuery(sql<{ host_id: number }>`${INTO_FRONTIER} ${plannedRow(p)} FROM urls
      WHERE crawler_id = ${p.crawlerId} AND next_at <= ${p.now} AND kind IN (0, 1)
      AND state = ${URL_STATES.indexOf('known')} AND ${planRest(p)}
      AND ${FOUND_ON_SITE} AND ${NOT_WAITING}${p.activation})
      LIMIT ${p.limit} ${REPLACE_VOID}`),
  ),
  fullRuns: statement<{ crawlerId: number; runId: number }, { count: number }>((p) =>
    engineSql
      .selectFrom('runs')
      .select((row) => row.fn.countAll<number>().as('count'))
      .where('crawler_id', '=', p.crawlerId)
      .where('id', '<=', p.runId)
      .where('kind', '=', 'full'),
  ),
  planned: statement<{ id: number }>((p) => engineSql.updateTable('runs').set({ plan_done: 1 }).where('id', '=', p.id)),
};

/** Write operation: one step; void rows leave first, so that none hides a URL from the plan. */
export function* planRun(runId: number, limit: number, now: number): Operation<{ planned: number; done: boolean }> {
  const run = yield* fetchFirst(runStatements.read, { id: runId });
  if (run === undefined || run.state !== 'running' || run.plan_done === 1) return { planned: 0, done: true };
  const { crawler_id: crawlerId, activation } = run;
  if ((yield* discardVoid({ crawlerId, activation, limit, now })) > 0) return { planned: 0, done: false };
  const values = { runId, crawlerId, activation, startedAt: run.started_at ?? run.created_at, now, limit, ask: 0 };
  const step = run.kind === 'full' ? yield* planFull(values) : yield* planIncremental(values);
  const counts = new CrawlCounts();
  for (const { host_id } of step.rows) counts.addWaiting(host_id, 1);
  counts.add(runId, 'open', step.rows.length);
  yield* counts.store();
  return { planned: step.rows.length, done: step.done };
}

type PlanStep = { readonly rows: readonly { host_id: number }[]; readonly done: boolean };

function* planFull(values: PlanValues): Operation<PlanStep> {
  const { crawlerId, runId, limit } = values;
  const asksAll = ((yield* fetchFirst(planStatements.fullRuns, { crawlerId, runId }))?.count ?? 0) % ASKING_RUNS === 0;
  const ask = asksAll ? FRONTIER_FLAGS.ask : 0;
  const rows = [
    ...(yield* fetchAll(planStatements.planFull, { ...values, ask })),
    ...(yield* planRemoved({ ...values, ask })),
  ];
  const isThrough = ((yield* fetchFirst(planStatements.windowSize, values))?.count ?? 0) < limit;
  const later = isThrough ? [yield* planRechecks(values), yield* fetchAll(planStatements.planForgiven, values)] : [];
  const done = isThrough && later.every((step) => step.length < limit);
  yield* execute(planStatements.advance, { ...values, done: done ? 1 : 0 });
  return { rows: [...rows, ...later.flat()], done };
}

/**
 * Pages whose documents left lately and that the page they were found on still links to: they may be back. One request
 * each and run. O(links of those pages).
 */
function* planRemoved(values: PlanValues): Operation<readonly { host_id: number }[]> {
  const links = new Map<number, ReadonlySet<number>>();
  const planned: { host_id: number }[] = [];
  for (const { id, found_on } of yield* fetchAll(planStatements.removedPages, values)) {
    const linked = links.get(found_on) ?? (yield* linkedIds(found_on));
    links.set(found_on, linked);
    if (linked.has(id)) planned.push(...(yield* fetchAll(planStatements.planOne, { ...values, id })));
  }
  return planned;
}

function* planRechecks(values: PlanValues): Operation<readonly { host_id: number }[]> {
  const recheckSince = values.now - SILENCE_COUNTS_MS;
  return yield* fetchAll(planStatements.planRechecks, { ...values, ask: FRONTIER_FLAGS.ask, recheckSince });
}

function* planIncremental(values: PlanValues): Operation<PlanStep> {
  const due = yield* fetchAll(planStatements.planDue, values);
  const unvisited = yield* fetchAll(planStatements.planUnvisited, values);
  const hubs = yield* fetchAll(planStatements.planHubs, values);
  const steps = [due, unvisited, hubs, yield* planRechecks(values)];
  const done = steps.every((rows) => rows.length < values.limit);
  if (done) yield* execute(planStatements.planned, { id: values.runId });
  return { rows: steps.flat(), done };
}

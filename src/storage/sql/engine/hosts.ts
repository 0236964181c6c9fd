import { type RawBuilder, sql } from 'kysely';
import { type Reason, STAGES } from '../../../core/crawl-words.ts';
import type { HostAnswer } from '../../frontier-store.ts';
import {
  type Hold,
  type HostContent,
  type HostProbe,
  type HostTrust,
  type LastmodObservation,
  NO_TRUST,
  type NotFoundPage,
} from '../../host-store.ts';
import type { Host, HostsWithWork, HostWithWork, ObservedPace, RobotsCopy, RobotsLease } from '../../run-store.ts';
import { execute, fetchAll, fetchFirst, type Operation } from '../operation.ts';
import { engineSql, statement } from '../statement.ts';

/** Answers kept per host (reliability: host health looks at the last 20 and 50). */
const HEALTH_ANSWERS = 50;
const ANSWER_LETTERS: Readonly<Record<HostAnswer, string>> = {
  good: 'g',
  missing: 'm',
  failure: 'f',
  forbidden: 'x',
  directive: 'd',
  soft: 's',
  identical: 'i',
  login: 'l',
};

type WorkValues = {
  crawlerId: number;
  activation: number;
  stage: number;
  maxPriority: number;
  after: number;
  limit: number;
  now: number;
  heldOrigins: string;
};

type RowsOf = Pick<WorkValues, 'crawlerId' | 'activation' | 'stage' | 'maxPriority'>;

/** Earliest waiting row of a host over the priorities 0 to 3: one index seek each. */
export function earliestRow(p: { readonly [Name in keyof RowsOf]: RowsOf[Name] | RawBuilder<number> }) {
  return sql<number | null>`(SELECT min(due) FROM (SELECT (SELECT due_at FROM frontier WHERE crawler_id = ${p.crawlerId}
    AND activation = ${p.activation} AND stage = ${p.stage} AND host_id = hosts.id AND priority = levels.priority
    AND lane_id IS NULL ORDER BY due_at LIMIT 1) AS due
    FROM (SELECT 0 AS priority UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3) AS levels
    WHERE levels.priority <= ${p.maxPriority}))`;
}

export type ContentColumns = { not_found: string | null; probe: string | null; believed_until: number | null };
export const CONTENT_COLUMNS = ['not_found', 'probe', 'believed_until'] as const;

export const hostStatements = {
  insert: statement<{ crawlerId: number; origin: string }>((p) =>
    engineSql
      .insertInto('hosts')
      .values({ crawler_id: p.crawlerId, origin: p.origin })
      .onConflict((conflict) => conflict.columns(['crawler_id', 'origin']).doNothing()),
  ),
  find: statement<{ crawlerId: number; origin: string }, { id: number }>((p) =>
    engineSql.selectFrom('hosts').select('id').where('crawler_id', '=', p.crawlerId).where('origin', '=', p.origin),
  ),
  read: statement<{ id: number }, HostRow>((p) =>
    engineSql
      .selectFrom('hosts')
      .select(['id', 'origin', 'held_until', 'hold_reason', 'failures', 'health', 'lastmod_trust', 'pace'])
      .select(['robots', 'robots_status', 'robots_at', 'robots_good_at'])
      .select(CONTENT_COLUMNS)
      .where('id', '=', p.id),
  ),
  withWork: statement<WorkValues, { id: number; origin: string; due_at: number | null; slots: number }>((p) =>
    engineSql
      .selectFrom('hosts')
      .select(['id', 'origin', earliestRow(p).as('due_at')])
      .select(sql<number>`coalesce(json_extract(pace, '$.slots'), 1)`.as('slots'))
      .where('crawler_id', '=', p.crawlerId)
      .where('waiting', '>', sql.lit(0))
      .where('id', '>', p.after)
      // Who queued a URL knows the host: that its pages look strange holds nobody up.
      .where(sql<boolean>`(held_until <= ${p.now} OR (${p.maxPriority} = 0 AND hold_reason = 'start-probe'))`)
      .where(sql<boolean>`origin NOT IN (SELECT value FROM json_each(${p.heldOrigins}))`)
      .orderBy('id')
      .limit(p.limit),
  ),
  countHeld: statement<{ crawlerId: number; now: number }, { reason: string | null; count: number }>((p) =>
    engineSql
      .selectFrom('hosts')
      .select(['hold_reason as reason'])
      .select((row) => row.fn.countAll<number>().as('count'))
      .where('crawler_id', '=', p.crawlerId)
      .where('held_until', '>', p.now)
      .groupBy('hold_reason'),
  ),
  heldUntil: statement<{ id: number }, { held_until: number }>((p) =>
    engineSql
      .selectFrom('hosts')
      .select('held_until')
      .where('id', '=', p.id)
      .where((row) => row.or([row('hold_reason', 'is', null), row('hold_reason', '!=', 'start-probe')])),
  ),
  hold: statement<{ id: number; untilAt: number; reason: string }>((p) =>
    engineSql
      .updateTable('hosts')
      .set({ held_until: p.untilAt, hold_reason: p.reason })
      .where('id', '=', p.id)
      .where('held_until', '<', p.untilAt),
  ),
  saveRobots: statement<{
    id: number;
    body: Uint8Array | null;
    status: number;
    at: number;
    goodAt: number | null;
  }>((p) =>
    engineSql
      .updateTable('hosts')
      .set({
        robots: p.body,
        robots_status: p.status,
        robots_at: p.at,
        robots_good_at: p.goodAt,
        robots_asked_at: null,
      })
      .where('id', '=', p.id),
  ),
  leaseRobots: statement<{
    id: number;
    seenAt: number | null;
    seenHeldUntil: number;
    now: number;
    before: number;
  }>((p) =>
    engineSql
      .updateTable('hosts')
      .set({ robots_asked_at: p.now })
      .where('id', '=', p.id)
      .where('robots_at', 'is', p.seenAt)
      .where('held_until', '=', p.seenHeldUntil)
      .where((row) => row.or([row('robots_asked_at', 'is', null), row('robots_asked_at', '<', p.before)])),
  ),
  freeRobots: statement<{ id: number; leasedAt: number }>((p) =>
    engineSql
      .updateTable('hosts')
      .set({ robots_asked_at: null })
      .where('id', '=', p.id)
      .where('robots_asked_at', '=', p.leasedAt),
  ),
  savePace: statement<{ crawlerId: number; origin: string; pace: string }>((p) =>
    engineSql
      .updateTable('hosts')
      .set({ pace: p.pace })
      .where('crawler_id', '=', p.crawlerId)
      .where('origin', '=', p.origin),
  ),
  /** `failures` follow the last other answer, to those before when there is none. */
  addAnswers: statement<{ id: number; letters: string; failures: number; onlyFailures: number }, { failures: number }>(
    (p) =>
      engineSql
        .updateTable('hosts')
        .set({
          health: sql<string>`substr(coalesce(health, '') || ${p.letters}, ${sql.lit(-HEALTH_ANSWERS)})`,
          failures: sql<number>`iif(${p.onlyFailures}, failures + ${p.failures}, ${p.failures})`,
        })
        .where('id', '=', p.id)
        .returning('failures'),
  ),
  crawlersWithRows: statement<Record<never, never>, { crawler_id: number }>(() =>
    engineSql.selectFrom('hosts').select('crawler_id').distinct().where('waiting', '>', sql.lit(0)),
  ),
};

type HostRow = ContentColumns & {
  id: number;
  origin: string;
  held_until: number;
  hold_reason: string | null;
  failures: number;
  health: string | null;
  lastmod_trust: string | null;
  pace: string | null;
  robots: Uint8Array | null;
  robots_status: number | null;
  robots_at: number | null;
  robots_good_at: number | null;
};

/** Inside a write: the id of the crawler's host row, which is made when there is none. */
export function* hostIdOf(crawlerId: number, origin: string): Operation<number> {
  const known = yield* fetchFirst(hostStatements.find, { crawlerId, origin });
  return known?.id ?? (yield* execute(hostStatements.insert, { crawlerId, origin })).lastId;
}

/** Write operation. */
export function* ensureHost(crawlerId: number, origin: string): Operation<Host> {
  return (yield* findHost(yield* hostIdOf(crawlerId, origin))) as Host;
}

/** Inside a write: the crawler leaves the host alone; a shorter hold never replaces a longer one. */
export function* suspendHost(hostId: number, { untilAt, reason }: Hold): Operation<void> {
  yield* execute(hostStatements.hold, { id: hostId, untilAt, reason });
}

/** Write operation. */
export function* saveRobots(hostId: number, copy: RobotsCopy, hold: Hold | undefined): Operation<void> {
  const { body, status, at, goodAt } = copy;
  yield* execute(hostStatements.saveRobots, { id: hostId, body: body ?? null, status, at, goodAt: goodAt ?? null });
  if (hold !== undefined) yield* suspendHost(hostId, hold);
}

/** Write operation. */
export function* leaseRobots({
  hostId,
  seenAt,
  seenHeldUntil,
  now,
  leaseMs,
}: { readonly hostId: number } & RobotsLease): Operation<boolean> {
  const values = { id: hostId, seenAt: seenAt ?? null, seenHeldUntil, now, before: now - leaseMs };
  return (yield* execute(hostStatements.leaseRobots, values)).changes > 0;
}

/** Write operation. */
export function* freeRobots(hostId: number, leasedAt: number): Operation<void> {
  yield* execute(hostStatements.freeRobots, { id: hostId, leasedAt });
}

/** Write operation. */
export function* savePaces(crawlerId: number, paces: ReadonlyMap<string, ObservedPace>): Operation<void> {
  for (const [origin, pace] of paces) {
    yield* execute(hostStatements.savePace, { crawlerId, origin, pace: JSON.stringify(pace) });
  }
}

/** Written by `savePaces`. */
function paceOf(json: string): ObservedPace {
  const { slots, spacingMs, firstByteMs } = JSON.parse(json) as ObservedPace;
  return { slots, spacingMs, firstByteMs };
}

/** Inside a write: adds answers to a host's health; returns its failures in a row. */
export function* addAnswers(hostId: number, answers: readonly HostAnswer[]): Operation<number> {
  const letters = answers.map((answer) => ANSWER_LETTERS[answer]).join('');
  const lastOther = answers.findLastIndex((answer) => answer !== 'failure');
  const failures = answers.length - 1 - lastOther;
  const onlyFailures = lastOther < 0 ? 1 : 0;
  return (
    (yield* fetchFirst(hostStatements.addAnswers, { id: hostId, letters, failures, onlyFailures }))?.failures ??
    failures
  );
}

export function* hostsWithWork(input: HostsWithWork): Operation<readonly HostWithWork[]> {
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

export function* findHost(hostId: number): Operation<Host | undefined> {
  const row = yield* fetchFirst(hostStatements.read, { id: hostId });
  if (row === undefined) return undefined;
  return {
    id: row.id,
    origin: row.origin,
    heldUntil: row.held_until,
    holdReason: (row.hold_reason as Reason | null) ?? undefined,
    failures: row.failures,
    health: row.health ?? '',
    trust: trustOf(row.lastmod_trust),
    content: contentOf(row),
    robots: robotsOf(row),
    pace: row.pace === null ? undefined : paceOf(row.pace),
  };
}

export function* countHeldHosts(crawlerId: number, now: number): Operation<ReadonlyMap<Reason, number>> {
  const rows = yield* fetchAll(hostStatements.countHeld, { crawlerId, now });
  return new Map(rows.map(({ reason, count }) => [(reason as Reason | null) ?? 'host-held', count]));
}

export function* heldUntil(hostId: number): Operation<number> {
  return (yield* fetchFirst(hostStatements.heldUntil, { id: hostId }))?.held_until ?? 0;
}

function robotsOf(row: HostRow): RobotsCopy | undefined {
  if (row.robots_at === null || row.robots_status === null) return undefined;
  return {
    body: row.robots ?? undefined,
    status: row.robots_status,
    at: row.robots_at,
    goodAt: row.robots_good_at ?? undefined,
  };
}

export function* crawlersWithRows(): Operation<readonly number[]> {
  return (yield* fetchAll(hostStatements.crawlersWithRows, {})).map((row) => row.crawler_id);
}

const RETAINED_CHANGES = 10;
const RETAINED_ANNOUNCED = 20;
const RETAINED_IGNORED = 20;
const CHECKS_COUNT_MS = 30 * 86_400_000;

export const trustStatements = {
  read: statement<{ id: number }, { lastmod_trust: string | null }>((p) =>
    engineSql.selectFrom('hosts').select('lastmod_trust').where('id', '=', p.id),
  ),
  save: statement<{ id: number; trust: string }>((p) =>
    engineSql.updateTable('hosts').set({ lastmod_trust: p.trust }).where('id', '=', p.id),
  ),
};

/** The column is written by this file only. */
function trustOf(text: string | null): HostTrust {
  return text === null ? NO_TRUST : { ...NO_TRUST, ...(JSON.parse(text) as Partial<HostTrust>) };
}

export type ShownByVisit = { readonly observation: LastmodObservation; readonly runId: number; readonly now: number };

/** Inside a write: adds what visits of a host have shown. */
export function* addTrust(hostId: number, shown: readonly ShownByVisit[]): Operation<void> {
  const before = trustOf((yield* fetchFirst(trustStatements.read, { id: hostId }))?.lastmod_trust ?? null);
  const trust = shown.reduce(withObservation, before);
  yield* execute(trustStatements.save, { id: hostId, trust: JSON.stringify(trust) });
}

/** Inside a write: so many more URLs of the host have a time in a sitemap. */
export function* addListedCount(hostId: number, count: number): Operation<void> {
  const trust = trustOf((yield* fetchFirst(trustStatements.read, { id: hostId }))?.lastmod_trust ?? null);
  yield* execute(trustStatements.save, {
    id: hostId,
    trust: JSON.stringify({ ...trust, listed: trust.listed + count }),
  });
}

function withObservation(trust: HostTrust, { observation, runId, now }: ShownByVisit): HostTrust {
  const { announced, silent, compared, notModified, ignored, check } = observation;
  return {
    ...trust,
    ...(announced !== undefined && {
      announced: `${trust.announced}${announced.changed ? '1' : '0'}`.slice(-RETAINED_ANNOUNCED),
    }),
    ...(announced?.changed === true && { announcedAt: [...trust.announcedAt, now].slice(-RETAINED_CHANGES) }),
    ...(silent === true && { silentAt: now }),
    ...(compared !== undefined && {
      compared: trust.compared + 1,
      agreed: trust.agreed + (compared.agrees ? 1 : 0),
      oldestAt: Math.min(trust.oldestAt ?? compared.listedAt, compared.listedAt),
      newestAt: Math.max(trust.newestAt ?? compared.listedAt, compared.listedAt),
    }),
    ...(notModified === true && { notModifiedAt: now, ignored: 0 }),
    ...(ignored === true && { ignored: Math.min(trust.ignored + 1, RETAINED_IGNORED) }),
    ...(check !== undefined && { checked: checkedIn(trust.checked, runId, now) }),
    ...(check === 'wrong' && { wrongAt: now }),
  };
}

function checkedIn(before: HostTrust['checked'], runId: number, now: number): HostTrust['checked'] {
  if (before === undefined || before.since <= now - CHECKS_COUNT_MS) return { runId, since: now, runs: 1 };
  return before.runId === runId ? before : { ...before, runId, runs: before.runs + 1 };
}

/** The columns are written by `host-content.ts` only. */
export function contentOf({ not_found, probe, believed_until }: ContentColumns): HostContent {
  return {
    probe: probe === null ? undefined : (JSON.parse(probe) as HostProbe),
    notFound: not_found === null ? undefined : (JSON.parse(not_found) as NotFoundPage),
    believedUntil: believed_until ?? 0,
  };
}

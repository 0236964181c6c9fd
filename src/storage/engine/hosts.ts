import { type RawBuilder, sql } from 'kysely';
import type { Reason } from '../../core/crawl-words.ts';
import { jsonNumber, lastChars, listedTexts } from '../sql/dialect.ts';
import {
  defineStore,
  execute,
  fetchAll,
  fetchFirst,
  fetchFirstOfEach,
  type Operation,
  submit,
} from '../sql/operation.ts';
import { engineSql, statement } from '../sql/statement.ts';
import type { HostProbe, NotFoundPage } from './host-content.ts';
import { type HostTrust, trustOf } from './host-trust.ts';
import type { HostAnswer } from './visits.ts';

/** A crawler's own hold of a host; one of a host for all crawlers is a `HostHold`. `HostProbe.cause` says more. */
export type Hold = { readonly untilAt: number; readonly reason: 'robots-unreachable' | 'start-probe' };

export type HostContent = {
  readonly probe: HostProbe | undefined;
  readonly notFound: NotFoundPage | undefined;
  /** Until then the operator vouches for what the host answers. */
  readonly believedUntil: number;
};

/**
 * Part of the port `EngineStore`: hosts of crawlers. Promises:
 * 1. robots copies and own holds of a crawler are shared by all processes as soon as they are written;
 * 2. of all who have seen the same robots copy, or none, under the same hold of the host, one gets the right to replace
 *    it; a copy and the hold that it brings are stored together.
 */
export interface HostStore {
  ensureHost(crawlerId: number, origin: string): Promise<Host>;
  findHost(hostId: number): Promise<Host | undefined>;
  /** The same of several, by place. */
  findHosts(hostIds: readonly number[]): Promise<readonly (Host | undefined)[]>;
  /** Hosts that a crawler alone leaves alone, by reason. */
  countHeldHosts(crawlerId: number, now: number): Promise<ReadonlyMap<Reason, number>>;
  /** `hold`: of a host whose file is unreachable; a shorter one never replaces a longer one. */
  saveRobots(hostId: number, copy: RobotsCopy, hold: Hold | undefined): Promise<void>;
  /** The right to ask for robots.txt: false while somebody else has it, and when somebody else has just used it. */
  leaseRobots(hostId: number, lease: RobotsLease): Promise<boolean>;
  /** Gives back the right that was had since `leasedAt`, unused. */
  freeRobots(hostId: number, leasedAt: number): Promise<void>;
  savePaces(crawlerId: number, paces: ReadonlyMap<string, ObservedPace>): Promise<void>;
}

export type Host = {
  readonly id: number;
  readonly origin: string;
  /** What this crawler alone leaves the host for: an unreachable robots.txt, pages that look strange. */
  readonly heldUntil: number;
  readonly holdReason: Reason | undefined;
  /** In a row. */
  readonly failures: number;
  /** Last answers, oldest first, at most 50: the first letters of `HostAnswer`, but `x` forbidden. */
  readonly health: string;
  readonly trust: HostTrust;
  readonly content: HostContent;
  readonly robots: RobotsCopy | undefined;
  /** The pace that a crawl learned last. */
  readonly pace: ObservedPace | undefined;
};

/** What visits ask of their host. */
export type HostFacts = Omit<Host, 'robots' | 'pace'>;

/** What a host has shown to bear: slots at once, pause between starts, and how soon its answers begin. */
export type ObservedPace = {
  readonly slots: number;
  readonly spacingMs: number;
  /** Undefined: not measured yet. */
  readonly firstByteMs: number | undefined;
};

/** `seenAt`: when the copy was made that shall be replaced. The right ends `leaseMs` after `now`. */
type RobotsLease = {
  readonly seenAt: number | undefined;
  /** `heldUntil` of the host when the copy was seen: one that stays unreachable keeps its time. */
  readonly seenHeldUntil: number;
  readonly now: number;
  readonly leaseMs: number;
};

/** `body` undefined: everything is allowed. `status` 0 or less: there was no answer. */
export type RobotsCopy = {
  readonly body: Uint8Array | undefined;
  readonly status: number;
  readonly at: number;
  /** Time of the last usable answer. */
  readonly goodAt: number | undefined;
};

export const hostStore = defineStore<HostStore>()(
  { findHost, findHosts, countHeldHosts },
  {
    ensureHost,
    leaseRobots,
    freeRobots,
    savePaces,
    saveRobots,
  },
);

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
  wall: 'w',
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
    WHERE levels.priority <= ${p.maxPriority}) AS waiting)`;
}

export type ContentColumns = { not_found: string | null; probe: string | null; believed_until: number | null };
export const CONTENT_COLUMNS = ['not_found', 'probe', 'believed_until'] as const;
const FACT_COLUMNS = ['id', 'origin', 'held_until', 'hold_reason', 'failures', 'health', 'lastmod_trust'] as const;

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
  origin: statement<{ id: number }, { origin: string }>((p) =>
    engineSql.selectFrom('hosts').select('origin').where('id', '=', p.id),
  ),
  read: statement<{ id: number }, HostRow>((p) =>
    engineSql
      .selectFrom('hosts')
      .select(FACT_COLUMNS)
      .select(['pace', 'robots', 'robots_status', 'robots_at', 'robots_good_at'])
      .select(CONTENT_COLUMNS)
      .where('id', '=', p.id),
  ),
  withWork: statement<WorkValues, { id: number; origin: string; due_at: number | null; slots: number }>((p) =>
    engineSql
      .selectFrom('hosts')
      .select(['id', 'origin', earliestRow(p).as('due_at')])
      .select(sql<number>`coalesce(${jsonNumber(sql.ref('pace'), 'slots')}, 1)`.as('slots'))
      .where('crawler_id', '=', p.crawlerId)
      .where('waiting', '>', sql.lit(0))
      .where('id', '>', p.after)
      // Who queued a URL knows the host: that its pages look strange holds nobody up.
      .where(sql<boolean>`(held_until <= ${p.now} OR (${p.maxPriority} = 0 AND hold_reason = 'start-probe'))`)
      .where(sql<boolean>`origin NOT IN ${listedTexts(p.heldOrigins)}`)
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
  /** Without its copy of robots.txt, which may be large. */
  readFacts: statement<{ id: number }, HostFactsRow>((p) =>
    engineSql.selectFrom('hosts').select(FACT_COLUMNS).select(CONTENT_COLUMNS).where('id', '=', p.id),
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
      .where('robots_at', 'is not distinct from', p.seenAt)
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
          health: lastChars(sql`coalesce(health, '') || ${p.letters}`, HEALTH_ANSWERS),
          failures: sql<number>`CASE WHEN ${p.onlyFailures} = 1 THEN failures + ${p.failures} ELSE ${p.failures} END`,
        })
        .where('id', '=', p.id)
        .returning('failures'),
  ),
  crawlersWithRows: statement<Record<never, never>, { crawler_id: number }>(() =>
    engineSql.selectFrom('hosts').select('crawler_id').distinct().where('waiting', '>', sql.lit(0)),
  ),
};

type HostFactsRow = ContentColumns & {
  id: number;
  origin: string;
  held_until: number;
  hold_reason: string | null;
  failures: number;
  health: string | null;
  lastmod_trust: string | null;
};

type HostRow = HostFactsRow & {
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
function* ensureHost(crawlerId: number, origin: string): Operation<Host> {
  return (yield* findHost(yield* hostIdOf(crawlerId, origin))) as Host;
}

/** Inside a write: the crawler leaves the host alone; a shorter hold never replaces a longer one. */
export function* suspendHost(id: number, hold: Hold): Operation<void> {
  yield* execute(hostStatements.hold, { id, ...hold });
}

/** Write operation. */
function* saveRobots(hostId: number, copy: RobotsCopy, hold: Hold | undefined): Operation<void> {
  const { body, status, at, goodAt } = copy;
  yield* execute(hostStatements.saveRobots, { id: hostId, body: body ?? null, status, at, goodAt: goodAt ?? null });
  if (hold !== undefined) yield* suspendHost(hostId, hold);
}

/** Write operation. */
function* leaseRobots(hostId: number, { seenAt, seenHeldUntil, now, leaseMs }: RobotsLease): Operation<boolean> {
  const values = { id: hostId, seenAt: seenAt ?? null, seenHeldUntil, now, before: now - leaseMs };
  return (yield* execute(hostStatements.leaseRobots, values)).changes > 0;
}

/** Write operation. */
function* freeRobots(hostId: number, leasedAt: number): Operation<void> {
  yield* execute(hostStatements.freeRobots, { id: hostId, leasedAt });
}

/** Write operation. */
function* savePaces(crawlerId: number, paces: ReadonlyMap<string, ObservedPace>): Operation<void> {
  for (const [origin, pace] of paces) {
    yield* submit(hostStatements.savePace, { crawlerId, origin, pace: JSON.stringify(pace) });
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

export function* findHost(hostId: number): Operation<Host | undefined> {
  const row = yield* fetchFirst(hostStatements.read, { id: hostId });
  return row && hostOf(row);
}

function* findHosts(hostIds: readonly number[]): Operation<readonly (Host | undefined)[]> {
  const rows = yield* fetchFirstOfEach(hostStatements.read, keysOf(hostIds));
  return rows.map((row) => row && hostOf(row));
}

/** Inside a read: those that are there. */
export function* findHostFacts(hostIds: readonly number[]): Operation<readonly HostFacts[]> {
  const rows = yield* fetchFirstOfEach(hostStatements.readFacts, keysOf(hostIds));
  return rows.flatMap((row) => (row === undefined ? [] : [factsOf(row)]));
}

const keysOf = (hostIds: readonly number[]) => hostIds.map((id) => ({ id }));

function hostOf(row: HostRow): Host {
  return { ...factsOf(row), robots: robotsOf(row), pace: row.pace === null ? undefined : paceOf(row.pace) };
}

function factsOf(row: HostFactsRow): HostFacts {
  return {
    id: row.id,
    origin: row.origin,
    heldUntil: row.held_until,
    holdReason: (row.hold_reason as Reason | null) ?? undefined,
    failures: row.failures,
    health: row.health ?? '',
    trust: trustOf(row.lastmod_trust),
    content: contentOf(row),
  };
}

function* countHeldHosts(crawlerId: number, now: number): Operation<ReadonlyMap<Reason, number>> {
  const rows = yield* fetchAll(hostStatements.countHeld, { crawlerId, now });
  return new Map(rows.map(({ reason, count }) => [(reason as Reason | null) ?? 'host-held', count]));
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

/** The columns are written by `host-content.ts` only. */
export function contentOf({ not_found, probe, believed_until }: ContentColumns): HostContent {
  return {
    probe: probe === null ? undefined : (JSON.parse(probe) as HostProbe),
    notFound: not_found === null ? undefined : (JSON.parse(not_found) as NotFoundPage),
    believedUntil: believed_until ?? 0,
  };
}

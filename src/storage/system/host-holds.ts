import { type Insertable, type Selectable, sql } from 'kysely';
import { REASONS, type Reason } from '../../core/crawl-words.ts';
import { defineStore, execute, fetchAll, type Operation } from '../sql/operation.ts';
import { statement, systemSql } from '../sql/statement.ts';
import type { SystemTables } from '../sql/tables.ts';

/**
 * Why nothing, or nothing of one URL template of URLs, starts on a host until a time. A host is shared by all engines and
 * customers, so its holds are, too. A hold whose time has passed stays until the host has answered well: the next
 * answer tells whether it is confirmed.
 */
export type HostHold = {
  readonly origin: string;
  /** URL pattern of the URL template; `''`: the whole host. */
  readonly urlTemplate: string;
  readonly reason: Reason;
  /** The first bad answer. */
  readonly since: number;
  readonly until: number;
  /** Until when the host asked to be left alone, where that is later; undefined: it did not say, or it is kept. */
  readonly askedUntil: number | undefined;
  /** Holds in a row. */
  readonly times: number;
  /** An answer after an earlier end of the hold was as bad. */
  readonly confirmed: boolean;
  /** URLs that have answered badly since another one of the URL template answered well, and since one of the host did. */
  readonly urlTemplateSuspects: number;
  readonly hostSuspects: number;
  /** URLs that answered badly and not well since, newest last, at most 20. */
  readonly urls: readonly string[];
  /** Whose visit caused the hold, and the version of its settings then. */
  readonly crawlerId: number;
  readonly configVersion: number;
};

export type StoredHold = HostHold & {
  /** Grows with every change of any hold. */
  readonly generation: number;
};

export type HoldKey = Pick<HostHold, 'origin' | 'urlTemplate'>;

/**
 * Part of the port `SystemStore`: holds of hosts. Promises:
 * 1. `changeHolds` takes the place of holds of the same origin and URL template, each under a new generation, and drops
 *    others, together;
 * 2. `listHolds` and `holdsOf` show every hold that any process has committed, also those whose time has passed;
 * 3. `endHolds` drops all holds of an origin and resolves with them;
 * 4. `dropHolds` drops what ended before a time, at most `limit`.
 */
export interface HostHoldStore {
  changeHolds(change: { readonly put: readonly HostHold[]; readonly drop: readonly HoldKey[] }): Promise<void>;
  /** At once, for the snapshot of a process. At most 10,000, those that last longest first. */
  listHolds(): readonly StoredHold[];
  holdsOf(origin: string): Promise<readonly StoredHold[]>;
  endHolds(origin: string): Promise<readonly StoredHold[]>;
  dropHolds(before: number, limit: number): Promise<number>;
}

const MOST_HOLDS = 10_000;

type Row = Selectable<SystemTables['host_holds']>;

const holdStatements = {
  list: statement<Record<never, never>, Row>(() =>
    systemSql.selectFrom('host_holds').selectAll().orderBy('until', 'desc').limit(sql.lit(MOST_HOLDS)),
  ),
  ofOrigin: statement<{ origin: string }, Row>((p) =>
    systemSql.selectFrom('host_holds').selectAll().where('origin', '=', p.origin),
  ),
  drop: statement<{ origin: string; urlTemplate: string }>((p) =>
    systemSql.deleteFrom('host_holds').where('origin', '=', p.origin).where('url_template', '=', p.urlTemplate),
  ),
  end: statement<{ origin: string }, Row>((p) =>
    systemSql.deleteFrom('host_holds').where('origin', '=', p.origin).returningAll(),
  ),
  dropEnded: statement<{ before: number; limit: number }>((p) =>
    systemSql
      .deleteFrom('host_holds')
      .where('generation', 'in', (row) =>
        row.selectFrom('host_holds').select('generation').where('until', '<', p.before).limit(p.limit),
      ),
  ),
};

type Change = { readonly put: readonly HostHold[]; readonly drop: readonly HoldKey[] };

/** Write operation. */
function* changeHolds({ put, drop }: Change): Operation<void> {
  for (const { origin, urlTemplate } of [...drop, ...put]) yield* execute(holdStatements.drop, { origin, urlTemplate });
  for (const hold of put) yield* execute(systemSql.insertInto('host_holds').values(rowOf(hold)));
}

/** Write operation. */
function* endHolds(origin: string): Operation<readonly StoredHold[]> {
  return (yield* fetchAll(holdStatements.end, { origin })).map(holdOf);
}

/** Write operation. */
function* dropHolds(before: number, limit: number): Operation<number> {
  return (yield* execute(holdStatements.dropEnded, { before, limit })).changes;
}

export function* listHolds(): Operation<readonly StoredHold[]> {
  return (yield* fetchAll(holdStatements.list, {})).map(holdOf);
}

export const hostHoldStore = defineStore<Omit<HostHoldStore, 'listHolds'>>()(
  {
    *holdsOf(origin) {
      return (yield* fetchAll(holdStatements.ofOrigin, { origin })).map(holdOf);
    },
  },
  {
    changeHolds,
    endHolds,
    dropHolds,
  },
);

function rowOf(hold: HostHold): Insertable<SystemTables['host_holds']> {
  return {
    origin: hold.origin,
    url_template: hold.urlTemplate,
    reason: hold.reason,
    since: hold.since,
    until: hold.until,
    asked_until: hold.askedUntil ?? null,
    times: hold.times,
    confirmed: hold.confirmed ? 1 : 0,
    template_suspects: hold.urlTemplateSuspects,
    host_suspects: hold.hostSuspects,
    urls: JSON.stringify(hold.urls),
    crawler_id: hold.crawlerId,
    config_version: hold.configVersion,
  };
}

/** The columns are written by this file only. */
function holdOf(row: Row): StoredHold {
  return {
    generation: row.generation,
    origin: row.origin,
    urlTemplate: row.url_template,
    reason: REASONS.find((reason) => reason === row.reason) ?? 'host-held',
    since: row.since,
    until: row.until,
    askedUntil: row.asked_until ?? undefined,
    times: row.times,
    confirmed: row.confirmed === 1,
    urlTemplateSuspects: row.template_suspects,
    hostSuspects: row.host_suspects,
    urls: JSON.parse(row.urls) as string[],
    crawlerId: row.crawler_id,
    configVersion: row.config_version,
  };
}

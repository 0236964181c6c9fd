import { type Insertable, type Selectable, sql } from 'kysely';
import { REASONS } from '../../../core/crawl-words.ts';
import type { HoldKey, HostHold, HostHoldStore, StoredHold } from '../../host-store.ts';
import { defineStore, execute, fetchAll, type Operation } from '../operation.ts';
import { statement, systemSql } from '../statement.ts';
import type { SystemTables } from '../tables.ts';

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
export function* changeHolds({ put, drop }: Change): Operation<void> {
  for (const { origin, urlTemplate } of [...drop, ...put]) yield* execute(holdStatements.drop, { origin, urlTemplate });
  for (const hold of put) yield* execute(systemSql.insertInto('host_holds').values(rowOf(hold)));
}

/** Write operation. */
export function* endHolds(origin: string): Operation<readonly StoredHold[]> {
  return (yield* fetchAll(holdStatements.end, { origin })).map(holdOf);
}

/** Write operation. */
export function* dropHolds(before: number, limit: number): Operation<number> {
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

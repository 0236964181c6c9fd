import { positionIn } from '../sql/dialect.ts';
import { execute, fetchAll, fetchFirst, type Operation } from '../sql/operation.ts';
import { systemSql } from '../sql/statement.ts';
import type { Actor, AuditEntry, AuditOf, AuditPage, AuditQuery } from './accounts.ts';

type Members = Readonly<Record<string, unknown>>;

export type AuditRow = {
  readonly at: number;
  readonly actor: Actor;
  readonly action: string;
  readonly target: string;
  readonly before?: Members;
  readonly after?: Members;
};

/** Part of a write: stored in the same commit as the change it tells of. */
export function* addAuditRow({ at, actor, action, target, before, after }: AuditRow): Operation<void> {
  const changed = differing(before ?? {}, after ?? {});
  const row = { at, actor, action, target, before: pick(before, changed), after: pick(after, changed) };
  yield* execute(systemSql.insertInto('audit_log').values(row));
}

/** Rows that one page looks at for those that fit: some 25 ms of processor time. */
const LOOKED_AT = 100_000;
const NEWEST = systemSql.selectFrom('audit_log').select('id').orderBy('id', 'desc').limit(1);

/** Newest first. */
export function* readAudit({ limit, before, ...filter }: AuditQuery): Operation<AuditPage> {
  const newest = yield* fetchFirst(NEWEST);
  const end = Math.min(before ?? Number.MAX_SAFE_INTEGER, (newest?.id ?? 0) + 1);
  const start = Math.max(1, end - LOOKED_AT);
  const rows = yield* fetchAll(fitting(filter).where('id', '>=', start).where('id', '<', end).limit(limit));
  const last = rows.length < limit ? start : (rows.at(-1)?.id ?? start);
  const entries = rows.map((row) => ({ ...row, before: parse(row.before), after: parse(row.after) }));
  return { entries, next: last > 1 ? last : undefined };
}

function fitting({ actor, action, target, from, to }: Omit<AuditQuery, 'limit' | 'before'>) {
  let rows = systemSql.selectFrom('audit_log').selectAll().orderBy('id', 'desc');
  if (actor !== undefined)
    rows = rows.where((row) => positionIn(row.fn('lower', ['actor']), actor.toLowerCase()), '>', 0);
  if (action !== undefined) rows = rows.where('action', '=', action);
  if (target !== undefined) rows = rows.where((row) => positionIn(row.ref('target'), target), '=', 1);
  if (from !== undefined) rows = rows.where('at', '>=', from);
  return to === undefined ? rows : rows.where('at', '<=', to);
}

/** Of one target and action, newest first. */
export function* readAuditOf({ target, action, limit, before }: AuditOf): Operation<AuditEntry[]> {
  const newest = systemSql
    .selectFrom('audit_log')
    .selectAll()
    .where('target', '=', target)
    .where('action', '=', action)
    .where('id', '<', before ?? Number.MAX_SAFE_INTEGER)
    .orderBy('id', 'desc')
    .limit(limit);
  return (yield* fetchAll(newest)).map((row) => ({ ...row, before: parse(row.before), after: parse(row.after) }));
}

function differing(before: Members, after: Members): ReadonlySet<string> {
  const names = [...Object.keys(before), ...Object.keys(after)];
  return new Set(names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name])));
}

function pick(members: Members | undefined, names: ReadonlySet<string>): string | null {
  if (members === undefined) return null;
  return JSON.stringify(Object.fromEntries(Object.entries(members).filter(([name]) => names.has(name))));
}

function parse(text: string | null): Members | undefined {
  return text === null ? undefined : (JSON.parse(text) as Members);
}

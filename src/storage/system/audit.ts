import { execute, fetchAll, type Operation } from '../sql/operation.ts';
import { systemSql } from '../sql/statement.ts';
import type { Actor, AuditEntry, AuditOf } from './accounts.ts';

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

/** Newest first. */
export function* readAudit(limit: number, before?: number): Operation<AuditEntry[]> {
  const newest = systemSql.selectFrom('audit_log').selectAll().orderBy('id', 'desc').limit(limit);
  const rows = yield* fetchAll(before === undefined ? newest : newest.where('id', '<', before));
  return rows.map((row) => ({ ...row, before: parse(row.before), after: parse(row.after) }));
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

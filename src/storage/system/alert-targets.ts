import type { Selectable } from 'kysely';
import {
  type AlertSettings,
  type AlertState,
  type AlertTarget,
  mapAlertSecrets,
  type ReportedFinding,
} from '../../core/alert-target.ts';
import { SHOWN_SECRET } from '../../core/crawler-secrets.ts';
import { AppError } from '../../core/errors.ts';
import { defineStore, execute, fetchAll, fetchFirst, type Operation } from '../sql/operation.ts';
import { systemSql } from '../sql/statement.ts';
import type { SystemTables } from '../sql/tables.ts';
import { addAuditRow } from './audit.ts';
import { type ChangeOf, notFound, requireSeen, type Write } from './record-checks.ts';

/** A message was taken: what it told, and of which day it was the digest. What is absent stays as it is. */
export type TakenAlert = {
  readonly targetId: number;
  readonly at: number;
  readonly told?: readonly ReportedFinding[];
  readonly digestOn?: string;
};

/**
 * Part of the port `SystemStore`: what became of messages to alert targets. Promises:
 * - a target without messages has no state;
 * - `noteAlertTaken` ends its failing, `noteAlertFailed` keeps the time since which it fails;
 * - the state leaves with its target.
 */
export interface AlertStateStore {
  listAlertStates(): Promise<readonly AlertState[]>;
  noteAlertTaken(taken: TakenAlert): Promise<void>;
  noteAlertFailed(input: { readonly targetId: number; readonly at: number; readonly problem: string }): Promise<void>;
}

/** Part of the port `SystemStore`, too: the records; `changeRecords` changes them. */
export interface AlertTargetStore extends AlertStateStore {
  /** In order of their ids. */
  listAlertTargets(): Promise<readonly AlertTarget[]>;
}

/** Write operation. */
function* noteAlertTaken({ targetId, at, told, digestOn }: TakenAlert): Operation<void> {
  const changed = {
    taken_at: at,
    failing_since: null,
    problem: null,
    ...(told !== undefined && { told: JSON.stringify(told) }),
    ...(digestOn !== undefined && { digest_on: digestOn }),
  };
  const row = { target_id: targetId, told: '[]', digest_on: null, ...changed };
  const insert = systemSql.insertInto('alert_states').values(row);
  yield* execute(insert.onConflict((conflict) => conflict.column('target_id').doUpdateSet(changed)));
}

/** Write operation. */
function* noteAlertFailed({
  targetId,
  at,
  problem,
}: {
  readonly targetId: number;
  readonly at: number;
  readonly problem: string;
}): Operation<void> {
  const row = { target_id: targetId, told: '[]', digest_on: null, taken_at: null, failing_since: at, problem };
  const insert = systemSql.insertInto('alert_states').values(row);
  yield* execute(
    insert.onConflict((conflict) =>
      conflict.column('target_id').doUpdateSet((present) => ({
        problem,
        failing_since: present.fn.coalesce('alert_states.failing_since', present.val(at)),
      })),
    ),
  );
}

export const alertTargetStore = defineStore<AlertTargetStore>()(
  {
    *listAlertTargets() {
      return (yield* fetchAll(systemSql.selectFrom('alert_targets').selectAll().orderBy('id'))).map(toAlertTarget);
    },
    *listAlertStates() {
      return (yield* fetchAll(systemSql.selectFrom('alert_states').selectAll().orderBy('target_id'))).map(stateOf);
    },
  },
  {
    noteAlertTaken,
    noteAlertFailed,
  },
);

/** JSON was checked when it was written. */
export function toAlertTarget(row: Selectable<SystemTables['alert_targets']>): AlertTarget {
  return {
    id: row.id,
    settings: JSON.parse(row.settings) as AlertSettings,
    managedBy: row.managed_by ?? undefined,
    createdAt: row.created_at,
  };
}

function stateOf(row: Selectable<SystemTables['alert_states']>): AlertState {
  return {
    targetId: row.target_id,
    told: JSON.parse(row.told) as ReportedFinding[],
    digestOn: row.digest_on ?? undefined,
    takenAt: row.taken_at ?? undefined,
    failingSince: row.failing_since ?? undefined,
    problem: row.problem ?? undefined,
  };
}

function* findAlertTarget(id: number): Operation<AlertTarget | undefined> {
  const row = yield* fetchFirst(systemSql.selectFrom('alert_targets').selectAll().where('id', '=', id));
  return row && toAlertTarget(row);
}

/**
 * Part of a write; resolves with the id. An absent id is one above the highest that ever was.
 * @throws AppError `record.conflict` when another target has the name
 */
export function* putAlertTarget(
  { actor, at }: Write,
  { id, settings, managedBy, seen, isMatched }: ChangeOf<'put-alert-target'>,
): Operation<number> {
  const before = id === undefined ? undefined : yield* findAlertTarget(id);
  requireSeen('Alert target', id ?? 0, { seen, present: before, isMatched });
  yield* refuseTakenName(settings.name, id);
  const values = { name: settings.name, settings: JSON.stringify(settings), managed_by: managedBy ?? null };
  if (before === undefined) {
    const row = { ...values, created_at: at, ...(id !== undefined && { id }) };
    const made = (yield* execute(systemSql.insertInto('alert_targets').values(row))).lastId;
    yield* addAuditRow({
      at,
      actor,
      action: 'put-alert-target',
      target: targetOf(made),
      after: shown(settings, managedBy),
    });
    return made;
  }
  if (JSON.stringify(before.settings) === values.settings && before.managedBy === managedBy) return before.id;
  yield* execute(systemSql.updateTable('alert_targets').set(values).where('id', '=', before.id));
  yield* addAuditRow({
    at,
    actor,
    action: 'put-alert-target',
    target: targetOf(before.id),
    before: shown(before.settings, before.managedBy),
    after: shown(settings, managedBy),
  });
  return before.id;
}

/** Part of a write: the target and what became of its messages. @throws AppError `record.not-found` */
export function* removeAlertTarget({ actor, at }: Write, id: number): Operation<number> {
  const before = yield* findAlertTarget(id);
  if (before === undefined) throw notFound('Alert target', id);
  yield* execute(systemSql.deleteFrom('alert_targets').where('id', '=', id));
  yield* execute(systemSql.deleteFrom('alert_states').where('target_id', '=', id));
  const told = shown(before.settings, before.managedBy);
  yield* addAuditRow({ at, actor, action: 'remove-alert-target', target: targetOf(id), before: told });
  return id;
}

function* refuseTakenName(name: string, id: number | undefined): Operation<void> {
  const named = yield* fetchFirst(systemSql.selectFrom('alert_targets').select('id').where('name', '=', name));
  if (named === undefined || named.id === id) return;
  throw new AppError('record.conflict', `The alert target ${named.id} has the name ${name}: take another one`);
}

/** For the audit log: of secrets that they are set. */
function shown(settings: AlertSettings, managedBy: string | undefined): Record<string, unknown> {
  return { ...mapAlertSecrets(settings, () => SHOWN_SECRET), managedBy };
}

function targetOf(id: number): string {
  return `alert-target:${id}`;
}

import type { Selectable } from 'kysely';
import { AppError } from '../../core/errors.ts';
import type { Person, Role } from '../../core/records.ts';
import { execute, fetchAll, fetchFirst, type Operation } from '../sql/operation.ts';
import { systemSql } from '../sql/statement.ts';
import type { SystemTables } from '../sql/tables.ts';
import type { Actor } from './accounts.ts';
import { addAuditRow } from './audit.ts';
import { type ChangeOf, requireCustomer, requireSeen, type Write } from './record-checks.ts';

type PersonRow = Selectable<SystemTables['people']>;

/** Write operation: makes or changes a person; whoever loses or gains a right, or is disabled, is signed out. */
export function* putPerson(write: Write, change: ChangeOf<'put-person'>): Operation<number> {
  for (const customerId of change.customers) yield* requireCustomer(customerId);
  const before = yield* present(change);
  const { seen, isMatched } = change;
  requireSeen('Person', change.id ?? before?.id ?? 0, { seen, present: before && toPerson(before), isMatched });
  const values = {
    name: change.name ?? before?.name ?? null,
    role: change.role,
    customers: JSON.stringify(change.customers),
    disabled_at: disabledAt(write, change, before),
    managed_by: change.managedBy ?? null,
  };
  if (before === undefined) {
    const row = { ...values, email: change.email, created_at: write.at };
    const { lastId } = yield* execute(systemSql.insertInto('people').values(row));
    yield* auditPerson(write, 'put-person', { id: lastId, after: { email: change.email, ...shown(values) } });
    return lastId;
  }
  const { id } = before;
  const changed = Object.entries(values).filter(([name, value]) => before[name as keyof typeof values] !== value);
  if (changed.length === 0) return id;
  yield* keepOperator(before, { ...before, ...values });
  yield* execute(systemSql.updateTable('people').set(values).where('id', '=', id));
  if (changed.some(([name]) => RIGHTS.includes(name))) yield* signOut(id);
  if (values.disabled_at !== null) yield* execute(systemSql.deleteFrom('invitations').where('person_id', '=', id));
  yield* auditPerson(write, 'put-person', { id, before: shown(before), after: shown(values) });
  return id;
}

/** Columns that decide what a person may do. */
const RIGHTS: readonly string[] = ['role', 'customers', 'disabled_at'];

/** Write operation: the person is gone, with sessions and links. */
export function* removePerson(write: Write, { id, seen, isMatched }: ChangeOf<'remove-person'>): Operation<number> {
  const known = yield* fetchFirst(systemSql.selectFrom('people').selectAll().where('id', '=', id));
  if (known === undefined) throw unknownPerson(id);
  requireSeen('Person', id, { seen, present: toPerson(known), isMatched });
  yield* keepOperator(known, undefined);
  yield* signOut(id);
  yield* execute(systemSql.deleteFrom('invitations').where('person_id', '=', id));
  yield* execute(systemSql.deleteFrom('people').where('id', '=', id));
  yield* auditPerson(write, 'remove-person', { id, before: { email: known.email, ...shown(known) } });
  return id;
}

/** Part of a write: nobody is of a customer that is gone. */
export function* leaveCustomer(customerId: number): Operation<void> {
  for (const { id, customers } of yield* fetchAll(systemSql.selectFrom('people').select(['id', 'customers']))) {
    const ids = JSON.parse(customers) as readonly number[];
    if (!ids.includes(customerId)) continue;
    const rest = JSON.stringify(ids.filter((each) => each !== customerId));
    yield* execute(systemSql.updateTable('people').set({ customers: rest }).where('id', '=', id));
  }
}

/** Part of a write: ends the sessions of a person, but for one. */
export function* signOut(personId: number, except = ''): Operation<number> {
  const all = systemSql.deleteFrom('sessions').where('person_id', '=', personId);
  return (yield* execute(all.where('token_sha256', '!=', except))).changes;
}

export function toPerson(row: PersonRow): Person {
  return {
    id: row.id,
    email: row.email,
    name: row.name ?? undefined,
    role: row.role as Role,
    customers: JSON.parse(row.customers) as readonly number[],
    hasPassword: row.password_hash !== null,
    disabledAt: row.disabled_at ?? undefined,
    managedBy: row.managed_by ?? undefined,
    createdAt: row.created_at,
    lastSignInAt: row.last_sign_in_at ?? undefined,
  };
}

/** How the audit log names a person who does something. */
export function personActor({ id, email }: Pick<Person, 'id' | 'email'>): Actor {
  return `person:${id} ${email}`;
}

export function unknownPerson(id: number): AppError {
  return new AppError('record.not-found', `Person ${id} does not exist`);
}

function* present({ id, email, seen }: ChangeOf<'put-person'>): Operation<PersonRow | undefined> {
  const people = systemSql.selectFrom('people').selectAll();
  if (id === undefined) return yield* fetchFirst(people.where('email', '=', email));
  const known = yield* fetchFirst(people.where('id', '=', id));
  if (known === undefined && seen !== 'none') throw unknownPerson(id);
  return known;
}

function disabledAt({ at }: Write, { disabled }: ChangeOf<'put-person'>, before: PersonRow | undefined): number | null {
  const known = before?.disabled_at ?? null;
  if (disabled === undefined) return known;
  return disabled ? (known ?? at) : null;
}

/**
 * An installation that has operators keeps one, and one that has operators who signed in before keeps one of those.
 * @throws AppError `record.conflict`
 */
function* keepOperator(before: PersonRow, after: PersonRow | undefined): Operation<void> {
  const operators = yield* fetchAll(
    systemSql.selectFrom('people').selectAll().where('role', '=', 'operator').where('disabled_at', 'is', null),
  );
  const others = operators.filter(({ id }) => id !== before.id);
  for (const counts of [isOperator, hasSignedIn]) {
    const isLast = counts(before) && !others.some(counts) && !(after !== undefined && counts(after));
    if (isLast) throw new AppError('record.conflict', `${before.email} is the last operator: make another one first`);
  }
}

function isOperator({ role, disabled_at }: PersonRow): boolean {
  return role === 'operator' && disabled_at === null;
}

function hasSignedIn(row: PersonRow): boolean {
  return isOperator(row) && (row.password_hash !== null || row.last_sign_in_at !== null);
}

type ShownColumns = Pick<PersonRow, 'name' | 'role' | 'customers' | 'disabled_at' | 'managed_by'>;

function shown({ name, role, customers, disabled_at, managed_by }: ShownColumns): Readonly<Record<string, unknown>> {
  return {
    name: name ?? undefined,
    role,
    customers: JSON.parse(customers),
    disabled: disabled_at === null ? undefined : true,
    managedBy: managed_by ?? undefined,
  };
}

type ShownChange = {
  readonly id: number;
  readonly before?: Readonly<Record<string, unknown>>;
  readonly after?: Readonly<Record<string, unknown>>;
};

function auditPerson({ actor, at }: Write, action: string, { id, ...members }: ShownChange): Operation<void> {
  return addAuditRow({ at, actor, action, target: `person:${id}`, ...members });
}

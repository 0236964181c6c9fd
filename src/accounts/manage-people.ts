import { z } from 'zod';
import { AppError, invalidRequest } from '../core/errors.ts';
import { refuseManaged } from '../core/managed-record.ts';
import { ROLES, type Role } from '../core/records.ts';
import type { Actor } from '../storage/system/accounts.ts';
import type { ListedPerson, PeopleStore } from '../storage/system/people.ts';
import {
  type ChangeDeps,
  changeRecords,
  RECORD_ID,
  RECORD_NAME,
  requireRecord,
  type SentChange,
} from './account-change.ts';
import { digestOf } from './manage-keys.ts';
import { parseStrictly, problemAt } from './problems.ts';
import { EMAIL, newToken, SESSION_IDLE_MS } from './sign-in.ts';

export type PeopleDeps = ChangeDeps & { readonly store: ChangeDeps['store'] & PeopleStore };

/** The token of a link that sets a password is shown this once. */
export type NewLink = { readonly token: string; readonly expiresAt: number };

/** A long weekend. */
export const LINK_MS = 72 * 3_600_000;

const MAX_CUSTOMERS = 1_000;
const ROLE = z.enum(ROLES);
const CUSTOMERS = z.array(RECORD_ID).max(MAX_CUSTOMERS);
export const NEW_PERSON = z.strictObject({
  email: EMAIL,
  name: RECORD_NAME.optional(),
  role: ROLE,
  customers: CUSTOMERS.default([]).describe('Those of an editor or reader; an operator has none.'),
});
export const CHANGED_PERSON = z.strictObject({
  name: RECORD_NAME.optional(),
  role: ROLE.optional(),
  customers: CUSTOMERS.optional(),
  disabled: z.boolean().optional(),
});

/** Makes a person and the link by which the person signs in. @throws AppError `request.invalid` · `record.conflict` */
export async function invitePerson(
  deps: PeopleDeps,
  { actor, sent }: SentChange,
): Promise<{ readonly person: ListedPerson; readonly link: NewLink }> {
  const { email, name, role, customers } = parseStrictly(NEW_PERSON, sent);
  await refuseWrongCustomers(deps, { role, customers });
  const named = name === undefined ? {} : { name };
  const [id = 0] = await changeRecords(deps, actor, [
    { kind: 'put-person', email, ...named, role, customers: inOrder(customers), seen: 'none' },
  ]);
  const link = await makeLink(deps, { actor, id });
  return { person: await readPerson(deps, id), link };
}

/** @throws AppError `record.not-found` */
export async function readPerson(deps: PeopleDeps, id: number): Promise<ListedPerson> {
  const [person] = await listPeople(deps, { after: id - 1, limit: 1 });
  return requireRecord('person', id, person?.id === id ? person : undefined);
}

export function listPeople(
  { store, clock }: PeopleDeps,
  page: { readonly after: number; readonly limit: number },
): Promise<readonly ListedPerson[]> {
  const at = clock.now();
  return store.listPeople({ ...page, at, usedAfter: at - SESSION_IDLE_MS });
}

/**
 * Changes the members that were sent. A change of rights ends the sessions of the person. In an emergency a person of a
 * provision file can be disabled, too.
 * @throws AppError `request.invalid` · `record.not-found` · `record.managed` · `record.conflict` for the last operator, or
 * when somebody else has changed the person meanwhile (`record.changed` of a matched one)
 */
export async function changePerson(
  deps: PeopleDeps,
  { actor, sent, person, isMatched }: SentChange & { readonly person: ListedPerson; readonly isMatched: boolean },
): Promise<ListedPerson> {
  const { sessions: _, linkExpiresAt: __, ...seen } = person;
  const { id } = seen;
  const { disabled, ...members } = parseStrictly(CHANGED_PERSON, sent);
  if (Object.keys(members).length > 0) refuseManaged('person', seen);
  const role = members.role ?? seen.role;
  const customers = members.customers ?? (role === 'operator' ? [] : seen.customers);
  const isOfRights = members.role !== undefined || members.customers !== undefined;
  if (isOfRights) await refuseWrongCustomers(deps, { role, customers });
  await changeRecords(deps, actor, [
    {
      kind: 'put-person',
      id,
      email: seen.email,
      role,
      customers: inOrder(customers),
      seen,
      isMatched,
      ...(members.name !== undefined && { name: members.name }),
      ...(disabled !== undefined && { disabled }),
      ...(seen.managedBy !== undefined && { managedBy: seen.managedBy }),
    },
  ]);
  return readPerson(deps, id);
}

/**
 * @throws AppError `record.not-found` · `record.managed` · `record.conflict` for the last operator · `record.changed` of a
 * matched one that somebody else has changed meanwhile
 */
export async function removePerson(
  deps: PeopleDeps,
  { actor, person, isMatched }: { readonly actor: Actor; readonly person: ListedPerson; readonly isMatched: boolean },
): Promise<void> {
  const { sessions: _, linkExpiresAt: __, ...seen } = person;
  const { id } = seen;
  refuseManaged('person', seen, 'remove it');
  await changeRecords(deps, actor, [{ kind: 'remove-person', id, ...(isMatched && { seen, isMatched }) }]);
}

/** The link of an invitation, or of a forgotten password; the former one is void. @throws AppError `record.not-found` · `record.conflict` */
export async function makeLink(
  { store, clock }: Pick<PeopleDeps, 'store' | 'clock'>,
  { actor, id }: { readonly actor: Actor; readonly id: number },
): Promise<NewLink> {
  const person = requireRecord('person', id, await store.findPerson(id));
  if (person.disabledAt !== undefined) {
    throw new AppError('record.conflict', `${person.email} is disabled: no link would open anything`);
  }
  const token = newToken();
  const at = clock.now();
  const expiresAt = at + LINK_MS;
  await store.putInvitation({ actor, personId: id, sha256: digestOf(token), at, expiresAt });
  return { token, expiresAt };
}

/** How many sessions there were. @throws AppError `record.not-found` */
export async function endSessions(
  { store, clock }: Pick<PeopleDeps, 'store' | 'clock'>,
  { actor, id }: { readonly actor: Actor; readonly id: number },
): Promise<number> {
  requireRecord('person', id, await store.findPerson(id));
  return store.endSessions({ actor, personId: id, at: clock.now() });
}

/** An operator sees all customers; everybody else sees named ones. @throws AppError `request.invalid` */
async function refuseWrongCustomers(
  { store }: PeopleDeps,
  { role, customers }: { readonly role: Role; readonly customers: readonly number[] },
): Promise<void> {
  if (role === 'operator') {
    if (customers.length > 0) throw invalidRequest([problemAt(['customers'], 'must be empty: an operator sees all')]);
    return;
  }
  if (customers.length === 0) {
    throw invalidRequest([problemAt(['customers'], `must name what the ${role} sees: at least one customer`)]);
  }
  const known = new Set((await store.listCustomers()).map(({ id }) => id));
  const problems = customers.flatMap((id, index) =>
    known.has(id) ? [] : [problemAt(['customers', index], `there is no customer ${id}`)],
  );
  if (problems.length > 0) throw invalidRequest(problems);
}

function inOrder(ids: readonly number[]): readonly number[] {
  return [...new Set(ids)].sort((one, other) => one - other);
}

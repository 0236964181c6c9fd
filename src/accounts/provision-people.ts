import { z } from 'zod';
import type { Problem } from '../core/errors.ts';
import { type Person, ROLES } from '../core/records.ts';
import type { RecordChange } from '../storage/system/accounts.ts';
import type { PeopleStore } from '../storage/system/people.ts';
import { RECORD_ID, RECORD_NAME } from './account-change.ts';
import { check, problemAt } from './problems.ts';
import { EMAIL } from './sign-in.ts';

/** No secrets: a person sets the own password. */
const LIST = z
  .array(
    z.strictObject({
      email: EMAIL,
      name: RECORD_NAME.optional(),
      role: z.enum(ROLES),
      customers: z.array(RECORD_ID).default([]),
    }),
  )
  .default([]);
type WantedPerson = z.infer<typeof LIST>[number];

type Step = {
  readonly planned: {
    readonly action: 'create' | 'change' | 'release';
    readonly record: string;
    readonly members: readonly string[];
  };
  readonly change: RecordChange;
};

/** The member `people` of a provision file, and what is wrong with it. `customers`: all that there are, or will be. */
export function readPeople(
  list: unknown,
  customers: ReadonlySet<number>,
): { readonly wanted: readonly WantedPerson[]; readonly problems: readonly Problem[] } {
  const checked = check(LIST, list, { path: ['people'] });
  if (!checked.isRight) return { wanted: [], problems: checked.problems };
  const wanted = checked.value;
  const problems = wanted.flatMap((person, index) => {
    const path = ['people', index];
    const isRepeated = wanted.slice(0, index).some(({ email }) => email === person.email);
    return [
      ...(isRepeated ? [problemAt([...path, 'email'], `there is another person ${person.email} in the file`)] : []),
      ...rightsProblems(person, path),
      ...person.customers.flatMap((id, place) =>
        customers.has(id) ? [] : [problemAt([...path, 'customers', place], `there is no customer ${id}`)],
      ),
    ];
  });
  return { wanted, problems };
}

function rightsProblems({ role, customers }: WantedPerson, path: readonly PropertyKey[]): readonly Problem[] {
  if (role === 'operator' && customers.length > 0) {
    return [problemAt([...path, 'customers'], 'must be empty: an operator sees all')];
  }
  if (role === 'operator' || customers.length > 0) return [];
  return [problemAt([...path, 'customers'], `must name what the ${role} sees: at least one customer`)];
}

/** What makes the stored people what the file wants; those that it named before are released. */
export function planPeople(
  wanted: readonly WantedPerson[],
  { present, managedBy }: { readonly present: readonly Person[]; readonly managedBy: string },
): readonly Step[] {
  const named = new Set(wanted.map(({ email }) => email));
  const changes = wanted.flatMap(({ email, name, role, customers: sent }): Step[] => {
    const known = present.find((person) => person.email === email);
    const customers = [...new Set(sent)].sort((one, other) => one - other);
    const called = name === undefined ? {} : { name };
    const change: RecordChange = { kind: 'put-person', email, ...called, role, customers, managedBy };
    if (known === undefined) return [{ planned: { action: 'create', record: `person ${email}`, members: [] }, change }];
    const members = Object.entries({ ...called, role, customers, managedBy })
      .filter(([member, value]) => JSON.stringify(known[member as keyof Person]) !== JSON.stringify(value))
      .map(([member]) => member);
    return members.length === 0 ? [] : [{ planned: { action: 'change', record: `person ${email}`, members }, change }];
  });
  const released = present
    .filter((person) => person.managedBy === managedBy && !named.has(person.email))
    .map(({ id, email, role, customers }): Step => {
      const change: RecordChange = { kind: 'put-person', id, email, role, customers };
      return { planned: { action: 'release', record: `person ${email}`, members: [] }, change };
    });
  return [...changes, ...released];
}

/** Whoever is new cannot sign in before somebody hands over a link. */
export function linkWarnings(wanted: readonly WantedPerson[], present: readonly Person[]): readonly string[] {
  const canSignIn = new Set(
    present
      .filter(({ hasPassword, lastSignInAt }) => hasPassword || lastSignInAt !== undefined)
      .map(({ email }) => email),
  );
  return wanted
    .filter(({ email }) => !canSignIn.has(email))
    .map(({ email }) => `${email} has no password yet: make the link with fossick person link ${email}`);
}

const MAX_PEOPLE = 10_000;

/** Everybody, as a file may name them. */
export function allPeople(store: Pick<PeopleStore, 'listPeople'>): Promise<readonly Person[]> {
  // Which sessions are open is no part of a file.
  return store.listPeople({ after: 0, limit: MAX_PEOPLE, at: 0, usedAfter: 0 });
}

/** As the members of a provision file. */
export function exportPeople(people: readonly Person[]): readonly Readonly<Record<string, unknown>>[] {
  return people.map(({ email, name, role, customers }) => ({
    email,
    ...(name !== undefined && { name }),
    role,
    ...(customers.length > 0 && { customers }),
  }));
}

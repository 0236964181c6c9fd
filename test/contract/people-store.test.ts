import { expect, test } from 'vitest';
import type { RecordChange } from '../../src/storage/system/accounts.ts';
import type { SystemStore } from '../../src/storage/system-store.ts';
import { openSystem } from '../helpers/open-system.ts';

const AT = 1_700_000_000_000;
const HOUR = 3_600_000;
const NOW = { at: AT, usedAfter: AT - HOUR };
const OPERATOR = { kind: 'put-person', email: 'otto@example.org', role: 'operator', customers: [] } as const;
const EDITOR = { kind: 'put-person', email: 'anna@example.org', role: 'editor', customers: [3] } as const;
const session = (sha256: string, at = AT) => ({ sha256, at, usedAfter: at - HOUR, expiresAt: at + 10 * HOUR });

const change = (store: SystemStore, ...changes: RecordChange[]) => store.changeRecords('operator', changes, AT);

/** Otto (1, operator) and Anna (2, editor of customer 3), whose password has the hash `one`. */
async function openWithPeople() {
  const system = await openSystem();
  await change(system.store, { kind: 'put-customer', id: 3, name: 'Three' }, OPERATOR, EDITOR);
  await accept(system.store, 2, 'one');
  return system;
}

async function accept(store: SystemStore, personId: number | undefined, passwordHash: string, email?: string) {
  const sha256 = `link of ${personId}`;
  await store.putInvitation({ actor: 'operator', personId, sha256, at: AT, expiresAt: AT + HOUR });
  const opened = session(`session by link of ${personId}`);
  return store.acceptInvitation({ sha256, at: AT, email, name: 'Anna', passwordHash, session: opened });
}

const actions = async (store: SystemStore, limit = 10) =>
  (await store.listAudit({ limit })).entries.map(({ actor, action, target }) => [actor, action, target]);

test('a person is found by id and by mail address; lists ascend by id and begin after one', async () => {
  await using system = await openWithPeople();
  const { store } = system;

  expect(await store.findPerson(1)).toEqual({
    id: 1,
    email: 'otto@example.org',
    name: undefined,
    role: 'operator',
    customers: [],
    hasPassword: false,
    disabledAt: undefined,
    managedBy: undefined,
    createdAt: AT,
    lastSignInAt: undefined,
  });
  expect(await store.findPersonByEmail('anna@example.org')).toMatchObject({
    person: { id: 2, name: 'Anna', customers: [3], hasPassword: true, lastSignInAt: AT },
    passwordHash: 'one',
  });
  const listed = await store.listPeople({ after: 0, limit: 10, ...NOW });
  expect(listed.map(({ id, sessions, linkExpiresAt }) => [id, sessions, linkExpiresAt])).toEqual([
    [1, 0, undefined],
    [2, 1, undefined],
  ]);
  expect(await store.listPeople({ after: 1, limit: 1, ...NOW })).toMatchObject([{ id: 2 }]);
  expect(await store.listPeople({ after: 2, limit: 1, ...NOW })).toEqual([]);
  expect([await store.findPerson(9), await store.findPersonByEmail('nobody@example.org')]).toEqual([
    undefined,
    undefined,
  ]);
});

test('an address is one person: a change that names it changes that person, one made from none is a conflict', async () => {
  await using system = await openWithPeople();
  const { store } = system;

  expect(await change(store, { ...EDITOR, role: 'reader' })).toEqual([2]);
  await expect(change(store, { ...EDITOR, seen: 'none' })).rejects.toMatchObject({ code: 'record.conflict' });

  expect(await store.findPerson(2)).toMatchObject({ role: 'reader', name: 'Anna' });
  const [changed] = (await store.listAudit({ limit: 1 })).entries;
  expect(changed).toMatchObject({ target: 'person:2', before: { role: 'editor' }, after: { role: 'reader' } });
});

test('a person of a customer that does not exist is not made, and one of a customer that is removed leaves it', async () => {
  await using system = await openWithPeople();
  const { store } = system;

  await expect(change(store, { ...EDITOR, customers: [3, 4] })).rejects.toMatchObject({ code: 'record.not-found' });
  await change(store, { kind: 'remove-customer', id: 3 });

  expect(await store.findPerson(2)).toMatchObject({ customers: [] });
});

test.each([
  ['a change of role', { ...EDITOR, role: 'reader' }],
  ['a change of customers', { ...EDITOR, customers: [] }],
  ['disabling', { ...EDITOR, disabled: true }],
  ['removing', { kind: 'remove-person', id: 2 }],
] as const)('%s ends the sessions of the person', async (_name, changed) => {
  await using system = await openWithPeople();
  const { store } = system;
  await store.openSession({ ...session('a'), personId: 2, method: 'password' });

  await change(store, changed);
  await change(store, { ...EDITOR, name: 'Anna again', disabled: false });

  expect(await store.findSession({ sha256: 'a', ...NOW })).toBeUndefined();
});

test('a new name ends no session', async () => {
  await using system = await openWithPeople();
  const { store } = system;
  await store.openSession({ ...session('a'), personId: 2, method: 'password' });

  await change(store, { ...EDITOR, name: 'Anne' });

  expect(await store.findSession({ sha256: 'a', ...NOW })).toMatchObject({ person: { id: 2, name: 'Anne' } });
});

test.each([
  ['disabling', { ...EDITOR, disabled: true }],
  ['removing', { kind: 'remove-person', id: 2 }],
] as const)('%s ends the link of the person', async (_name, changed) => {
  await using system = await openWithPeople();
  const { store } = system;
  await store.putInvitation({ actor: 'operator', personId: 2, sha256: 'link', at: AT, expiresAt: AT + HOUR });

  await change(store, changed);
  await change(store, { ...EDITOR, disabled: false });

  expect(await store.findInvitation({ sha256: 'link', at: AT })).toBeUndefined();
});

test.each([
  ['removed', { kind: 'remove-person', id: 1 }],
  ['disabled', { ...OPERATOR, disabled: true }],
  ['given another role', { ...OPERATOR, role: 'editor', customers: [3] }],
] as const)('the last operator cannot be %s', async (_name, changed) => {
  await using system = await openWithPeople();
  const { store } = system;

  await expect(change(store, changed)).rejects.toMatchObject({ code: 'record.conflict' });
  await change(store, { ...OPERATOR, email: 'olga@example.org' });
  await change(store, changed);

  expect(await store.findPersonByEmail('olga@example.org')).toMatchObject({ person: { role: 'operator' } });
});

test('the last operator who has ever signed in cannot leave those behind who never did', async () => {
  await using system = await openWithPeople();
  const { store } = system;
  await accept(store, 1, 'hash');
  await change(store, { ...OPERATOR, email: 'olga@example.org' });

  await expect(change(store, { kind: 'remove-person', id: 1 })).rejects.toMatchObject({ code: 'record.conflict' });
  await accept(store, 3, 'hash');

  expect(await change(store, { kind: 'remove-person', id: 1 })).toEqual([1]);
});

test('a person who was changed since is not removed for who has named the former version', async () => {
  await using system = await openWithPeople();
  const { store } = system;
  const seen = await store.findPerson(2);
  if (seen === undefined) throw new Error('there is no person 2');
  await change(store, { ...EDITOR, role: 'reader' });

  await expect(change(store, { kind: 'remove-person', id: 2, seen, isMatched: true })).rejects.toMatchObject({
    code: 'record.changed',
  });

  const present = { ...seen, role: 'reader' } as const;
  expect(await change(store, { kind: 'remove-person', id: 2, seen: present, isMatched: true })).toEqual([2]);
});

test('a session opens only for a person who is not disabled and whose password is the one that was checked', async () => {
  await using system = await openWithPeople();
  const { store } = system;
  const open = (sha256: string, passwordHash: string) =>
    store.openSession({ ...session(sha256), personId: 2, method: 'password', passwordHash });

  expect([await open('a', 'another'), await open('b', 'one')]).toEqual([false, true]);
  await change(store, { ...EDITOR, disabled: true });
  expect(await open('c', 'one')).toBe(false);

  expect(await store.findSession({ sha256: 'a', ...NOW })).toBeUndefined();
});

test('a session is found until it expires, nobody has used it for too long, or it is ended', async () => {
  await using system = await openWithPeople();
  const { store } = system;
  await store.openSession({ ...session('a'), personId: 2, method: 'oidc' });
  const find = async (hours: number) => {
    const at = AT + hours * HOUR;
    return (await store.findSession({ sha256: 'a', at, usedAfter: at - HOUR }))?.usedAt;
  };

  expect([await find(0.9), await find(1)]).toEqual([AT, undefined]);
  await store.touchSession({ sha256: 'a', at: AT + 9.5 * HOUR });
  expect([await find(9.9), await find(10)]).toEqual([AT + 9.5 * HOUR, undefined]);
  expect([
    await store.endSession({ sha256: 'a', at: AT }),
    await find(9.9),
    await store.endSession({ sha256: 'a', at: AT }),
  ]).toEqual([true, undefined, false]);
});

test('sessions that are over are dropped when another one opens, and of one person the newest 20 are kept', async () => {
  await using system = await openWithPeople();
  const { store } = system;
  for (let index = 0; index < 22; index++) {
    await store.openSession({ ...session(`s${index}`, AT + index), personId: 2, method: 'password' });
  }

  const [, anna] = await store.listPeople({ after: 0, limit: 10, at: AT + 22, usedAfter: AT - HOUR });

  expect(anna).toMatchObject({ sessions: 20 });
  expect(await store.findSession({ sha256: 's1', ...NOW })).toBeUndefined();
  await store.openSession({ ...session('late', AT + 2 * HOUR), personId: 2, method: 'password' });
  expect(await store.endSessions({ actor: 'operator', personId: 2, at: AT })).toBe(1);
});

test('signing in, out and by a link are in the audit log', async () => {
  await using system = await openWithPeople();
  const { store } = system;
  await store.openSession({ ...session('a'), personId: 2, method: 'password' });
  await store.endSession({ sha256: 'a', at: AT });
  await store.endSessions({ actor: 'person:1 otto@example.org', personId: 2, at: AT });
  await accept(store, 2, 'two');

  expect(await actions(store, 8)).toEqual([
    ['person:2 anna@example.org', 'set-password', 'person:2'],
    ['operator', 'make-link', 'person:2'],
    ['person:1 otto@example.org', 'end-sessions', 'person:2'],
    ['person:2 anna@example.org', 'sign-out', 'person:2'],
    ['person:2 anna@example.org', 'sign-in', 'person:2'],
    ['person:2 anna@example.org', 'accept-invitation', 'person:2'],
    ['operator', 'make-link', 'person:2'],
    ['operator', 'put-person', 'person:2'],
  ]);
});

test('a new link takes the place of the former', async () => {
  await using system = await openWithPeople();
  const { store } = system;
  const link = (sha256: string, personId: number | undefined) =>
    store.putInvitation({ actor: 'operator', personId, sha256, at: AT, expiresAt: AT + HOUR });
  await link('first', 1);
  await link('second', 1);
  await link('other', 2);

  const find = (sha256: string, at = AT) => store.findInvitation({ sha256, at });

  expect([await find('first'), await find('second'), await find('other')]).toMatchObject([
    undefined,
    { kind: 'invitation', person: { id: 1 }, expiresAt: AT + HOUR },
    { kind: 'password', person: { id: 2 } },
  ]);
  expect(await find('second', AT + HOUR)).toBeUndefined();
  await expect(link('nobody', 9)).rejects.toMatchObject({ code: 'record.not-found' });
});

test('a link is taken once and before it expires, ends all sessions of the person and opens the new one', async () => {
  await using system = await openWithPeople();
  const { store } = system;
  await store.openSession({ ...session('before'), personId: 2, method: 'password' });
  await store.putInvitation({ actor: 'operator', personId: 2, sha256: 'link', at: AT, expiresAt: AT + HOUR });
  const take = (at: number, sha256: string) =>
    store.acceptInvitation({
      sha256: 'link',
      at,
      email: undefined,
      name: undefined,
      passwordHash: 'two',
      session: session(sha256),
    });

  expect([await take(AT + HOUR, 'late'), await take(AT, 'in time'), await take(AT, 'again')]).toEqual([
    undefined,
    2,
    undefined,
  ]);

  const found = ['before', 'late', 'in time', 'again'].map((sha256) => store.findSession({ sha256, ...NOW }));
  expect((await Promise.all(found)).map((each) => each?.person.id)).toEqual([undefined, undefined, 2, undefined]);
  expect(await store.findPersonByEmail(EDITOR.email)).toMatchObject({ passwordHash: 'two', person: { name: 'Anna' } });
});

test('the link for the first operator is taken only while there is nobody, and makes that person', async () => {
  await using system = await openSystem();
  const { store } = system;
  const first = { actor: 'first-start', personId: undefined, at: AT, expiresAt: AT + HOUR } as const;
  await store.putInvitation({ ...first, sha256: 'replaced' });
  await store.putInvitation({ ...first, sha256: 'link of undefined' });

  expect(await store.findInvitation({ sha256: 'link of undefined', at: AT })).toMatchObject({ kind: 'first' });
  expect(await store.findInvitation({ sha256: 'replaced', at: AT })).toBeUndefined();
  expect(await store.hasPeople()).toBe(false);
  expect(await accept(store, undefined, 'hash', 'otto@example.org')).toBe(1);

  expect(await store.findPerson(1)).toMatchObject({ email: 'otto@example.org', name: 'Anna', role: 'operator' });
  expect(await store.hasPeople()).toBe(true);
  expect(await accept(store, undefined, 'hash', 'eve@example.org')).toBeUndefined();
});

test('a new password in place of the one that was checked ends the other sessions', async () => {
  await using system = await openWithPeople();
  const { store } = system;
  for (const sha256 of ['own', 'other']) {
    await store.openSession({ ...session(sha256), personId: 2, method: 'password' });
  }
  const set = (from: string) => store.changePassword({ personId: 2, from, to: 'two', at: AT, keep: 'own' });

  expect([await set('another'), await set('one')]).toEqual([false, true]);

  expect(await store.findSession({ sha256: 'own', ...NOW })).toBeDefined();
  expect(await store.findSession({ sha256: 'other', ...NOW })).toBeUndefined();
  expect((await actions(store, 1))[0]).toEqual(['person:2 anna@example.org', 'set-password', 'person:2']);
});

test('a hash of the same password in another form takes the place of the one that was checked, without a trace', async () => {
  await using system = await openWithPeople();
  const { store } = system;
  const before = await actions(store);

  await store.replacePasswordHash({ personId: 2, from: 'another', to: 'x' });
  await store.replacePasswordHash({ personId: 2, from: 'one', to: 'one, harder' });

  expect(await store.findPersonByEmail(EDITOR.email)).toMatchObject({ passwordHash: 'one, harder' });
  expect(await actions(store)).toEqual(before);
});

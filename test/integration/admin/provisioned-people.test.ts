import { expect, test } from 'vitest';
import { startAdminApi } from '../../helpers/admin-api.ts';
import { join, startWithCustomers } from '../../helpers/people.ts';

const NAME = 'fossick.config.yaml';
const ANNA = { email: 'Anna@example.org', name: 'Anna', role: 'editor', customers: [4, 3] };
const OTTO = { email: 'otto@example.org', role: 'operator' };
const fileOf = (...people: readonly object[]) => ({
  name: NAME,
  content: { version: 1, customers: [{ id: 3 }, { id: 4, keys: [KEY] }], people },
});
const KEY = { name: 'reports', sha256: 'a'.repeat(64), scopes: ['statistics', 'search'] };

test('people of a file are planned, applied, exported without secrets, and applied elsewhere', async () => {
  await using api = await startAdminApi();
  const file = fileOf(ANNA, OTTO);

  const applied = await api.post('/configuration/apply', file);

  expect(applied.body.changes.slice(-2)).toEqual([
    { action: 'create', record: 'person anna@example.org', members: [] },
    { action: 'create', record: 'person otto@example.org', members: [] },
  ]);
  expect(applied.body.warnings).toEqual([
    'anna@example.org has no password yet: make the link with fossick person link anna@example.org',
    'otto@example.org has no password yet: make the link with fossick person link otto@example.org',
  ]);
  expect((await api.post('/configuration/apply', file)).body.changes).toEqual([]);
  const exported = (await api.get('/configuration')).body.file;
  expect(exported.people).toEqual([{ ...ANNA, email: 'anna@example.org', customers: [3, 4] }, OTTO]);
  expect(exported.customers[1].keys).toEqual([{ ...KEY, scopes: ['search', 'statistics'] }]);
  await using other = await startAdminApi();
  await other.post('/configuration/apply', { name: NAME, content: exported });
  expect((await other.get('/configuration')).body.file).toEqual(exported);
});

test('a person of a file is changed there alone, can be disabled, and is released by a file without', async () => {
  await using api = await startAdminApi();
  await api.post('/configuration/apply', fileOf(OTTO, ANNA));
  expect(await api.patch('/people/2', { role: 'reader' })).toMatchObject({ status: 409 });
  expect(await api.delete('/people/2')).toMatchObject({ status: 409 });
  expect(await api.patch('/people/2', { disabled: true })).toMatchObject({ status: 200, body: { managedBy: NAME } });

  const changed = await api.post('/configuration/apply', fileOf(OTTO, { ...ANNA, role: 'reader' }));
  expect(changed.body.changes).toEqual([{ action: 'change', record: 'person anna@example.org', members: ['role'] }]);
  expect((await api.get('/people/2')).body).toMatchObject({ role: 'reader', state: 'disabled' });
  await api.post('/configuration/apply', fileOf(OTTO));

  expect(await api.patch('/people/2', { role: 'editor' })).toMatchObject({ status: 200, body: { managedBy: null } });
});

test('mistakes about people are told all at once, with the others of the file', async () => {
  await using api = await startAdminApi();
  const people = [
    ANNA,
    { ...ANNA, customers: [3, 9] },
    { ...OTTO, customers: [3] },
    { email: 'ray@example.org', role: 'reader' },
  ];

  const { status, body } = await api.post('/configuration/plan', fileOf(...people));

  expect([status, body.errors.map(({ path }: { path: string }) => path)]).toEqual([
    400,
    ['people[1].email', 'people[1].customers[1]', 'people[2].customers', 'people[3].customers'],
  ]);
  expect(await api.post('/configuration/plan', fileOf({ ...OTTO, password: 'x' }))).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'people[0].password' }] },
  });
});

test('a file that takes the last operator away changes nothing', async () => {
  await using api = await startAdminApi();
  await api.post('/configuration/apply', fileOf(OTTO));

  const answer = await api.post('/configuration/apply', fileOf({ ...OTTO, role: 'editor', customers: [3] }, ANNA));

  expect(answer).toMatchObject({ status: 409, body: { message: expect.stringContaining('last operator') } });
  expect((await api.get('/people')).body.items).toMatchObject([{ role: 'operator' }]);
});

test('who applies a file by hand is named', async () => {
  await using api = await startWithCustomers();
  const { browser, id } = await join(api, 'hand@example.org');

  await browser.post('/configuration/apply', { name: NAME, content: { version: 1, customers: [{ id: 5 }] } });

  expect((await api.get('/audit?limit=1')).body.items).toMatchObject([
    { actor: `person:${id} hand@example.org`, target: 'customer:5' },
  ]);
});

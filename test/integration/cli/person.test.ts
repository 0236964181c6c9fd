import { expect, test } from 'vitest';
import { OPERATOR_TOKEN, startAdminApi } from '../../helpers/admin-api.ts';
import { runCli } from '../../helpers/cli.ts';

async function startCli() {
  const api = await startAdminApi();
  await api.post('/customers', { id: 3, name: 'Three' });
  const run = (...args: string[]) => runCli([...args, '--url', api.origin, '--token', OPERATOR_TOKEN]);
  const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).out);
  return { api, run, json, [Symbol.asyncDispose]: () => api[Symbol.asyncDispose]() };
}

test('a person is invited, shown, changed and removed, by id or mail address', async () => {
  await using cli = await startCli();
  const { run, json } = cli;
  expect((await run('person', 'list')).out).toBe('nobody yet: fossick person invite <mail> --role operator\n');
  await run('person', 'invite', 'otto@example.org', '--role', 'operator');

  const invited = await run('person', 'invite', 'Anna@example.org', '--role', 'editor', '--customer', '3');

  expect(invited.out).toMatch(/^link +http:\/\/127\.0\.0\.1:\d+\/admin\/invitation#[\w-]{43}$/m);
  expect(invited.out).toMatch(/the link is not stored, and opens once\n$/);
  expect(await json('person', 'list')).toMatchObject([
    { id: 1, role: 'operator' },
    { id: 2, customers: [3] },
  ]);
  expect(await json('person', 'show', 'ANNA@example.org')).toMatchObject({ id: 2, state: 'invited' });
  expect(await json('person', 'set', '2', 'role=reader', 'name=Anna')).toMatchObject({ role: 'reader', name: 'Anna' });
  expect(await json('person', 'set', 'anna@example.org', 'disabled=true')).toMatchObject({ state: 'disabled' });
  expect(await json('person', 'set', '2', 'disabled=false')).toMatchObject({ state: 'invited' });
  expect(await json('person', 'link', 'anna@example.org')).toMatchObject({ path: expect.stringContaining('#') });
  expect(await json('person', 'sign-out', '2')).toEqual({ ended: 0 });
  expect(await run('person', 'remove', '2')).toMatchObject({ code: 2, err: expect.stringContaining('--yes') });
  expect(await run('person', 'remove', 'anna@example.org', '--yes')).toMatchObject({ code: 0 });
  expect(await run('person', 'show', 'anna@example.org')).toMatchObject({ code: 3 });
});

test('a wrong role, customer or address is told with what is right', async () => {
  await using cli = await startCli();
  const invite = (...args: string[]) => cli.run('person', 'invite', ...args);

  expect(await invite('anna@example.org')).toMatchObject({
    code: 2,
    err: expect.stringContaining('role: must be one of reader, editor, operator'),
  });
  expect(await invite('anna', '--role', 'operator')).toMatchObject({
    code: 2,
    err: expect.stringContaining('such as anna@example.org'),
  });
  expect(await invite('anna@example.org', '--role', 'editor', '--customer', 'three')).toMatchObject({
    code: 2,
    err: expect.stringContaining('--customer must be an id'),
  });
  expect(await invite('anna@example.org', '--role', 'reader', '--customer', '9')).toMatchObject({
    code: 2,
    err: expect.stringContaining('there is no customer 9'),
  });
});

import { expect, test } from 'vitest';
import { OPERATOR_TOKEN, startAdminApi } from '../../helpers/admin-api.ts';
import { runCli } from '../../helpers/cli.ts';

test('a backup is asked for once, and listed', async () => {
  await using api = await startAdminApi();
  const run = (...args: string[]) => runCli([...args, '--url', api.origin, '--token', OPERATOR_TOKEN]);

  expect((await run('backup', 'list')).out).toBe('no backups yet: fossick backup start\n');
  expect(await api.post('/backups')).toEqual({ status: 202, body: { id: 1 } });
  expect((await run('backup', 'start')).out).toMatch(/^Backup 1 is asked for/);

  const { body } = await api.get('/backups');
  expect((await api.get('/audit')).body.items).toMatchObject([
    { actor: 'operator', action: 'ask-backup', target: 'backup:1' },
  ]);
  expect(body.items).toMatchObject([{ id: 1, state: 'waiting', startedBy: 'operator', file: null, problem: null }]);
  expect((await api.post('/backups', { file: 'elsewhere' })).status).toBe(400);
});

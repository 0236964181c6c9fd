import { expect, test } from 'vitest';
import { createSecretBox } from '../../../src/accounts/secret-box.ts';
import { testTarget } from '../../../src/alerts/test-target.ts';
import { openAlerting } from '../../../src/compose/alerting.ts';
import { environmentTargets } from '../../../src/compose/environment-targets.ts';
import { CONFIG } from '../../../src/config/config.ts';
import { OPERATOR_TOKEN, startAdminApi } from '../../helpers/admin-api.ts';
import { startMailReceiver, startWebhookReceiver } from '../../helpers/alert-receivers.ts';
import { runCli } from '../../helpers/cli.ts';
import { logSearch } from '../../helpers/log-search.ts';

const DAY = 86_400_000;
const WEBHOOK = { kind: 'webhook', name: 'chat', url: 'https://chat.example.com/hooks/T123?token=abc' };

test('a target is made with its defaults, and shows no secret', async () => {
  await using api = await startAdminApi();

  const made = await api.post('/alert-targets', { ...WEBHOOK, secret: 'secret of the webhook' });
  const listed = await api.get('/alert-targets');

  expect(made).toMatchObject({
    status: 201,
    body: {
      id: 10,
      name: 'chat',
      kind: 'webhook',
      active: true,
      url: 'set',
      address: 'https://chat.example.com/…',
      secret: 'set',
      to: null,
      leastSeverity: 'warning',
      changes: true,
      digestAt: null,
      timeZone: 'UTC',
      quietHours: null,
      errorsBreakQuiet: true,
      managedBy: null,
      state: { takenAt: null, failingSince: null, problem: null },
    },
  });
  expect(listed.body.items).toEqual([made.body]);
  const stored = JSON.stringify([await api.deps.store.listAlertTargets(), (await api.get('/audit')).body]);
  expect(stored).not.toMatch(/T123|secret of the webhook/);
});

test('a change merges, keeps secrets that it shows, and removes by null', async () => {
  await using api = await startAdminApi();
  await api.post('/alert-targets', { ...WEBHOOK, quietHours: '22:00-07:00', secret: 'secret of the webhook' });
  const [before] = await api.deps.store.listAlertTargets();

  const changed = await api.patch('/alert-targets/10', { url: 'set', quietHours: null, timeZone: 'Europe/Berlin' });
  const unsigned = await api.patch('/alert-targets/10', { secret: null });

  expect(changed.body).toMatchObject({ quietHours: null, timeZone: 'Europe/Berlin', secret: 'set' });
  expect(unsigned.body).toMatchObject({ secret: null });
  const [after] = await api.deps.store.listAlertTargets();
  expect(after?.settings).toMatchObject({ url: before?.settings.kind === 'webhook' && before.settings.url });
});

test.each<[object, string]>([
  [{ kind: 'mail', name: 'a', to: ['nobody'] }, 'to[0]'],
  [{ kind: 'mail', name: 'a', to: [] }, 'to'],
  [{ kind: 'mail', name: 'a', to: ['a@example.com'], smtpUrl: 'http://mail.example.com' }, 'smtpUrl'],
  [{ kind: 'mail', name: 'a', to: ['a@example.com'], url: 'https://a.example' }, 'url'],
  [{ kind: 'webhook', name: 'a' }, 'url'],
  [{ ...WEBHOOK, url: 'file:///etc/passwd' }, 'url'],
  [{ ...WEBHOOK, url: 'set' }, 'url'],
  [{ ...WEBHOOK, secret: 'short' }, 'secret'],
  [{ ...WEBHOOK, digestAt: '7:30' }, 'digestAt'],
  [{ ...WEBHOOK, quietHours: '22:00' }, 'quietHours'],
  [{ ...WEBHOOK, timeZone: 'Mars/Olympus' }, 'timeZone'],
  [{ ...WEBHOOK, name: '' }, 'name'],
  [{ ...WEBHOOK, severity: 'error' }, 'severity'],
  [{ kind: 'pigeon', name: 'a' }, 'kind'],
])('%j is refused at %s', async (sent, path) => {
  await using api = await startAdminApi();

  const { status, body } = await api.post('/alert-targets', sent);

  expect(status).toBe(400);
  expect(body.errors.map((error: { path: string }) => error.path)).toContain(path);
});

test('two targets have two names, a kind stays, and who saw an older state is refused', async () => {
  await using api = await startAdminApi();
  await api.post('/alert-targets', WEBHOOK);
  const path = `${api.origin}/admin/v1/alert-targets/10`;
  const headers = { authorization: `Bearer ${OPERATOR_TOKEN}`, 'content-type': 'application/json' };
  const tag = (await fetch(path, { headers })).headers.get('etag') ?? '';
  const change = (changes: object) =>
    fetch(path, { method: 'PATCH', headers: { ...headers, 'if-match': tag }, body: JSON.stringify(changes) });

  expect((await api.post('/alert-targets', WEBHOOK)).status).toBe(409);
  expect((await api.patch('/alert-targets/10', { kind: 'mail', to: ['a@example.com'] })).status).toBe(400);
  expect((await change({ changes: false })).status).toBe(200);
  expect((await change({ changes: true })).status).toBe(412);
  expect((await api.delete('/alert-targets/10')).status).toBe(204);
  expect((await api.get('/alert-targets/10')).status).toBe(404);
});

test('the test button answers what the receiver said, and ends the failing of the target', async () => {
  await using api = await startAdminApi();
  await using receiver = await startWebhookReceiver((response) => response.end('ok'));
  await using mail = await startMailReceiver();
  await api.post('/alert-targets', { ...WEBHOOK, url: receiver.url, active: false });
  await api.post('/alert-targets', { kind: 'mail', name: 'ops', to: ['ops@example.com'], smtpUrl: mail.url });
  await api.post('/alert-targets', { kind: 'mail', name: 'lost', to: ['ops@example.com'] });
  await api.deps.systemStore.noteAlertFailed({ targetId: 10, at: 1, problem: 'down' });
  const run = (...args: string[]) => runCli([...args, '--url', api.origin, '--token', OPERATOR_TOKEN]);

  expect(await api.post('/alert-targets/10/test')).toMatchObject({
    status: 200,
    body: { taken: true, said: '200 OK ok' },
  });
  expect((await api.get('/alert-targets/10')).body.state).toMatchObject({ failingSince: null });
  expect(await api.post('/alert-targets/11/test', { message: 'digest' })).toMatchObject({
    body: { taken: true, said: '250 2.0.0 Ok: queued as 4F2A' },
  });
  expect(await api.post('/alert-targets/12/test')).toMatchObject({
    body: { taken: false, said: 'it has no smtpUrl, and SMTP_URL is not set' },
  });
  expect(await run('alert', 'test', '12')).toMatchObject({ code: 1 });
  expect(receiver.messages()).toMatchObject([{ kind: 'test', text: expect.stringContaining('This is a test') }]);
  expect(mail.mails[0]?.text).toMatch(/^Subject: \[Fossick [^\]]+\] All is well, \d{4}-\d\d-\d\d$/m);
});

test('commands make, show, change and remove a target', async () => {
  await using api = await startAdminApi();
  const run = (...args: string[]) => runCli([...args, '--url', api.origin, '--token', OPERATOR_TOKEN]);

  expect((await run('alert', 'list')).out).toMatch(/^nobody yet: fossick alert add/);
  const added = await run('alert', 'add', 'mail', 'operators', 'to=["ops@example.com"]', 'digestAt=07:30');
  expect(added.out).toMatch(/Next: fossick alert test 10\n$/);
  expect((await run('alert', 'set', '10', 'quietHours=22:00-07:00')).code).toBe(0);
  expect((await run('alert', 'show', '10')).out).toMatch(/quietHours +22:00-07:00/);
  expect((await run('alert', 'remove', '10')).code).toBe(2);
  expect((await run('alert', 'remove', '10', '--yes')).code).toBe(0);
});

test('a digest tells searches of yesterday without results, and the last good crawls', async () => {
  await using api = await startAdminApi();
  await using receiver = await startWebhookReceiver((response) => response.end());
  await api.post('/customers', { id: 3, name: 'Three' });
  await api.post('/engines', { id: 6, customer: 3, name: 'Main' });
  await api.post('/crawlers', { id: 17, engine: 6, name: 'Website', seeds: ['https://site.example/'] });
  await api.post('/crawlers/17/activate');
  const { systemStore, engineStores } = api.deps;
  const yesterday = Math.floor(Date.now() / DAY) * DAY - DAY / 2;
  for (const [number, at] of [yesterday, yesterday, yesterday - DAY].entries()) {
    await logSearch(systemStore, 6, { text: 'parking', at, queryId: `query-${number}`, resultCount: 0 });
  }
  const store = await engineStores.of(6);
  const [run] = await store.listRuns(17, 1);
  await store.startRun(run?.id ?? 0, yesterday);
  while (!(await store.planRun(run?.id ?? 0, 100, yesterday)).done);
  await store.cutRun(run?.id ?? 0, 'runMinutes', yesterday);
  await store.finishRun(run?.id ?? 0, '{}', yesterday);
  await api.post('/alert-targets', { ...WEBHOOK, url: receiver.url });

  await api.post('/alert-targets/10/test', { message: 'digest' });

  expect(receiver.messages()).toMatchObject([
    {
      kind: 'digest',
      searches: { total: 2, withoutResults: 2, missed: [{ engine: 'Main', query: 'parking', count: 2 }] },
      crawls: [{ crawler: 'Website', goodAt: new Date(yesterday).toISOString() }],
    },
  ]);
});

test('targets that variables describe are listed, tested and not changed', async () => {
  await using mail = await startMailReceiver();
  const config = CONFIG.parse({
    ALERT_WEBHOOK_URL: 'https://chat.example.com/hooks/T123',
    ALERT_MAIL_TO: 'ops@example.com, web@example.com',
    ALERT_QUIET_HOURS: '22:00-07:00',
    ALERT_LEAST_SEVERITY: 'error',
    SMTP_URL: mail.url,
  });
  await using api = await startAdminApi(undefined, undefined, { environmentTargets: environmentTargets(config) });
  const { systemStore, engineStores, health } = api.deps;
  const secretBox = createSecretBox('secrets-key-of-the-tests');
  const { alertTest } = openAlerting({ config, systemStore, accounts: systemStore, engineStores, health, secretBox });
  await api.post('/alert-targets', WEBHOOK);

  const { body } = await api.get('/alert-targets');

  const rules = { leastSeverity: 'error', quietHours: '22:00-07:00', managedBy: 'environment', createdAt: null };
  expect(body.items).toMatchObject([
    { id: 1, kind: 'webhook', address: 'https://chat.example.com/…', url: 'set', ...rules },
    { id: 2, kind: 'mail', to: ['ops@example.com', 'web@example.com'], ...rules },
    { id: 10, managedBy: null },
  ]);
  const signal = AbortSignal.timeout(10_000);
  for (const target of environmentTargets(config).filter(({ settings }) => settings.kind === 'mail')) {
    expect(await testTarget(alertTest, target, { message: 'test', signal })).toMatchObject({ taken: true });
  }
  expect(mail.mails[0]?.to).toEqual(['ops@example.com', 'web@example.com']);
  expect((await api.patch('/alert-targets/2', { changes: false })).status).toBe(409);
  expect((await api.delete('/alert-targets/1')).status).toBe(409);
});

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { documentRoutes } from '../../../src/api/public/documents.ts';
import { searchRoutes } from '../../../src/api/search/routes.ts';
import { COMMANDS } from '../../../src/cli/main.ts';
import { finding } from '../../../src/health/health.ts';
import { OPERATOR_TOKEN, startAdminApi } from '../../helpers/admin-api.ts';
import { runCli } from '../../helpers/cli.ts';
import { createInMemoryIndex } from '../../helpers/in-memory-index/in-memory-index.ts';
import { NO_TOOLS } from '../../helpers/no-tools.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

async function startCli() {
  const api = await startAdminApi();
  const run = (...args: string[]) => runCli([...args, '--url', api.origin, '--token', OPERATOR_TOKEN]);
  const json = async (...args: string[]) => {
    const { code, out, err } = await run(...args, '--json');
    if (code !== 0) throw new Error(err);
    return JSON.parse(out);
  };
  return { api, run, json, [Symbol.asyncDispose]: () => api[Symbol.asyncDispose]() };
}

test('a preview ends with the command that saves what it shows, as a shell reads it', async () => {
  await using cli = await startCli();
  await cli.run('customer', 'add', 'Three', '--id', '3');
  await cli.run('engine', 'add', '3', 'Main', '--id', '6');
  await cli.run('crawler', 'add', '6', 'Site', 'seeds=["https://a.test/"]', '--id', '17');

  const { out } = await cli.run('crawler', 'preview', '17', 'exclude=["/o\'clock/**"]', 'limits.depth=5');

  expect(out).toMatch(
    /\nTo save it: fossick crawler set 17 'exclude=\["\/o'\\''clock\/\*\*"\]' limits\.depth=5 --preview \w+\n$/,
  );
});

test('the time at which a key expires is shown by an example when it is none', async () => {
  await using cli = await startCli();
  await cli.run('customer', 'add', 'Three', '--id', '3');

  expect(await cli.run('key', 'add', '3', 'cms', '--expires', 'tomorrow')).toMatchObject({
    code: 2,
    err: 'fossick: expiresAt: must be a time such as 2030-01-31T00:00:00Z\n',
  });
});

test('the status is told in words', async () => {
  await using cli = await startCli();

  const { out } = await cli.run('status');

  expect(out).toMatch(/^disk +\d+(\.\d)? of \d+(\.\d)? GB are free$/m);
  expect(out).not.toContain('{');
});

test('a customer, its key, engine and crawler are made, shown, changed and removed', async () => {
  await using cli = await startCli();
  const { run, json } = cli;

  expect(await json('customer', 'add', 'Three', '--id', '3')).toMatchObject({ id: 3, name: 'Three' });
  expect(await json('customer', 'set', '3', 'name=Drei')).toMatchObject({ name: 'Drei' });
  expect(await json('key', 'add', '3', 'cms')).toMatchObject({
    name: 'cms',
    key: expect.stringMatching(/^[\w-]{43}$/),
  });
  expect(await json('engine', 'add', '3', 'Main', 'perPage=20', '--id', '6')).toMatchObject({ id: 6, perPage: 20 });
  expect(await json('engine', 'set', '6', 'perPage=', 'highlight.preTag=<i>')).toMatchObject({
    perPage: 10,
    highlight: { preTag: '<i>', postTag: '</b>' },
  });
  expect(await run('engine', 'rebuild', '6', '--rollback')).toMatchObject({ code: 0 });
  const seeds = 'seeds=["https://a.test/"]';
  expect(await json('crawler', 'add', '6', 'Site', seeds, '--id', '17')).toMatchObject({ id: 17, active: false });
  expect(await json('crawler', 'set', '17', 'limits.depth=3')).toMatchObject({ limits: { depth: 3 } });
  expect(await json('crawler', 'activate', '17')).toMatchObject({ active: true });
  expect(await json('crawler', 'status', '17')).toMatchObject({ lastRun: { kind: 'full', state: 'planned' } });
  expect(await json('run', 'list', '17')).toMatchObject([{ id: 1 }]);
  expect(await json('run', 'show', '17', '1')).toMatchObject({ state: 'planned' });
  expect(await json('crawler', 'run', '17')).toMatchObject({ crawler: 17 });
  expect(await json('queue-url', '17', 'https://a.test/x')).toEqual([{ url: 'https://a.test/x', status: 'Ok' }]);
  expect(await json('crawler', 'explain', '17', 'https://a.test/x')).toMatchObject({ verdict: 'waiting', visits: [] });
  expect(await json('crawler', 'explain', '17', 'https://a.test/unknown')).toMatchObject({ verdict: 'unknown' });
  expect(await json('crawler', 'deactivate', '17')).toMatchObject({ active: false });
  expect(await run('queue-url', '17', 'https://a.test/y')).toMatchObject({
    code: 0,
    err: 'warning: crawler 17 is not active and drops them: fossick crawler activate 17\n',
  });
  expect(await json('run', 'visits', '17')).toMatchObject([{ url: 'https://a.test/y', reason: 'inactive' }]);
  expect(await json('key', 'revoke', '3', '1').catch(() => undefined)).toBeUndefined();
  expect((await json('key', 'list', '3'))[0]).toMatchObject({ revokedAt: expect.stringMatching(/^\d{4}-/) });

  expect(await run('crawler', 'remove', '17')).toMatchObject({ code: 2, err: expect.stringContaining('--yes') });
  for (const record of [
    ['crawler', '17'],
    ['engine', '6'],
    ['customer', '3'],
  ] as const) {
    expect(await run(record[0], 'remove', record[1], '--yes')).toMatchObject({ code: 0 });
    expect(await run(record[0], 'show', record[1])).toMatchObject({ code: 3 });
    expect((await run(record[0], 'list')).out).toMatch(new RegExp(`^no ${record[0]}s.*: fossick ${record[0]} add <`));
  }
});

test('the next step after making a crawler depends on its seeds', async () => {
  await using cli = await startCli();
  await cli.run('customer', 'add', 'Three', '--id', '3');
  await cli.run('engine', 'add', '3', 'Main', '--id', '6');

  const seeded = await cli.run('crawler', 'add', '6', 'Site', 'seeds=["https://a.test/"]', '--id', '17');
  const empty = await cli.run('crawler', 'add', '6', 'Pushed', '--id', '18');

  expect(seeded.out).toMatch(/\nNext: fossick crawler activate 17\n$/);
  expect(empty.out).toMatch(
    /\nNext: fossick crawler set 18 'seeds=\[.*\]', or fossick documents put 18 <file\.json> --key <API key>\n$/,
  );
});

test('lists that are empty say what to do next', async () => {
  await using cli = await startCli();
  await cli.run('customer', 'add', 'Three', '--id', '3');
  await cli.run('engine', 'add', '3', 'Main', '--id', '6');
  await cli.run('crawler', 'add', '6', 'Site', '--id', '17');

  expect((await cli.run('run', 'list', '17')).out).toBe('no runs yet: fossick crawler run 17\n');
  expect((await cli.run('run', 'visits', '17')).out).toBe('no visits yet: fossick crawler status 17\n');
  expect((await cli.run('key', 'list', '3')).out).toBe('no keys yet: fossick key add 3 <name>\n');
  expect(await cli.json('run', 'list', '17')).toEqual([]);
});

test('the state of a crawler and its runs are shown to people in words', async () => {
  await using cli = await startCli();
  await cli.run('customer', 'add', 'Three', '--id', '3');
  await cli.run('engine', 'add', '3', 'Main', '--id', '6');
  await cli.run('crawler', 'add', '6', 'Site', 'seeds=["https://a.test/"]', 'schedule.full=manual', '--id', '17');
  const status = async () => (await cli.run('crawler', 'status', '17')).out;

  expect(await status()).toMatch(/^state +inactive: fossick crawler activate 17$/m);
  await cli.run('crawler', 'activate', '17');
  await cli.run('queue-url', '17', 'https://a.test/x');
  expect(await status()).toMatch(/^state +active, urls run 2 is running$/m);
  expect(await status()).toMatch(/^URLs +\d known$/m);
  expect(await status()).toMatch(/^waiting +\d$/m);

  await (await cli.api.deps.engineStores.of(6)).stopRuns(17, Number.MAX_SAFE_INTEGER, Date.now() + 65_000);
  expect(await status()).toMatch(/^state +active, waits for its next run$/m);
  expect(await status()).toMatch(/^last run +2 \(urls\) stopped, started [\d-]{10} [\d:]{5} UTC, took 1 min \d s$/m);
  expect(await status()).toMatch(/^its visits +0: 0 added, 0 changed, 0 unchanged, 0 skipped, 0 failed$/m);
  expect(await status()).toMatch(/^next run +incremental at [\d-]{10} [\d:]{5} UTC$/m);
  const list = (await cli.run('run', 'list', '17')).out;
  expect(list.split('\n')[0]).toMatch(/^id .* started +duration .* unchanged +failed$/);
  expect(list.split('\n')[1]).toMatch(/^2 .* UTC +1 min \d s /);
  expect(Object.keys(await cli.json('crawler', 'status', '17'))).toEqual([
    'id',
    'name',
    'active',
    'documents',
    'urls',
    'lastRun',
  ]);
});

test('lists are tables for people and JSON for programs', async () => {
  await using cli = await startCli();
  await cli.run('customer', 'add', 'Three', '--id', '3');

  const { out } = await cli.run('customer', 'list');

  expect(out.split('\n')[0]).toMatch(/^id {2}name {3}managedBy {2}createdAt$/);
  expect(out.split('\n')[1]).toMatch(/^3 {3}Three {2}- {10}\d{4}-/);
  expect(await cli.json('customer', 'list')).toMatchObject([{ id: 3, name: 'Three' }]);
});

test('a list is complete however many pages it has', async () => {
  await using cli = await startCli();
  const changes = Array.from({ length: 1_500 }, (_, index) => ({ kind: 'put-customer', name: `C ${index}` }) as const);
  await cli.api.deps.store.changeRecords('test', changes, 1);

  expect(await cli.json('customer', 'list')).toHaveLength(1_500);
});

test('a file is planned, applied, refused with its lines and exported', async () => {
  await using cli = await startCli();
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'my.yaml');
  const good =
    'version: 1\ncustomers:\n  - id: 3\n    keys: [{ name: cms, value: key-of-the-third-customer }]\n    engines: [{ id: 6 }]\n';
  await writeFile(file, good);

  expect(await cli.run('plan', file)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/create +engine 6 \(Engine 6\)/),
    err: 'warning: key cms of customer 3 stands in the file in clear text: use fromEnv or sha256\n',
  });
  expect(await cli.run('apply', file)).toMatchObject({ code: 0, out: expect.stringContaining('create') });
  expect(await cli.run('apply', file)).toMatchObject({ code: 0, out: 'Everything is as the file wants it\n' });
  expect(await cli.run('engine', 'set', '6', 'perPage=5')).toMatchObject({
    code: 4,
    err: 'fossick: The engine 6 is managed by my.yaml: change it there and run fossick apply, or take it over with fossick release engine 6\n',
  });

  const exported = join(folder.path, 'exported.yaml');
  await writeFile(exported, (await cli.run('export')).out);
  expect((await cli.run('plan', exported)).out).toMatch(/change +engine 6 \(Engine 6\) +managedBy/);

  await writeFile(file, good.replace('id: 6', 'id: 6, perPage: 0, colour: red'));
  expect(await cli.run('plan', file)).toEqual({
    code: 2,
    out: '',
    err: [
      'fossick: my.yaml:5: customers[0].engines[0].perPage: must be at least 1\n',
      'fossick: my.yaml:5: customers[0].engines[0].colour: is not known here\n',
    ].join(''),
  });
});

test('documents are pushed with an API key, listed, shown and deleted', async () => {
  await using api = await startAdminApi((deps) => {
    const searchIndex = createInMemoryIndex();
    return [documentRoutes({ ...deps, searchIndex, maxDocumentBytes: 1_000_000 })];
  });
  await using folder = await temporaryFolder();
  await api.post('/customers', { id: 3, name: 'Three' });
  await api.post('/engines', { id: 6, customer: 3, name: 'Main' });
  await api.post('/crawlers', { id: 17, engine: 6, name: 'Site' });
  const { key } = (await api.post('/customers/3/keys', { name: 'cms' })).body;
  const file = join(folder.path, 'documents.json');
  await writeFile(file, JSON.stringify([{ id: 'a', fields: { Title: 'Returns' } }]));
  const run = (...args: string[]) => runCli([...args, '--url', api.origin, '--token', OPERATOR_TOKEN]);

  expect(await run('documents', 'put', '17', file, `--key=${key}`)).toMatchObject({ code: 0 });
  const listed = JSON.parse((await run('documents', 'list', '6', '--crawler', '17', '--json')).out);
  expect(listed).toMatchObject([{ id: 'a', title: 'Returns' }]);
  const rid = String(listed[0].rid);
  expect((await run('documents', 'get', '6', rid)).out).toContain('{"Title":["Returns"]}');
  expect(await run('documents', 'delete', '6', rid)).toMatchObject({ code: 0 });
  expect(await run('documents', 'get', '6', rid)).toMatchObject({ code: 3 });
  expect(await run('documents', 'put', '17', file, '--key', 'wrong')).toMatchObject({ code: 4 });
});

test('an engine is searched as its visitors do', async () => {
  await using searchIndex = createInMemoryIndex();
  await using api = await startAdminApi((deps) => {
    const readDocuments = async (engineId: number, rids: readonly number[]) =>
      (await deps.engineStores.of(engineId)).readDocuments(rids);
    const queryIds = { make: () => 'query-id' };
    return [
      searchRoutes({
        ...deps,
        ...NO_TOOLS,
        searchIndex,
        readDocuments,
        queryIds,
        maxResultWindow: 10_000,
        maxSearchCostMs: 30_000,
      }),
    ];
  });
  await api.post('/customers', { id: 3, name: 'Three' });
  await api.post('/engines', { id: 6, customer: 3, name: 'Main' });
  await api.post('/crawlers', { id: 17, engine: 6, name: 'Site' });
  const store = await api.deps.engineStores.of(6);
  const titles = ['Returns', 'Returned parcels', 'Opening hours'];
  const documents = titles.map((title, index) => ({
    id: `https://a.test/${index}`,
    kind: 'PageContent' as const,
    fields: new Map([['Title', [title]]]),
    origin: 'pushed' as const,
    language: 'en',
  }));
  await store.putDocuments(17, documents, 1);
  const writer = searchIndex.writer(6);
  writer.apply(await store.changesAfter(0, { rows: 10, bytes: 1_000_000 }));
  await writer.refresh();
  const run = (...args: string[]) => runCli([...args, '--url', api.origin, '--token', OPERATOR_TOKEN]);

  const { code, out } = await run('search', '6', 'returned', 'parcels');

  expect(code).toBe(0);
  expect(out).toMatch(/Returned parcels +https:\/\/a\.test\/1\n/);
  expect(out).toMatch(/2 in all\n$/);
  expect(await run('search', '7', 'returns')).toMatchObject({ code: 3 });
});

test('status shows the installation, and exit code 1 tells that something is wrong', async () => {
  const told = { subject: 'indexer', sentence: 'No process has the role indexer', command: 'npm start' };
  await using api = await startAdminApi(() => [], undefined, {
    health: { findings: async () => [finding('role-missing', told)] },
  });
  const run = (...args: string[]) => runCli([...args, '--url', api.origin, '--token', OPERATOR_TOKEN]);

  const { code, out, err } = await run('status');

  expect(code).toBe(1);
  expect(out).toMatch(/^version +0\.0\.0-test$/m);
  expect(err).toBe('error: indexer: No process has the role indexer\n  mend it: npm start\n');
  const json = await run('status', '--json');
  expect(json).toMatchObject({ code: 1, err: '' });
  expect(JSON.parse(json.out).findings).toEqual([{ ...told, name: 'role-missing', severity: 'error' }]);
});

test('status names the models, how they answer and why not', async () => {
  const failed = { fault: 'http-status 404', msAgo: 1_000 };
  const known = { name: 'writes', isFailing: false, answeredMsAgo: undefined, failed: undefined };
  await using api = await startAdminApi(() => [], undefined, {
    modelStates: () => [
      { ...known, kind: 'language', answeredMsAgo: 2_000, failed },
      { ...known, kind: 'embedding', name: 'embeds' },
    ],
  });

  const { out } = await runCli(['status', '--url', api.origin, '--token', OPERATOR_TOKEN]);

  expect(out).toMatch(
    /^models +language writes fails \(last fault [\d-]{10} [\d:]{5} UTC: http-status 404\); embedding embeds not asked yet/m,
  );
});

test('status ends with 0 where nothing is wrong', async () => {
  await using cli = await startCli();

  expect(await cli.run('status')).toMatchObject({ code: 0, err: '' });
  expect(await cli.json('configuration')).toMatchObject({ PORT: 8080 });
  expect(await cli.json('audit')).toEqual([]);
});

test('the audit log is asked for what a person is after', async () => {
  await using cli = await startCli();
  for (const name of ['One', 'Two', 'Three']) await cli.run('customer', 'add', name);

  const found = await cli.run('audit', '--target', 'customer:', '--action', 'put-customer', '--limit', '2');

  expect(found.out).toMatch(/customer:3[\s\S]+customer:2[\s\S]+More: --after 2/);
  expect(found.out).not.toContain('customer:1');
  expect(await cli.json('audit', '--after', '2')).toMatchObject([{ target: 'customer:1' }]);
  expect(await cli.json('audit', '--actor', 'anna')).toEqual([]);
  expect(await cli.run('audit', '--from', 'yesterday')).toMatchObject({ code: 2 });
});

/** Routes that no command calls, and why. */
const WITHOUT_COMMAND = {
  'GET /sign-in': 'for the page that signs in: a command sends the operator token',
  'POST /session': 'the same',
  'GET /session': 'the same',
  'DELETE /session': 'the same',
  'PUT /session/password': 'the same: `person link` makes a new password for others',
  'GET /oidc/start': 'for browsers',
  'GET /oidc/callback': 'for browsers',
  'POST /invitation': 'for the page of the link',
  'POST /invitation/accept': 'the same',
} as const;

test('the admin API and the commands cover each other', async () => {
  const routes = new Set<string>();
  await using _api = await startAdminApi(
    () => [],
    (route) => routes.add(route),
  );

  const called = new Set(COMMANDS.flatMap((command) => command.routes));

  expect([...called, ...Object.keys(WITHOUT_COMMAND)].sort()).toEqual([...routes].sort());
});

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changeEngine } from '../../../src/accounts/manage-engines.ts';
import { digestOf } from '../../../src/accounts/manage-keys.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { OPERATOR_TOKEN, startAdminApi } from '../../helpers/admin-api.ts';

type Api = Awaited<ReturnType<typeof startAdminApi>>;

async function startWithRecords(): Promise<Api> {
  const api = await startAdminApi();
  await api.post('/customers', { id: 3, name: 'Three' });
  await api.post('/engines', { id: 6, customer: 3, name: 'Main', perPage: 20 });
  await api.post('/crawlers', { id: 17, engine: 6, name: 'Site', seeds: ['https://a.test/'] });
  return api;
}

test('a customer is made, read, renamed and removed', async () => {
  await using api = await startAdminApi();

  const made = await api.post('/customers', { name: 'Three' });
  expect(made).toMatchObject({ status: 201, body: { id: 1, name: 'Three', managedBy: null } });
  expect(made.body.createdAt).toMatch(/^\d{4}-\d\d-\d\dT/);
  expect(await api.patch('/customers/1', { name: 'Drei' })).toMatchObject({ status: 200, body: { name: 'Drei' } });
  expect(await api.get('/customers/1')).toMatchObject({ status: 200, body: { name: 'Drei' } });
  expect(await api.delete('/customers/1')).toEqual({ status: 204, body: undefined });
  expect(await api.get('/customers/1')).toMatchObject({ status: 404 });
});

test('an id that is taken is 409, one that is free is kept', async () => {
  await using api = await startWithRecords();

  expect(await api.post('/customers', { id: 3, name: 'Again' })).toMatchObject({ status: 409 });
  expect(await api.post('/engines', { id: 6, customer: 3, name: 'Again' })).toMatchObject({ status: 409 });
  expect(await api.post('/crawlers', { id: 17, engine: 6, name: 'Again' })).toMatchObject({ status: 409 });
  expect(await api.post('/engines', { id: 60, customer: 3, name: 'New' })).toMatchObject({
    status: 201,
    body: { id: 60 },
  });
});

test('of two changes of a record at once none is lost: the later one is told', async () => {
  await using api = await startWithRecords();
  const { store, accounts } = api.deps;
  let other: Promise<unknown> | undefined;
  const overtaken = {
    ...store,
    findEngine: async (id: number) => {
      const engine = await store.findEngine(id);
      other ??= api.patch('/engines/6', { perPage: 30 });
      await other;
      return engine;
    },
  };

  const deps = { store: overtaken, accounts, clock: systemClock };
  await expect(changeEngine(deps, { actor: 'operator', id: 6, sent: { operator: 'AND' } })).rejects.toMatchObject({
    code: 'record.conflict',
  });

  expect(await changeEngine(deps, { actor: 'operator', id: 6, sent: { operator: 'AND' } })).toMatchObject({
    settings: { perPage: 30, operator: 'AND' },
  });
});

test.each([
  ['an engine', '/engines/6', (value: number) => ({ perPage: value })],
  ['a crawler', '/crawlers/17', (value: number) => ({ limits: { depth: value } })],
  ['a person', '/people/1', (value: number) => ({ name: `Anna ${value}` })],
  ['an alert target', '/alert-targets/10', (value: number) => ({ digestAt: `${value}:00` })],
])(
  'of changes of the same version of %s at once one is made, and the others are 412',
  async (_what, path, changeTo) => {
    await using api = await startWithRecords();
    await api.post('/people', { email: 'anna@example.org', role: 'operator' });
    await api.post('/alert-targets', { name: 'Chat', kind: 'webhook', url: 'https://chat.example.org/hook' });
    const address = `${api.origin}/admin/v1${path}`;
    const headers = { authorization: `Bearer ${OPERATOR_TOKEN}`, 'content-type': 'application/json' };
    const tag = (await fetch(address, { headers })).headers.get('etag') ?? '';
    const change = async (value: number) => {
      const body = JSON.stringify(changeTo(value));
      const answer = await fetch(address, { method: 'PATCH', headers: { ...headers, 'if-match': tag }, body });
      return answer.status;
    };

    const statuses = await Promise.all([11, 12, 13, 14].map(change));

    expect(statuses.toSorted()).toEqual([200, 412, 412, 412]);
  },
);

test('an index is asked to be made anew, or to go back', async () => {
  await using api = await startWithRecords();
  const store = await api.deps.engineStores.of(6);

  expect(await api.post('/engines/6/rebuild')).toEqual({ status: 202, body: { engine: 6, work: 'rebuild' } });
  expect(await store.indexWork()).toBe('rebuild');
  expect(await api.post('/engines/6/rebuild', { rollback: true })).toMatchObject({ status: 202 });
  expect(await store.indexWork()).toBe('rollback');
  expect(await api.post('/engines/7/rebuild')).toMatchObject({ status: 404 });
  expect(await api.post('/engines/6/rebuild', { roll: 1 })).toMatchObject({ status: 400 });
});

test.each<[what: string, path: string, body: unknown, errors: object[]]>([
  [
    'an unknown member',
    '/customers',
    { name: 'A', colour: 'red' },
    [{ path: 'colour', message: 'colour: is not known here' }],
  ],
  ['no name', '/customers', {}, [{ path: 'name', message: 'name: is required' }]],
  [
    'two faults',
    '/engines',
    { customer: 3, name: '', perPage: 0 },
    [{ path: 'name', message: 'name: must not be empty' }],
  ],
  [
    'wrong settings of an engine',
    '/engines',
    { customer: 3, name: 'A', perPage: 0, operator: 'XOR', publicSettings: { x: 1 } },
    [
      { path: 'perPage', message: 'perPage: must be at least 1' },
      { path: 'operator', message: 'operator: must be one of OR, AND' },
      { path: 'publicSettings.x', message: 'publicSettings.x: is not known here' },
    ],
  ],
  [
    'a mistyped member',
    '/engines',
    { customer: 3, name: 'A', perpage: 5, langauge: 'de', highlight: { pretag: '<i>' } },
    [
      { path: 'highlight.pretag', message: 'highlight.pretag: is not known here; did you mean preTag?' },
      { path: 'perpage', message: 'perpage: is not known here; did you mean perPage?' },
      { path: 'langauge', message: 'langauge: is not known here; did you mean language?' },
    ],
  ],
  [
    'a mistyped crawler setting',
    '/crawlers',
    { engine: 6, name: 'A', Seeds: [] },
    [{ path: 'Seeds', message: 'Seeds is no setting of a crawler; did you mean seeds?' }],
  ],
  [
    'a crawler setting that had another name',
    '/crawlers',
    { engine: 6, name: 'A', twins: { exact: 'off' } },
    [{ path: 'twins', message: 'twins is no setting of a crawler; it is called duplicates now' }],
  ],
  [
    'wrong settings of content',
    '/crawlers',
    { engine: 6, name: 'A', content: { exclude: ['a['], fields: [{ name: 'B', constant: 'x', match: '(a)(?=b)' }] } },
    [
      { path: 'content.exclude[0]', message: expect.stringContaining('content.exclude[0]: is no CSS selector') },
      { path: 'content.fields[0].match', message: expect.stringContaining('(at character 4)') },
    ],
  ],
  [
    'an unknown customer',
    '/engines',
    { customer: 9, name: 'A' },
    [{ path: 'customer', message: 'customer: there is no customer 9' }],
  ],
  [
    'an unknown engine',
    '/crawlers',
    { engine: 9, name: 'A' },
    [{ path: 'engine', message: 'engine: there is no engine 9' }],
  ],
  [
    'a wrong crawler setting',
    '/crawlers',
    { engine: 6, name: 'A', limits: { depth: 'deep' } },
    [{ path: 'limits.depth', message: 'limits.depth: must be a number' }],
  ],
])('%s is 400 with all faults', async (_what, path, body, errors) => {
  await using api = await startWithRecords();

  expect(await api.post(path, body)).toMatchObject({ status: 400, body: { code: 400, errors } });
});

test('a change suggests what it may change', async () => {
  await using api = await startWithRecords();

  expect(await api.patch('/customers/3', { nmae: 'Drei' })).toMatchObject({
    body: { errors: [{ message: 'name: is required' }, { message: 'nmae: is not known here; did you mean name?' }] },
  });
  expect(await api.patch('/engines/6', { Language: 'de' })).toMatchObject({
    body: { message: 'Language: is not known here; did you mean language?' },
  });
  expect(await api.patch('/crawlers/17', { nam: 'Site', activ: true })).toMatchObject({
    body: {
      errors: [
        { message: 'nam is no setting of a crawler; did you mean name?' },
        { message: 'activ is no setting of a crawler' },
      ],
    },
  });
});

test('an API key is shown once, opens the customer and can be revoked', async () => {
  await using api = await startWithRecords();

  const made = await api.post('/customers/3/keys', { name: 'cms', expiresAt: '2099-01-01T00:00:00Z' });
  const { key, id, last4 } = made.body;
  expect(made).toMatchObject({ status: 201, body: { name: 'cms', expiresAt: '2099-01-01T00:00:00.000Z' } });
  expect(key).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(key.endsWith(last4)).toBe(true);
  expect(await api.deps.accounts.findActiveKey(3, digestOf(key), Date.now())).toMatchObject({ id });
  const list = await api.get('/customers/3/keys');
  expect(list.body.items).toMatchObject([{ id, name: 'cms', revokedAt: null }]);
  expect(JSON.stringify(list.body)).not.toContain(key);

  expect(await api.delete(`/customers/3/keys/${id}`)).toMatchObject({ status: 204 });
  expect(await api.deps.accounts.findActiveKey(3, digestOf(key), Date.now())).toBeUndefined();
  expect(await api.delete('/customers/3/keys/999')).toMatchObject({ status: 404 });
});

test('an engine shows its settings beside its own members, and a change keeps the others', async () => {
  await using api = await startWithRecords();
  const facets = [{ name: 'Topic', field: 'Topic' }];

  const changed = await api.patch('/engines/6', { facets, publicSettings: { instantSuggestions: { limit: 3 } } });

  expect(changed).toMatchObject({
    status: 200,
    body: { id: 6, customer: 3, crawlers: [17], perPage: 20, language: 'en', facets: [{ field: 'Topic', size: 50 }] },
  });
  const shown = await api.get('/engines/6');
  expect(shown.body).toEqual(changed.body);
  expect(await api.patch('/engines/6', { perPage: null })).toMatchObject({ body: { perPage: 10 } });
  expect(await api.patch('/engines/6', { id: 7 })).toMatchObject({ status: 400 });
});

test('a crawler is inactive on creation, and a change of its settings is hinted at', async () => {
  await using api = await startWithRecords();

  expect(await api.get('/crawlers/17')).toMatchObject({
    body: {
      customer: 3,
      engine: 6,
      active: false,
      seeds: ['https://a.test/'],
      limits: { depth: 20 },
      status: { documents: 0, urls: {}, lastRun: null },
    },
  });
  expect(await api.patch('/crawlers/17', { limits: { depth: 3 } })).toMatchObject({
    body: { seeds: ['https://a.test/'], limits: { depth: 3 } },
  });
  expect(api.hints).toEqual([{ kind: 'crawler-changed', engineId: 6, crawlerId: 17 }]);
});

test('removing a crawler removes its documents, those of others stay', async () => {
  await using api = await startWithRecords();
  await api.post('/crawlers', { id: 18, engine: 6, name: 'Other' });
  const store = await api.deps.engineStores.of(6);
  const document = { id: 'a', kind: 'PageContent', fields: new Map(), origin: 'pushed', language: 'en' } as const;
  for (const crawlerId of [17, 18]) await store.putDocuments(crawlerId, [document], 1);

  expect(await api.delete('/crawlers/17')).toMatchObject({ status: 204 });

  expect([await store.countDocuments(17), await store.countDocuments(18)]).toEqual([0, 1]);
  expect(await api.get('/crawlers/17')).toMatchObject({ status: 404 });
});

test('removing a customer removes its engines with their folders', async () => {
  await using api = await startWithRecords();
  await api.deps.engineStores.of(6);
  const folder = join(api.dataDir, 'engines', '6');
  expect(existsSync(folder)).toBe(true);

  expect(await api.delete('/customers/3')).toMatchObject({ status: 204 });

  expect(existsSync(folder)).toBe(false);
  expect(await api.get('/engines/6')).toMatchObject({ status: 404 });
});

test('lists come in pages', async () => {
  await using api = await startAdminApi();
  for (const id of [5, 1, 9]) await api.post('/customers', { id, name: `Customer ${id}` });

  const first = await api.get('/customers?limit=2');
  const rest = await api.get(`/customers?limit=2&after=${first.body.next}`);

  expect(first.body.items.map(({ id }: { id: number }) => id)).toEqual([1, 5]);
  expect(rest.body).toMatchObject({ items: [{ id: 9 }], next: null });
  expect(await api.get('/customers?limit=0')).toMatchObject({ status: 400, body: { errors: [{ path: 'limit' }] } });
  expect(await api.get('/customers?page=2')).toMatchObject({ status: 400, body: { errors: [{ path: 'page' }] } });
});

test('every change is in the audit log, newest first', async () => {
  await using api = await startWithRecords();
  await api.patch('/engines/6', { perPage: 30 });

  const { body } = await api.get('/audit?limit=2');

  expect(body.items).toMatchObject([
    { actor: 'operator', action: 'put-engine', target: 'engine:6', before: { settings: { perPage: 20 } } },
    { action: 'put-crawler', target: 'crawler:17', before: null },
  ]);
  const older = await api.get(`/audit?after=${body.next}`);
  expect(older.body.items.map(({ target }: { target: string }) => target)).toEqual(['engine:6', 'customer:3']);
});

test('the audit log is narrowed down by who, what, of what and when', async () => {
  await using api = await startWithRecords();
  await api.patch('/engines/6', { perPage: 30 });
  const targets = async (query: string) =>
    (await api.get(`/audit?${query}`)).body.items.map(({ target }: { target: string }) => target);

  expect(await targets('action=put-engine&target=engine:6&actor=OPER')).toEqual(['engine:6', 'engine:6']);
  expect(await targets('target=c')).toEqual(['crawler:17', 'customer:3']);
  expect(await targets('actor=anna')).toEqual([]);
  const [{ at }] = (await api.get('/audit?limit=1')).body.items;
  expect(await targets(`from=${at.slice(0, 10)}&to=${at.slice(0, 10)}&limit=1`)).toEqual(['engine:6']);
  expect(await targets('to=2000')).toEqual([]);
  expect(await api.get('/audit?from=yesterday')).toMatchObject({ status: 400, body: { errors: [{ path: 'from' }] } });
  expect(await api.get('/audit?from=2026-02&to=2026-01')).toMatchObject({
    status: 400,
    body: { errors: [{ path: 'from', message: 'from: must not be after "to"' }] },
  });
});

test('what is done in the stores of engines is in the audit log as well', async () => {
  await using api = await startWithRecords();
  await api.post('/engines/6/rebuild', {});
  await api.post('/crawlers/17/activate');
  await api.post('/crawlers/17/run', { kind: 'full' });
  await api.post('/crawlers/17/pause');
  await api.post('/crawlers/17/urls', { urls: ['https://www.example.com/new'] });
  await api.post('/crawlers/17/undo-removals', { run: 5 });
  await api.post('/crawlers/17/hosts/release', { origin: 'https://www.example.com' });

  const { items } = (await api.get('/audit?limit=7')).body;

  expect(
    items.map(({ actor, action, target, after }: Record<string, unknown>) => [actor, action, target, after]),
  ).toEqual([
    ['operator', 'release-host', 'crawler:17', { origin: 'https://www.example.com' }],
    ['operator', 'undo-removals', 'crawler:17', { run: 5 }],
    ['operator', 'queue-urls', 'crawler:17', { urls: 1 }],
    ['operator', 'pause-runs', 'crawler:17', null],
    ['operator', 'start-run', 'crawler:17', { kind: 'full' }],
    ['operator', 'activate-crawler', 'crawler:17', { activation: 1 }],
    ['operator', 'rebuild-index', 'engine:6', null],
  ]);
});

test('secrets of a crawler are taken and never given back, and a change of another member keeps them', async () => {
  await using api = await startWithRecords();
  const stored = async () => (await api.deps.store.findCrawler(17))?.config;
  await api.patch('/crawlers/17', {
    headers: { 'x-token': 'open sesame', 'x-other': { fromEnv: 'OTHER' } },
    basicAuth: { username: 'me', password: 'open sesame' },
  });
  const before = await stored();

  const shown = await api.patch('/crawlers/17', { limits: { depth: 3 } });

  expect(shown.body).toMatchObject({
    headers: { 'x-token': 'set', 'x-other': { fromEnv: 'OTHER' } },
    basicAuth: { username: 'me', password: 'set' },
  });
  expect(await stored()).toMatchObject({ headers: before?.['headers'], basicAuth: before?.['basicAuth'] });
  const everything = await Promise.all([api.get('/crawlers'), api.get('/crawlers/17'), api.get('/audit')]);
  expect(JSON.stringify([everything, await stored()])).not.toContain('open sesame');
  const { id, customer, engine, active, activeSince, managedBy, createdAt, warnings, ...members } = shown.body;
  expect((await api.patch('/crawlers/17', members)).status).toBe(200);
  expect(await stored()).toMatchObject({ headers: before?.['headers'], basicAuth: before?.['basicAuth'] });
  await api.patch('/crawlers/17', { basicAuth: null, headers: { 'x-token': null } });
  expect(await stored()).toMatchObject({ headers: { 'x-other': { fromEnv: 'OTHER' } } });
  expect((await api.get('/crawlers/17')).body.basicAuth).toBeUndefined();
});

import { expect, test } from 'vitest';
import { ENGINE_DEFAULTS, PUBLIC_DEFAULTS } from '../../src/accounts/engine-settings.ts';
import type { AccountStore, RecordChange } from '../../src/storage/system/accounts.ts';
import { openSystem } from '../helpers/open-system.ts';

const AT = 1_700_000_000_000;
const DIGEST = 'a'.repeat(64);
const ENGINE = { language: 'en', settings: ENGINE_DEFAULTS, publicSettings: PUBLIC_DEFAULTS };

const customer = (id: number): RecordChange => ({ kind: 'put-customer', id, name: `Customer ${id}` });
const engine = (id: number, customerId: number): RecordChange => ({
  kind: 'put-engine',
  id,
  customerId,
  name: `Engine ${id}`,
  ...ENGINE,
});
const crawler = (id: number, engineId: number, config = {}): RecordChange => ({
  kind: 'put-crawler',
  id,
  engineId,
  name: `Crawler ${id}`,
  config,
});
const key = (customerId: number, sha256 = DIGEST, name = 'cms'): RecordChange => ({
  kind: 'add-key',
  customerId,
  name,
  sha256,
  last4: 'abcd',
});

const change = (store: AccountStore, ...changes: RecordChange[]) => store.changeRecords('operator', changes, AT);

test('changeRecords applies all changes with their audit rows and gives their ids in order', async () => {
  await using system = await openSystem();
  const { store } = system;

  const ids = await change(store, customer(3), engine(6, 3), crawler(17, 6), key(3));

  expect(ids).toEqual([3, 6, 17, 1]);
  expect(await store.findEngine(6)).toEqual({
    id: 6,
    customerId: 3,
    name: 'Engine 6',
    ...ENGINE,
    managedBy: undefined,
    createdAt: AT,
  });
  const audit = (await store.listAudit({ limit: 10 })).entries;
  expect(audit.map(({ actor, action, target }) => [actor, action, target])).toEqual([
    ['operator', 'add-key', 'customer:3/key:1'],
    ['operator', 'put-crawler', 'crawler:17'],
    ['operator', 'put-engine', 'engine:6'],
    ['operator', 'put-customer', 'customer:3'],
  ]);
  expect((await store.listAudit({ limit: 10, before: audit[1]?.id })).entries).toEqual(audit.slice(2));
});

test('a change of many that fails leaves nothing of the others, audit rows included', async () => {
  await using system = await openSystem();

  const failing = change(system.store, customer(3), engine(6, 3), crawler(17, 99));

  await expect(failing).rejects.toMatchObject({ code: 'record.not-found' });
  expect(await system.store.listCustomers()).toEqual([]);
  expect((await system.store.listAudit({ limit: 10 })).entries).toEqual([]);
});

test.each<[string, RecordChange]>([
  ['an engine of an unknown customer', engine(7, 99)],
  ['a crawler of an unknown engine', crawler(18, 99)],
  ['a key of an unknown customer', key(99)],
  ['revoking an unknown key', { kind: 'revoke-key', customerId: 3, id: 99 }],
  ['revoking a key of another customer', { kind: 'revoke-key', customerId: 4, id: 1 }],
  ['removing an unknown customer', { kind: 'remove-customer', id: 99 }],
  ['removing an unknown engine', { kind: 'remove-engine', id: 99 }],
  ['removing an unknown crawler', { kind: 'remove-crawler', id: 99 }],
  ['activating an unknown crawler', { kind: 'set-crawler-active', id: 99, active: true }],
])('%s is record.not-found', async (_name, wrong) => {
  await using system = await openSystem();
  await change(system.store, customer(3), customer(4), engine(6, 3), crawler(17, 6), key(3));

  await expect(change(system.store, wrong)).rejects.toMatchObject({ code: 'record.not-found' });
});

test('a change that changes nothing leaves no audit row', async () => {
  await using system = await openSystem();
  const all = [customer(3), engine(6, 3), crawler(17, 6, { seeds: ['http://a.test/'] }), key(3)];
  await change(system.store, ...all);
  const before = (await system.store.listAudit({ limit: 100 })).entries;

  const ids = await change(system.store, ...all);

  expect(ids).toEqual([3, 6, 17, 1]);
  expect((await system.store.listAudit({ limit: 100 })).entries).toEqual(before);
});

test('a change that was made from another record than there is now is refused, and one from none where there is one', async () => {
  await using system = await openSystem();
  const { store } = system;
  await change(store, customer(3), engine(6, 3), crawler(17, 6));
  const seen = {
    customer: await store.findCustomer(3),
    engine: await store.findEngine(6),
    crawler: await store.findCrawler(17),
  };
  const put = (name: string): RecordChange[] => [
    { kind: 'put-customer', id: 3, name, seen: seen.customer ?? 'none' },
    { kind: 'put-engine', id: 6, customerId: 3, name, ...ENGINE, seen: seen.engine ?? 'none' },
    { kind: 'put-crawler', id: 17, engineId: 6, name, config: {}, seen: seen.crawler ?? 'none' },
  ];
  await change(store, { kind: 'set-crawler-active', id: 17, active: true });
  for (const each of put('First')) await change(store, each);

  for (const each of put('Second'))
    await expect(change(store, each)).rejects.toMatchObject({ code: 'record.conflict' });
  for (const each of put('Second').slice(1)) {
    const matched = { ...each, isMatched: true } as RecordChange;
    await expect(change(store, matched)).rejects.toMatchObject({ code: 'record.changed' });
  }
  const made = { ...customer(3), seen: 'none' } as RecordChange;
  await expect(change(store, made)).rejects.toMatchObject({ code: 'record.conflict' });
  await change(store, { kind: 'remove-customer', id: 3 });
  for (const each of put('Third'))
    await expect(change(store, each)).rejects.toMatchObject({ code: 'record.not-found' });
  expect(await store.listEngines()).toEqual([]);
});

test('an absent id is one above the highest that ever was', async () => {
  await using system = await openSystem();
  const { store } = system;
  const unnumbered: RecordChange = { kind: 'put-engine', customerId: 3, name: 'New', ...ENGINE };
  await change(store, customer(3), engine(41, 3));
  await change(store, { kind: 'remove-engine', id: 41 });

  const ids = await change(store, unnumbered, unnumbered, { kind: 'put-customer', name: 'Next' });

  expect(ids).toEqual([42, 43, 4]);
});

test('an engine stays with its customer and a crawler with its engine', async () => {
  await using system = await openSystem();
  await change(system.store, customer(3), customer(4), engine(6, 3), engine(7, 3), crawler(17, 6));

  await expect(change(system.store, engine(6, 4))).rejects.toMatchObject({ code: 'record.conflict' });
  await expect(change(system.store, crawler(17, 7))).rejects.toMatchObject({ code: 'record.conflict' });
  expect(await system.store.findCrawler(17)).toMatchObject({ engineId: 6, customerId: 3 });
});

test('removing a customer removes its keys, engines and crawlers and leaves those of others', async () => {
  await using system = await openSystem();
  const { store } = system;
  await change(store, customer(3), engine(6, 3), crawler(17, 6), key(3));
  await change(store, customer(4), engine(8, 4), crawler(19, 8), key(4));

  await change(store, { kind: 'remove-customer', id: 3 });

  expect((await store.listCustomers()).map(({ id }) => id)).toEqual([4]);
  expect((await store.listEngines()).map(({ id }) => id)).toEqual([8]);
  expect((await store.listCrawlers()).map(({ id }) => id)).toEqual([19]);
  expect((await store.listActiveKeys()).map(({ customerId }) => customerId)).toEqual([4]);
});

test('removing an engine removes its crawlers', async () => {
  await using system = await openSystem();
  await change(system.store, customer(3), engine(6, 3), engine(7, 3), crawler(17, 6), crawler(18, 7));

  await change(system.store, { kind: 'remove-engine', id: 6 });

  expect((await system.store.listCrawlers({ customerId: 3 })).map(({ id }) => id)).toEqual([18]);
});

test('listActiveKeys has the digest of a key until it is revoked', async () => {
  await using system = await openSystem();
  const { store } = system;
  await change(store, customer(3), key(3), key(3, 'b'.repeat(64), 'shop'));
  expect((await store.listActiveKeys()).map(({ sha256, name }) => [sha256, name])).toEqual([
    [DIGEST, 'cms'],
    ['b'.repeat(64), 'shop'],
  ]);

  await change(store, { kind: 'revoke-key', customerId: 3, id: 1 });

  expect((await store.listActiveKeys()).map(({ name }) => name)).toEqual(['shop']);
  expect(await store.listApiKeys(3)).toMatchObject([{ name: 'cms', revokedAt: AT }, { name: 'shop' }]);
});

test('a key is found by its digest while it is neither revoked nor expired', async () => {
  await using system = await openSystem();
  const { store } = system;
  await change(store, customer(3), customer(4), { ...key(3), expiresAt: AT + 10 } as RecordChange);

  expect(await store.findActiveKey(3, DIGEST, AT + 9)).toMatchObject({ name: 'cms', expiresAt: AT + 10 });
  expect(await store.findActiveKey(3, DIGEST, AT + 10)).toBeUndefined();
  expect(await store.findActiveKey(4, DIGEST, AT)).toBeUndefined();
  expect(await store.findActiveKey(3, 'b'.repeat(64), AT)).toBeUndefined();
  await change(store, { kind: 'revoke-key', customerId: 3, id: 1 });
  expect(await store.findActiveKey(3, DIGEST, AT)).toBeUndefined();
});

test('no list of keys and no audit row holds a digest', async () => {
  await using system = await openSystem();
  await change(system.store, customer(3), key(3));

  expect(
    JSON.stringify([await system.store.listApiKeys(3), (await system.store.listAudit({ limit: 10 })).entries]),
  ).not.toContain(DIGEST);
});

test('the digest of an active key added again renames it', async () => {
  await using system = await openSystem();
  await change(system.store, customer(3), key(3));

  expect(await change(system.store, key(3, DIGEST, 'shop'))).toEqual([1]);
  expect(await system.store.listApiKeys(3)).toMatchObject([{ id: 1, name: 'shop' }]);
});

test('the digest of a revoked key cannot come back', async () => {
  await using system = await openSystem();
  await change(system.store, customer(3), key(3));
  await change(system.store, { kind: 'revoke-key', customerId: 3, id: 1 });

  await expect(change(system.store, key(3))).rejects.toMatchObject({ code: 'record.conflict' });
});

test('a crawler is inactive at first and its activation grows when its state changes', async () => {
  await using system = await openSystem();
  const { store } = system;
  await change(store, customer(3), engine(6, 3), crawler(17, 6));
  const state = async () => {
    const { active, activation, activeSince } = (await store.findCrawler(17)) ?? {};
    return { active, activation, activeSince };
  };
  const set = (active: boolean) => change(store, { kind: 'set-crawler-active', id: 17, active });
  expect(await state()).toEqual({ active: false, activation: 0, activeSince: undefined });

  await set(true);
  await set(true);
  expect(await state()).toEqual({ active: true, activation: 1, activeSince: AT });

  await set(false);
  expect(await state()).toEqual({ active: false, activation: 2, activeSince: undefined });
});

test('a crawler that is given the id of a removed one counts its activations on', async () => {
  await using system = await openSystem();
  const { store } = system;
  await change(store, customer(3), engine(6, 3), crawler(17, 6), { kind: 'set-crawler-active', id: 17, active: true });
  await change(store, { kind: 'remove-engine', id: 6 });

  await change(store, engine(6, 3), crawler(17, 6));

  expect(await store.findCrawler(17)).toMatchObject({ active: false, activation: 1 });
});

test('the config version of a crawler grows with its settings only', async () => {
  await using system = await openSystem();
  const { store } = system;
  await change(store, customer(3), engine(6, 3), crawler(17, 6, { render: 'auto' }));
  await change(store, { kind: 'put-crawler', id: 17, engineId: 6, name: 'Renamed', config: { render: 'auto' } });
  expect(await store.findCrawler(17)).toMatchObject({ name: 'Renamed', configVersion: 1 });

  await change(store, crawler(17, 6, { render: 'never' }));

  expect(await store.findCrawler(17)).toMatchObject({ configVersion: 2, config: { render: 'never' } });
});

test('the audit log shows what changed, and of crawler secrets only that they are set', async () => {
  await using system = await openSystem();
  const secret = { basicAuth: { user: 'bot', password: 'hunter2' }, render: 'auto' };
  await change(system.store, customer(3), engine(6, 3), crawler(17, 6, secret));
  await change(system.store, crawler(17, 6, { ...secret, render: 'never' }));

  const [row] = (await system.store.listAudit({ limit: 1 })).entries;

  expect(row?.before).toEqual({ config: { basicAuth: 'set', render: 'auto' }, configVersion: 1 });
  expect(row?.after).toEqual({ config: { basicAuth: 'set', render: 'never' }, configVersion: 2 });
  expect(JSON.stringify((await system.store.listAudit({ limit: 100 })).entries)).not.toContain('hunter2');
});

test('what does not exist is undefined or empty', async () => {
  await using system = await openSystem();
  const { store } = system;

  expect(await store.findCustomer(3)).toBeUndefined();
  expect(await store.findEngine(6)).toBeUndefined();
  expect(await store.findCrawler(17)).toBeUndefined();
  expect([
    await store.listApiKeys(3),
    await store.listEngines(3),
    (await store.listAudit({ limit: 5 })).entries,
  ]).toEqual([[], [], []]);
});

test('lists ascend by id', async () => {
  await using system = await openSystem();
  await change(system.store, customer(9), customer(2), engine(8, 2), engine(5, 9), crawler(30, 8), crawler(4, 5));
  const ids = (records: readonly { id: number }[]) => records.map(({ id }) => id);

  expect(ids(await system.store.listCustomers())).toEqual([2, 9]);
  expect(ids(await system.store.listEngines())).toEqual([5, 8]);
  expect(ids(await system.store.listCrawlers())).toEqual([4, 30]);
});

test('recordAction adds a row to the audit log, for what is done outside of this store', async () => {
  await using system = await openSystem();
  const told = { actor: 'person:1 anna@example.org', action: 'undo-removals', target: 'crawler:17', after: { run: 5 } };

  await system.store.recordAction({ at: AT, ...told });

  expect((await system.store.listAudit({ limit: 10 })).entries).toEqual([
    { id: 1, at: AT, ...told, before: undefined },
  ]);
});

test('listAuditOf lists the rows of one target and action, newest first', async () => {
  await using system = await openSystem();
  await change(system.store, customer(3), engine(6, 3), crawler(17, 6), crawler(18, 6));
  await system.store.recordAction({ at: AT, actor: 'operator', action: 'pause-runs', target: 'crawler:17' });
  await change(system.store, crawler(17, 6, { seeds: [] }));
  const of = { target: 'crawler:17', action: 'put-crawler' };

  const rows = await system.store.listAuditOf({ ...of, limit: 10 });

  expect(rows.map(({ after }) => after?.['config'])).toEqual([{ seeds: [] }, {}]);
  expect(await system.store.listAuditOf({ ...of, limit: 10, before: rows[0]?.id })).toEqual(rows.slice(1));
  expect(await system.store.listAuditOf({ ...of, limit: 1 })).toEqual(rows.slice(0, 1));
});

test('noteKeyUse keeps the latest day, without a trace', async () => {
  await using system = await openSystem();
  const { store } = system;
  await change(store, customer(3), key(3));
  const audited = (await store.listAudit({ limit: 10 })).entries;

  for (const day of [20_000, 20_002, 20_001]) await store.noteKeyUse(1, day);

  expect(await store.listApiKeys(3)).toMatchObject([{ lastUsedDay: 20_002 }]);
  expect((await store.listAudit({ limit: 10 })).entries).toEqual(audited);
});

test('adding the digest of an active key again changes its scopes', async () => {
  await using system = await openSystem();
  const { store } = system;
  await change(store, customer(3), { ...key(3), scopes: ['search', 'tools'] } as RecordChange);
  expect(await store.listApiKeys(3)).toMatchObject([{ scopes: ['search', 'tools'] }]);

  expect(await change(store, key(3))).toEqual([1]);

  expect((await store.findActiveKey(3, DIGEST, AT))?.scopes).toBeUndefined();
});

import { expect, test } from 'vitest';
import { ENGINE_DEFAULTS, PUBLIC_DEFAULTS } from '../../../src/accounts/engine-settings.ts';
import { createAccountSnapshot } from '../../../src/accounts/engine-snapshot.ts';
import { digestOf } from '../../../src/accounts/manage-keys.ts';
import type { RecordChange } from '../../../src/storage/system/accounts.ts';
import { openSystem } from '../../helpers/open-system.ts';

const KEY = 'key-3-example';
const addKey = (members: object = {}): RecordChange => ({
  kind: 'add-key',
  customerId: 3,
  name: 'cms',
  sha256: digestOf(KEY),
  last4: '',
  ...members,
});
const RECORDS: RecordChange[] = [
  { kind: 'put-customer', id: 3, name: 'Three' },
  { kind: 'put-customer', id: 4, name: 'Four' },
  {
    kind: 'put-engine',
    id: 6,
    customerId: 3,
    name: 'Main',
    language: 'en',
    settings: ENGINE_DEFAULTS,
    publicSettings: PUBLIC_DEFAULTS,
  },
  { kind: 'put-crawler', id: 17, engineId: 6, name: 'Site', config: {} },
];

async function openAccounts() {
  const system = await openSystem();
  const clock = { time: 1_000, now: () => clock.time };
  const accounts = createAccountSnapshot({ store: system.store, clock });
  const change = (...changes: RecordChange[]) => system.store.changeRecords('operator', changes, clock.time);
  await change(...RECORDS, addKey());
  const findKey = (customerId: number, key: string) => accounts.findActiveKey(customerId, digestOf(key), clock.time);
  return {
    store: system.store,
    accounts,
    findKey,
    clock,
    change,
    [Symbol.asyncDispose]: () => system[Symbol.asyncDispose](),
  };
}

test('a key opens its own customer only', async () => {
  await using opened = await openAccounts();
  const { findKey } = opened;

  expect(await findKey(3, KEY)).toMatchObject({ customerId: 3, name: 'cms' });
  expect(await findKey(4, KEY)).toBeUndefined();
  expect(await findKey(99, KEY)).toBeUndefined();
  expect(await findKey(3, `${KEY}x`)).toBeUndefined();
  expect(await findKey(3, '')).toBeUndefined();
});

test('each of several keys is valid until it expires', async () => {
  await using opened = await openAccounts();
  const { findKey, clock, change } = opened;
  await change(addKey({ name: 'shop', sha256: digestOf('second'), expiresAt: 5_000 }));

  expect(await findKey(3, 'second')).toMatchObject({ name: 'shop' });
  clock.time = 5_000;
  expect(await findKey(3, 'second')).toBeUndefined();
  expect(await findKey(3, KEY)).toBeDefined();
});

test('a revoked key is refused 200 ms later, and at once where the change was made', async () => {
  await using opened = await openAccounts();
  const { accounts, findKey, clock, change } = opened;
  expect(await findKey(3, KEY)).toBeDefined();

  await change({ kind: 'revoke-key', customerId: 3, id: 1 });
  clock.time += 199;
  expect(await findKey(3, KEY)).toBeDefined();
  accounts.drop();
  expect(await findKey(3, KEY)).toBeUndefined();

  await change(addKey({ sha256: digestOf('new') }));
  clock.time += 200;
  expect(await findKey(3, 'new')).toBeDefined();
});

test('the snapshot is kept while nothing is committed, and survives a clock that is set back', async () => {
  await using opened = await openAccounts();
  const { accounts, clock, change } = opened;
  const first = await accounts.findEngine(6);
  clock.time += 1_000;
  expect(await accounts.findEngine(6)).toBe(first);

  await change({ kind: 'put-customer', id: 5, name: 'Five' });
  clock.time = 0;

  expect(await accounts.findCustomer(5)).toMatchObject({ name: 'Five' });
});

test('the snapshot answers as the store does', async () => {
  await using opened = await openAccounts();
  const { accounts, store } = opened;
  for (const id of [3, 4, 6, 17, 99]) {
    expect(await accounts.findCustomer(id)).toEqual(await store.findCustomer(id));
    expect(await accounts.findEngine(id)).toEqual(await store.findEngine(id));
    expect(await accounts.findCrawler(id)).toEqual(await store.findCrawler(id));
    expect(await accounts.listEngines(id)).toEqual(await store.listEngines(id));
    expect(await accounts.listCrawlers({ engineId: id })).toEqual(await store.listCrawlers({ engineId: id }));
    expect(await accounts.listCrawlers({ customerId: id })).toEqual(await store.listCrawlers({ customerId: id }));
  }
  expect(await accounts.listEngines()).toEqual(await store.listEngines());
  expect(await accounts.listCrawlers()).toEqual(await store.listCrawlers());
});

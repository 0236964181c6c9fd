import { expect, test } from 'vitest';
import { digestOf } from '../../../src/accounts/api-keys.ts';
import { ENGINE_DEFAULTS } from '../../../src/accounts/engine-settings.ts';
import { createAccountSnapshots } from '../../../src/accounts/engine-snapshot.ts';
import { findCrawler } from '../../../src/accounts/find-crawler.ts';
import { findEngine } from '../../../src/accounts/find-engine.ts';
import { PUBLIC_DEFAULTS } from '../../../src/accounts/public-settings.ts';
import { verifyApiKey } from '../../../src/accounts/verify-api-key.ts';
import type { RecordChange } from '../../../src/storage/account-store.ts';
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
  const accounts = createAccountSnapshots({ store: system.store, clock });
  const change = (...changes: RecordChange[]) => system.store.changeRecords('operator', changes, clock.time);
  await change(...RECORDS, addKey());
  return { deps: { accounts, clock }, clock, change, [Symbol.asyncDispose]: () => system[Symbol.asyncDispose]() };
}

test('a key opens its own customer only', async () => {
  await using opened = await openAccounts();
  const { deps } = opened;

  expect(await verifyApiKey(deps, 3, KEY)).toMatchObject({ customerId: 3, name: 'cms' });
  expect(await verifyApiKey(deps, 4, KEY)).toBeUndefined();
  expect(await verifyApiKey(deps, 99, KEY)).toBeUndefined();
  expect(await verifyApiKey(deps, 3, `${KEY}x`)).toBeUndefined();
  expect(await verifyApiKey(deps, 3, '')).toBeUndefined();
});

test('each of several keys is valid until it expires', async () => {
  await using opened = await openAccounts();
  const { deps, clock, change } = opened;
  await change(addKey({ name: 'shop', sha256: digestOf('second'), expiresAt: 5_000 }));

  expect(await verifyApiKey(deps, 3, 'second')).toMatchObject({ name: 'shop' });
  clock.time = 5_000;
  expect(await verifyApiKey(deps, 3, 'second')).toBeUndefined();
  expect(await verifyApiKey(deps, 3, KEY)).toBeDefined();
});

test('a revoked key is refused 200 ms later, and at once where the change was made', async () => {
  await using opened = await openAccounts();
  const { deps, clock, change } = opened;
  expect(await verifyApiKey(deps, 3, KEY)).toBeDefined();

  await change({ kind: 'revoke-key', customerId: 3, id: 1 });
  clock.time += 199;
  expect(await verifyApiKey(deps, 3, KEY)).toBeDefined();
  deps.accounts.drop();
  expect(await verifyApiKey(deps, 3, KEY)).toBeUndefined();

  await change(addKey({ sha256: digestOf('new') }));
  clock.time += 200;
  expect(await verifyApiKey(deps, 3, 'new')).toBeDefined();
});

test('the snapshot is kept while nothing is committed, and survives a clock that is set back', async () => {
  await using opened = await openAccounts();
  const { deps, clock, change } = opened;
  const first = await deps.accounts.read();
  clock.time += 1_000;
  expect(await deps.accounts.read()).toBe(first);

  await change({ kind: 'put-customer', id: 5, name: 'Five' });
  clock.time = 0;

  expect(await deps.accounts.read()).not.toBe(first);
});

test('engines and crawlers are found through their customer only', async () => {
  await using opened = await openAccounts();
  const { deps } = opened;

  expect(await findEngine(deps, 3, 6)).toMatchObject({ engine: { id: 6 }, crawlers: [{ id: 17 }] });
  expect(await findEngine(deps, 4, 6)).toBeUndefined();
  expect(await findEngine(deps, 3, 7)).toBeUndefined();
  expect(await findCrawler(deps, 3, 17)).toMatchObject({ crawler: { id: 17 }, engine: { id: 6 } });
  expect(await findCrawler(deps, 4, 17)).toBeUndefined();
  expect(await findCrawler(deps, 3, 18)).toBeUndefined();
});

import { expect, test } from 'vitest';
import { openSystem } from '../helpers/open-system.ts';
import { storeAdapter } from '../helpers/store-adapter.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const rename = (name: string) => [{ kind: 'put-customer', id: 3, name } as const];

test('a write is there for whoever opens the store after it resolved', async () => {
  await using folder = await temporaryFolder();
  {
    await using system = await openSystem(folder.path);
    await system.store.changeRecords('operator', rename('Kept'), 1);
  }
  await using again = await openSystem(folder.path);

  expect(await again.store.findCustomer(3)).toMatchObject({ name: 'Kept' });
});

test('concurrent writes all take effect, each once', async () => {
  await using system = await openSystem();
  const names = Array.from({ length: 40 }, (_, index) => `Customer ${index}`);

  const ids = await Promise.all(
    names.map((name) => system.store.changeRecords('operator', [{ kind: 'put-customer', name }], 1)),
  );

  expect(new Set(ids.flat()).size).toBe(40);
  expect((await system.store.listCustomers()).map(({ name }) => name).sort()).toEqual(names.sort());
});

test('changeToken differs after a commit of this process', async () => {
  await using system = await openSystem();
  const before = system.store.changeToken();

  await system.store.changeRecords('operator', rename('One'), 1);

  expect(system.store.changeToken()).not.toBe(before);
  expect(system.store.changeToken()).toBe(system.store.changeToken());
});

test('changeToken differs after a commit of another process', async () => {
  await using folder = await temporaryFolder();
  await using reader = await openSystem(folder.path);
  await using writer = await openSystem(folder.path);
  const before = reader.store.changeToken();

  await writer.store.changeRecords('operator', rename('One'), 1);

  await storeAdapter.untilSeen(() => expect(reader.store.changeToken()).not.toBe(before));
});

test('rememberOnce keeps the first value, also when many ask at once', async () => {
  await using folder = await temporaryFolder();
  await using one = await openSystem(folder.path);
  await using other = await openSystem(folder.path);
  let made = 0;

  const values = await Promise.all(
    [one, other, one, other].map(({ store }) => store.rememberOnce('secret', () => `value ${++made}`)),
  );

  expect(values[0]).toMatch(/^value [1-4]$/);
  expect(new Set(values).size).toBe(1);
  expect(await one.store.rememberOnce('secret', () => 'never')).toBe(values[0]);
});

test('a lease has one holder, who renews it at any time', async () => {
  await using system = await openSystem();
  const { store } = system;

  expect(await store.takeLease({ name: 'indexer', holder: 'a', at: 1_000 })).toBe(true);
  expect(await store.takeLease({ name: 'indexer', holder: 'b', at: 9e15 })).toBe(false);
  expect(await store.takeLease({ name: 'indexer', holder: 'a', at: 500 })).toBe(true);
  expect(await store.findLease('indexer')).toEqual({ holder: 'a', beats: 2, renewedAt: 500 });
});

test('a lease is taken over from the renewal that was seen last, and from no later one', async () => {
  await using system = await openSystem();
  const { store } = system;
  await store.takeLease({ name: 'indexer', holder: 'a', at: 0 });
  const seen = await store.findLease('indexer');
  await store.takeLease({ name: 'indexer', holder: 'a', at: 0 });
  const seenLast = await store.findLease('indexer');

  expect(await store.takeLease({ name: 'indexer', holder: 'b', at: 0, over: seen })).toBe(false);
  expect(await store.takeLease({ name: 'indexer', holder: 'b', at: 0, over: seenLast })).toBe(true);
  expect(await store.takeLease({ name: 'indexer', holder: 'c', at: 0, over: seenLast })).toBe(false);
  expect(await store.takeLease({ name: 'indexer', holder: 'a', at: 0 })).toBe(false);
});

test('only the holder gives a lease back', async () => {
  await using system = await openSystem();
  const { store } = system;
  await store.takeLease({ name: 'indexer', holder: 'a', at: 0 });

  await store.giveLease('indexer', 'b');
  expect(await store.findLease('indexer')).toMatchObject({ holder: 'a' });
  await store.giveLease('indexer', 'a');
  expect(await store.findLease('indexer')).toBeUndefined();
});

import { expect, test } from 'vitest';
import { openSystem } from '../helpers/open-system.ts';
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

  expect(reader.store.changeToken()).not.toBe(before);
});

test('rememberOnce keeps the first value, also when many ask at once', async () => {
  await using folder = await temporaryFolder();
  await using one = await openSystem(folder.path);
  await using other = await openSystem(folder.path);
  let made = 0;

  const values = await Promise.all(
    [one, other, one, other].map(({ store }) => store.rememberOnce('secret', () => `value ${++made}`)),
  );

  expect(new Set(values).size).toBe(1);
  expect(await one.store.rememberOnce('secret', () => 'never')).toBe(values[0]);
});

test('a lease has one holder until its time has passed', async () => {
  await using system = await openSystem();
  const { store } = system;

  expect(await store.takeLease('indexer', 'a', 0, 10)).toBe(true);
  expect(await store.takeLease('indexer', 'b', 5, 15)).toBe(false);
  expect(await store.takeLease('indexer', 'a', 5, 20)).toBe(true);
  expect(await store.leaseHolder('indexer', 19)).toBe('a');
  expect(await store.takeLease('indexer', 'b', 20, 30)).toBe(true);
});

test('only the holder gives a lease back', async () => {
  await using system = await openSystem();
  const { store } = system;
  await store.takeLease('indexer', 'a', 0, 10);

  await store.giveLease('indexer', 'b');
  expect(await store.leaseHolder('indexer', 5)).toBe('a');
  await store.giveLease('indexer', 'a');
  expect(await store.leaseHolder('indexer', 5)).toBeUndefined();
});

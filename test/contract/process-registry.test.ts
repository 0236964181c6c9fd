import { expect, test } from 'vitest';
import { isFirstOfRole } from '../../src/storage/process-registry.ts';
import { storeAdapter } from '../helpers/store-adapter.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

/** Two openings of the registry of one installation, as two processes of one machine have them. */
async function openTwice() {
  await using stack = new AsyncDisposableStack();
  const { path } = stack.use(await temporaryFolder());
  stack.defer(() => storeAdapter.remove(path));
  const first = stack.use(await storeAdapter.openProcesses(path));
  const second = stack.use(await storeAdapter.openProcesses(path));
  const owned = stack.move();
  return { first, second, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

test('promises 1 and 5: a process lives for all others until it leaves, and who never entered does not', async () => {
  await using registries = await openTwice();
  const { first, second } = registries;

  const crawl = await first.enter({ name: 'crawl-1' });
  const { holder } = crawl;
  const whileIn = [await first.isAlive(holder), await second.isAlive(holder), crawl.isTrusted()];
  await crawl[Symbol.asyncDispose]();

  expect(whileIn).toEqual([true, true, true]);
  expect([await first.isAlive(holder), await second.isAlive(holder)]).toEqual([false, false]);
  expect(await second.isAlive(holder.replace('crawl-1', 'crawl-2'))).toBe(false);
});

test('promise 3: a name belongs to one process, which gives it to the next', async () => {
  await using registries = await openTwice();
  const { first, second } = registries;
  const held = await first.enter({ name: 'upkeep' });

  const next = second.enter({ name: 'upkeep' });
  expect(await Promise.race([next, 'waits'])).toBe('waits');
  await held[Symbol.asyncDispose]();

  await using taken = await next;
  expect(taken.holder).toBe(held.holder);
  expect(await first.isAlive(taken.holder)).toBe(true);
});

test('the first by name of the living of a role speaks for all', async () => {
  await using registries = await openTwice();
  const { first, second } = registries;
  await using api2 = await first.enter({ name: 'api-2' });
  await using _crawl = await first.enter({ name: 'a-crawl' });
  const api1 = await second.enter({ name: 'api-1' });
  const speakers = () => Promise.all([api1, api2].map(({ holder }) => isFirstOfRole(first, 'api', holder)));

  const withBoth = await speakers();
  expect((await first.living()).map(({ name }) => name)).toEqual(['a-crawl', 'api-1', 'api-2']);
  await api1[Symbol.asyncDispose]();

  expect(withBoth).toEqual([true, false]);
  expect(await speakers()).toEqual([false, true]);
});

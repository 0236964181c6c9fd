import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { openSystemStore } from '../../../src/storage/sqlite/open-system-store.ts';
import { startWriteThread } from '../../../src/storage/sqlite/write-thread.ts';
import { openSystem } from '../../helpers/open-system.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

const MAX_WAITING = 2_000;

/** The threads that this process starts, in order. */
function watchThreads(): Disposable & { readonly started: readonly Worker[] } {
  const started: Worker[] = [];
  const note = (message: unknown) => void started.push((message as { worker: Worker }).worker);
  subscribe('worker_threads', note);
  return { started, [Symbol.dispose]: () => void unsubscribe('worker_threads', note) };
}

test('what waits for a thread that ends is told, and the next call starts another', async () => {
  using threads = watchThreads();
  await using folder = await temporaryFolder();
  await using thread = startWriteThread(folder.path);

  const waiting = thread.open({ kind: 'system' });
  const told = expect(waiting).rejects.toMatchObject({ code: 'internal', message: 'The write thread has ended' });
  await threads.started[0]?.terminate();
  await told;

  expect(await thread.system('rememberOnce', { name: 'name', value: 'kept' })).toBe('kept');
  expect(threads.started).toHaveLength(2);
});

test('more writes than may wait are refused and told when to come back, and those that wait are done', async () => {
  await using system = await openSystem();
  const { store } = system;

  const writes = Array.from({ length: MAX_WAITING }, () => store.takeLease({ name: 'indexer', holder: 'a', at: 0 }));
  const refused = store.takeLease({ name: 'indexer', holder: 'a', at: 0 });

  await expect(refused).rejects.toMatchObject({ code: 'rate.exceeded', options: { retryAfterSeconds: 1 } });
  expect(new Set(await Promise.all(writes))).toEqual(new Set([true]));
  expect(await store.takeLease({ name: 'indexer', holder: 'a', at: 0 })).toBe(true);
});

test('ending the thread commits the writes that wait', async () => {
  await using folder = await temporaryFolder();
  const thread = startWriteThread(folder.path);
  await thread.open({ kind: 'system' });
  const writes = Array.from({ length: MAX_WAITING }, (_, index) => {
    return thread.system('rememberOnce', { name: `name ${index}`, value: 'kept' });
  });

  await thread[Symbol.asyncDispose]();

  expect(new Set(await Promise.all(writes))).toEqual(new Set(['kept']));
  await using again = await openSystem(folder.path);
  expect(await again.store.rememberOnce('name 1999', () => 'other')).toBe('kept');
});

test('a write after the end of the thread fails and starts no other', async () => {
  await using folder = await temporaryFolder();
  const thread = startWriteThread(folder.path);
  await using store = await openSystemStore({ dataDir: folder.path, writeThread: thread });
  await thread[Symbol.asyncDispose]();
  using threads = watchThreads();

  await expect(store.takeLease({ name: 'indexer', holder: 'a', at: 0 })).rejects.toMatchObject({ code: 'internal' });

  expect(threads.started).toEqual([]);
});

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { holdProcessLock, isProcessAlive, livingProcesses } from '../../src/storage/sqlite/process-locks.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const CHILD = fileURLToPath(new URL('../helpers/lock-child.ts', import.meta.url));

/** Another process that holds the lock of an instance. */
async function startHolder(dataDir: string, instance: string) {
  const child = fork(CHILD, [dataDir, instance]);
  await once(child, 'message');
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  };
  return { end, pause: () => child.kill('SIGSTOP'), [Symbol.asyncDispose]: () => end('SIGKILL') };
}

test('a process is alive until it has ended, also when it is killed or stands still', async () => {
  await using folder = await temporaryFolder();
  await using holder = await startHolder(folder.path, 'crawl-1.7');

  const whileItRuns = isProcessAlive(folder.path, 'crawl-1.7');
  holder.pause();
  const whileItStands = isProcessAlive(folder.path, 'crawl-1.7');
  await holder.end('SIGKILL');

  expect([whileItRuns, whileItStands, isProcessAlive(folder.path, 'crawl-1.7')]).toEqual([true, true, false]);
  expect(isProcessAlive(folder.path, 'never-there')).toBe(false);
});

test('a process has its name alone, and a killed one gives it to the next', async () => {
  await using folder = await temporaryFolder();
  await using holder = await startHolder(folder.path, 'upkeep.7');

  const next = holdProcessLock(folder.path, 'upkeep.7');
  expect(await Promise.race([next, 'waits'])).toBe('waits');
  await holder.end('SIGKILL');

  using _lock = await next;
  expect(isProcessAlive(folder.path, 'upkeep.7')).toBe(true);
});

test('who asks for the living does not disturb them, and what dead ones left is removed', async () => {
  await using folder = await temporaryFolder();
  await using dead = await startHolder(folder.path, 'api.1');
  await dead.end('SIGKILL');
  await using _living = await startHolder(folder.path, 'crawl.host/a.1');
  const asked = Array.from({ length: 100 }, () => isProcessAlive(folder.path, 'own.1'));

  using _own = await holdProcessLock(folder.path, 'own.1');

  expect(new Set(asked)).toEqual(new Set([false]));
  expect(livingProcesses(folder.path)).toEqual(['crawl.host/a.1', 'own.1']);
  expect((await readdir(join(folder.path, 'locks'))).sort()).toEqual(['crawl.host%2Fa.1', 'own.1']);
});

test('a lock that was given back leaves nothing', async () => {
  await using folder = await temporaryFolder();

  (await holdProcessLock(folder.path, 'own.1'))[Symbol.dispose]();

  expect(isProcessAlive(folder.path, 'own.1')).toBe(false);
  expect(await readdir(join(folder.path, 'locks'))).toEqual([]);
});

import { expect, test } from 'vitest';
import { createReadiness } from '../../../src/compose/readiness.ts';
import { openInstallation } from '../../helpers/backups.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

async function openStart() {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  const { system } = stack.use(await openInstallation(folder.path));
  const machine = { atMs: 5_000, isIndexerAlive: true };
  const readiness = createReadiness({
    draining: { isBegun: () => false },
    systemStore: system,
    isProcessAlive: () => machine.isIndexerAlive,
    searchIndex: { repairOf: async () => undefined },
    monotonicMs: () => machine.atMs,
  });
  const owned = stack.move();
  return { system, machine, readiness, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

const takeIndexer = (system: Awaited<ReturnType<typeof openStart>>['system']) =>
  system.takeLease({ name: 'indexer', holder: 'upkeep.1', at: 0 });

test('a start is ready with the first indexer, and stays so when that dies', async () => {
  await using start = await openStart();
  const before = await start.readiness();
  await takeIndexer(start.system);
  const withIndexer = await start.readiness();
  start.machine.isIndexerAlive = false;

  const after = await start.readiness();

  expect(before).toMatchObject({ ready: false, checks: { started: false } });
  expect([withIndexer.ready, after.ready]).toEqual([true, true]);
});

test('the lease of an indexer that has died makes no start ready; after ten seconds it is, without one', async () => {
  await using start = await openStart();
  await takeIndexer(start.system);
  start.machine.isIndexerAlive = false;
  const readyAt: boolean[] = [];

  for (const passedMs of [0, 9_999, 10_000]) {
    start.machine.atMs = 5_000 + passedMs;
    readyAt.push((await start.readiness()).ready);
  }

  expect(readyAt).toEqual([false, false, true]);
});

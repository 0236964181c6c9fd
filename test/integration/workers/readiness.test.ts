import { expect, test } from 'vitest';
import { createReadiness } from '../../../src/compose/readiness.ts';
import { AppError } from '../../../src/core/errors.ts';
import type { Engine } from '../../../src/core/records.ts';
import { openInstallation } from '../../helpers/backups.ts';
import { temporaryFolder } from '../../helpers/temporary-folder.ts';

async function openStart() {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  const { system } = stack.use(await openInstallation(folder.path));
  const machine = { atMs: 5_000, isIndexerAlive: true, beingMade: new Set<number>(), unusable: new Set<number>() };
  const repairOf = async (engineId: number) => {
    if (machine.unusable.has(engineId)) throw new AppError('storage.damaged', 'The store is damaged');
    return machine.beingMade.has(engineId) ? 'missing' : undefined;
  };
  const readiness = createReadiness({
    draining: { isBegun: () => false },
    systemStore: {
      findLease: system.findLease,
      listEngines: async () => [6, 7, 8].map((id) => ({ id }) as Engine),
    },
    isProcessAlive: async () => machine.isIndexerAlive,
    indexerLease: 'indexer',
    searchIndex: { repairOf },
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

test.each<[what: string, beingMade: number[], unusable: number[], isReady: boolean]>([
  ['the index of one engine is being made', [6], [], true],
  ['one is being made and one store is damaged', [6], [7], true],
  ['all are being made', [6, 7, 8], [], false],
  ['none can be searched and one is being made', [8], [6, 7], false],
  ['all stores are damaged', [], [6, 7, 8], true],
])('a product that has started and where %s', async (_what, beingMade, unusable, isReady) => {
  await using start = await openStart();
  await takeIndexer(start.system);
  await start.readiness();

  Object.assign(start.machine, { beingMade: new Set(beingMade), unusable: new Set(unusable) });

  expect(await start.readiness()).toMatchObject({ ready: isReady, checks: { indexes: isReady, started: true } });
});

test('a start waits for indexes that are being made, for ten seconds', async () => {
  await using start = await openStart();
  await takeIndexer(start.system);
  start.machine.beingMade = new Set([7]);

  const before = await start.readiness();
  start.machine.beingMade = new Set();
  const made = await start.readiness();

  expect(before).toMatchObject({ ready: false, checks: { indexes: true, started: false } });
  expect(made.ready).toBe(true);
  await using slow = await openStart();
  await takeIndexer(slow.system);
  slow.machine.beingMade = new Set([7]);
  slow.machine.atMs += 10_000;
  expect((await slow.readiness()).ready).toBe(true);
});

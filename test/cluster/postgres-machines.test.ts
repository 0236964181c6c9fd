import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Client } from 'pg';
import { describe, expect, inject, test } from 'vitest';
import type { NewDocument } from '../../src/core/document.ts';
import { openPostgresStores, type PostgresStores } from '../../src/storage/postgres/open-postgres-stores.ts';
import { lockedProcesses } from '../../src/storage/sqlite/locked-processes.ts';
import { TEMPLATE } from '../helpers/postgres-for-tests.ts';
import { silentLog } from '../helpers/silent-log.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const ENGINE = 6;
const CRAWLER = 17;

type MachineOptions = { readonly id?: string; readonly host?: string; readonly monotonicMs?: () => number };

/** Machines on one database, each with a folder of its own. */
async function openMachines() {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await temporaryFolder());
  const name = `machines_${randomBytes(8).toString('hex')}`;
  await query('postgres', `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`);
  stack.defer(async () => void (await query('postgres', `DROP DATABASE ${name} WITH (FORCE)`)));
  const owned = stack.move();
  return {
    ask: (text: string) => query(name, text),
    open: async (folderName: string, options: MachineOptions = {}): Promise<PostgresStores> => {
      const { id = folderName, host = folderName, ...more } = options;
      const dataDir = join(folder.path, folderName);
      const locks = lockedProcesses(dataDir);
      const opened = { url: urlOf(name), connections: 6, dataDir, machine: { id, host }, locks, log: silentLog };
      return owned.use(await openPostgresStores({ ...opened, ...more }));
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function urlOf(database: string): string {
  const url = new URL(inject('postgresUrl'));
  url.pathname = database;
  return url.href;
}

async function query(database: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString: urlOf(database) });
  await client.connect();
  try {
    return [await client.query(text)].flat().at(-1)?.rows ?? [];
  } finally {
    await client.end();
  }
}

const seenAgo = (seconds: number, holder: string) =>
  `UPDATE fossick.processes SET seen_at = clock_timestamp() - interval '${seconds} seconds' WHERE holder = '${holder}'`;

test('processes of the same name on two machines are two holders, and each machine sees those of the other', async () => {
  await using machines = await openMachines();
  const [a, b] = [await machines.open('a'), await machines.open('b')];
  await using onA = await a.processes.enter({ name: 'crawl-1', misses: () => ['redis'] });
  await using onB = await b.processes.enter({ name: 'crawl-1', hasOwnRedis: true });

  expect([onA.holder, onB.holder]).toEqual(['crawl-1@a', 'crawl-1@b']);
  expect(await a.processes.living()).toEqual([
    { holder: 'crawl-1@a', name: 'crawl-1', machine: { id: 'a', host: 'a' }, hasOwnRedis: false, misses: ['redis'] },
    { holder: 'crawl-1@b', name: 'crawl-1', machine: { id: 'b', host: 'b' }, hasOwnRedis: true, misses: [] },
  ]);
  expect(await Promise.all([a, b].map(({ processes }) => processes.isAlive('crawl-1@b')))).toEqual([true, true]);
});

test.each([
  [14, true],
  [16, false],
])(
  'a process of another machine that was silent for %i s by the clock of the server: alive is %s',
  async (seconds, alive) => {
    await using machines = await openMachines();
    const [a, b] = [await machines.open('a'), await machines.open('b')];
    await using entered = await a.processes.enter({ name: 'upkeep' });
    await machines.ask(seenAgo(seconds, entered.holder));

    expect(await b.processes.isAlive(entered.holder)).toBe(alive);
    expect((await b.processes.living()).length).toBe(alive ? 1 : 0);
  },
);

test('promise 2: of a process that was killed its own machine knows at once', async () => {
  await using machines = await openMachines();
  const [a, b] = [await machines.open('a'), await machines.open('b')];
  // The row of one that could not say goodbye.
  await machines.ask(`INSERT INTO fossick.processes (holder, name, machine, host, life, misses)
    VALUES ('crawl-1@a', 'crawl-1', 'a', 'a', 'l', '')`);

  expect(await a.processes.isAlive('crawl-1@a')).toBe(false);
  expect(await a.processes.living()).toEqual([]);
  expect(await b.processes.isAlive('crawl-1@a')).toBe(true);
  await using again = await a.processes.enter({ name: 'crawl-1' });
  expect(await a.processes.isAlive(again.holder)).toBe(true);
});

test('promise 6: a process that cannot show that it lives is not trusted before others take it for dead', async () => {
  await using machines = await openMachines();
  let nowMs = 0;
  const a = await machines.open('a', { monotonicMs: () => nowMs });
  await using entered = await a.processes.enter({ name: 'upkeep' });
  await machines.ask("DELETE FROM fossick.processes WHERE holder = 'upkeep@a'");

  nowMs = 9_999;
  const before = entered.isTrusted();
  nowMs = 10_000;

  expect([before, entered.isTrusted()]).toEqual([true, false]);
});

test('a copy of a data folder on another host is refused while the first one lives', { timeout: 60_000 }, async () => {
  await using machines = await openMachines();
  const [a, copy] = [await machines.open('a'), await machines.open('copy', { id: 'a', host: 'other' })];
  await using _entered = await a.processes.enter({ name: 'upkeep' });

  await expect(copy.processes.enter({ name: 'upkeep' })).rejects.toThrow(
    'another machine runs upkeep@a on this database: DATA_DIR is a copy of its folder',
  );
});

const document = (id: string): NewDocument => ({
  id,
  kind: 'PageContent',
  origin: 'pushed',
  language: 'en',
  fields: new Map([['Title', [id]]]),
});

describe('indexes of machines', () => {
  /** Machines that both write an index of the engine, and a document that was deleted. */
  async function openIndexed() {
    const machines = await openMachines();
    const [a, b] = [await machines.open('a'), await machines.open('b')];
    const [onA, onB] = [await a.engineStores.of(ENGINE), await b.engineStores.of(ENGINE)];
    for (const { processes } of [a, b]) await processes.enter({ name: 'upkeep', writesIndex: true });
    await onA.startProjection();
    await onB.startProjection();
    await onA.putDocuments(CRAWLER, [document('gone')], 1);
    await onA.deleteDocuments(CRAWLER, ['gone'], 2);
    const lastSeq = await onA.lastSeq();
    const rows = async () =>
      Number((await machines.ask(`SELECT count(*) AS n FROM fossick_engine_${ENGINE}.documents`))[0]?.['n']);
    return { ...machines, a, b, onA, onB, lastSeq, rows };
  }

  test('each has generations of its own', async () => {
    await using opened = await openIndexed();
    const { onA, onB } = opened;
    const published: string[] = [];
    const publish = (what: string) => async () => void published.push(what);

    expect(await onA.claimGeneration(0, 1, publish('a1'))).toBe(true);
    expect(await onB.claimGeneration(0, 1, publish('b1'))).toBe(true);
    expect(await onA.claimGeneration(0, 1, publish('a1 again'))).toBe(false);

    expect(published).toEqual(['a1', 'b1']);
    expect([await onA.indexGeneration(), await onB.indexGeneration()]).toEqual([1, 1]);
  });

  test('rows of deleted documents stay until every index has passed them', async () => {
    await using opened = await openIndexed();
    const { onA, onB, lastSeq, rows } = opened;

    expect(await onA.purgeDeleted(lastSeq, 10)).toBe(0);
    const afterOne = await rows();

    expect(await onB.purgeDeleted(lastSeq, 10)).toBe(1);
    expect([afterOne, await rows()]).toEqual([1, 0]);
  });

  test('one that was away for a day holds up no purge, and learns that it is not the latest', async () => {
    await using opened = await openIndexed();
    const { onA, onB, lastSeq, rows, ask } = opened;
    await onB.claimGeneration(0, 1, async () => undefined);
    await ask(seenAgo(25 * 3_600, 'upkeep@b'));

    expect(await onA.purgeDeleted(lastSeq, 10)).toBe(1);

    expect(await rows()).toBe(0);
    expect(await onB.indexGeneration()).toBeGreaterThan(1);
    expect(await onB.claimGeneration(1, 2, async () => undefined)).toBe(false);
  });

  test('what is asked of the index is asked of each, and ended by each', async () => {
    await using opened = await openIndexed();
    const { onA, onB } = opened;
    await onA.askIndexWork('rebuild');

    const asked = [await onA.indexWork(), await onB.indexWork()];
    await onA.endIndexWork('rebuild');

    expect(asked).toEqual(['rebuild', 'rebuild']);
    expect([await onA.indexWork(), await onB.indexWork()]).toEqual([undefined, 'rebuild']);
  });
});

test.each([-300_000, 300_000])('a machine whose clock is %i ms away reckons by that of the server', async (aheadMs) => {
  await using machines = await openMachines();
  const wrongNow = Date.now() + aheadMs;
  const stores = await machines.open('a', { monotonicMs: () => wrongNow });

  const [answer] = await machines.ask('SELECT extract(epoch FROM clock_timestamp()) * 1000 AS at');

  expect(Math.abs(stores.clock.now() - Number(answer?.['at']))).toBeLessThan(30_000);
});

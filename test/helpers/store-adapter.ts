import { randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { inject } from 'vitest';
import type { EngineStores } from '../../src/storage/engine-store.ts';
import { openPostgresStores, type PostgresStores } from '../../src/storage/postgres/open-postgres-stores.ts';
import type { ProcessRegistry } from '../../src/storage/process-registry.ts';
import { openEngineStores } from '../../src/storage/sqlite/engine-stores.ts';
import { lockedProcesses } from '../../src/storage/sqlite/locked-processes.ts';
import { openSystemStore } from '../../src/storage/sqlite/open-system-store.ts';
import { type StoreTarget, storePath } from '../../src/storage/sqlite/write-messages.ts';
import { startWriteThread } from '../../src/storage/sqlite/write-thread.ts';
import type { SystemStore } from '../../src/storage/system-store.ts';
import { eventually } from './eventually.ts';
import { TEMPLATE } from './postgres-for-tests.ts';
import { sharedWriteThread } from './shared-write-thread.ts';
import { silentLog } from './silent-log.ts';

type Row = Readonly<Record<string, unknown>>;

/** What runs the operations of the stores of a data folder. Every call opens them as another process would. */
type StoreAdapter = {
  openSystem(dataDir: string): Promise<SystemStore>;
  openEngines(dataDir: string): Promise<EngineStores>;
  openProcesses(dataDir: string): Promise<ProcessRegistry & AsyncDisposable>;
  /** Statements of the test's own, which both databases understand; the rows of the last. */
  query(dataDir: string, target: StoreTarget, text: string): Promise<readonly Row[]>;
  /** Until what another process has committed is seen here, in the time that the adapter has for it. */
  untilSeen(look: () => void): Promise<void>;
  /** Deletes what lies outside of the folder. */
  remove(dataDir: string): Promise<void>;
};

const sqlite: StoreAdapter = {
  openSystem: async (dataDir) => {
    const writeThread = sharedWriteThread(dataDir);
    return owning(await openSystemStore({ dataDir, writeThread }), writeThread);
  },
  openEngines: async (dataDir) => {
    // A thread of its own writes beside others, as in another process.
    const writeThread = openFolders.has(dataDir) ? startWriteThread(dataDir) : sharedWriteThread(dataDir);
    openFolders.add(dataDir);
    return owning(openEngineStores({ dataDir, writeThread }), writeThread);
  },
  openProcesses: async (dataDir) => ({ ...lockedProcesses(dataDir), [Symbol.asyncDispose]: async () => undefined }),
  query: async (dataDir, target, text) => {
    using db = new DatabaseSync(storePath(dataDir, target));
    const isRead = /^\s*SELECT\b/i.test(text);
    if (isRead) return db.prepare(text).all();
    db.exec(text);
    return [];
  },
  untilSeen: async (look) => look(),
  remove: async (dataDir) => void openFolders.delete(dataDir),
};
const openFolders = new Set<string>();

const postgresql: StoreAdapter = {
  openSystem: async (dataDir) => {
    const opened = await openDatabase(dataDir);
    return owning(opened.systemStore, opened);
  },
  openEngines: async (dataDir) => {
    const opened = await openDatabase(dataDir);
    return owning(opened.engineStores, opened);
  },
  openProcesses: async (dataDir) => {
    const opened = await openDatabase(dataDir);
    return { ...opened.processes, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() };
  },
  query: async (dataDir, target, text) => {
    const schema = target.kind === 'system' ? 'fossick_system' : `fossick_engine_${target.engineId}`;
    return await ask(await databaseOf(dataDir), `SET search_path TO ${schema}; ${text}`);
  },
  untilSeen: async (look) => {
    await eventually(() => {
      look();
      return true;
    });
  },
  remove: async (dataDir) => {
    const name = databases.get(dataDir);
    databases.delete(dataDir);
    if (name !== undefined) await ask('postgres', `DROP DATABASE ${await name} WITH (FORCE)`);
  },
};

/** By data folder. */
const databases = new Map<string, Promise<string>>();

export const STORE_ADAPTERS = { sqlite, postgresql };

/** That of the project whose test this is (vitest.config.ts). */
export const adapterName = process.env['TEST_STORES'] === 'postgresql' ? 'postgresql' : 'sqlite';
export const storeAdapter: StoreAdapter = STORE_ADAPTERS[adapterName];

async function openDatabase(dataDir: string): Promise<PostgresStores> {
  const url = urlOf(await databaseOf(dataDir));
  const locks = lockedProcesses(dataDir);
  return await openPostgresStores({ url, connections: 6, dataDir, locks, log: silentLog });
}

function databaseOf(dataDir: string): Promise<string> {
  const known = databases.get(dataDir) ?? createDatabase();
  databases.set(dataDir, known);
  return known;
}

async function createDatabase(): Promise<string> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await ask('postgres', `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`);
  return name;
}

function urlOf(database: string): string {
  const url = new URL(inject('postgresUrl'));
  url.pathname = database;
  return url.href;
}

async function ask(database: string, text: string): Promise<readonly Row[]> {
  const { Client } = await import('pg');
  const client = new Client({ connectionString: urlOf(database) });
  await client.connect();
  try {
    return [await client.query(text)].flat().at(-1)?.rows ?? [];
  } finally {
    await client.end();
  }
}

/** The store, closed together with what it was opened on. */
function owning<Store extends AsyncDisposable>(store: Store, owner: AsyncDisposable): Store {
  return {
    ...store,
    [Symbol.asyncDispose]: async () => {
      await store[Symbol.asyncDispose]();
      await owner[Symbol.asyncDispose]();
    },
  };
}

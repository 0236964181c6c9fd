import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../core/clock.ts';
import type { Log } from '../../observability/logger.ts';
import { type EngineStore, type EngineStores, isStoreFault } from '../engine-store.ts';
import { type Machine, type ProcessRegistry, soleMachine } from '../process-registry.ts';
import { bindEngineStore } from '../sql/bind-engine-store.ts';
import { bindStore, type StoreRunner } from '../sql/bind-store.ts';
import { readMeta } from '../sql/meta.ts';
import type { Operation } from '../sql/operation.ts';
import { engineWrites, SYSTEM_STORES, systemWrites } from '../sql/stores.ts';
import { listHolds, type StoredHold } from '../system/host-holds.ts';
import type { SystemStore } from '../system-store.ts';
import { type Connections, openConnections } from './connections.ts';
import { ENGINE_SCHEMA } from './engine-schema.ts';
import { type ProcessLocks, processRows } from './process-rows.ts';
import { projectionsOf } from './projections.ts';
import { dropSchema, engineSchema, openOwnSchema, openSchema, requireServer, SYSTEM_STORE } from './schemas.ts';
import { openServerClock } from './server-clock.ts';
import { serverFault } from './server-fault.ts';
import { type StoreChanges, watchStoreChanges } from './store-changes.ts';
import { SYSTEM_SCHEMA } from './system-schema.ts';
import { readStore } from './transactions.ts';
import { createWriteQueue, type WriteBound } from './write-queue.ts';

export type PostgresOptions = {
  /** `postgres://user:password@host/database`, TLS by its parameters. */
  readonly url: string;
  /** Of this process, at most, beside one that looks for changes; a third of them write. */
  readonly connections: number;
  /** Where the indexes of engines lie. */
  readonly dataDir: string;
  /** Whose folder that is; to be named by who enters as a process, or has an index. */
  readonly machine?: Machine;
  readonly locks?: ProcessLocks;
  /** Name of the index that this process reads or writes; by default that of the machine. */
  readonly projection?: string;
  readonly log: Log;
  /** Milliseconds that only grow. */
  readonly monotonicMs?: () => number;
  readonly onWritten?: (seconds: number) => void;
};

export type PostgresStores = AsyncDisposable & {
  readonly systemStore: SystemStore;
  readonly engineStores: EngineStores;
  readonly processes: ProcessRegistry;
  /** That of the server. */
  readonly clock: Clock;
  /** `15.13` */
  readonly serverVersion: string;
  /** Writes that are asked for and not answered. */
  readonly waiting: () => number;
  /** Why the server takes no reads, or no writes, in words. */
  readonly fault: () => Promise<string | undefined>;
};

type Shared = {
  /** Reads never wait for a connection on which a write waits for its turn. */
  readonly reads: Connections;
  readonly writes: Connections;
  readonly changes: StoreChanges;
  readonly bound: WriteBound;
  readonly dataDir: string;
  readonly projection: string;
  readonly log: Log;
};

/**
 * The stores of an installation in one database, each in a schema of its own; made when they are not there.
 *
 * @throws AppError `storage.unavailable` when the server cannot be reached or refuses, `storage.version-mismatch` when it
 *   is too old, or the stores are a newer program's
 */
export async function openPostgresStores(options: PostgresOptions): Promise<PostgresStores> {
  const { url, connections, dataDir, log, machine = soleMachine('localhost'), onWritten = () => undefined } = options;
  const { locks, projection = machine.id, monotonicMs = () => performance.now() } = options;
  await using stack = new AsyncDisposableStack();
  const writing = Math.max(1, Math.floor(connections / 3));
  const reads = stack.use(await openConnections({ url, log, max: Math.max(1, connections - writing) }));
  const writes = stack.use(await openConnections({ url, log, max: writing }));
  const serverVersion = await requireServer(reads);
  await openOwnSchema(writes);
  const clock = stack.use(await openServerClock(reads, { log, monotonicMs }));
  const own = stack.use(await openConnections({ url, log, max: 1 }));
  const changes = stack.use(watchStoreChanges({ own, others: [reads, writes], log }));
  const bound: WriteBound = { waiting: 0, refused: undefined, onWritten };
  const shared = { reads, writes, changes, bound, dataDir, projection, log };
  const systemStore = stack.use(await openSystem(shared));
  const engineStores = stack.use(openEngines(shared));
  const owned = stack.move();
  return {
    systemStore,
    engineStores,
    processes: processRows({ connections: reads, machine, locks, projection, log, monotonicMs }),
    clock,
    serverVersion,
    waiting: () => bound.waiting,
    fault: () => serverFault(reads, bound),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function readsOf({ reads, changes }: Shared, schema: string): StoreRunner['read'] {
  return (operation) => reads.use((session) => readStore(session, { schema, ride: changes.ride() }, operation));
}

/** What is made of operations; the rest needs what this process knows of changes. */
type BoundSystem = Omit<SystemStore, 'changeToken' | 'listHolds' | 'rememberOnce' | typeof Symbol.asyncDispose>;

async function openSystem(shared: Shared): Promise<SystemStore> {
  const { writes, changes, bound } = shared;
  await openSchema(writes, SYSTEM_STORE, SYSTEM_SCHEMA);
  const read = readsOf(shared, SYSTEM_STORE);
  let holds: readonly StoredHold[] = [];
  const readHolds = async () => {
    holds = await read(listHolds());
  };
  const watched = changes.watch(SYSTEM_STORE, readHolds);
  await readHolds();
  await changes.look();
  const queue = createWriteQueue({
    connections: writes,
    schema: SYSTEM_STORE,
    writes: systemWrites,
    onCommitted: watched.committed,
    bound,
  });
  const stored = bindStore<BoundSystem>(SYSTEM_STORES, { read, write: queue.write });
  /** Holds are listed at once, so that own changes of them have to be read before they are acknowledged. */
  const thenReadHolds = async <Result>(write: Promise<Result>): Promise<Result> => {
    const result = await write;
    await readHolds();
    return result;
  };
  return {
    ...stored,
    changeHolds: (change) => thenReadHolds(stored.changeHolds(change)),
    endHolds: (origin) => thenReadHolds(stored.endHolds(origin)),
    dropHolds: (before, limit) => thenReadHolds(stored.dropHolds(before, limit)),
    listHolds: () => holds,
    changeToken: watched.token,
    rememberOnce: async (name, make) =>
      (await read(readMeta(name))) ?? String(await queue.write('rememberOnce', [{ name, value: make() }])),
    [Symbol.asyncDispose]: async () => changes.forget(SYSTEM_STORE),
  };
}

function openEngines(shared: Shared): EngineStores {
  const { writes, changes, dataDir, log } = shared;
  const stores = new Map<number, Promise<EngineStore>>();
  /** Engines whose store cannot be used: it is told once. */
  const told = new Set<number>();
  const open = async (engineId: number): Promise<EngineStore> => {
    try {
      const store = await openEngine(shared, engineId);
      told.delete(engineId);
      return store;
    } catch (error) {
      if (isStoreFault(error) && !told.has(engineId)) {
        told.add(engineId);
        log.error({ err: error, engineId }, 'store of an engine cannot be used');
      }
      throw error;
    }
  };
  return {
    of: (engineId) => {
      const known = stores.get(engineId);
      if (known !== undefined) return known;
      const opening = open(engineId);
      stores.set(engineId, opening);
      opening.catch(() => stores.get(engineId) === opening && stores.delete(engineId));
      return opening;
    },
    remove: async (engineId) => {
      await stores.get(engineId)?.catch(() => undefined);
      stores.delete(engineId);
      changes.forget(engineSchema(engineId));
      await dropSchema(writes, engineSchema(engineId));
      await rm(join(dataDir, 'engines', String(engineId)), { recursive: true, force: true });
    },
    [Symbol.asyncDispose]: async () => stores.clear(),
  };
}

async function openEngine(shared: Shared, engineId: number): Promise<EngineStore> {
  const { writes, changes, bound, projection, log } = shared;
  const schema = engineSchema(engineId);
  await openSchema(writes, schema, ENGINE_SCHEMA);
  const watched = changes.watch(schema);
  const queue = createWriteQueue({
    connections: writes,
    schema,
    writes: engineWrites,
    onCommitted: watched.committed,
    bound,
  });
  const { pass, ...projections } = projectionsOf({
    connections: writes,
    schema,
    projection,
    onCommitted: watched.committed,
  });
  const purgeDeleted: EngineStore['purgeDeleted'] = async (seq, limit) =>
    Number(await queue.write('purgeDeleted', [await pass(seq), limit]));
  const runner = {
    read: <Result>(operation: Operation<Result>) => readsOf(shared, schema)(operation),
    write: queue.write,
  };
  return bindEngineStore({ engineId, changeToken: watched.token, ...projections, purgeDeleted }, runner, log);
}

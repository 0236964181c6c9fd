import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { returnMemoryWhenIdle } from '../../observability/idle-memory.ts';
import type { Operation } from '../sql/operation.ts';
import { engineWrites, systemWrites } from '../sql/stores.ts';
import { CHECKED_INLINE_BYTES, requireWhole } from './check-store.ts';
import { commitGroup, type PendingWrite } from './group-commit.ts';
import { type MigratedStore, migrateWithCopy, type StoreKind } from './migrate-with-copy.ts';
import { openForWriting, runOperation, type SqliteDatabase } from './sqlite-database.ts';
import { type StoreFile, toSentError, type WriteReply, type WriteRequest } from './write-messages.ts';

/** Entry of the write thread: owns every write connection of the process. */

type OpenStore = {
  readonly db: SqliteDatabase;
  readonly migrated: MigratedStore | undefined;
  waiting: PendingWrite[];
};
type Write = (...parameters: readonly unknown[]) => Operation<unknown>;

const stores = new Map<string, OpenStore>();
let scheduled = false;

parentPort?.on('message', (request: WriteRequest) => {
  try {
    handle(request);
  } catch (error) {
    reply({ id: request.id, ok: false, error: toSentError(error) });
  }
});

returnMemoryWhenIdle();

function handle(request: WriteRequest): void {
  const { id, file } = request;
  if (request.type === 'open') {
    const { migrated } = storeOf(file);
    reply({ id, ok: true, result: migrated });
  } else if (request.type === 'close') {
    commitWaiting();
    stores.get(file.path)?.db.close();
    stores.delete(file.path);
    reply({ id, ok: true, result: undefined });
  } else {
    const write = writeOf(file, request.name);
    storeOf(file).waiting.push({
      work: (db) => runOperation(db, write(...request.parameters)),
      done: (result) => reply({ id, ok: true, result }),
      failed: (error) => reply({ id, ok: false, error: toSentError(error) }),
    });
    schedule();
  }
}

/** One turn of the loop lets every message that has already arrived join the group. */
function schedule(): void {
  if (scheduled) return;
  scheduled = true;
  setImmediate(commitWaiting);
}

function commitWaiting(): void {
  scheduled = false;
  for (const store of stores.values()) {
    const writes = store.waiting;
    if (writes.length === 0) continue;
    store.waiting = [];
    commitGroup(store.db, writes);
  }
}

function storeOf({ path, kind }: StoreFile): OpenStore {
  const known = stores.get(path);
  if (known !== undefined) return known;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const store: OpenStore = { ...openMigrated(path, kind), waiting: [] };
  stores.set(path, store);
  return store;
}

function openMigrated(path: string, kind: StoreKind): Pick<OpenStore, 'db' | 'migrated'> {
  const bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const db = openForWriting(path);
  try {
    // The system store has no neighbours that could go on without it: what is whole of it is used.
    if (kind === 'engine' && bytes > 0 && bytes <= CHECKED_INLINE_BYTES) requireWhole(db, path);
    return { db, migrated: migrateWithCopy(db, path, kind) };
  } catch (error) {
    db.close();
    throw error;
  }
}

function writeOf({ kind }: StoreFile, name: string): Write {
  const table: Readonly<Record<string, unknown>> = kind === 'system' ? systemWrites : engineWrites;
  const write = Object.hasOwn(table, name) ? table[name] : undefined;
  if (write === undefined) throw new Error(`No write operation ${kind}.${name}`);
  return write as Write;
}

function reply(message: WriteReply): void {
  parentPort?.postMessage(message);
}

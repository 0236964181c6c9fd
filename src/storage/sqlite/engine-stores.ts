import { rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { runInBackground } from '../../observability/background.ts';
import type { Log } from '../../observability/logger.ts';
import { setGeneration } from '../engine/documents.ts';
import { type EngineStore, type EngineStores, isStoreFault } from '../engine-store.ts';
import { bindEngineStore } from '../sql/bind-engine-store.ts';
import type { Operation } from '../sql/operation.ts';
import { checkLargeStore } from './check-store.ts';
import { openStoreFile } from './open-store.ts';
import { openForWriting, runOperation, runRead, type SqliteDatabase } from './sqlite-database.ts';
import { storePath } from './write-messages.ts';
import type { WriteThread } from './write-thread.ts';

type OpenStore = { readonly store: EngineStore; close(): void };

/** Why a store is not used, and what its file was like then, once that is known: another file is looked at. */
type Fault = { readonly error: unknown; readonly stamp: string | undefined };

type Options = { readonly dataDir: string; readonly writeThread: WriteThread; readonly log?: Log };

/**
 * The SQLite stores of all engines of an installation; the write thread stays its owner's. A store that is damaged, or a
 * newer program's, is told once and refused until its file is another one; the others do not notice.
 */
export function openEngineStores(options: Options): EngineStores {
  const { dataDir, writeThread, log } = options;
  const stores = new Map<number, Promise<OpenStore>>();
  const faults = new Map<number, Fault>();
  /** Open when their damage was met: others may still hold them. */
  const retired: Promise<OpenStore>[] = [];
  const pathOf = (engineId: number) => storePath(dataDir, { kind: 'engine', engineId });

  const refuse = async (engineId: number, error: unknown) => {
    if (!isStoreFault(error)) return;
    const known = faults.get(engineId);
    const open = stores.get(engineId);
    if (open !== undefined) retired.push(open);
    stores.delete(engineId);
    // What comes while the file is looked at is refused, too.
    faults.set(engineId, known ?? { error, stamp: undefined });
    // The next to open it checks it.
    await writeThread.close({ kind: 'engine', engineId }).catch(() => undefined);
    const stamp = await stampOf(pathOf(engineId));
    faults.set(engineId, { error, stamp });
    if (known?.stamp !== stamp) log?.error({ err: error, engineId }, 'store of an engine cannot be used');
  };
  const open = async (engineId: number): Promise<OpenStore> => {
    const known = faults.get(engineId);
    if (known !== undefined && [undefined, await stampOf(pathOf(engineId))].includes(known.stamp)) throw known.error;
    try {
      const opened = await openStore(options, engineId, (error) => void refuse(engineId, error));
      faults.delete(engineId);
      return opened;
    } catch (error) {
      await refuse(engineId, error);
      throw error;
    }
  };
  const of = (engineId: number): Promise<OpenStore> => {
    const known = stores.get(engineId);
    if (known !== undefined) return known;
    const opening = open(engineId);
    stores.set(engineId, opening);
    opening.catch(() => stores.get(engineId) === opening && stores.delete(engineId));
    return opening;
  };
  return {
    of: async (engineId) => (await of(engineId)).store,
    remove: async (engineId) => {
      (await stores.get(engineId)?.catch(() => undefined))?.close();
      stores.delete(engineId);
      faults.delete(engineId);
      await writeThread.close({ kind: 'engine', engineId });
      await rm(dirname(pathOf(engineId)), { recursive: true, force: true });
    },
    [Symbol.asyncDispose]: async () => {
      const all = await Promise.allSettled([...stores.values(), ...retired]);
      stores.clear();
      for (const result of all) if (result.status === 'fulfilled') result.value.close();
    },
  };
}

async function openStore(
  { dataDir, writeThread, log }: Options,
  engineId: number,
  onDamage: (error: unknown) => void,
): Promise<OpenStore> {
  const target = { kind: 'engine', engineId } as const;
  const path = storePath(dataDir, target);
  const { rest } = await checkLargeStore(path);
  const read = await openStoreFile({ dataDir, writeThread }, target, onDamage);
  const write = async (name: string, parameters: readonly unknown[]) => {
    try {
      return await writeThread.write(target, name, parameters);
    } catch (error) {
      onDamage(error);
      throw error;
    }
  };
  const runner = { read: <Result>(operation: Operation<Result>) => runRead(read, operation), write };
  const claims = generationClaims(path);
  if (log !== undefined) runInBackground(log, 'check large store', () => rest.catch(onDamage));
  const own = {
    engineId,
    changeToken: () => read.dataVersion(),
    // There is one index, which tells itself how far it has come.
    startProjection: async () => undefined,
    claimGeneration: claims.claim,
  };
  return {
    store: bindEngineStore(own, runner, log),
    close: () => {
      claims.close();
      read.close();
    },
  };
}

/**
 * Claims hold the store's write lock while the index publishes, so that no other writer can publish at the same
 * time. A connection of their own: publishing awaits the file system, which the write thread never does.
 */
function generationClaims(path: string) {
  let connection: SqliteDatabase | undefined;
  return {
    claim: async (expected: number, next: number, publish: () => Promise<void>): Promise<boolean> => {
      connection ??= openForWriting(path);
      const db = connection;
      db.execute('BEGIN IMMEDIATE');
      try {
        const claimed = runOperation(db, setGeneration(expected, next));
        if (claimed) await publish();
        db.execute('COMMIT');
        return claimed;
      } catch (error) {
        if (db.isInTransaction()) db.execute('ROLLBACK');
        throw error;
      }
    },
    close: () => connection?.close(),
  };
}

/** Changes when another file is put in its place; `''` = there is none. */
async function stampOf(path: string): Promise<string> {
  try {
    const { ino, mtimeNs, size } = await stat(path, { bigint: true });
    return `${ino}.${mtimeNs}.${size}`;
  } catch {
    return '';
  }
}

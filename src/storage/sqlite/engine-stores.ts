import { rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { StoredDocument } from '../../core/document.ts';
import { runInBackground } from '../../observability/background.ts';
import type { Log } from '../../observability/logger.ts';
import { documentStore, setGeneration } from '../engine/documents.ts';
import { type EngineStore, type EngineStores, isStoreFault } from '../engine-store.ts';
import { bindStore } from '../sql/bind-store.ts';
import type { Operation } from '../sql/operation.ts';
import { ENGINE_STORES } from '../sql/stores.ts';
import { checkLargeStore } from './check-store.ts';
import { openStoreFile } from './open-store.ts';
import { openForWriting, runOperation, runRead, type SqliteDatabase } from './sqlite-database.ts';
import { storePath } from './write-messages.ts';
import type { WriteThread } from './write-thread.ts';

/** Damaged rows that one process logs of an engine. */
const MAX_REPORTED = 100;

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
  const onDamaged = damageNotes(engineId, (rid) => writeThread.engine(engineId, 'noteDamaged', { rid }), log);
  const runner = { read: <Result>(operation: Operation<Result>) => runRead(read, operation), write };
  const claims = generationClaims(path);
  if (log !== undefined) runInBackground(log, 'check large store', () => rest.catch(onDamage));
  const bound = bindStore<BoundStore>([...ENGINE_STORES, documentStore(onDamaged)], runner);
  const countByCrawler = heldUntilChange(() => read.dataVersion(), bound.countDocumentsByCrawler);
  return {
    store: {
      ...bound,
      countDocumentsByCrawler: countByCrawler,
      countDocuments: async (crawlerId) => {
        if (crawlerId !== undefined) return bound.countDocuments(crawlerId);
        return (await countByCrawler()).values().reduce((sum, count) => sum + count, 0);
      },
      engineId,
      changeToken: () => read.dataVersion(),
      claimGeneration: claims.claim,
    },
    close: () => {
      claims.close();
      read.close();
    },
  };
}

/** The answer of a read that takes 20 ms for half a million rows, until something else is committed. */
function heldUntilChange<Answer>(changeToken: () => number, read: () => Promise<Answer>): () => Promise<Answer> {
  let held: { readonly token: number; readonly answer: Promise<Answer> } | undefined;
  return async () => {
    const token = changeToken();
    if (held?.token !== token) {
      held = { token, answer: read() };
      // An error is asked for again.
      held.answer.catch(() => {
        held = undefined;
      });
    }
    return held.answer;
  };
}

/** What is made of operations; the rest needs the connection itself. */
type BoundStore = Omit<EngineStore, 'engineId' | 'changeToken' | 'claimGeneration'>;

/** Logs and stores each damaged row once. */
function damageNotes(
  engineId: number,
  note: (rid: number) => Promise<void>,
  log: Log | undefined,
): (document: StoredDocument) => void {
  const told = new Set<number>();
  return ({ rid, crawlerId, id }) => {
    if (told.has(rid) || told.size >= MAX_REPORTED || log === undefined) return;
    told.add(rid);
    log.error({ engineId, rid, crawlerId, id }, 'stored document is damaged');
    runInBackground(log, 'note damaged document', () => note(rid));
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

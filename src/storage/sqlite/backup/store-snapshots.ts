import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../../core/errors.ts';
import { type StoreTarget, storePath } from '../write-messages.ts';

/** A read transaction on one store; what is written later is not seen. The owner closes it. */
export type StoreSnapshot = { readonly target: StoreTarget; readonly db: DatabaseSync };

export type StoreSnapshots = Disposable & {
  readonly takenAt: number;
  /** `system.db` first, then the engines by id. */
  readonly stores: readonly StoreSnapshot[];
  /** How long writers were held up, for the record of the backup. */
  readonly heldMs: number;
  /** Ends the read transaction of one store, so that its write-ahead log can shrink again. */
  release(snapshot: StoreSnapshot): void;
};

/**
 * Longest time for which the write locks are held before they are given back and tried again. A writer that meets a
 * lock sleeps 1, 2, 5, 10, 15, 20 and 25 ms between its looks, so that it is late by 78 ms at most.
 */
const HOLD_AT_MOST_MS = 30;
/** Where the processor is short, beginning the read transactions takes long, too: given up after this time. */
const END_AFTER_MS = 50;
const LOOK_EVERY_MS = 0.2;
const PAUSE_BETWEEN_TRIES_MS = 40;
const TRIES = 500;
const SQLITE_BUSY = 5;

/**
 * The state of all stores of a data folder at one instant: every write lock is taken, a read transaction is begun on
 * every store, and the locks are given back. No commit lies between two of the read transactions. Works while other
 * processes write. Costs two connections a store while it is made, one afterwards.
 *
 * @throws AppError `internal` when some writer never pauses, or a store cannot be read
 */
export async function takeSnapshots(dataDir: string, now: () => number): Promise<StoreSnapshots> {
  if (!existsSync(storePath(dataDir, { kind: 'system' }))) {
    throw new AppError('record.not-found', `${dataDir} holds no installation: set DATA_DIR to the folder of one`);
  }
  for (let attempt = 1; ; attempt++) {
    const targets = listStores(dataDir);
    using stack = new DisposableStack();
    const stores = targets.map((target) => openStore(stack, dataDir, target));
    const heldMs = beginTogether(stores, () => targets.length === listStores(dataDir).length);
    if (heldMs !== undefined) {
      const owned = stack.move();
      return {
        takenAt: now(),
        heldMs,
        stores,
        release: ({ db }) => closeOnce(db),
        [Symbol.dispose]: () => owned.dispose(),
      };
    }
    if (attempt >= TRIES)
      throw new AppError('internal', 'The stores are written without a pause: try the backup again');
    await delay(PAUSE_BETWEEN_TRIES_MS);
  }
}

/** `system.db` and every store of an engine, as the folder has them now. */
export function listStores(dataDir: string): readonly StoreTarget[] {
  const engines = join(dataDir, 'engines');
  const ids = existsSync(engines) ? readdirSync(engines).filter((name) => /^[1-9][0-9]{0,15}$/.test(name)) : [];
  const targets = ids
    .map((id): StoreTarget => ({ kind: 'engine', engineId: Number(id) }))
    .filter((target) => existsSync(storePath(dataDir, target)));
  targets.sort((a, b) => idOf(a) - idOf(b));
  return [{ kind: 'system' }, ...targets];
}

function idOf(target: StoreTarget): number {
  return target.kind === 'engine' ? target.engineId : 0;
}

type OpenedStore = StoreSnapshot & { readonly writer: DatabaseSync };

function openStore(stack: DisposableStack, dataDir: string, target: StoreTarget): OpenedStore {
  const path = storePath(dataDir, target);
  const open = (options: { readonly readOnly: boolean }) => {
    const made = new DatabaseSync(path, { ...options, timeout: 0 });
    stack.defer(() => closeOnce(made));
    return made;
  };
  // Readers are closed first: the last connection of a store that nobody has open tidies up its log.
  const writer = open({ readOnly: false });
  const db = open({ readOnly: true });
  try {
    // The schema is read before the locks are taken, not while writers wait.
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
  } catch (cause) {
    const message = `${path} cannot be read: fossick verify tells more, and fossick restore brings the last backup back`;
    throw new AppError('internal', message, { cause });
  }
  return { target, db, writer };
}

/** Milliseconds for which locks were held; undefined when not all of them were to be had within the time. */
function beginTogether(opened: readonly OpenedStore[], isWhole: () => boolean): number | undefined {
  const locked: DatabaseSync[] = [];
  try {
    const since = lockAll(opened, locked);
    if (since === undefined || !isWhole()) return undefined;
    for (const { db } of opened) {
      if (performance.now() >= since + END_AFTER_MS) return undefined;
      db.exec('BEGIN');
      db.prepare('SELECT count(*) FROM sqlite_schema').get();
    }
    return performance.now() - since;
  } finally {
    for (const writer of locked) writer.exec('ROLLBACK');
  }
}

/** Takes every write lock and notes it; answers the time of the first one. The first is waited for as long. */
function lockAll(opened: readonly OpenedStore[], locked: DatabaseSync[]): number | undefined {
  let since: number | undefined;
  for (const { writer } of opened) {
    const deadline = (since ?? performance.now()) + HOLD_AT_MOST_MS;
    while (!tryLock(writer)) {
      if (performance.now() >= deadline) return undefined;
      sleepShortly();
    }
    since ??= performance.now();
    locked.push(writer);
  }
  return since;
}

function tryLock(writer: DatabaseSync): boolean {
  try {
    writer.exec('BEGIN IMMEDIATE');
    return true;
  } catch (error) {
    const { errcode = 0 } = error as { errcode?: number };
    if ((errcode & 0xff) === SQLITE_BUSY) return false;
    throw error;
  }
}

const sleeping = new Int32Array(new SharedArrayBuffer(4));

/** Too short for a timer of the event loop; only held-up writers would gain by one. */
function sleepShortly(): void {
  Atomics.wait(sleeping, 0, 0, LOOK_EVERY_MS);
}

function closeOnce(db: DatabaseSync): void {
  if (db.isOpen) db.close();
}

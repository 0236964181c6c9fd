import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { CompiledQuery } from 'kysely';
import { AppError } from '../../core/errors.ts';
import { yieldInBackground } from '../../core/yield.ts';
import type { EachStep, Operation, StatementStep, TogetherStep, WriteResult } from '../sql/operation.ts';
import type { SqlValue } from '../sql/statement.ts';

const BUSY_TIMEOUT_MS = 5_000;
const MAX_PREPARED = 500;
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;
/** Primary result codes of a file that takes no writes: read-only, full, cannot be made. */
const UNWRITABLE = [8, 13, 14];
/** Extended codes of the same: write, sync, truncate, and the shared memory that a store in WAL mode needs beside it. */
const UNWRITABLE_EXTENDED = [778, 1034, 1290, 1546, 4618, 4874, 5386];

type OnDamage = (error: AppError) => void;

/** One SQLite connection with prepared statements kept by text. All calls are synchronous. Owner closes. */
export type SqliteDatabase = {
  all<Row>(query: CompiledQuery<Row>): Row[];
  first<Row>(query: CompiledQuery<Row>): Row | undefined;
  run(query: CompiledQuery<unknown>): WriteResult;
  /** One statement of an operation, or one for each set of values. */
  step(step: StatementStep | EachStep): unknown;
  /** Statements without values: schema, transactions, pragmas. */
  execute(sql: string): void;
  /** False after a failure by which SQLite ended the transaction itself. */
  isInTransaction(): boolean;
  /** Changes when another connection commits; nearly free. */
  dataVersion(): number;
  close(): void;
};

/**
 * Opens a connection that writes: WAL, `synchronous=FULL`, waits up to 5 s for other writers.
 * @throws AppError `storage.damaged` that names the file when it is no database · `storage.full` when nothing can be written
 */
export function openForWriting(path: string): SqliteDatabase {
  const db = translateFull(() => new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS }));
  try {
    db.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA fullfsync=1; PRAGMA journal_size_limit=67108864');
  } catch (cause) {
    db.close();
    if (isForeign(cause)) throw damagedStore(path, String(cause), cause);
    throw isUnwritable(cause) ? unwritable(cause) : cause;
  }
  return wrap(db, path);
}

/** What SQLite says of damage, with what to do. */
export function damagedStore(path: string, why: string, cause?: unknown): AppError {
  const message = `${basename(path)} is no database, or damaged: stop the product and put a copy of the file back`;
  return new AppError('storage.damaged', message, { cause, details: { why } });
}

function isForeign(error: unknown): boolean {
  const code = (error as { errcode?: number }).errcode ?? 0;
  return [SQLITE_CORRUPT, SQLITE_NOTADB].includes(code & 0xff);
}

/**
 * Opens a connection that only reads; the file exists and has its tables. A store in WAL mode needs a file of shared
 * memory beside it even to be read. Where that cannot be made, as on a full or read-only disk, a store that was closed
 * well is read as it lies there, until somebody can write it again. `onDamage` is told of damage before it is thrown.
 */
export function openForReading(path: string, onDamage: OnDamage = () => undefined): SqliteDatabase {
  try {
    return openShared(path, onDamage);
  } catch (error) {
    if (!isUnwritable(error) || hasLog(path)) throw isUnwritable(error) ? unwritable(error) : error;
    return readUntilWritten(path, onDamage);
  }
}

function openShared(path: string, onDamage: OnDamage): SqliteDatabase {
  const db = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  try {
    // The first look makes or opens the shared memory.
    db.prepare('SELECT 1 FROM sqlite_schema').get();
    return wrap(db, path, onDamage);
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Changes since the last checkpoint; the file alone is the whole store when there are none. */
function hasLog(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** As long as nobody writes the store it cannot change; whoever does has a log before the file changes. */
function readUntilWritten(path: string, onDamage: OnDamage): SqliteDatabase {
  const url = pathToFileURL(path);
  url.searchParams.set('immutable', '1');
  let db = wrap(new DatabaseSync(url, { readOnly: true }), path, onDamage);
  let isShared = false;
  const current = (): SqliteDatabase => {
    if (!isShared && hasLog(path)) {
      const shared = openShared(path, onDamage);
      db.close();
      db = shared;
      isShared = true;
    }
    return db;
  };
  return {
    all: (query) => current().all(query),
    first: (query) => current().first(query),
    run: (query) => current().run(query),
    step: (step) => current().step(step),
    execute: (sql) => current().execute(sql),
    isInTransaction: () => current().isInTransaction(),
    // Each connection counts from its own start: the first look after the change has to differ.
    dataVersion: () => {
      const version = current().dataVersion();
      return isShared ? version : -version;
    },
    close: () => db.close(),
  };
}

function wrap(db: DatabaseSync, path: string, onDamage: OnDamage = () => undefined): SqliteDatabase {
  const translated = <T>(work: () => T): T => translateDamage(() => translateFull(work), path, onDamage);
  const prepared = new Map<string, StatementSync>();
  const prepare = (sql: string): StatementSync => {
    const known = prepared.get(sql);
    if (known !== undefined) return known;
    if (prepared.size >= MAX_PREPARED) prepared.clear();
    const made = db.prepare(sql);
    prepared.set(sql, made);
    return made;
  };
  const all = <Row>(sql: string, values: readonly SqlValue[]) => translated(() => prepare(sql).all(...values) as Row[]);
  const first = <Row>(sql: string, values: readonly SqlValue[]) =>
    translated(() => prepare(sql).get(...values) as Row | undefined);
  const run = (sql: string, values: readonly SqlValue[]): WriteResult => {
    const { changes, lastInsertRowid } = translated(() => prepare(sql).run(...values));
    return { changes: Number(changes), lastId: Number(lastInsertRowid) };
  };
  const answer = { all, first, changes: run, nothing: run };
  return {
    all: (query) => all(query.sql, query.parameters as SqlValue[]),
    first: (query) => first(query.sql, query.parameters as SqlValue[]),
    run: (query) => run(query.sql, query.parameters as SqlValue[]),
    step: (step) => {
      const { wanted, query } = step;
      if ('each' in step)
        return step.each.map((values) => answer[wanted](step.query.sql, step.query.bind(values as never)));
      const { values } = step;
      if ('bind' in query) return answer[wanted](query.sql, query.bind(values as never));
      const { sql, parameters } = query.compile();
      return answer[wanted](sql, parameters as readonly SqlValue[]);
    },
    execute: (sql) => translated(() => db.exec(sql)),
    isInTransaction: () => db.isTransaction,
    dataVersion: () =>
      translated(() => Number((prepare('PRAGMA data_version').get() as { data_version: number }).data_version)),
    close: () => db.close(),
  };
}

/**
 * Runs an operation to its end, statement after statement, without giving the thread away. Some 0.1 µs a statement beside
 * the 2 µs of a prepared one. An error of a statement is thrown inside the operation, which may catch it.
 */
export function runOperation<Result>(db: SqliteDatabase, operation: Operation<Result>): Result {
  let next = operation.next();
  while (!next.done) next = next.value === 'pause' ? operation.next() : resume(db, operation, next.value);
  return next.value;
}

/** The same for a read, which gives the thread away at its pauses. */
export async function runRead<Result>(db: SqliteDatabase, operation: Operation<Result>): Promise<Result> {
  let next = operation.next();
  while (!next.done) {
    if (next.value === 'pause') {
      await yieldInBackground();
      next = operation.next();
    } else next = resume(db, operation, next.value);
  }
  return next.value;
}

function resume<Result>(
  db: SqliteDatabase,
  operation: Operation<Result>,
  step: StatementStep | EachStep | TogetherStep,
) {
  let result: unknown;
  try {
    result = 'together' in step ? step.together.map((one) => runOperation(db, one)) : db.step(step);
  } catch (error) {
    return operation.throw(error);
  }
  return operation.next(result);
}

/** What SQLite calls malformed becomes `storage.damaged`, and `onDamage` is told. */
function translateDamage<T>(work: () => T, path: string, onDamage: OnDamage): T {
  try {
    return work();
  } catch (error) {
    if (!isForeign(error)) throw error;
    const damage = damagedStore(path, String(error), error);
    onDamage(damage);
    throw damage;
  }
}

/** A file that takes no writes becomes `storage.full`; everything else stays what it is. */
export function translateFull<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw isUnwritable(error) ? unwritable(error) : error;
  }
}

function isUnwritable(error: unknown): boolean {
  const code = (error as { errcode?: number }).errcode ?? 0;
  return UNWRITABLE.includes(code & 0xff) || UNWRITABLE_EXTENDED.includes(code);
}

function unwritable(cause: unknown): AppError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new AppError('storage.full', `The disk takes no writes: ${why}`, { cause });
}

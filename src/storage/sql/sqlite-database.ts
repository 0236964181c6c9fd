import { basename } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { CompiledQuery } from 'kysely';
import { AppError } from '../../core/errors.ts';
import type { SqlValue, Statement } from './statement.ts';

const BUSY_TIMEOUT_MS = 5_000;
const MAX_PREPARED = 500;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_NOTADB = 26;

export type WriteResult = { readonly changes: number; readonly lastId: number };

/** One SQLite connection with prepared statements kept by text. All calls are synchronous. Owner closes. */
export type SqliteDatabase = {
  all<Row>(query: CompiledQuery<Row>): Row[];
  first<Row>(query: CompiledQuery<Row>): Row | undefined;
  run(query: CompiledQuery<unknown>): WriteResult;
  /** The same for a statement that was compiled once. */
  allOf<Values, Row>(statement: Statement<Values, Row>, values: Values): Row[];
  firstOf<Values, Row>(statement: Statement<Values, Row>, values: Values): Row | undefined;
  runOf<Values>(statement: Statement<Values, unknown>, values: Values): WriteResult;
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
 * @throws AppError `internal` that names the file when it is no database
 */
export function openForWriting(path: string): SqliteDatabase {
  const db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    db.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA fullfsync=1; PRAGMA journal_size_limit=67108864');
  } catch (cause) {
    db.close();
    throw isForeign(cause) ? foreignFile(path, cause) : cause;
  }
  return wrap(db);
}

function isForeign(error: unknown): boolean {
  const code = (error as { errcode?: number }).errcode ?? 0;
  return [SQLITE_CORRUPT, SQLITE_NOTADB].includes(code & 0xff);
}

function foreignFile(path: string, cause: unknown): AppError {
  const message = `${basename(path)} is no database, or damaged: stop the product and put a copy of the file back`;
  return new AppError('internal', message, { cause });
}

/** Opens a connection that only reads; the file exists and has its tables. */
export function openForReading(path: string): SqliteDatabase {
  return wrap(new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS }));
}

function wrap(db: DatabaseSync): SqliteDatabase {
  const prepared = new Map<string, StatementSync>();
  const prepare = (sql: string): StatementSync => {
    const known = prepared.get(sql);
    if (known !== undefined) return known;
    if (prepared.size >= MAX_PREPARED) prepared.clear();
    const made = db.prepare(sql);
    prepared.set(sql, made);
    return made;
  };
  const all = <Row>(sql: string, values: readonly SqlValue[]) =>
    translateFull(() => prepare(sql).all(...values) as Row[]);
  const first = <Row>(sql: string, values: readonly SqlValue[]) =>
    translateFull(() => prepare(sql).get(...values) as Row | undefined);
  const run = (sql: string, values: readonly SqlValue[]): WriteResult => {
    const { changes, lastInsertRowid } = translateFull(() => prepare(sql).run(...values));
    return { changes: Number(changes), lastId: Number(lastInsertRowid) };
  };
  return {
    all: (query) => all(query.sql, query.parameters as SqlValue[]),
    first: (query) => first(query.sql, query.parameters as SqlValue[]),
    run: (query) => run(query.sql, query.parameters as SqlValue[]),
    allOf: (statement, values) => all(statement.sql, statement.bind(values)),
    firstOf: (statement, values) => first(statement.sql, statement.bind(values)),
    runOf: (statement, values) => run(statement.sql, statement.bind(values)),
    execute: (sql) => translateFull(() => db.exec(sql)),
    isInTransaction: () => db.isTransaction,
    dataVersion: () => Number((prepare('PRAGMA data_version').get() as { data_version: number }).data_version),
    close: () => db.close(),
  };
}

/** A full disk becomes `storage.full`; everything else stays what it is. */
function translateFull<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const code = (error as { errcode?: number }).errcode;
    if (code !== undefined && (code & 0xff) === SQLITE_FULL) {
      throw new AppError('storage.full', 'The disk is full', { cause: error });
    }
    throw error;
  }
}

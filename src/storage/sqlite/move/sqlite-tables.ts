import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import {
  type ColumnType,
  MAX_BATCH_BYTES,
  MAX_BATCH_ROWS,
  type MovedColumn,
  type MovedRow,
  type MovedTable,
  type NewStore,
  type StoreTables,
} from '../../move/store-tables.ts';
import { translateFull } from '../sqlite-database.ts';

const TYPES: Readonly<Record<string, ColumnType>> = { INTEGER: 'integer', REAL: 'real', TEXT: 'text', BLOB: 'bytes' };
const ROWID: MovedColumn = { name: 'rowid', type: 'integer', isHidden: true };

/** A table of a file. `numbers`: how it numbers its rows; `ever`: it gives no number twice. */
type FoundTable = MovedTable & { readonly numbers: 'no' | 'above-largest' | 'ever' };

/** The tables of a connection, whose transaction is its owner's. */
export function sqliteTables(db: DatabaseSync): StoreTables {
  return {
    tables: async () => describeTables(db).map(({ name, columns }) => ({ name, columns })),
    countRows: async (table) => Number(db.prepare(`SELECT count(*) AS n FROM "${table}"`).get()?.['n']),
    batches: (table, columns) => batchesOf(db, table, columns),
    nextIds: async () => {
      const numbered = describeTables(db).filter(({ numbers }) => numbers !== 'no');
      return new Map(numbered.map((table) => [table.name, nextIdOf(db, table)]));
    },
  };
}

/** The same for a store that is filled: each batch is a transaction. */
export function newSqliteStore(db: DatabaseSync): NewStore {
  return {
    ...sqliteTables(db),
    insert: async (table, columns, rows) => {
      const places = columns.map(() => '?').join(', ');
      const statement = db.prepare(`INSERT INTO "${table}" (${listOf(columns)}) VALUES (${places})`);
      inTransaction(db, () => {
        for (const row of rows) statement.run(...(row as SQLInputValue[]));
      });
    },
    numberFrom: async (nextIds) => {
      const numbered = describeTables(db).filter(({ numbers }) => numbers === 'ever');
      const forget = db.prepare('DELETE FROM sqlite_sequence WHERE name = ?');
      const put = db.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)');
      inTransaction(db, () => {
        for (const { name } of numbered) {
          forget.run(name);
          put.run(name, (nextIds.get(name) ?? 1n) - 1n);
        }
      });
    },
  };
}

function inTransaction(db: DatabaseSync, work: () => void): void {
  translateFull(() => {
    db.exec('BEGIN IMMEDIATE');
    try {
      work();
      db.exec('COMMIT');
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
  });
}

/** @throws TypeError for a column of a type that is not moved */
function describeTables(db: DatabaseSync): readonly FoundTable[] {
  const tables = db
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
    .all();
  const columnsOf = db.prepare('SELECT name, type, pk FROM pragma_table_info(?) ORDER BY cid');
  const found = tables.map(({ name, sql }): FoundTable => {
    const facts = columnsOf.all(name as string);
    const columns = facts.map((column) => columnOf(String(name), column));
    const keys = facts.filter(({ pk }) => pk !== 0);
    const isNumbered = keys.length === 1 && keys[0]?.['type'] === 'INTEGER';
    const hasHidden = !isNumbered && !/WITHOUT ROWID/i.test(String(sql));
    return {
      name: String(name),
      columns: hasHidden ? [...columns, ROWID] : columns,
      numbers: /AUTOINCREMENT/i.test(String(sql)) ? 'ever' : isNumbered || hasHidden ? 'above-largest' : 'no',
    };
  });
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function columnOf(table: string, { name, type }: Readonly<Record<string, unknown>>): MovedColumn {
  const known = TYPES[String(type)];
  if (known === undefined) throw new TypeError(`Column ${name} of table ${table} has the type ${type}`);
  return { name: String(name), type: known, isHidden: false };
}

function listOf(columns: readonly MovedColumn[]): string {
  return columns.map(({ name }) => `"${name}"`).join(', ');
}

function nextIdOf(db: DatabaseSync, { name, numbers }: FoundTable): bigint {
  const next =
    numbers === 'ever'
      ? db.prepare('SELECT coalesce(max(seq), 0) + 1 AS n FROM sqlite_sequence WHERE name = ?')
      : db.prepare(`SELECT coalesce(max(rowid), 0) + 1 AS n FROM "${name}"`);
  next.setReadBigInts(true);
  return next.get(...(numbers === 'ever' ? [name] : []))?.['n'] as bigint;
}

/** In the order in which rows lie in the file. */
async function* batchesOf(
  db: DatabaseSync,
  table: string,
  columns: readonly MovedColumn[],
): AsyncGenerator<readonly MovedRow[]> {
  const statement = db.prepare(`SELECT ${listOf(columns)} FROM "${table}"`);
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  let batch: MovedRow[] = [];
  let bytes = 0;
  for (const found of statement.iterate()) {
    const row = found as unknown as MovedRow;
    batch.push(row);
    bytes += bytesOf(row);
    if (batch.length < MAX_BATCH_ROWS && bytes < MAX_BATCH_BYTES) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

function bytesOf(row: MovedRow): number {
  let bytes = 0;
  for (const value of row) if (typeof value === 'string' || value instanceof Uint8Array) bytes += value.length;
  return bytes;
}

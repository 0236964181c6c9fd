import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { migrate, type StoreKind, targetVersion } from '../migrate.ts';
import { openForWriting } from '../sqlite-database.ts';
import { rawQuery } from '../statement.ts';
import { checkRows } from './row-checks.ts';

/** Something that is wrong with a store. */
export type StoreFinding = {
  readonly table: string;
  /** `rid 7`, `row 12`, `page 4`; `-` = the whole. */
  readonly id: string;
  readonly what: string;
  /**
   * How it is mended. `reindex`: an index of SQLite is made again from its table. `rewrite`: the document is put or
   * visited again. `upgrade`: a newer program wrote it. `restore`: nothing but a backup has it.
   */
  readonly mend: 'reindex' | 'rewrite' | 'upgrade' | 'restore';
};

export type DocumentState = { readonly rid: number; readonly seq: number; readonly isLive: boolean };

/** A store as it was at one instant; writers are not held up. The owner closes it. */
export type VerifiedStore = Disposable & {
  readonly findings: readonly StoreFinding[];
  /** Every document row, by `rid`; deleted ones, too. */
  documents(): Iterable<DocumentState>;
  /** The value under a name of `meta`. */
  meta(name: string): string | undefined;
};

const MAX_FINDINGS = 100;

/** Checks a store from a read transaction of its own: its pages and indexes, then its rows. Costs one core while it lasts. */
export function verifyStore(path: string, kind: StoreKind): VerifiedStore {
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  const meta = (name: string) => {
    const row = db.prepare('SELECT value FROM meta WHERE name = ?').get(name);
    return row === undefined ? undefined : String(row['value']);
  };
  const findings: StoreFinding[] = [];
  try {
    db.exec('BEGIN');
    findings.push(...checkVersion(schemaVersionOf(db), kind));
    if (findings.length === 0) findings.push(...checkPages(db));
    const isReadable = findings.every(({ mend }) => mend === 'reindex');
    if (isReadable) findings.push(...checkSchema(db, kind), ...take(checkRows(db, kind)));
  } catch (error) {
    findings.push({ table: '-', id: '-', what: oneLine(error), mend: 'restore' });
  }
  return {
    findings,
    meta,
    documents: () => documentsOf(db),
    [Symbol.dispose]: () => db.close(),
  };
}

/** Makes indexes of SQLite again from their tables; nothing else may write the store meanwhile. */
export function reindexStore(path: string): void {
  using db = new DatabaseSync(path, { timeout: 5_000 });
  db.exec('REINDEX');
}

function schemaVersionOf(db: DatabaseSync): number {
  return Number(db.prepare("SELECT value FROM meta WHERE name = 'schema_version'").get()?.['value'] ?? 0);
}

function checkVersion(version: number, kind: StoreKind): readonly StoreFinding[] {
  const known = targetVersion(kind);
  if (version <= known) return [];
  const what = `it has version ${version}, this program knows ${known}`;
  return [{ table: '-', id: '-', what, mend: 'upgrade' }];
}

/** Tables and indexes are those that the migrations make; a store that waits for its migration is not compared. */
function checkSchema(db: DatabaseSync, kind: StoreKind): readonly StoreFinding[] {
  if (schemaVersionOf(db) !== targetVersion(kind)) return [];
  const made = openForWriting(':memory:');
  migrate(made, kind);
  const statements = "SELECT name, tbl_name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'";
  const wanted = made.all<SchemaRow>(rawQuery<SchemaRow>(sql.raw(statements)).compile());
  made.close();
  const found = new Map(
    db
      .prepare(statements)
      .all()
      .map((row) => [row['name'], row['sql']]),
  );
  return wanted
    .filter(({ name, sql: text }) => found.get(name) !== text)
    .map(({ name, tbl_name: table }) => ({ table, id: name, what: 'its definition was changed', mend: 'restore' }));
}

type SchemaRow = { readonly name: string; readonly tbl_name: string; readonly sql: string };

/** What SQLite itself finds: pages, order, and whether every index holds what its table holds. */
function checkPages(db: DatabaseSync): readonly StoreFinding[] {
  const lines = db
    .prepare(`PRAGMA integrity_check(${MAX_FINDINGS})`)
    .all()
    .flatMap((row) => String(row['integrity_check']).split('\n'))
    .filter((line) => line !== 'ok' && !line.startsWith('***'));
  return lines.map((line) => {
    const index = /(?:from|in|of) index (?<name>\S+)/.exec(line)?.groups?.['name'];
    const page = /page (?<page>\d+)/.exec(line)?.groups?.['page'];
    const root = /Tree (?<root>\d+)/.exec(line)?.groups?.['root'];
    const found = index === undefined ? nameAt(db, 'rootpage', root) : nameAt(db, 'name', index);
    const row = /^row (?<row>\d+)/.exec(line)?.groups?.['row'];
    return {
      table: found?.table ?? /(?:in|of) (?<table>[a-z_]+)\./.exec(line)?.groups?.['table'] ?? '-',
      id: page === undefined ? (row === undefined ? '-' : `row ${row}`) : `page ${page}`,
      what: line,
      mend: found?.isIndex === true ? 'reindex' : 'restore',
    };
  });
}

function nameAt(db: DatabaseSync, column: 'rootpage' | 'name', value: string | undefined) {
  if (value === undefined) return undefined;
  const row = db.prepare(`SELECT tbl_name, type FROM sqlite_schema WHERE ${column} = ?`).get(value);
  return row === undefined ? undefined : { table: String(row['tbl_name']), isIndex: row['type'] === 'index' };
}

function* take(rows: ReturnType<typeof checkRows>): Generator<StoreFinding> {
  let count = 0;
  for (const row of rows) {
    yield { ...row, mend: row.table === 'documents' ? 'rewrite' : 'restore' };
    count += 1;
    if (count < MAX_FINDINGS) continue;
    yield { table: '-', id: '-', what: `more than ${MAX_FINDINGS} rows are damaged`, mend: 'restore' };
    return;
  }
}

function* documentsOf(db: DatabaseSync): Generator<DocumentState> {
  const rows = db.prepare('SELECT rid, seq, deleted FROM documents ORDER BY rid');
  for (const { rid, seq, deleted } of rows.iterate()) {
    yield { rid: Number(rid), seq: Number(seq), isLive: deleted === 0 };
  }
}

function oneLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ');
}

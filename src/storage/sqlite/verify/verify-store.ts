import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { sql } from 'kysely';
import {
  OUTCOMES,
  REASONS,
  REMOVAL_CLASSES,
  REMOVAL_STATES,
  RUN_KINDS,
  RUN_STATES,
  STAGES,
  URL_KINDS,
  URL_ORIGINS,
  URL_STATES,
} from '../../../core/crawl-words.ts';
import { DOCUMENT_ORIGINS } from '../../../core/document.ts';
import { keyOfUrl } from '../../../core/url.ts';
import { type DocumentRow, isDamaged } from '../../engine/document-rows.ts';
import { rawQuery } from '../../sql/statement.ts';
import { migrate, type StoreKind, targetVersion } from '../migrate-with-copy.ts';
import { openForWriting } from '../sqlite-database.ts';

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

/** A row that cannot be what was written. */
export type RowFinding = { readonly table: string; readonly id: string; readonly what: string };

const REPLACEMENT = '\ufffd';

const JSON_COLUMNS: Readonly<Record<StoreKind, Readonly<Record<string, readonly string[]>>>> = {
  system: {
    engines: ['settings', 'public_settings'],
    crawlers: ['config'],
    people: ['customers'],
    api_keys: ['scopes'],
    banners: ['record'],
    rankings: ['record'],
    quicklinks: ['record'],
    synonym_groups: ['words'],
    query_events: ['extra'],
    click_events: ['extra'],
    feedback: ['extra'],
    answer_clicks: ['extra'],
    audit_log: ['before', 'after'],
  },
  engine: {
    hosts: ['pace', 'lastmod_trust', 'not_found', 'probe'],
    runs: ['summary'],
    visits: ['detail'],
    url_patterns: ['examples'],
  },
};

const below = (column: string, count: number) => `${column} NOT BETWEEN 0 AND ${count - 1}`;
const outside = (column: string, words: readonly string[]) =>
  `${column} NOT IN (${words.map((word) => `'${word}'`).join(', ')})`;

/** Conditions that no row of an engine's store fulfils. */
const IMPOSSIBLE: readonly {
  readonly table: string;
  readonly id: string;
  readonly where: string;
  readonly what: string;
}[] = [
  ...[
    ['documents', 'rid', 'origin', DOCUMENT_ORIGINS.length],
    ['documents', 'rid', 'deleted', 2],
    ['urls', 'id', 'kind', URL_KINDS.length],
    ['urls', 'id', 'state', URL_STATES.length],
    ['urls', 'id', 'reason', REASONS.length],
    ['urls', 'id', 'origin', URL_ORIGINS.length],
    ['frontier', 'url_id', 'stage', STAGES.length],
    ['visits', 'id', 'outcome', OUTCOMES.length],
    ['visits', 'id', 'reason', REASONS.length],
  ].map(([table, id, column, count]) => ({
    table: String(table),
    id: String(id),
    where: below(String(column), Number(count)),
    what: `${column} has a value that there is not`,
  })),
  ...(
    [
      ['runs', 'id', 'kind', RUN_KINDS],
      ['runs', 'id', 'state', RUN_STATES],
      ['removals', 'rid', 'class', REMOVAL_CLASSES],
      ['removals', 'rid', 'state', REMOVAL_STATES],
    ] as const
  ).map(([table, id, column, words]) => ({
    table,
    id,
    where: outside(column, words),
    what: `${column} has a value that there is not`,
  })),
  {
    table: 'documents',
    id: 'rid',
    where: "seq > (SELECT CAST(value AS INTEGER) FROM meta WHERE name = 'last_seq')",
    what: 'its seq is above the last one',
  },
  {
    table: 'frontier',
    id: 'url_id',
    where: 'url_id NOT IN (SELECT id FROM urls)',
    what: 'its URL is not known',
  },
  { table: 'urls', id: 'id', where: 'host_id NOT IN (SELECT id FROM hosts)', what: 'its host is not known' },
];

/**
 * Rows that disagree with their own digest, hold text that is no UTF-8 or no JSON, name what does not exist, or have
 * values that there are not. Reads every row of every table once or a few times. What it does not find: a changed
 * number, date or letter in a column that has no digest.
 */
function* checkRows(db: DatabaseSync, kind: StoreKind): Generator<RowFinding> {
  const tables = tablesOf(db);
  for (const table of tables) yield* checkTexts(db, table);
  for (const [table, columns] of Object.entries(JSON_COLUMNS[kind])) {
    if (!tables.includes(table)) continue;
    for (const column of columns) yield* checkJson(db, table, column);
  }
  if (kind === 'system') return;
  for (const { table, id, where, what } of IMPOSSIBLE) {
    const rows = db.prepare(`SELECT ${id} AS id FROM ${table} WHERE ${where} LIMIT 100`).all();
    for (const row of rows) yield { table, id: `${id} ${row['id']}`, what };
  }
  yield* checkDocuments(db);
  yield* checkUrls(db);
}

function tablesOf(db: DatabaseSync): readonly string[] {
  const rows = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").all();
  return rows.map((row) => String(row['name']));
}

/** Text that SQLite decodes with a replacement character is read again as bytes: it may have been stored so. */
function* checkTexts(db: DatabaseSync, table: string): Generator<RowFinding> {
  const columns = db.prepare(`PRAGMA table_info("${table}")`).all();
  const names = columns.filter(({ type }) => type === 'TEXT').map(({ name }) => String(name));
  if (names.length === 0) return;
  const keys = keysOf(db, table, columns);
  const select = (expressions: readonly string[]) => `SELECT ${expressions.join(', ')} FROM "${table}"`;
  const rows = db.prepare(select([...keys, ...names.map((name) => `"${name}"`)]));
  const asBytes = db.prepare(
    `${select(names.map((name) => `CAST("${name}" AS BLOB)`))} WHERE ${keys.map((key) => `${key} = ?`).join(' AND ')}`,
  );
  rows.setReturnArrays(true);
  rows.setReadBigInts(true);
  asBytes.setReturnArrays(true);
  for (const found of rows.iterate()) {
    const row = found as unknown as SQLOutputValue[];
    if (!row.some((value) => typeof value === 'string' && value.includes(REPLACEMENT))) continue;
    const key = row.slice(0, keys.length);
    const bytes = asBytes.get(...key) as SQLOutputValue[] | undefined;
    const position = bytes?.findIndex((value) => value instanceof Uint8Array && !isUtf8(value)) ?? 0;
    if (position >= 0) yield { table, id: `row ${key.join(', ')}`, what: `${names[position]} is no text` };
  }
}

type ColumnFacts = Readonly<Record<string, SQLOutputValue>>;

/** What tells one row from all others. */
function keysOf(db: DatabaseSync, table: string, columns: readonly ColumnFacts[]): readonly string[] {
  const made = db.prepare('SELECT sql FROM sqlite_schema WHERE name = ?').get(table);
  if (!/WITHOUT ROWID/i.test(String(made?.['sql']))) return ['rowid'];
  const keys = columns.filter(({ pk }) => Number(pk) > 0).sort((a, b) => Number(a['pk']) - Number(b['pk']));
  return keys.map(({ name }) => `"${name}"`);
}

function isUtf8(bytes: Uint8Array): boolean {
  return Buffer.compare(Buffer.from(Buffer.from(bytes).toString()), bytes) === 0;
}

function* checkJson(db: DatabaseSync, table: string, column: string): Generator<RowFinding> {
  const where = `"${column}" IS NOT NULL AND NOT json_valid("${column}")`;
  const rows = db.prepare(`SELECT rowid AS id FROM "${table}" WHERE ${where} LIMIT 100`).all();
  for (const row of rows) yield { table, id: `row ${row['id']}`, what: `${column} is no JSON` };
}

function* checkDocuments(db: DatabaseSync): Generator<RowFinding> {
  for (const found of db.prepare('SELECT * FROM documents').iterate()) {
    const row = found as unknown as DocumentRow;
    if (!isDamaged(row)) continue;
    const id = `rid ${row.rid}, crawler ${row.crawler_id}, id ${JSON.stringify(row.id)}`;
    yield { table: 'documents', id, what: 'it disagrees with its digest' };
  }
}

/** The key of a URL is its digest. */
function* checkUrls(db: DatabaseSync): Generator<RowFinding> {
  const rows = db.prepare('SELECT id, key, url FROM urls');
  rows.setReadBigInts(true);
  for (const { id, key, url } of rows.iterate()) {
    if (key !== keyOfUrl(String(url))) yield { table: 'urls', id: `id ${id}`, what: 'its URL disagrees with its key' };
  }
}

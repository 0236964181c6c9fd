import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
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
import { type DocumentRow, isDamaged } from '../document-rows.ts';
import type { StoreKind } from '../migrate.ts';

/** A row that cannot be what was written. */
export type RowFinding = { readonly table: string; readonly id: string; readonly what: string };

const REPLACEMENT = '\ufffd';

const JSON_COLUMNS: Readonly<Record<StoreKind, Readonly<Record<string, readonly string[]>>>> = {
  system: {
    engines: ['settings', 'public_settings'],
    crawlers: ['config'],
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
export function* checkRows(db: DatabaseSync, kind: StoreKind): Generator<RowFinding> {
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

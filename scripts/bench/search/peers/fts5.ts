import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { GeneratedDocument } from '../../generate-corpus.ts';
import { Columns } from '../columns.ts';
import { type BenchAnswer, type BenchQuery, FIELD_BOOSTS, type Peer } from '../peer.ts';

const DOCUMENTS_PER_COMMIT = 5_000;

/**
 * SQLite FTS5 with stemming, without the texts (`content=''`), in a file; filters, facets and orders in JavaScript
 * columns.
 */
export function createPeer(): Peer {
  const columns = new Columns();
  let scored: StatementSync;
  let unscored: StatementSync;
  return {
    async build(documents, directory) {
      const db = openDatabase(directory);
      db.exec(
        "CREATE VIRTUAL TABLE fts USING fts5(title, description, content, content='', tokenize='porter unicode61', prefix='2 3')",
      );
      await fill(db, documents, columns);
      const { title, description, content } = FIELD_BOOSTS;
      scored = arrays(
        db.prepare(`SELECT rowid - 1, bm25(fts, ${title}, ${description}, ${content}) FROM fts WHERE fts MATCH ?`),
      );
      unscored = arrays(db.prepare('SELECT rowid - 1 FROM fts WHERE fts MATCH ?'));
    },
    can: (className) => className !== 'typo',
    search: (query) => search(columns, query.sort === undefined ? scored : unscored, query),
  };
}

function openDatabase(directory: string): DatabaseSync {
  const db = new DatabaseSync(join(directory, 'fts5.db'));
  db.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-65536; PRAGMA mmap_size=8000000000');
  return db;
}

async function fill(db: DatabaseSync, documents: AsyncIterable<GeneratedDocument>, columns: Columns): Promise<void> {
  const insert = db.prepare('INSERT INTO fts (rowid, title, description, content) VALUES (?, ?, ?, ?)');
  db.exec('BEGIN');
  for await (const document of documents) {
    columns.add(document);
    insert.run(columns.rows, document.title, document.description, document.content);
    if (columns.rows % DOCUMENTS_PER_COMMIT === 0) db.exec('COMMIT; BEGIN');
  }
  db.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
}

function arrays(statement: StatementSync): StatementSync {
  statement.setReturnArrays(true);
  return statement;
}

function search(columns: Columns, statement: StatementSync, query: BenchQuery): BenchAnswer {
  const passes = columns.filterOf(query);
  const rows: number[] = [];
  const scores: number[] = [];
  for (const [row, rank] of matchesOf(columns, statement, query)) {
    if (passes !== undefined && !passes(row)) continue;
    rows.push(row);
    if (rank !== undefined) scores.push(-rank);
  }
  columns.finish(rows, scores.length === 0 ? undefined : scores, query);
  return { total: rows.length };
}

type Match = readonly [row: number, rank?: number];

function matchesOf(columns: Columns, statement: StatementSync, query: BenchQuery): Iterable<Match> {
  if (query.words.length === 0 && query.prefix === undefined) {
    return Array.from({ length: columns.rows }, (_, row) => [row] as const);
  }
  return statement.all(expressionOf(query)) as unknown as readonly Match[];
}

function expressionOf({ words, operator, phrase, prefix }: BenchQuery): string {
  if (prefix !== undefined) return `${prefix}*`;
  return phrase ? `"${words.join(' ')}"` : words.map((word) => `"${word}"`).join(` ${operator} `);
}

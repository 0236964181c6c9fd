import { DatabaseSync } from 'node:sqlite';
import type { GeneratedDocument } from './generate-corpus.ts';

const FACETS = ['category', 'language', 'author'] as const;

export type Fts5Answer = { readonly total: number; readonly ids: readonly string[] };

/**
 * SQLite FTS5 with stemming, in memory: top 10 by bm25, exact total and three facets over all matches. Facets are
 * counted in JavaScript columns, its fastest way.
 */
export function buildFts5(documents: Iterable<GeneratedDocument>): {
  search(match: string): Fts5Answer;
  close(): void;
} {
  const db = new DatabaseSync(':memory:');
  db.exec("CREATE VIRTUAL TABLE fts USING fts5(title, description, content, content='', tokenize='porter unicode61')");
  const insert = db.prepare('INSERT INTO fts (rowid, title, description, content) VALUES (?, ?, ?, ?)');
  const ids: string[] = [''];
  const columns = FACETS.map(() => ({ ordinals: new Map<string, number>(), values: [0] }));
  db.exec('BEGIN');
  for (const document of documents) {
    insert.run(ids.length, document.title, document.description, document.content);
    ids.push(document.id);
    for (const [index, facet] of FACETS.entries()) addValue(columns[index], document[facet]);
  }
  db.exec('COMMIT');
  const matches = db.prepare('SELECT rowid, bm25(fts, 5, 2, 1) FROM fts WHERE fts MATCH ?');
  matches.setReturnArrays(true);
  const compact = columns.map(({ values }) => Uint16Array.from(values));
  return {
    search: (match) => {
      const rows = matches.all(match) as unknown as readonly Match[];
      for (const [index, column] of compact.entries()) countFacet(rows, column, columns[index]?.ordinals.size ?? 0);
      return { total: rows.length, ids: bestTen(rows).map(([row]) => ids[row] ?? '') };
    },
    close: () => db.close(),
  };
}

type Match = readonly [row: number, rank: number];

/** bm25 of FTS5 is the lower the better. O(matches). */
function bestTen(rows: readonly Match[]): readonly Match[] {
  const best: Match[] = [];
  for (const match of rows) {
    const worst = best[9];
    if (worst !== undefined && match[1] >= worst[1]) continue;
    const place = best.findIndex((other) => match[1] < other[1]);
    best.splice(place === -1 ? best.length : place, 0, match);
    best.length = Math.min(10, best.length);
  }
  return best;
}

type Column = { readonly ordinals: Map<string, number>; readonly values: number[] };

function addValue(column: Column | undefined, value: string): void {
  if (column === undefined) return;
  const ordinal = column.ordinals.get(value) ?? column.ordinals.size;
  column.ordinals.set(value, ordinal);
  column.values.push(ordinal);
}

function countFacet(rows: readonly Match[], column: Uint16Array, size: number): Uint32Array {
  const counts = new Uint32Array(size);
  for (const [row] of rows) {
    const ordinal = column[row] ?? 0;
    counts[ordinal] = (counts[ordinal] ?? 0) + 1;
  }
  return counts;
}

import { DatabaseSync } from 'node:sqlite';
import { firstValue, type StoredDocument } from '../../src/core/document.ts';
import { wordsOf } from '../../src/text/analyzer.ts';

/** A title counts five times as much as text: the usual setting of site search on FTS5. */
const TITLE_WEIGHT = 5;

/** Ids of the best documents by FTS5 with Porter's stemmer over titles and texts, any word matches. */
export function openFts5(rows: readonly StoredDocument[]): (query: string, places: number) => readonly string[] {
  const database = new DatabaseSync(':memory:');
  database.exec(`create virtual table pages using fts5(id unindexed, title, body, tokenize = 'porter unicode61')`);
  const insert = database.prepare('insert into pages values (?, ?, ?)');
  for (const { id, fields } of rows) {
    const texts = ['Headings', 'Description', 'Content'].flatMap((name) => fields.get(name) ?? []);
    insert.run(id, firstValue(fields, 'Title'), texts.join('\n'));
  }
  const select = database.prepare(
    `select id from pages where pages match ? order by bm25(pages, 0, ${TITLE_WEIGHT}, 1) limit ?`,
  );
  return (query, places) => {
    const match = wordsOf(query).map((word) => `"${word}"`);
    return match.length === 0 ? [] : select.all(match.join(' OR '), places).map(({ id }) => String(id));
  };
}

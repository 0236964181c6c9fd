import { DatabaseSync } from 'node:sqlite';
import type { StoredDocument } from '../../src/core/document.ts';
import { wordsOf } from '../../src/text/analyzer.ts';
import { pageTexts } from './page-texts.ts';

/** A title counts five times as much as text: the usual setting of site search on FTS5. */
const TITLE_WEIGHT = 5;

/** Ids of the best documents by FTS5 with Porter's stemmer over titles and texts, any word matches. */
export function openFts5(rows: readonly StoredDocument[], places: number): (query: string) => readonly string[] {
  const database = new DatabaseSync(':memory:');
  database.exec(`create virtual table pages using fts5(id unindexed, title, body, tokenize = 'porter unicode61')`);
  const insert = database.prepare('insert into pages values (?, ?, ?)');
  for (const { id, title, headings, content } of rows.map(pageTexts)) insert.run(id, title, `${headings}\n${content}`);
  const select = database.prepare(
    `select id from pages where pages match ? order by bm25(pages, 0, ${TITLE_WEIGHT}, 1) limit ?`,
  );
  return (query) => {
    const match = wordsOf(query).map((word) => `"${word}"`);
    return match.length === 0 ? [] : select.all(match.join(' OR '), places).map(({ id }) => String(id));
  };
}

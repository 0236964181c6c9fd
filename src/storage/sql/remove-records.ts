import { systemSql } from './dialects.ts';
import { readMeta, writeMeta } from './meta.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

type AccountTable = 'customers' | 'engines' | 'crawlers';

const TOOLS = [
  ['banners', ['banner_terms']],
  ['rankings', ['ranking_terms', 'ranking_pages']],
  ['quicklinks', ['quicklink_terms']],
] as const;
const OF_ENGINE = [
  ...(['query_events', 'click_events', 'feedback', 'answer_clicks'] as const),
  ...(['popular_queries', 'query_spellings', 'query_pairs', 'search_days', 'query_days'] as const),
  ...(['conversations', 'exchanges', 'answer_days'] as const),
  ...(['golden_questions', 'golden_results', 'golden_rounds'] as const),
] as const;

/** Name in `meta` of the highest id that a removed record of the table had. */
export function highestIdName(table: AccountTable): string {
  return `highest_id.${table}`;
}

/** Removes the customer with its keys, synonyms, engines and crawlers. */
export function removeCustomer(db: SqliteDatabase, id: number): void {
  for (const engine of db.all(systemSql.selectFrom('engines').select('id').where('customer_id', '=', id).compile())) {
    removeEngine(db, engine.id);
  }
  db.run(systemSql.deleteFrom('api_keys').where('customer_id', '=', id).compile());
  db.run(systemSql.deleteFrom('synonym_groups').where('customer_id', '=', id).compile());
  removeRow(db, 'customers', id);
}

/** Removes the engine with its crawlers, search tools, tracking and golden questions: a later engine of this id starts empty. */
export function removeEngine(db: SqliteDatabase, id: number): void {
  for (const crawler of db.all(systemSql.selectFrom('crawlers').select('id').where('engine_id', '=', id).compile())) {
    removeCrawler(db, crawler.id);
  }
  for (const [table, parts] of TOOLS) {
    for (const part of parts) {
      const tools = systemSql.selectFrom(table).select('id').where('engine_id', '=', id);
      db.run(systemSql.deleteFrom(part).where('parent_id', 'in', tools).compile());
    }
    db.run(systemSql.deleteFrom(table).where('engine_id', '=', id).compile());
  }
  for (const table of OF_ENGINE) db.run(systemSql.deleteFrom(table).where('engine_id', '=', id).compile());
  removeRow(db, 'engines', id);
}

/** Name in `meta` of the activation that a removed crawler had reached. */
export function activationName(crawlerId: number): string {
  return `activation.${crawlerId}`;
}

/** Its activation is kept: a later crawler of this id counts on, so that nothing of the former one is taken for its. */
export function removeCrawler(db: SqliteDatabase, id: number): void {
  const known = db.first(systemSql.selectFrom('crawlers').select('activation').where('id', '=', id).compile());
  if (known !== undefined) writeMeta(db, activationName(id), String(known.activation));
  removeRow(db, 'crawlers', id);
}

function removeRow(db: SqliteDatabase, table: AccountTable, id: number): void {
  db.run(systemSql.deleteFrom(table).where('id', '=', id).compile());
  const name = highestIdName(table);
  if (id > Number(readMeta(db, name) ?? 0)) writeMeta(db, name, String(id));
}

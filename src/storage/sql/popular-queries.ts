import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { MAX_POPULAR_QUERIES, type PopularQuery, type PopularQueryStore } from '../popular-query-store.ts';
import type { QueryCount, QueryEvent } from '../tracking-store.ts';
import type { SystemConnection } from './connection.ts';
import { systemSql } from './dialects.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { statement } from './statement.ts';

/** Further spellings of a query add to its count only. */
const MAX_SPELLINGS = 16;
/** Events of a query session that a new one is paired with. */
const PAIRED_EVENTS = 5;
/** Rows that are read before the event loop gets its turn: about 2 ms. */
const READ_STEP = 1_000;
const EVERYTHING = '*';

type Key = { readonly engineId: number; readonly query: string };
type PopularRow = { query: string; text: string; count: number; result_count: number | null; last_at: number };

const statements = {
  respell: statement<Key & { text: string }, { count: number }>((p) =>
    systemSql
      .updateTable('query_spellings')
      .set({ count: sql`count + 1` })
      .where('engine_id', '=', p.engineId)
      .where('query', '=', p.query)
      .where('text', '=', p.text)
      .returning('count'),
  ),
  spellings: statement<Key, { count: number }>((p) =>
    systemSql
      .selectFrom('query_spellings')
      .select((row) => row.fn.countAll<number>().as('count'))
      .where('engine_id', '=', p.engineId)
      .where('query', '=', p.query),
  ),
  spell: statement<Key & { text: string }>((p) =>
    systemSql
      .insertInto('query_spellings')
      .values({ engine_id: p.engineId, query: p.query, text: p.text, count: sql.lit(1) }),
  ),
  count: statement<Key & { text: string; textCount: number; resultCount: number | null; at: number }>((p) =>
    systemSql
      .insertInto('popular_queries')
      .values({
        engine_id: p.engineId,
        query: p.query,
        text: p.text,
        text_count: p.textCount,
        count: sql.lit(1),
        result_count: p.resultCount,
        last_at: p.at,
      })
      .onConflict((conflict) =>
        conflict.columns(['engine_id', 'query']).doUpdateSet({
          count: sql`count + 1`,
          text: sql`iif(excluded.text_count > text_count, excluded.text, text)`,
          text_count: sql`max(excluded.text_count, text_count)`,
          result_count: sql`coalesce(excluded.result_count, result_count)`,
          last_at: sql`max(excluded.last_at, last_at)`,
        }),
      ),
  ),
  session: statement<{ engineId: number; session: string }, { query: string | null }>((p) =>
    systemSql
      .selectFrom('query_events')
      .select('query')
      .where('engine_id', '=', p.engineId)
      .where('query_session_id', '=', p.session)
      .where('query', 'is not', null)
      .orderBy('at', 'desc')
      .limit(sql.lit(PAIRED_EVENTS)),
  ),
  pair: statement<Key & { other: string; at: number }>((p) =>
    systemSql
      .insertInto('query_pairs')
      .values({ engine_id: p.engineId, query: p.query, other: p.other, count: sql.lit(1), last_at: p.at })
      .onConflict((conflict) =>
        conflict
          .columns(['engine_id', 'query', 'other'])
          .doUpdateSet({ count: sql`count + 1`, last_at: sql`max(excluded.last_at, last_at)` }),
      ),
  ),
  page: statement<Key & { count: number; minCount: number; limit: number }, PopularRow>((p) =>
    systemSql
      .selectFrom('popular_queries')
      .select(['query', 'text', 'count', 'result_count', 'last_at'])
      .where('engine_id', '=', p.engineId)
      .where(sql<boolean>`(count, query) < (${p.count}, ${p.query})`)
      .where('count', '>=', p.minCount)
      .where('query', '<>', sql.lit(EVERYTHING))
      .orderBy('count', 'desc')
      .orderBy('query', 'desc')
      .limit(p.limit),
  ),
  pairsOf: statement<Key & { limit: number }, { other: string; count: number }>((p) =>
    systemSql
      .selectFrom('query_pairs')
      .select(['other', 'count'])
      .where('engine_id', '=', p.engineId)
      .where('query', '=', p.query)
      .orderBy('count', 'desc')
      .orderBy('other', 'asc')
      .limit(p.limit),
  ),
};

/** Adds an event that is about to be stored to the popular queries and to the pairs of its query session. */
export function countPopular(db: SqliteDatabase, event: QueryEvent, counted: QueryCount): void {
  const { engineId, at } = event;
  const { query, spelling: text, ownResultCount } = counted;
  const textCount = countSpelling(db, { engineId, query, text });
  const resultCount = ownResultCount ?? null;
  db.runOf(statements.count, { engineId, query, text, textCount, resultCount, at });
  if (event.querySessionId !== undefined) countPairs(db, { engineId, query, at, session: event.querySessionId });
}

/** How often the spelling came so far; 0 for one too many. */
function countSpelling(db: SqliteDatabase, spelling: Key & { readonly text: string }): number {
  const known = db.firstOf(statements.respell, spelling);
  if (known !== undefined) return known.count;
  const { engineId, query } = spelling;
  if ((db.firstOf(statements.spellings, { engineId, query })?.count ?? 0) >= MAX_SPELLINGS) return 0;
  db.runOf(statements.spell, spelling);
  return 1;
}

function countPairs(db: SqliteDatabase, sent: Key & { readonly at: number; readonly session: string }): void {
  const { engineId, query, at, session } = sent;
  const before = new Set(db.allOf(statements.session, { engineId, session }).map((row) => row.query ?? EVERYTHING));
  before.delete(EVERYTHING);
  if (query === EVERYTHING || before.has(query)) return;
  for (const other of before) {
    db.runOf(statements.pair, { engineId, query, other, at });
    db.runOf(statements.pair, { engineId, query: other, other: query, at });
  }
}

export function popularQueryStore({ read }: SystemConnection): PopularQueryStore {
  return {
    listPopularQueries: async ({ engineId, minCount, limit }) => {
      const found: PopularQuery[] = [];
      const wanted = Math.min(limit, MAX_POPULAR_QUERIES);
      let last: { count: number; query: string } = { count: Number.MAX_SAFE_INTEGER, query: '' };
      for (;;) {
        const step = Math.min(READ_STEP, wanted - found.length);
        const { count, query } = last;
        const rows = step > 0 ? read.allOf(statements.page, { engineId, count, query, minCount, limit: step }) : [];
        found.push(...rows.map(popularQueryOf));
        if (rows.length < READ_STEP) return found;
        last = rows.at(-1) ?? last;
        await setImmediate();
      }
    },
    listQueryPairs: async ({ engineId, query, limit }) =>
      read.allOf(statements.pairsOf, { engineId, query, limit }).map(({ other, count }) => ({ other, count })),
  };
}

function popularQueryOf(row: PopularRow): PopularQuery {
  return {
    query: row.query,
    text: row.text,
    count: row.count,
    lastAt: row.last_at,
    resultCount: row.result_count ?? undefined,
  };
}

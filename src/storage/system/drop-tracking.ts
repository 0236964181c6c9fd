import { sql } from 'kysely';
import { foldBlanks } from '../../core/normal-query.ts';
import { execute, fetchAll, fetchFirst, mapSeries, type Operation } from '../sql/operation.ts';
import { statement, systemSql } from '../sql/statement.ts';
import { MS_PER_DAY } from './popular-queries.ts';

type Old = { readonly engineId: number; readonly before: number; readonly limit: number };
type Key = { readonly engineId: number; readonly query: string };
type OldQuery = { id: string; query: string | null; text: string };

const statements = {
  queries: statement<Old, OldQuery>((p) =>
    systemSql
      .selectFrom('query_events')
      .select(['id', 'query', 'text'])
      .where('engine_id', '=', p.engineId)
      .where('at', '<', p.before)
      .orderBy('at', 'asc')
      .limit(p.limit),
  ),
  dropQuery: statement<{ id: string }>((p) => systemSql.deleteFrom('query_events').where('id', '=', p.id)),
  uncount: statement<Key>((p) =>
    systemSql
      .updateTable('popular_queries')
      .set({ count: sql`count - 1` })
      .where('engine_id', '=', p.engineId)
      .where('query', '=', p.query),
  ),
  unspell: statement<Key & { text: string }>((p) =>
    systemSql
      .updateTable('query_spellings')
      .set({ count: sql`count - 1` })
      .where('engine_id', '=', p.engineId)
      .where('query', '=', p.query)
      .where('text', '=', p.text),
  ),
  dropSpellings: statement<Key>((p) =>
    systemSql
      .deleteFrom('query_spellings')
      .where('engine_id', '=', p.engineId)
      .where('query', '=', p.query)
      .where('count', '<=', sql.lit(0)),
  ),
  dropPopular: statement<Key>((p) =>
    systemSql
      .deleteFrom('popular_queries')
      .where('engine_id', '=', p.engineId)
      .where('query', '=', p.query)
      .where('count', '<=', sql.lit(0)),
  ),
  bestSpelling: statement<Key, { text: string; count: number }>((p) =>
    systemSql
      .selectFrom('query_spellings')
      .select(['text', 'count'])
      .where('engine_id', '=', p.engineId)
      .where('query', '=', p.query)
      .orderBy('count', 'desc')
      .orderBy('text', 'asc')
      .limit(sql.lit(1)),
  ),
  respell: statement<Key & { text: string; count: number }>((p) =>
    systemSql
      .updateTable('popular_queries')
      .set({ text: p.text, text_count: p.count })
      .where('engine_id', '=', p.engineId)
      .where('query', '=', p.query),
  ),
  dropPairs: statement<Old>((p) =>
    systemSql
      .deleteFrom('query_pairs')
      .where(sql<boolean>`(engine_id, query, other) IN (SELECT engine_id, query, other FROM query_pairs
        WHERE engine_id = ${p.engineId} AND last_at < ${p.before} LIMIT ${p.limit})`),
  ),
  dropDays: statement<Old>((p) =>
    systemSql
      .deleteFrom('search_days')
      .where(sql<boolean>`(engine_id, day, device) IN (SELECT engine_id, day, device FROM search_days
        WHERE engine_id = ${p.engineId} AND day < ${p.before} LIMIT ${p.limit})`),
  ),
  dropQueryDays: statement<Old>((p) =>
    systemSql
      .deleteFrom('query_days')
      .where(sql<boolean>`(engine_id, day, query, device) IN (SELECT engine_id, day, query, device FROM query_days
        WHERE engine_id = ${p.engineId} AND day < ${p.before} LIMIT ${p.limit})`),
  ),
  dropClicks: dropOld('click_events'),
  dropAnswerClicks: dropOld('answer_clicks'),
  dropFeedback: dropOld('feedback'),
  dropExchanges: dropOld('exchanges'),
  dropAnswerDays: statement<Old>((p) =>
    systemSql.deleteFrom('answer_days').where(sql<boolean>`(engine_id, day) IN (SELECT engine_id, day FROM answer_days
        WHERE engine_id = ${p.engineId} AND day < ${p.before} LIMIT ${p.limit})`),
  ),
};

const DROPS_BY_TIME = [
  ...[statements.dropClicks, statements.dropAnswerClicks, statements.dropFeedback],
  ...[statements.dropPairs, statements.dropExchanges],
];
const DROPS_BY_DAY = [statements.dropDays, statements.dropQueryDays, statements.dropAnswerDays];

/** Write operation: true while there is more. */
export function* dropTracking(old: Old): Operation<boolean> {
  const days = { ...old, before: Math.floor(old.before / MS_PER_DAY) };
  const events = yield* dropQueries(old);
  const others = [
    ...(yield* mapSeries(DROPS_BY_TIME, (drop) => execute(drop, old))),
    ...(yield* mapSeries(DROPS_BY_DAY, (drop) => execute(drop, days))),
  ];
  return [events, ...others.map(({ changes }) => changes)].some((count) => count >= old.limit);
}

/** The oldest query events, with what they added to the popular queries. */
function* dropQueries(old: Old): Operation<number> {
  const { engineId } = old;
  const events = yield* fetchAll(statements.queries, old);
  for (const { id, query, text } of events) {
    yield* execute(statements.dropQuery, { id });
    if (query === null) continue;
    yield* execute(statements.uncount, { engineId, query });
    yield* execute(statements.unspell, { engineId, query, text: foldBlanks(text) });
  }
  for (const query of new Set(events.flatMap((event) => event.query ?? []))) yield* tidyQuery({ engineId, query });
  return events.length;
}

/** Forgets what nobody sent any more, and shows the spelling that is now the most frequent. */
function* tidyQuery(key: Key): Operation<void> {
  yield* execute(statements.dropSpellings, key);
  yield* execute(statements.dropPopular, key);
  const best = yield* fetchFirst(statements.bestSpelling, key);
  if (best !== undefined) yield* execute(statements.respell, { ...key, ...best });
}

function dropOld(table: 'click_events' | 'answer_clicks' | 'feedback' | 'exchanges') {
  return statement<Old>((p) =>
    systemSql
      .deleteFrom(table)
      .where(
        'id',
        'in',
        systemSql
          .selectFrom(table)
          .select('id')
          .where('engine_id', '=', p.engineId)
          .where('at', '<', p.before)
          .limit(p.limit),
      ),
  );
}

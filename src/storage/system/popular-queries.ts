import { sql } from 'kysely';
import { greatest } from '../sql/dialect.ts';
import { defineStore, execute, fetchAll, fetchFirst, type Operation, pause } from '../sql/operation.ts';
import { statement, systemSql } from '../sql/statement.ts';
import type { ClickEvent, QueryCount, QueryEvent } from './tracking.ts';

/** A query that visitors committed, in all its spellings. */
export type PopularQuery = {
  /** Normal form (`core/normal-query.ts`), unique in its engine. */
  readonly query: string;
  /** The most frequent spelling. */
  readonly text: string;
  /** Events of the log that count. */
  readonly count: number;
  readonly lastAt: number;
  /** Results of this very text as the newest event stated that stated any; undefined = unknown. */
  readonly resultCount: number | undefined;
};

/** Two different queries of one query session (`qsid`). */
type QueryPair = {
  readonly other: string;
  /** Query sessions that held both. */
  readonly count: number;
};

/** Nobody gets more of them at once. */
export const MAX_POPULAR_QUERIES = 50_000;

/**
 * Part of the port `SystemStore`: the committed queries of an engine's log. Promises:
 * - queries of SAYT, internal searches and autocomplete are not among them, nor is the one that means everything;
 * - `listPopularQueries` gives those of at least `minCount`, most frequent first, at most `limit` and never more than
 *   50,000; it reads a table that every logged query keeps up, in steps that leave the event loop free in between;
 * - `listQueryPairs` gives what was logged under one query session with this query, most frequent first; one indexed
 *   read;
 * - both know a query as soon as its event is stored, and forget it when the last of its events is dropped.
 */
export interface PopularQueryStore {
  listPopularQueries(input: {
    readonly engineId: number;
    readonly minCount: number;
    readonly limit: number;
  }): Promise<readonly PopularQuery[]>;
  /** `query` in normal form. */
  listQueryPairs(input: {
    readonly engineId: number;
    readonly query: string;
    readonly limit: number;
  }): Promise<readonly QueryPair[]>;
}

export const MS_PER_DAY = 86_400_000;
/** A higher rank is behind every result window; it is stored, not averaged. */
const HIGHEST_RANK = 1_000_000;

/** What an event adds to the sums of its day. */
type Sums = {
  readonly searches: number;
  readonly withResultCount: number;
  readonly withoutResults: number;
  readonly clicked: number;
  readonly clicks: number;
  readonly rankedClicks: number;
  readonly rankSum: number;
  readonly bannerClicks: number;
};

type DayKey = { readonly engineId: number; readonly day: number; readonly device: string; readonly query: string };
type Search = { readonly engineId: number; readonly queryId: string };
type SearchRow = { at: number; device: string; query: string | null; clicked: number };

const NOTHING: Sums = {
  searches: 0,
  withResultCount: 0,
  withoutResults: 0,
  clicked: 0,
  clicks: 0,
  rankedClicks: 0,
  rankSum: 0,
  bannerClicks: 0,
};

const SUM_COLUMNS = [
  ...(['searches', 'with_result_count', 'without_results', 'clicked'] as const),
  ...(['clicks', 'ranked_clicks', 'rank_sum'] as const),
];

/** Each sum of a table with what is added. */
function grown(table: 'search_days' | 'query_days', columns: readonly string[]) {
  return Object.fromEntries(
    columns.map((name) => [name, sql`${sql.ref(`${table}.${name}`)} + ${sql.ref(`excluded.${name}`)}`]),
  );
}

const queryCounterStatements = {
  addToDay: statement<Omit<DayKey, 'query'> & Sums>((p) =>
    systemSql
      .insertInto('search_days')
      .values({ engine_id: p.engineId, day: p.day, device: p.device, ...columnsOf(p), banner_clicks: p.bannerClicks })
      .onConflict((conflict) =>
        conflict
          .columns(['engine_id', 'day', 'device'])
          .doUpdateSet(grown('search_days', [...SUM_COLUMNS, 'banner_clicks'])),
      ),
  ),
  addToQuery: statement<DayKey & Sums>((p) =>
    systemSql
      .insertInto('query_days')
      .values({ engine_id: p.engineId, day: p.day, query: p.query, device: p.device, ...columnsOf(p) })
      .onConflict((conflict) =>
        conflict.columns(['engine_id', 'day', 'query', 'device']).doUpdateSet(grown('query_days', SUM_COLUMNS)),
      ),
  ),
  search: statement<Search, SearchRow>((p) =>
    systemSql
      .selectFrom('query_events')
      .select(['at', 'device', 'query', 'clicked'])
      .where('engine_id', '=', p.engineId)
      .where('query_id', '=', p.queryId)
      .where('query', 'is not', null)
      .orderBy('at', 'asc')
      .limit(sql.lit(1)),
  ),
  markClicked: statement<Search>((p) =>
    systemSql
      .updateTable('query_events')
      .set({ clicked: sql.lit(1) })
      .where('engine_id', '=', p.engineId)
      .where('query_id', '=', p.queryId),
  ),
  clicksOf: statement<Search, { kind: string; rank: number | null }>((p) =>
    systemSql
      .selectFrom('click_events')
      .select(['kind', 'rank'])
      .where('engine_id', '=', p.engineId)
      .where('query_id', '=', p.queryId)
      .limit(sql.lit(100)),
  ),
};

/**
 * Counts a query event that is about to be stored; true when its search is a clicked one. Clicks that came before it
 * count with it, up to 100. A search that is logged again is one search, though its query counts again.
 */
export function* countQuery(event: QueryEvent, count: QueryCount): Operation<boolean> {
  const { engineId, queryId, at, device } = event;
  yield* countPopular(event, count);
  const logged = yield* fetchFirst(queryCounterStatements.search, { engineId, queryId });
  if (logged !== undefined) return logged.clicked === 1;
  const clicks = yield* fetchAll(queryCounterStatements.clicksOf, { engineId, queryId });
  const isClicked = clicks.some(({ kind }) => kind === 'searchresult');
  const search = {
    ...NOTHING,
    searches: 1,
    withResultCount: Number(event.resultCount !== undefined),
    withoutResults: Number(event.resultCount === 0),
    clicked: Number(isClicked),
  };
  const position = { engineId, at, device, query: count.query };
  for (const sums of [search, ...clicks.map(clickSums)]) yield* addSums(position, sums);
  return isClicked;
}

/** Counts a click on the day and device of its search; a click on a search that was not logged waits for the log. */
export function* countClick({ engineId, queryId, kind, rank }: ClickEvent): Operation<void> {
  const search = yield* fetchFirst(queryCounterStatements.search, { engineId, queryId });
  if (search === undefined) return;
  const isFirst = kind === 'searchresult' && search.clicked === 0;
  if (isFirst) yield* execute(queryCounterStatements.markClicked, { engineId, queryId });
  const sums = { ...clickSums({ kind, rank: rank ?? null }), clicked: Number(isFirst) };
  yield* addSums({ engineId, at: search.at, device: search.device, query: search.query ?? '' }, sums);
}

/** Other kinds than the two known ones add nothing. */
function clickSums({ kind, rank }: { readonly kind: string; readonly rank: number | null }): Sums {
  if (kind === 'banner') return { ...NOTHING, bannerClicks: 1 };
  if (kind !== 'searchresult') return NOTHING;
  const rankSum = rank === null || rank > HIGHEST_RANK ? 0 : rank;
  return { ...NOTHING, clicks: 1, rankedClicks: Number(rankSum > 0), rankSum };
}

function columnsOf(p: Sums) {
  return {
    searches: p.searches,
    with_result_count: p.withResultCount,
    without_results: p.withoutResults,
    clicked: p.clicked,
    clicks: p.clicks,
    ranked_clicks: p.rankedClicks,
    rank_sum: p.rankSum,
  };
}

type Counted = { readonly engineId: number; readonly at: number; readonly device: string; readonly query: string };

function* addSums({ engineId, at, device, query }: Counted, sums: Sums): Operation<void> {
  const position = { engineId, day: Math.floor(at / MS_PER_DAY), device };
  yield* execute(queryCounterStatements.addToDay, { ...position, ...sums });
  yield* execute(queryCounterStatements.addToQuery, { ...position, query, ...sums });
}

/** Further spellings of a query add to its count only. */
const MAX_SPELLINGS = 16;
/** Events of a query session that a new one is paired with. */
const PAIRED_EVENTS = 5;
/** Rows that are read before the event loop gets its turn: about 2 ms. */
const READ_STEP = 1_000;
const EVERYTHING = '*';

type Key = { readonly engineId: number; readonly query: string };
type PopularRow = { query: string; text: string; count: number; result_count: number | null; last_at: number };

const popularQueryStatements = {
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
          count: sql`popular_queries.count + 1`,
          text: sql`CASE WHEN excluded.text_count > popular_queries.text_count THEN excluded.text ELSE popular_queries.text END`,
          text_count: greatest(sql.ref('excluded.text_count'), sql.ref('popular_queries.text_count')),
          result_count: sql`coalesce(excluded.result_count, popular_queries.result_count)`,
          last_at: greatest(sql.ref('excluded.last_at'), sql.ref('popular_queries.last_at')),
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
        conflict.columns(['engine_id', 'query', 'other']).doUpdateSet({
          count: sql`query_pairs.count + 1`,
          last_at: greatest(sql.ref('excluded.last_at'), sql.ref('query_pairs.last_at')),
        }),
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
function* countPopular(event: QueryEvent, counted: QueryCount): Operation<void> {
  const { engineId, at } = event;
  const { query, spelling: text, ownResultCount } = counted;
  const textCount = yield* countSpelling({ engineId, query, text });
  const resultCount = ownResultCount ?? null;
  yield* execute(popularQueryStatements.count, { engineId, query, text, textCount, resultCount, at });
  if (event.querySessionId !== undefined) yield* countPairs({ engineId, query, at, session: event.querySessionId });
}

/** How often the spelling came so far; 0 for one too many. */
function* countSpelling(spelling: Key & { readonly text: string }): Operation<number> {
  const known = yield* fetchFirst(popularQueryStatements.respell, spelling);
  if (known !== undefined) return known.count;
  const { engineId, query } = spelling;
  if (((yield* fetchFirst(popularQueryStatements.spellings, { engineId, query }))?.count ?? 0) >= MAX_SPELLINGS)
    return 0;
  yield* execute(popularQueryStatements.spell, spelling);
  return 1;
}

function* countPairs(sent: Key & { readonly at: number; readonly session: string }): Operation<void> {
  const { engineId, query, at, session } = sent;
  const before = new Set(
    (yield* fetchAll(popularQueryStatements.session, { engineId, session })).map((row) => row.query ?? EVERYTHING),
  );
  before.delete(EVERYTHING);
  if (query === EVERYTHING || before.has(query)) return;
  for (const other of before) {
    yield* execute(popularQueryStatements.pair, { engineId, query, other, at });
    yield* execute(popularQueryStatements.pair, { engineId, query: other, other: query, at });
  }
}

export const popularQueryStore = defineStore<PopularQueryStore>()(
  {
    *listPopularQueries({ engineId, minCount, limit }) {
      const found: PopularQuery[] = [];
      const wanted = Math.min(limit, MAX_POPULAR_QUERIES);
      let last: { count: number; query: string } = { count: Number.MAX_SAFE_INTEGER, query: '' };
      for (;;) {
        const step = Math.min(READ_STEP, wanted - found.length);
        const { count, query } = last;
        const rows =
          step > 0
            ? yield* fetchAll(popularQueryStatements.page, { engineId, count, query, minCount, limit: step })
            : [];
        found.push(...rows.map(popularQueryOf));
        if (rows.length < READ_STEP) return found;
        last = rows.at(-1) ?? last;
        yield* pause();
      }
    },
    *listQueryPairs({ engineId, query, limit }) {
      return (yield* fetchAll(popularQueryStatements.pairsOf, { engineId, query, limit })).map(({ other, count }) => ({
        other,
        count,
      }));
    },
  },
  {},
);

function popularQueryOf(row: PopularRow): PopularQuery {
  return {
    query: row.query,
    text: row.text,
    count: row.count,
    lastAt: row.last_at,
    resultCount: row.result_count ?? undefined,
  };
}

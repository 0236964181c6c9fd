import { sql } from 'kysely';
import type { ClickEvent, QueryCount, QueryEvent } from '../tracking-store.ts';
import { systemSql } from './dialects.ts';
import { countPopular } from './popular-queries.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { statement } from './statement.ts';

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

/** Each sum with what is added. */
const GROWN = Object.fromEntries(
  SUM_COLUMNS.map((name) => [name, sql`${sql.ref(name)} + ${sql.ref(`excluded.${name}`)}`]),
);

const statements = {
  addToDay: statement<Omit<DayKey, 'query'> & Sums>((p) =>
    systemSql
      .insertInto('search_days')
      .values({ engine_id: p.engineId, day: p.day, device: p.device, ...columnsOf(p), banner_clicks: p.bannerClicks })
      .onConflict((conflict) =>
        conflict
          .columns(['engine_id', 'day', 'device'])
          .doUpdateSet({ ...GROWN, banner_clicks: sql`banner_clicks + excluded.banner_clicks` }),
      ),
  ),
  addToQuery: statement<DayKey & Sums>((p) =>
    systemSql
      .insertInto('query_days')
      .values({ engine_id: p.engineId, day: p.day, query: p.query, device: p.device, ...columnsOf(p) })
      .onConflict((conflict) => conflict.columns(['engine_id', 'day', 'query', 'device']).doUpdateSet(GROWN)),
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
export function countQuery(db: SqliteDatabase, event: QueryEvent, count: QueryCount): boolean {
  const { engineId, queryId, at, device } = event;
  countPopular(db, event, count);
  const logged = db.firstOf(statements.search, { engineId, queryId });
  if (logged !== undefined) return logged.clicked === 1;
  const clicks = db.allOf(statements.clicksOf, { engineId, queryId });
  const isClicked = clicks.some(({ kind }) => kind === 'searchresult');
  const search = {
    ...NOTHING,
    searches: 1,
    withResultCount: Number(event.resultCount !== undefined),
    withoutResults: Number(event.resultCount === 0),
    clicked: Number(isClicked),
  };
  const position = { engineId, at, device, query: count.query };
  for (const sums of [search, ...clicks.map(clickSums)]) addSums(db, position, sums);
  return isClicked;
}

/** Counts a click on the day and device of its search; a click on a search that was not logged waits for the log. */
export function countClick(db: SqliteDatabase, { engineId, queryId, kind, rank }: ClickEvent): void {
  const search = db.firstOf(statements.search, { engineId, queryId });
  if (search === undefined) return;
  const isFirst = kind === 'searchresult' && search.clicked === 0;
  if (isFirst) db.runOf(statements.markClicked, { engineId, queryId });
  const sums = { ...clickSums({ kind, rank: rank ?? null }), clicked: Number(isFirst) };
  addSums(db, { engineId, at: search.at, device: search.device, query: search.query ?? '' }, sums);
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

function addSums(db: SqliteDatabase, { engineId, at, device, query }: Counted, sums: Sums): void {
  const position = { engineId, day: Math.floor(at / MS_PER_DAY), device };
  db.runOf(statements.addToDay, { ...position, ...sums });
  db.runOf(statements.addToQuery, { ...position, query, ...sums });
}

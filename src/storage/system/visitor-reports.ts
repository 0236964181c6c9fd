import { sql } from 'kysely';
import { positionIn, textOfNewest } from '../sql/dialect.ts';
import { defineStore, fetchAll } from '../sql/operation.ts';
import { rawQuery, systemSql } from '../sql/statement.ts';
import type { SystemTables } from '../sql/tables.ts';
import { type Exchange, exchangeOf } from './conversations.ts';
import { type QueryDay, type QueryDayRow, queryDayOf } from './statistics.ts';
import { DEVICES, type Device, type Feedback, feedbackOf } from './tracking.ts';

/** `to` is included. */
type Range = { readonly engineId: number; readonly from: number; readonly to: number };

export type LoggedSearch = {
  readonly at: number;
  readonly text: string;
  readonly resultCount: number | undefined;
  readonly fixedQuery: string | undefined;
  readonly device: Device;
  /** On results. */
  readonly clicks: number;
};

/** Clicks on one address; of banners on one banner. */
export type ClickSum = {
  readonly url: string;
  /** As the page stated it last. */
  readonly title: string;
  /** `searchresult`, `banner`, `quicklink`, or what the page sent. */
  readonly kind: string;
  readonly bannerId: string | undefined;
  readonly clicks: number;
  /** Searches with at least one of them. */
  readonly searches: number;
  /** From 1; undefined where none stated its rank. */
  readonly meanRank: number | undefined;
};

export type PageClicks = {
  readonly days: readonly { readonly day: number; readonly clicks: number }[];
  /** Of the searches that counted, the most clicked first, at most 1,000. */
  readonly queries: readonly {
    readonly query: string;
    readonly clicks: number;
    readonly meanRank: number | undefined;
  }[];
};

export type FeedbackText = Feedback & {
  readonly id: number;
  /** The question of the answer or summary that it is about; undefined when that is not known. */
  readonly question: string | undefined;
};

export const EXCHANGE_VIEWS = ['all', 'refused', 'negative', 'degraded'] as const;
export type ExchangeView = (typeof EXCHANGE_VIEWS)[number];

export type RatedExchange = Exchange & {
  readonly rating: string | undefined;
  readonly ratingReason: string | undefined;
  readonly comment: string | undefined;
};

type Page = { readonly offset: number; readonly limit: number };

/**
 * Part of the port `SystemStore`: what visitors did, looked at closely. Promises:
 * - `listSearches` lists the searches of one query (normal form) that count, newest first, with their clicks;
 * - `listDaysOfQuery` gives the sums of one query by day and device; one look-up for each day;
 * - `sumClicks` adds up clicks of one kind, or of one query in all kinds, by address, the most clicked first; it looks at
 *   the latest 200,000 of the range. `text`: part of address or title;
 * - `sumClicksOfPage` tells the clicks on one address by day and by query;
 * - `listFeedbackTexts` lists what visitors said, newest first, below the id `before` when given;
 * - `listExchanges` lists questions with their answers, newest first: all, those that were refused, rated negative, or
 *   that lost half of their claims. `text`: part of question or answer.
 */
export interface VisitorReportStore {
  listSearches(input: Range & { readonly query: string; readonly limit: number }): Promise<readonly LoggedSearch[]>;
  listDaysOfQuery(input: {
    readonly engineId: number;
    readonly query: string;
    readonly fromDay: number;
    readonly toDay: number;
  }): Promise<readonly QueryDay[]>;
  sumClicks(
    input: Range & Page & { readonly kind?: string; readonly query?: string; readonly text?: string | undefined },
  ): Promise<readonly ClickSum[]>;
  sumClicksOfPage(input: Range & { readonly url: string }): Promise<PageClicks>;
  listFeedbackTexts(
    input: Range & {
      readonly kind: Feedback['kind'] | undefined;
      readonly rating: string | undefined;
      readonly hasComment: boolean;
      readonly before: number | undefined;
      readonly limit: number;
    },
  ): Promise<readonly FeedbackText[]>;
  listExchanges(
    input: Range & Page & { readonly view: ExchangeView; readonly text: string | undefined },
  ): Promise<readonly RatedExchange[]>;
}

const MOST_CLICKS = 200_000;
const MOST_QUERIES = 1_000;
const MS_PER_DAY = 86_400_000;

type SearchRow = Pick<SystemTables['query_events'], 'at' | 'text' | 'result_count' | 'fixed_query' | 'device'> & {
  clicks: number;
};

export const visitorReportStore = defineStore<VisitorReportStore>()(
  {
    *listSearches({ engineId, query, from, to, limit }) {
      const clicks = sql<number>`(SELECT count(*) FROM click_events WHERE click_events.engine_id = query_events.engine_id
        AND click_events.query_id = query_events.query_id AND click_events.kind = 'searchresult')`;
      const searches = systemSql
        .selectFrom('query_events')
        .select(['at', 'text', 'result_count', 'fixed_query', 'device', clicks.as('clicks')])
        .where('engine_id', '=', engineId)
        .where('query', '=', query)
        .where('at', '>=', from)
        .where('at', '<=', to)
        .orderBy('at', 'desc')
        .limit(limit);
      return (yield* fetchAll(searches)).map(searchOf);
    },
    *listDaysOfQuery({ engineId, query, fromDay, toDay }) {
      const days = rawQuery<QueryDayRow>(sql`WITH RECURSIVE days (day) AS (SELECT ${fromDay}
          UNION ALL SELECT day + 1 FROM days WHERE day < ${toDay})
        SELECT query_days.* FROM days CROSS JOIN query_days
        ON query_days.engine_id = ${engineId} AND query_days.day = days.day AND query_days.query = ${query}`);
      return (yield* fetchAll(days)).map(queryDayOf);
    },
    *sumClicks({ engineId, from, to, kind, query, text, offset, limit }) {
      const latest = systemSql
        .selectFrom('click_events')
        .select(['url', 'banner_id', 'title', 'kind', 'query_id', 'rank', 'at'])
        .where('engine_id', '=', engineId)
        .where('at', '>=', from)
        .where('at', '<=', to)
        .$if(kind !== undefined, (clicks) => clicks.where('kind', '=', kind ?? ''))
        .$if(query !== undefined, (clicks) =>
          clicks.where('query_id', 'in', (events) =>
            events
              .selectFrom('query_events')
              .select('query_id')
              .where('engine_id', '=', engineId)
              .where('query', '=', query ?? '')
              .where('at', '>=', from)
              .where('at', '<=', to),
          ),
        )
        .$if(text !== undefined, (clicks) => clicks.where(holds(text, 'url', 'title')))
        .orderBy('at', 'desc')
        .limit(MOST_CLICKS);
      const title = textOfNewest(sql.ref('title'), sql.ref('at'));
      const sums = rawQuery<ClickSumRow>(sql`SELECT coalesce(url, '') AS url, kind, banner_id, ${title} AS title,
          count(*) AS clicks, count(DISTINCT query_id) AS searches, avg(rank) AS mean_rank
        FROM (${latest}) GROUP BY url, kind, banner_id ORDER BY clicks DESC, url LIMIT ${limit} OFFSET ${offset}`);
      return (yield* fetchAll(sums)).map(clickSumOf);
    },
    *sumClicksOfPage({ engineId, url, from, to }) {
      const clicks = systemSql
        .selectFrom('click_events')
        .select(['at', 'query_id', 'rank'])
        .where('engine_id', '=', engineId)
        .where('at', '>=', from)
        .where('at', '<=', to)
        .where('url', '=', url)
        .where('kind', '=', 'searchresult')
        .orderBy('at', 'desc')
        .limit(MOST_CLICKS);
      const days = yield* fetchAll(
        rawQuery<{ day: number; clicks: number }>(sql`SELECT at / ${MS_PER_DAY} AS day, count(*) AS clicks
          FROM (${clicks}) GROUP BY day ORDER BY day`),
      );
      // From each click to its search: the other way round all searches meet all clicks.
      const queries = yield* fetchAll(
        rawQuery<{ query: string; clicks: number; mean_rank: number | null }>(sql`SELECT query_events.query AS query,
            count(*) AS clicks, avg(clicks.rank) AS mean_rank
          FROM (${clicks}) AS clicks CROSS JOIN query_events ON query_events.engine_id = ${engineId}
            AND query_events.query_id = clicks.query_id AND query_events.query IS NOT NULL
          GROUP BY query_events.query ORDER BY clicks DESC, query LIMIT ${MOST_QUERIES}`),
      );
      return {
        days,
        queries: queries.map((row) => ({
          query: row.query,
          clicks: row.clicks,
          meanRank: row.mean_rank ?? undefined,
        })),
      };
    },
    *listFeedbackTexts({ engineId, from, to, kind, rating, hasComment, before, limit }) {
      const texts = systemSql
        .selectFrom('feedback')
        .leftJoin('exchanges', (join) =>
          join.onRef('exchanges.engine_id', '=', 'feedback.engine_id').onRef('exchanges.id', '=', 'feedback.key'),
        )
        .selectAll('feedback')
        .select('exchanges.question')
        .where('feedback.engine_id', '=', engineId)
        .where('feedback.at', '>=', from)
        .where('feedback.at', '<=', to)
        .$if(kind !== undefined, (found) => found.where('feedback.kind', '=', kind ?? ''))
        .$if(rating !== undefined, (found) => found.where('feedback.rating', '=', rating ?? ''))
        .$if(hasComment, (found) => found.where(sql<boolean>`coalesce(feedback.comment, '') <> ''`))
        .$if(before !== undefined, (found) => found.where('feedback.id', '<', before ?? 0))
        .orderBy('feedback.id', 'desc')
        .limit(limit);
      return (yield* fetchAll(texts)).map((row) => ({
        ...feedbackOf(row),
        id: row.id,
        question: row.question ?? undefined,
      }));
    },
    *listExchanges({ engineId, from, to, view, text, offset, limit }) {
      const exchanges = systemSql
        .selectFrom('exchanges')
        .leftJoin('feedback', (join) =>
          join
            .onRef('feedback.engine_id', '=', 'exchanges.engine_id')
            .onRef('feedback.kind', '=', 'exchanges.kind')
            .onRef('feedback.key', '=', 'exchanges.id'),
        )
        .selectAll('exchanges')
        .select(['feedback.rating', 'feedback.reason as rating_reason', 'feedback.comment'])
        .where('exchanges.engine_id', '=', engineId)
        .where('exchanges.at', '>=', from)
        .where('exchanges.at', '<=', to)
        .$if(view !== 'all', (found) => found.where(VIEWS[view]))
        .$if(text !== undefined, (found) => found.where(holds(text, 'exchanges.question', 'exchanges.answer')))
        .orderBy('exchanges.at', 'desc')
        .orderBy('exchanges.id')
        .limit(limit)
        .offset(offset);
      return (yield* fetchAll(exchanges)).map((row) => ({
        ...exchangeOf(row),
        rating: row.rating ?? undefined,
        ratingReason: row.rating_reason ?? undefined,
        comment: row.comment ?? undefined,
      }));
    },
  },
  {},
);

const VIEWS = {
  all: sql<boolean>`TRUE`,
  refused: sql<boolean>`exchanges.could_answer = 0`,
  negative: sql<boolean>`feedback.rating = 'negative'`,
  degraded: sql<boolean>`exchanges.degraded = 1`,
} as const satisfies Record<ExchangeView, unknown>;

/** Whether one of the columns has the text as a part, whatever its case. */
function holds(text: string | undefined, ...columns: readonly string[]) {
  const part = (text ?? '').toLowerCase();
  const places = columns.map((column) => positionIn(sql`lower(coalesce(${sql.ref(column)}, ''))`, part));
  return sql<boolean>`(${sql.join(places, sql` + `)}) > 0`;
}

function searchOf({ at, text, result_count, fixed_query, device, clicks }: SearchRow): LoggedSearch {
  return {
    at,
    text,
    resultCount: result_count ?? undefined,
    fixedQuery: fixed_query ?? undefined,
    device: DEVICES.find((known) => known === device) ?? 'unknown',
    clicks,
  };
}

type ClickSumRow = {
  url: string;
  kind: string;
  banner_id: string | null;
  title: string;
  clicks: number;
  searches: number;
  mean_rank: number | null;
};

function clickSumOf(row: ClickSumRow): ClickSum {
  const { url, kind, title, clicks, searches, banner_id, mean_rank } = row;
  return {
    url,
    kind,
    title,
    bannerId: banner_id ?? undefined,
    clicks,
    searches,
    meanRank: mean_rank ?? undefined,
  };
}

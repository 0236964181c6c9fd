import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { requireRecord } from '../../accounts/account-change.ts';
import type { Clock } from '../../core/clock.ts';
import { firstValue } from '../../core/document.ts';
import type { EngineStores } from '../../storage/engine-store.ts';
import type { AccountStore } from '../../storage/system/accounts.ts';
import { DEVICES, RATINGS } from '../../storage/system/tracking.ts';
import {
  type ClickSum,
  EXCHANGE_VIEWS,
  type FeedbackText,
  type LoggedSearch,
  type RatedExchange,
  type VisitorReportStore,
} from '../../storage/system/visitor-reports.ts';
import { type QueryReport, readQueryReport } from '../../tracking/query-report.ts';
import type { Shown } from '../openapi/json-schema.ts';
import { FORMAT, MOST_CSV_ROWS, nextOffset, sendCsv } from './csv.ts';
import { idOf, LIST_QUERY, queryOf } from './requests.ts';
import { TIME, timeText } from './responses.ts';
import {
  COUNTERS,
  countersBody,
  DAY,
  dayText,
  RANGE,
  RANGE_BODY,
  rangeBody,
  rangeOf,
  rounded,
  wholeDays,
} from './statistics-range.ts';

export type VisitorReportDeps = {
  readonly store: Pick<AccountStore, 'findEngine'>;
  readonly systemStore: VisitorReportStore;
  readonly engineStores: Pick<EngineStores, 'of'>;
  readonly clock: Clock;
};

const DAY_MS = 86_400_000;
const FEEDBACK_KINDS = ['answer', 'summary', 'result'] as const;
const LIST = { from: RANGE.from, to: RANGE.to, ...LIST_QUERY, format: FORMAT };
const TEXT = z.string().min(1).optional();

export const QUERY_REPORT = z.strictObject({ ...RANGE, query: z.string().min(1), format: FORMAT });
export const CLICK_LIST = z.strictObject({ ...LIST, text: TEXT.describe('Part of address or title.') });
export const PAGE_CLICKS = z.strictObject({ from: RANGE.from, to: RANGE.to, url: z.string().min(1), format: FORMAT });
export const FEEDBACK_LIST = z.strictObject({
  ...LIST,
  kind: z.enum(FEEDBACK_KINDS).optional(),
  rating: z.enum(RATINGS).optional(),
  comments: z.enum(['true', 'false']).default('false').describe('`true`: those with words alone.'),
});
export const EXCHANGE_LIST = z.strictObject({
  ...LIST,
  show: z.enum(EXCHANGE_VIEWS).default('all').describe('`degraded`: it lost half of its claims.'),
  text: TEXT.describe('Part of question or answer.'),
});

/** What the visitors of an engine did and said, looked at closely; each list also as CSV. */
export function visitorReportRoutes(deps: VisitorReportDeps): FastifyPluginAsync {
  const { systemStore, clock } = deps;
  const engineIdOf = async (request: FastifyRequest) => {
    const id = idOf(request, 'engineId');
    return requireRecord('engine', id, await deps.store.findEngine(id)).id;
  };
  const reader = { config: { access: 'reader' } } as const;
  return async (app) => {
    app.get('/engines/:engineId/statistics/query', reader, async (request, reply) => {
      const engineId = await engineIdOf(request);
      const { query, format, ...sent } = queryOf(QUERY_REPORT, request);
      const range = wholeDays(rangeOf(sent, engineId, clock.now()));
      const report = queryReportBody(await readQueryReport(deps, { ...range, query }));
      if (format === 'csv')
        return sendCsv(reply, `engine-${engineId}-query`, { columns: SEARCH_COLUMNS, rows: report.searches });
      return { ...rangeBody(range), ...report } satisfies Shown<typeof QUERY_REPORT_BODY>;
    });

    for (const [name, kind] of [
      ['pages', 'searchresult'],
      ['banners', 'banner'],
      ['quicklinks', 'quicklink'],
    ] as const) {
      app.get(`/engines/:engineId/statistics/${name}`, reader, async (request, reply) => {
        const engineId = await engineIdOf(request);
        const { format, text, limit, after: offset = 0, ...sent } = queryOf(CLICK_LIST, request);
        const range = wholeDays(rangeOf(sent, engineId, clock.now()));
        const page = format === 'csv' ? { offset: 0, limit: MOST_CSV_ROWS } : { offset, limit };
        const items = (await systemStore.sumClicks({ ...range, ...page, kind, text })).map(clickSumBody);
        if (format === 'csv')
          return sendCsv(reply, `engine-${engineId}-${name}`, { columns: CLICK_COLUMNS, rows: items });
        return { items, next: nextOffset(items, page) };
      });
    }

    app.get('/engines/:engineId/statistics/page', reader, async (request, reply) => {
      const engineId = await engineIdOf(request);
      const { url, format, ...sent } = queryOf(PAGE_CLICKS, request);
      const range = wholeDays(rangeOf(sent, engineId, clock.now()));
      const { days, queries } = await systemStore.sumClicksOfPage({ ...range, url });
      const rows = queries.map(({ meanRank, ...row }) => ({ ...row, meanRank: rounded(meanRank) }));
      if (format === 'csv') return sendCsv(reply, `engine-${engineId}-page`, { columns: PAGE_COLUMNS, rows });
      return {
        url,
        clicks: days.reduce((sum, { clicks }) => sum + clicks, 0),
        days: days.map(({ day, clicks }) => ({ day: dayText(day * DAY_MS), clicks })),
        queries: rows,
      } satisfies Shown<typeof PAGE_CLICKS_BODY>;
    });
    await app.register(textRoutes(deps, engineIdOf));
  };
}

type EngineIdOf = (request: FastifyRequest) => Promise<number>;

/** What visitors asked and said. */
function textRoutes(deps: VisitorReportDeps, engineIdOf: EngineIdOf): FastifyPluginAsync {
  const { systemStore, clock } = deps;
  const reader = { config: { access: 'reader' } } as const;
  return async (app) => {
    app.get('/engines/:engineId/statistics/feedback', reader, async (request, reply) => {
      const engineId = await engineIdOf(request);
      const { format, limit, after, kind, rating, comments, ...sent } = queryOf(FEEDBACK_LIST, request);
      const range = wholeDays(rangeOf(sent, engineId, clock.now()));
      const page = format === 'csv' ? { limit: MOST_CSV_ROWS, before: undefined } : { limit, before: after };
      const texts = await systemStore.listFeedbackTexts({
        ...range,
        ...page,
        kind,
        rating,
        hasComment: comments === 'true',
      });
      const items = texts.map(feedbackBody);
      if (format === 'csv')
        return sendCsv(reply, `engine-${engineId}-feedback`, { columns: FEEDBACK_COLUMNS, rows: items });
      return { items, next: items.length < limit ? null : (items.at(-1)?.id ?? null) };
    });

    app.get('/engines/:engineId/statistics/exchanges', reader, async (request, reply) => {
      const engineId = await engineIdOf(request);
      const { format, limit, after: offset = 0, show: view, text, ...sent } = queryOf(EXCHANGE_LIST, request);
      const range = wholeDays(rangeOf(sent, engineId, clock.now()));
      const page = format === 'csv' ? { offset: 0, limit: MOST_CSV_ROWS } : { offset, limit };
      const exchanges = await systemStore.listExchanges({ ...range, ...page, view, text });
      if (format === 'csv') {
        const rows = exchanges.map((exchange) => ({
          ...exchangeBody(exchange),
          sources: exchange.sources.map(({ url }) => url).join(' '),
        }));
        return sendCsv(reply, `engine-${engineId}-answers`, { columns: EXCHANGE_COLUMNS, rows });
      }
      const titleOf = titles(deps, engineId);
      const items: Shown<typeof EXCHANGE_BODY>[] = [];
      for (const exchange of exchanges) {
        const sources = [];
        for (const source of exchange.sources) sources.push({ url: source.url, title: await titleOf(source) });
        items.push({ ...exchangeBody(exchange), sources });
      }
      return { items, next: nextOffset(items, page) };
    });
  };
}

type Source = RatedExchange['sources'][number];

/** Titles of documents as they are now; `''` of one that is gone. */
function titles({ engineStores }: VisitorReportDeps, engineId: number): (source: Source) => Promise<string> {
  const known = new Map<string, string>();
  return async ({ crawlerId, documentId }) => {
    const key = `${crawlerId} ${documentId}`;
    const title = known.get(key);
    if (title !== undefined) return title;
    const document = await (await engineStores.of(engineId)).findDocument(crawlerId, documentId);
    const read = document === undefined ? '' : firstValue(document.fields, 'Title');
    known.set(key, read);
    return read;
  };
}

const MEAN_RANK = z.number().nullable().describe('From 1; of the clicks that stated their rank.');
const CLICK_SUM = {
  url: z.string().describe('"" of a banner without an address.'),
  title: z.string().describe('As the page stated it last.'),
  kind: z.string().describe('`searchresult`, `banner`, `quicklink`, or what the page sent.'),
  banner: z.string().nullable(),
  clicks: z.int(),
  searches: z.int().describe('Searches with at least one of them.'),
  meanRank: MEAN_RANK,
};
export const CLICK_SUM_BODY = z.object(CLICK_SUM).meta({ id: 'ClickSum' });
const CLICK_COLUMNS = Object.keys(CLICK_SUM) as readonly (keyof typeof CLICK_SUM)[];

function clickSumBody({ bannerId, meanRank, ...sum }: ClickSum): Shown<typeof CLICK_SUM_BODY> {
  return { ...sum, banner: bannerId ?? null, meanRank: rounded(meanRank) };
}

const SEARCH = {
  at: TIME,
  text: z.string(),
  results: z.int().nullable().describe('As the page stated; null when it did not.'),
  fixedQuery: z.string().nullable(),
  device: z.enum(DEVICES),
  clicks: z.int(),
};
const SEARCH_COLUMNS = Object.keys(SEARCH) as readonly (keyof typeof SEARCH)[];
export const QUERY_REPORT_BODY = z
  .object({
    ...RANGE_BODY,
    query: z.string().describe('In lower case.'),
    total: z.object(COUNTERS),
    days: z.array(z.object({ day: DAY, ...COUNTERS })),
    devices: z.array(z.object({ device: z.enum(DEVICES), ...COUNTERS })),
    fixedQueries: z
      .array(z.object({ query: z.string(), searches: z.int() }))
      .describe('What was searched in its place.'),
    results: z.object({ least: z.int(), most: z.int(), last: z.int() }).nullable(),
    hits: z.array(CLICK_SUM_BODY).describe('What was clicked, the most clicked first, at most 100.'),
    searches: z.array(z.object(SEARCH)).describe('The latest 50.'),
  })
  .meta({ id: 'QueryReport' });

function queryReportBody(report: QueryReport): Omit<Shown<typeof QUERY_REPORT_BODY>, 'from' | 'to' | 'device'> {
  const { query, total, days, devices, fixedQueries, results, hits, searches } = report;
  return {
    query,
    total: countersBody(total),
    days: days.map(({ day, ...counters }) => ({ day: dayText(day * DAY_MS), ...countersBody(counters) })),
    devices: devices.map(({ device, ...counters }) => ({ device, ...countersBody(counters) })),
    fixedQueries,
    results: results ?? null,
    hits: hits.map(clickSumBody),
    searches: searches.map(searchBody),
  };
}

function searchBody({ at, resultCount, fixedQuery, ...search }: LoggedSearch) {
  return { ...search, at: timeText(at), results: resultCount ?? null, fixedQuery: fixedQuery ?? null };
}

const PAGE_QUERY = { query: z.string(), clicks: z.int(), meanRank: MEAN_RANK };
const PAGE_COLUMNS = Object.keys(PAGE_QUERY) as readonly (keyof typeof PAGE_QUERY)[];
export const PAGE_CLICKS_BODY = z
  .object({
    url: z.string(),
    clicks: z.int(),
    days: z.array(z.object({ day: DAY, clicks: z.int() })),
    queries: z.array(z.object(PAGE_QUERY)).describe('What was searched before, the most clicked first.'),
  })
  .meta({ id: 'PageClicks' });

const OPINION = {
  rating: z.enum(RATINGS).nullable(),
  reason: z.string().nullable(),
  comment: z.string().nullable(),
};
const FEEDBACK = {
  id: z.int(),
  at: TIME,
  kind: z.enum(FEEDBACK_KINDS),
  ...OPINION,
  language: z.string().nullable(),
  question: z.string().nullable().describe('Of the answer or summary that it is about, while that is known.'),
  url: z.string().nullable().describe('Of the result that it is about.'),
};
export const FEEDBACK_BODY = z.object(FEEDBACK).meta({ id: 'Feedback' });
const FEEDBACK_COLUMNS = Object.keys(FEEDBACK) as readonly (keyof typeof FEEDBACK)[];

function feedbackBody({
  id,
  at,
  kind,
  rating,
  reason,
  comment,
  language,
  question,
  extra,
}: FeedbackText): Shown<typeof FEEDBACK_BODY> {
  return {
    id,
    at: timeText(at),
    kind,
    rating: rating ?? null,
    reason: reason ?? null,
    comment: comment ?? null,
    language: language ?? null,
    question: question ?? null,
    url: extra['url'] ?? null,
  };
}

const EXCHANGE = {
  id: z.string(),
  at: TIME,
  kind: z.enum(['answer', 'summary']),
  question: z.string(),
  rewritten: z.string().nullable().describe('As it was understood, where it needed the one before.'),
  answer: z.string().describe('"" of a conversation that has ended without feedback.'),
  couldAnswer: z.boolean(),
  refusal: z.string().nullable().describe('Why nothing could be answered.'),
  degraded: z.boolean(),
  language: z.string(),
  ...OPINION,
};
export const EXCHANGE_BODY = z
  .object({
    ...EXCHANGE,
    sources: z.array(z.object({ url: z.string(), title: z.string() })).describe('Pages that it cites.'),
  })
  .meta({ id: 'Exchange' });
const EXCHANGE_COLUMNS = [...(Object.keys(EXCHANGE) as (keyof typeof EXCHANGE)[]), 'sources'] as const;

function exchangeBody(exchange: RatedExchange): Omit<Shown<typeof EXCHANGE_BODY>, 'sources'> {
  const { id, at, kind, question, rewritten, answer, couldAnswer, reason, isDegraded, language } = exchange;
  return {
    id,
    at: timeText(at),
    kind,
    question,
    rewritten: rewritten ?? null,
    answer,
    couldAnswer,
    refusal: reason ?? null,
    degraded: isDegraded,
    language,
    rating: RATINGS.find((rating) => rating === exchange.rating) ?? null,
    reason: exchange.ratingReason ?? null,
    comment: exchange.comment ?? null,
  };
}

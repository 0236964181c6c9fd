import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { requireRecord } from '../../accounts/account-change.ts';
import { type AnswerUsage, type AnswerUsageDeps, readAnswerUsage, type UsageCounters } from '../../ai/answer-report.ts';
import { type ContentGap, type ContentGapDeps, findContentGaps } from '../../ai/content-gaps.ts';
import type { Clock } from '../../core/clock.ts';
import type { AccountStore } from '../../storage/system/accounts.ts';
import type { StatisticsStore } from '../../storage/system/statistics.ts';
import { DEVICES } from '../../storage/system/tracking.ts';
import {
  type DailyCounters,
  QUERY_ORDERS,
  type QueryCounters,
  readStatistics,
  readTopQueries,
  type SearchStatistics,
} from '../../tracking/statistics.ts';
import type { Shown } from '../openapi/json-schema.ts';
import { requestSignal } from '../request-signal.ts';
import { FORMAT, MOST_CSV_ROWS, nextOffset, sendCsv } from './csv.ts';
import { digits, idOf, LIST_QUERY, queryOf } from './requests.ts';
import {
  COUNTER_NAMES,
  COUNTERS,
  countersBody,
  DAY,
  dayText,
  RANGE,
  RANGE_BODY,
  rangeBody,
  rangeOf,
  rounded,
} from './statistics-range.ts';

export type StatisticsRouteDeps = Pick<ContentGapDeps, 'dryRunQuestion'> &
  Pick<AnswerUsageDeps, 'tokenPrices'> & {
    readonly store: Pick<AccountStore, 'findEngine'>;
    readonly systemStore: StatisticsStore & ContentGapDeps['systemStore'] & AnswerUsageDeps['systemStore'];
    readonly clock: Clock;
  };

const DEFAULT_QUERIES = 50;
const MAX_QUERIES = 1_000;

const DEFAULT_GAPS = 20;
const MAX_GAPS = 100;
/** Each gap is asked again, which takes some tens of milliseconds. */
const GAPS_DEADLINE_MS = 30_000;

export const STATISTICS_RANGE = z.strictObject({ ...RANGE, format: FORMAT });
export const USAGE_RANGE = z.strictObject({ from: RANGE.from, to: RANGE.to });
export const GAP_RANGE = z.strictObject({
  from: RANGE.from,
  to: RANGE.to,
  visitors: digits(1, MAX_GAPS).default(1),
  limit: digits(1, MAX_GAPS).default(DEFAULT_GAPS),
  format: FORMAT,
});
export const QUERY_RANGE = z.strictObject({
  ...RANGE,
  order: z
    .enum(QUERY_ORDERS, `must be one of ${QUERY_ORDERS.join(', ')}`)
    .default('searches')
    .describe('`low-click`: searches that showed results of which none was clicked.'),
  text: z.string().min(1).optional().describe('Part of the query.'),
  limit: digits(1, MAX_QUERIES).default(DEFAULT_QUERIES),
  after: LIST_QUERY.after,
  format: FORMAT,
});

/** What the visitors of an engine searched, clicked and asked. Internal searches and those while typing are not in it. */
export function statisticsRoutes(deps: StatisticsRouteDeps): FastifyPluginAsync {
  const engineOf = async (request: FastifyRequest) => {
    const id = idOf(request, 'engineId');
    return requireRecord('engine', id, await deps.store.findEngine(id));
  };
  const engineIdOf = async (request: FastifyRequest) => (await engineOf(request)).id;
  return async (app) => {
    app.get('/engines/:engineId/statistics', { config: { access: 'reader' } }, async (request, reply) => {
      const engineId = await engineIdOf(request);
      const { format, ...sent } = queryOf(STATISTICS_RANGE, request);
      const range = rangeOf(sent, engineId, deps.clock.now());
      const body = statisticsBody(await readStatistics(deps, range));
      if (format === 'csv') return sendCsv(reply, `engine-${engineId}-days`, { columns: DAY_COLUMNS, rows: body.days });
      return { ...rangeBody(range), ...body } satisfies Shown<typeof STATISTICS_BODY>;
    });

    app.get('/engines/:engineId/statistics/queries', { config: { access: 'reader' } }, async (request, reply) => {
      const engineId = await engineIdOf(request);
      const { order, limit, text, after: offset = 0, format, ...sent } = queryOf(QUERY_RANGE, request);
      const range = rangeOf(sent, engineId, deps.clock.now());
      const asked = format === 'csv' ? { offset: 0, limit: MOST_CSV_ROWS } : { offset, limit };
      const queries = await readTopQueries(deps, { ...range, order, text, ...asked });
      const items = queries.map(queryCountersBody);
      if (format === 'csv')
        return sendCsv(reply, `engine-${engineId}-queries`, { columns: QUERY_COLUMNS, rows: items });
      const next = nextOffset(items, asked);
      return { ...rangeBody(range), order, items, next } satisfies Shown<typeof QUERIES_BODY>;
    });

    app.get('/engines/:engineId/statistics/answers', { config: { access: 'reader' } }, async (request) => {
      const engineId = await engineIdOf(request);
      const range = rangeOf(queryOf(USAGE_RANGE, request), engineId, deps.clock.now());
      const { device: _, ...days } = rangeBody(range);
      return { ...days, ...answerUsageBody(await readAnswerUsage(deps, range)) } satisfies Shown<typeof USAGE_BODY>;
    });

    app.get('/engines/:engineId/statistics/gaps', { config: { access: 'reader' } }, async (request, reply) => {
      const engine = await engineOf(request);
      const { limit, visitors: minVisitors, format, ...sent } = queryOf(GAP_RANGE, request);
      const range = rangeOf(sent, engine.id, deps.clock.now());
      const { from, to } = { from: range.from, to: range.to + 1 };
      const signal = requestSignal(reply, GAPS_DEADLINE_MS);
      const gaps = await findContentGaps(deps, { engine, from, to, minVisitors, limit, signal });
      const items = gaps.map(contentGapBody);
      if (format === 'csv') {
        const rows = items.map(gapRow);
        return sendCsv(reply, `engine-${engine.id}-gaps`, { columns: GAP_COLUMNS, rows });
      }
      return { from: rangeBody(range).from, to: rangeBody(range).to, items };
    });
  };
}

const DAILY = { ...COUNTERS, bannerClicks: z.int() };

export const STATISTICS_BODY = z
  .object({
    ...RANGE_BODY,
    total: z.object(DAILY),
    devices: z.array(z.object({ device: z.enum(DEVICES), ...DAILY })),
    days: z.array(z.object({ day: DAY, ...DAILY })),
  })
  .meta({ id: 'Statistics' });

export const QUERIES_BODY = z
  .object({
    ...RANGE_BODY,
    order: z.enum(QUERY_ORDERS),
    items: z.array(z.object({ query: z.string(), ...COUNTERS })),
    next: z.int().nullable(),
  })
  .meta({ id: 'QueryStatistics' });

const QUERY_COLUMNS = ['query', ...COUNTER_NAMES] as const;
const DAY_COLUMNS = ['day', ...COUNTER_NAMES, 'bannerClicks'] as const;
const GAP_COLUMNS = ['question', 'language', 'questions', 'visitors', 'lastAt', 'closed', 'nearest'] as const;

const USAGE = {
  answers: z.int(),
  summaries: z.int(),
  refused: z.int(),
  cached: z.int(),
  inputTokens: z.int(),
  outputTokens: z.int(),
  estimatedTokens: z.int().describe('Part of the tokens that were counted here, as the provider named none.'),
  cost: z.number().nullable().describe('At the present prices; null without any.'),
};

export const USAGE_BODY = z
  .object({ from: DAY, to: DAY, total: z.object(USAGE), days: z.array(z.object({ day: DAY, ...USAGE })) })
  .meta({ id: 'AnswerUsage' });

export const GAPS_BODY = z
  .object({
    from: DAY,
    to: DAY,
    items: z.array(
      z.object({
        question: z.string(),
        wordings: z.array(z.string()).describe('Others that mean the same.'),
        language: z.string(),
        questions: z.int(),
        visitors: z.int(),
        lastAt: z.iso.datetime(),
        signals: z.record(z.string(), z.int()),
        reasons: z.array(z.string()),
        closed: z.boolean().describe('Answered now, by a page that changed since it was asked in vain.'),
        nearest: z.array(z.object({ url: z.string(), title: z.string() })),
      }),
    ),
  })
  .meta({ id: 'ContentGaps' });

function statisticsBody({ total, days, devices }: SearchStatistics) {
  return {
    total: dailyCountersBody(total),
    devices: devices.map(({ device, ...counters }) => ({ device, ...dailyCountersBody(counters) })),
    days: days.map(({ at, ...counters }) => ({ day: dayText(at), ...dailyCountersBody(counters) })),
  };
}

function queryCountersBody({ text, ...counters }: QueryCounters) {
  return { query: text, ...countersBody(counters) };
}

function contentGapBody(gap: ContentGap): Shown<typeof GAPS_BODY>['items'][number] {
  return {
    question: gap.question,
    wordings: gap.wordings,
    language: gap.language,
    questions: gap.questions,
    visitors: gap.visitors,
    lastAt: new Date(gap.lastAt).toISOString(),
    signals: gap.signals,
    reasons: gap.reasons,
    closed: gap.isClosed,
    nearest: gap.nearest,
  };
}

function gapRow({ nearest, ...gap }: Shown<typeof GAPS_BODY>['items'][number]) {
  return { ...gap, nearest: nearest.map(({ url }) => url).join(' ') };
}

function answerUsageBody({ total, days }: AnswerUsage) {
  return {
    total: usageBody(total),
    days: days.map(({ at, ...counters }) => ({ day: dayText(at), ...usageBody(counters) })),
  };
}

function usageBody({ cost, ...counters }: UsageCounters) {
  return { ...counters, cost: rounded(cost) };
}

function dailyCountersBody({ bannerClicks, ...counters }: DailyCounters) {
  return { ...countersBody(counters), bannerClicks };
}

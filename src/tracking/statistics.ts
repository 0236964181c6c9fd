import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../core/clock.ts';
import { normalQuery } from '../core/normal-query.ts';
import type { Engine } from '../core/records.ts';
import type { ConversationStore } from '../storage/system/conversations.ts';
import type { SearchCounterColumns, SearchDay, StatisticsStore } from '../storage/system/statistics.ts';
import { DEVICES, type Device } from '../storage/system/tracking.ts';

const MS_PER_DAY = 86_400_000;
/** Rows that are added up before the event loop gets its turn: about 3 ms. */
const READ_STEP = 1_000;
/** Different queries that are added up at once: some 20 MB. */
const MAX_QUERIES = 100_000;

export const QUERY_ORDERS = ['searches', 'without-results', 'clicks', 'low-click'] as const;
export type QueryOrder = (typeof QUERY_ORDERS)[number];

/** What a range of statistics is about. Times are in epoch milliseconds; whole days in UTC count. */
export type StatisticsRange = {
  readonly engineId: number;
  readonly from: number;
  readonly to: number;
  /** Undefined = all. */
  readonly device: Device | undefined;
};

export type SearchCounters = {
  readonly searches: number;
  /** Searches whose page showed no result. */
  readonly withoutResults: number;
  /** Share of those in the searches whose page stated its results; undefined when none did. */
  readonly withoutResultsRatio: number | undefined;
  /** Searches with a click on a result. */
  readonly clickedSearches: number;
  /** Share of those in all searches; undefined without searches. */
  readonly clickThroughRatio: number | undefined;
  readonly clicks: number;
  /** Of the clicks that stated their rank, from 1; undefined when none did. */
  readonly meanClickRank: number | undefined;
};

export type DailyCounters = SearchCounters & { readonly bannerClicks: number };

export type SearchStatistics = {
  readonly total: DailyCounters;
  /** Days with searches, in order; `at` is their first moment. */
  readonly days: readonly (DailyCounters & { readonly at: number })[];
  /** Devices with searches. */
  readonly devices: readonly (DailyCounters & { readonly device: Device })[];
};

export type QueryCounters = SearchCounters & {
  /** In its most frequent spelling. */
  readonly text: string;
};

type Deps = { readonly systemStore: StatisticsStore };

type TopQueries = StatisticsRange & {
  readonly order: QueryOrder;
  readonly limit: number;
  readonly offset?: number | undefined;
  readonly text?: string | undefined;
};

/** Searches, those without results, and clicks of an engine: in all, per day and per device. */
export async function readStatistics({ systemStore }: Deps, range: StatisticsRange): Promise<SearchStatistics> {
  const listed = await systemStore.listSearchDays(daysOf(range));
  const rows = listed.filter(({ device }) => range.device === undefined || device === range.device);
  const days = Map.groupBy(rows, ({ day }) => day);
  const devices = Map.groupBy(rows, ({ device }) => device);
  return {
    total: dailyCounters(rows),
    days: [...days].map(([day, input]) => ({ at: day * MS_PER_DAY, ...dailyCounters(input) })),
    devices: DEVICES.filter((device) => devices.has(device)).map((device) => ({
      device,
      ...dailyCounters(devices.get(device) ?? []),
    })),
  };
}

/**
 * Queries of a range by searches, searches without results, clicks, or searches whose results nobody clicked, `limit` of
 * them from `offset` on; queries that have none of what is asked, or do not hold `text`, are left out. Exact up to 100,000 different queries, beyond which the rarest are left out. Reads the
 * sums of every query and day of the range, in steps that leave the event loop free.
 */
export async function readTopQueries(
  { systemStore }: Deps,
  { order, limit, offset = 0, text = '', ...range }: TopQueries,
): Promise<readonly QueryCounters[]> {
  const countOf = COUNTS[order];
  const sumsByQuery = await addUpQueries(systemStore, range);
  const sought = normalQuery(text);
  const top = [...sumsByQuery]
    .filter(([query, sums]) => countOf(sums) > 0 && (text === '' || query.includes(sought)))
    .sort(([a, x], [b, y]) => countOf(y) - countOf(x) || y.searches - x.searches || (a < b ? -1 : 1))
    .slice(offset, offset + limit);
  const queries = top.map(([query]) => query);
  const texts = await systemStore.spellingsOf(range.engineId, queries);
  return top.map(([query, sums], position) => ({ text: texts[position] ?? query, ...counters(sums) }));
}

const COUNTS: Readonly<Record<QueryOrder, (sums: SearchCounterColumns) => number>> = {
  searches: (sums) => sums.searches,
  'without-results': (sums) => sums.withoutResults,
  clicks: (sums) => sums.clicks,
  // Searches that showed results of which none was clicked.
  'low-click': (sums) => Math.max(0, sums.searches - sums.withoutResults - sums.clicked),
};

async function addUpQueries(
  store: StatisticsStore,
  range: StatisticsRange,
): Promise<ReadonlyMap<string, SearchCounterColumns>> {
  const days = daysOf(range);
  let sumsByQuery = new Map<string, SearchCounterColumns>();
  for (let after: Awaited<ReturnType<StatisticsStore['listQueryDays']>>[number] | undefined; ; ) {
    const rows = await store.listQueryDays({ ...days, after, limit: READ_STEP });
    for (const row of rows) {
      if (range.device !== undefined && row.device !== range.device) continue;
      sumsByQuery.set(row.query, added(sumsByQuery.get(row.query) ?? NOTHING, row));
    }
    if (sumsByQuery.size > MAX_QUERIES) sumsByQuery = withoutRarest(sumsByQuery);
    if (rows.length < READ_STEP) return sumsByQuery;
    after = rows.at(-1);
    await setImmediate();
  }
}

function withoutRarest(sumsByQuery: ReadonlyMap<string, SearchCounterColumns>): Map<string, SearchCounterColumns> {
  const byCount = [...sumsByQuery].sort(([, a], [, b]) => b.searches - a.searches);
  return new Map(byCount.slice(0, MAX_QUERIES / 2));
}

export const NOTHING: SearchCounterColumns = {
  searches: 0,
  withResultCount: 0,
  withoutResults: 0,
  clicked: 0,
  clicks: 0,
  rankedClicks: 0,
  rankSum: 0,
};

export function added(a: SearchCounterColumns, b: SearchCounterColumns): SearchCounterColumns {
  return {
    searches: a.searches + b.searches,
    withResultCount: a.withResultCount + b.withResultCount,
    withoutResults: a.withoutResults + b.withoutResults,
    clicked: a.clicked + b.clicked,
    clicks: a.clicks + b.clicks,
    rankedClicks: a.rankedClicks + b.rankedClicks,
    rankSum: a.rankSum + b.rankSum,
  };
}

function dailyCounters(rows: readonly SearchDay[]): DailyCounters {
  const bannerClicks = rows.reduce((sum, row) => sum + row.bannerClicks, 0);
  return { ...counters(rows.reduce<SearchCounterColumns>(added, NOTHING)), bannerClicks };
}

export function counters(sums: SearchCounterColumns): SearchCounters {
  return {
    searches: sums.searches,
    withoutResults: sums.withoutResults,
    withoutResultsRatio: ratio(sums.withoutResults, sums.withResultCount),
    clickedSearches: sums.clicked,
    clickThroughRatio: ratio(sums.clicked, sums.searches),
    clicks: sums.clicks,
    meanClickRank: ratio(sums.rankSum, sums.rankedClicks),
  };
}

function ratio(part: number, whole: number): number | undefined {
  return whole === 0 ? undefined : part / whole;
}

export function daysOf({ engineId, from, to }: StatisticsRange) {
  return { engineId, fromDay: Math.floor(from / MS_PER_DAY), toDay: Math.floor(to / MS_PER_DAY) };
}

const MS_PER_HOUR = 3_600_000;
/** Rows of a log in one write: some 20 ms of the write thread, which other writes share. */
const STEP = 100;

export type RetentionDeps = {
  readonly systemStore: Pick<StatisticsStore, 'dropTracking'> &
    Pick<ConversationStore, 'dropConversations'> & { listEngines(): Promise<readonly Engine[]> };
  readonly clock: Clock;
  /** cfg `TRACKING_RETENTION_DAYS`. */
  readonly retentionDays: number;
  /** cfg `CONVERSATION_TTL_HOURS`. */
  readonly conversationTtlHours: number;
};

/**
 * Ends conversations whose time is over, and drops events and exchanges older than the retention with what they added
 * to statistics, in bounded steps until none is left.
 */
export async function dropOldTracking(deps: RetentionDeps, signal: AbortSignal): Promise<void> {
  const { systemStore, clock, retentionDays, conversationTtlHours } = deps;
  const ended = clock.now() - conversationTtlHours * MS_PER_HOUR;
  const before = clock.now() - retentionDays * MS_PER_DAY;
  for (const { id: engineId } of await systemStore.listEngines()) {
    await inSteps(signal, () => systemStore.dropConversations({ engineId, before: ended, limit: STEP }));
    await inSteps(signal, () => systemStore.dropTracking({ engineId, before, limit: STEP }));
  }
}

async function inSteps(signal: AbortSignal, step: () => Promise<boolean>): Promise<void> {
  let hasMore = true;
  while (hasMore && !signal.aborted) hasMore = await step();
}

import { normalQuery } from '../core/normal-query.ts';
import { DEVICES, type Device } from '../storage/system/tracking.ts';
import type { ClickSum, LoggedSearch, VisitorReportStore } from '../storage/system/visitor-reports.ts';
import { added, counters, daysOf, NOTHING, type SearchCounters, type StatisticsRange } from './statistics.ts';

/** All about the searches of one query. */
export type QueryReport = {
  readonly query: string;
  readonly total: SearchCounters;
  /** Days with searches, in order; `day` counts from 1970 in UTC. */
  readonly days: readonly (SearchCounters & { readonly day: number })[];
  readonly devices: readonly (SearchCounters & { readonly device: Device })[];
  /** What was searched in its place, the most frequent first. */
  readonly fixedQueries: readonly { readonly query: string; readonly searches: number }[];
  /** Results that the latest searches stated; undefined when none did. */
  readonly results: { readonly least: number; readonly most: number; readonly last: number } | undefined;
  /** What was clicked, of any kind, the most clicked first. */
  readonly hits: readonly ClickSum[];
  /** The latest. */
  readonly searches: readonly LoggedSearch[];
};

type Deps = { readonly systemStore: VisitorReportStore };

/** Searches that tell results and corrections. */
const LATEST_SEARCHES = 1_000;
const SHOWN_SEARCHES = 50;
const SHOWN_HITS = 100;

export async function readQueryReport(
  { systemStore }: Deps,
  range: StatisticsRange & { readonly query: string },
): Promise<QueryReport> {
  const { engineId, from, to, device } = range;
  const query = normalQuery(range.query);
  const rows = await systemStore.listDaysOfQuery({ ...daysOf(range), query });
  const counted = rows.filter((row) => device === undefined || row.device === device);
  const latest = await systemStore.listSearches({ engineId, from, to, query, limit: LATEST_SEARCHES });
  const searches = latest.filter((search) => device === undefined || search.device === device);
  const stated = searches.flatMap(({ resultCount }) => resultCount ?? []);
  const [last] = stated;
  const byDevice = Map.groupBy(counted, (row) => row.device);
  return {
    query,
    total: counters(counted.reduce(added, NOTHING)),
    days: [...Map.groupBy(counted, ({ day }) => day)].map(([day, of]) => ({
      day,
      ...counters(of.reduce(added, NOTHING)),
    })),
    devices: DEVICES.filter((name) => byDevice.has(name)).map((name) => ({
      device: name,
      ...counters((byDevice.get(name) ?? []).reduce(added, NOTHING)),
    })),
    fixedQueries: mostFrequent(searches.flatMap(({ fixedQuery }) => fixedQuery ?? [])),
    results: last === undefined ? undefined : { least: Math.min(...stated), most: Math.max(...stated), last },
    hits: await systemStore.sumClicks({ engineId, from, to, query, offset: 0, limit: SHOWN_HITS }),
    searches: searches.slice(0, SHOWN_SEARCHES),
  };
}

function mostFrequent(queries: readonly string[]): QueryReport['fixedQueries'] {
  return [...Map.groupBy(queries, (query) => query)]
    .map(([query, all]) => ({ query, searches: all.length }))
    .sort((a, b) => b.searches - a.searches);
}

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type AnswerMetrics, createAnswerMetrics, createModelMetrics, type ModelMetrics } from './answer-metrics.ts';
import { type MetricFamily, printFamilies, readFamilies } from './exposition.ts';

/** Every metric of a process: name, kind, labels, help. Labels are closed sets, never a URL, text or customer. */
const METRICS = {
  httpRequestDuration: {
    kind: 'histogram',
    name: 'fossick_http_request_duration_seconds',
    labels: ['route', 'status'],
    help: 'Time from the request line to the last byte of the answer',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  },
  httpRateLimited: {
    kind: 'counter',
    name: 'fossick_http_rate_limited_total',
    labels: ['class'],
    help: 'Requests refused by a rate limit',
  },
  indexResidentBytes: {
    kind: 'gauge',
    name: 'fossick_index_resident_bytes',
    labels: [],
    help: 'Segments, columns and positions in memory',
  },
  httpRequestsInProgress: {
    kind: 'gauge',
    name: 'fossick_http_requests_in_progress',
    labels: [],
    help: 'Requests that were begun and are not answered to the last byte',
  },
  crawlVisits: {
    kind: 'counter',
    name: 'fossick_crawl_visits_total',
    labels: ['outcome'],
    help: 'Visits of pages and files, by what became of them',
  },
  storeWrite: {
    kind: 'histogram',
    name: 'fossick_store_write_seconds',
    labels: [],
    help: 'Time from a write that is asked for to its commit on disk, waiting included',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  },
  storeWritesWaiting: {
    kind: 'gauge',
    name: 'fossick_store_writes_waiting',
    labels: [],
    help: 'Writes that are asked for and not yet on disk; at 2,000 further ones are refused',
  },
  searchThreadsReplaced: {
    kind: 'counter',
    name: 'fossick_search_threads_replaced_total',
    labels: [],
    help: 'Search threads that were ended because they went on after the deadline of a search',
  },
  parserKills: {
    kind: 'counter',
    name: 'fossick_parser_kills_total',
    labels: ['reason'],
    help: 'Processes that were killed while they read a file, or died',
  },
} as const;

export type Metrics = {
  readonly httpRequestDuration: Histogram<'route' | 'status'>;
  readonly httpRateLimited: Counter<'class'>;
  readonly httpRequestsInProgress: Gauge;
  readonly crawlVisits: Counter<'outcome'>;
  readonly storeWrite: Histogram;
  readonly answers: AnswerMetrics;
  readonly models: ModelMetrics;
  /** Shows what `bytes` gives whenever the metrics are read. */
  watchIndexMemory(bytes: () => number): void;
  /** Shows what `kills` holds, by reason, whenever the metrics are read. */
  watchParserKills(kills: ReadonlyMap<string, number>): void;
  /** Shows what `replaced` gives whenever the metrics are read. */
  watchReplacedThreads(replaced: () => number): void;
  /** Shows what `waiting` gives whenever the metrics are read. */
  watchWrites(waiting: () => number): void;
  /** The values of now, to be printed here or in another process. */
  read(): Promise<readonly MetricFamily[]>;
  /** The text that `GET /metrics` answers. */
  print(): Promise<string>;
};

/** The metrics of one process, with those of Node itself. */
export function createMetrics(): Metrics {
  return registerMetrics(new Registry());
}

function registerMetrics(registry: Registry): Metrics {
  const registers = [registry];
  collectDefaultMetrics({ register: registry, prefix: 'fossick_' });
  const histogram = <Row extends HistogramRow>({ name, help, labels, buckets }: Row) =>
    new Histogram<Row['labels'][number]>({ name, help, labelNames: [...labels], buckets: [...buckets], registers });
  const counter = <Row extends MetricRow>({ name, help, labels }: Row) =>
    new Counter<Row['labels'][number]>({ name, help, labelNames: [...labels], registers });
  const watched = ({ name, help }: MetricRow, value: () => number) => {
    const gauge: Gauge = new Gauge({ name, help, registers, collect: () => gauge.set(value()) });
  };
  const read = () => readFamilies(registry);
  return {
    httpRequestDuration: histogram(METRICS.httpRequestDuration),
    httpRateLimited: counter(METRICS.httpRateLimited),
    httpRequestsInProgress: new Gauge({
      name: METRICS.httpRequestsInProgress.name,
      help: METRICS.httpRequestsInProgress.help,
      registers,
    }),
    crawlVisits: counter(METRICS.crawlVisits),
    storeWrite: histogram(METRICS.storeWrite),
    answers: createAnswerMetrics(registry),
    models: createModelMetrics(registry),
    watchIndexMemory: (bytes) => watched(METRICS.indexResidentBytes, bytes),
    watchWrites: (waiting) => watched(METRICS.storeWritesWaiting, waiting),
    watchReplacedThreads(replaced) {
      const { name, help } = METRICS.searchThreadsReplaced;
      const counted: Counter = new Counter({
        name,
        help,
        registers,
        collect: () => {
          counted.reset();
          counted.inc(replaced());
        },
      });
    },
    watchParserKills(kills) {
      const { name, help, labels } = METRICS.parserKills;
      const killed: Counter<'reason'> = new Counter({
        name,
        help,
        labelNames: labels,
        registers,
        collect: () => {
          killed.reset();
          for (const [reason, count] of kills) killed.inc({ reason }, count);
        },
      });
    },
    read,
    print: async () => printFamilies(await read()),
  };
}

export type MetricDescription = {
  readonly name: string;
  readonly type: string;
  readonly labels: readonly string[];
  readonly help: string;
};

/** Every metric that a process may have, for the documentation. */
export function describeMetrics(): readonly MetricDescription[] {
  const registry = new Registry();
  const metrics = registerMetrics(registry);
  metrics.watchIndexMemory(() => 0);
  metrics.watchWrites(() => 0);
  metrics.watchReplacedThreads(() => 0);
  metrics.watchParserKills(new Map());
  metrics.models.watch(() => ({ openBreakers: 0, waiting: 0 }));
  const described = registry.getMetricsAsArray() as unknown as readonly (Omit<MetricDescription, 'labels'> & {
    readonly labelNames: readonly string[];
  })[];
  return described.map(({ name, help, type, labelNames }) => ({ name, help, type, labels: labelNames }));
}

type MetricRow = { readonly name: string; readonly help: string; readonly labels: readonly string[] };
type HistogramRow = MetricRow & { readonly buckets: readonly number[] };

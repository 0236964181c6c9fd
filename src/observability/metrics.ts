import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type AnswerMetrics, createAnswerMetrics } from './answer-metrics.ts';
import { createModelMetrics, type ModelMetrics } from './model-metrics.ts';

/** Every metric: name, kind, labels, help. Labels are closed sets, never a URL, text or customer. */
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
  crawlSlicesBusy: {
    kind: 'gauge',
    name: 'fossick_crawl_slices_busy',
    labels: ['stage'],
    help: 'Slices of crawlers that a process works on',
  },
  crawlHostsHeld: {
    kind: 'gauge',
    name: 'fossick_crawl_hosts_held',
    labels: ['reason'],
    help: 'Hosts that are left alone for a while',
  },
  crawlOldestDue: {
    kind: 'gauge',
    name: 'fossick_crawl_oldest_due_seconds',
    labels: ['stage'],
    help: 'How long the oldest URL that is due has waited',
  },
  crawlRuns: {
    kind: 'gauge',
    name: 'fossick_crawl_runs',
    labels: ['kind', 'state'],
    help: 'Runs of all crawlers that the stores know',
  },
  parserKills: {
    kind: 'counter',
    name: 'fossick_parser_kills_total',
    labels: ['reason'],
    help: 'Processes that were killed while they read a file, or died',
  },
} as const;

/** What the crawlers do now, by the labels of the metrics. */
export type CrawlFigures = {
  readonly slicesBusy: ReadonlyMap<string, number>;
  readonly hostsHeld: ReadonlyMap<string, number>;
  readonly oldestDueSeconds: ReadonlyMap<string, number>;
  readonly runs: readonly { readonly kind: string; readonly state: string; readonly count: number }[];
};

/** One reading serves all metrics of a scrape. */
const READING_LIVES_MS = 1_000;

export type Metrics = {
  readonly httpRequestDuration: Histogram<'route' | 'status'>;
  readonly httpRateLimited: Counter<'class'>;
  readonly answers: AnswerMetrics;
  readonly models: ModelMetrics;
  /** Shows what `bytes` gives whenever the metrics are read. */
  watchIndexMemory(bytes: () => number): void;
  /** Shows what `read` gives whenever the metrics are read. */
  watchCrawl(read: () => Promise<CrawlFigures>): void;
  /** Shows what `kills` holds, by reason, whenever the metrics are read. */
  watchParserKills(kills: ReadonlyMap<string, number>): void;
  /** The text that `GET /metrics` answers, and its media type. */
  readonly contentType: string;
  print(): Promise<string>;
};

/** The metrics of one process, with those of Node itself. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'fossick_' });
  const { httpRequestDuration, httpRateLimited, indexResidentBytes } = METRICS;
  return {
    httpRequestDuration: new Histogram({
      name: httpRequestDuration.name,
      help: httpRequestDuration.help,
      labelNames: httpRequestDuration.labels,
      buckets: [...httpRequestDuration.buckets],
      registers: [registry],
    }),
    httpRateLimited: new Counter({
      name: httpRateLimited.name,
      help: httpRateLimited.help,
      labelNames: httpRateLimited.labels,
      registers: [registry],
    }),
    answers: createAnswerMetrics(registry),
    models: createModelMetrics(registry),
    watchIndexMemory(bytes) {
      const { name, help } = indexResidentBytes;
      const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect: () => gauge.set(bytes()) });
    },
    watchCrawl: (read) => watchCrawl(registry, read),
    watchParserKills(kills) {
      const { name, help, labels } = METRICS.parserKills;
      const counter: Counter<'reason'> = new Counter({
        ...{ name, help, labelNames: labels, registers: [registry] },
        collect: () => {
          counter.reset();
          for (const [reason, count] of kills) counter.inc({ reason }, count);
        },
      });
    },
    contentType: registry.contentType,
    print: () => registry.metrics(),
  };
}

function watchCrawl(registry: Registry, read: () => Promise<CrawlFigures>): void {
  let held: { readonly at: number; readonly figures: Promise<CrawlFigures> } | undefined;
  const figures = () => {
    const now = performance.now();
    if (held === undefined || now - held.at > READING_LIVES_MS) held = { at: now, figures: read() };
    return held.figures;
  };
  type Value = { readonly labels: Record<string, string>; readonly value: number };
  const watch = (
    { name, help, labels }: { readonly name: string; readonly help: string; readonly labels: readonly string[] },
    valuesOf: (figures: CrawlFigures) => readonly Value[],
  ) => {
    const gauge: Gauge = new Gauge({
      ...{ name, help, labelNames: labels, registers: [registry] },
      collect: async () => {
        const values = valuesOf(await figures());
        gauge.reset();
        for (const { labels: of, value } of values) gauge.inc(of, value);
      },
    });
  };
  const by = (label: string, values: ReadonlyMap<string, number>) =>
    [...values].map(([of, value]) => ({ labels: { [label]: of }, value }));
  watch(METRICS.crawlSlicesBusy, ({ slicesBusy }) => by('stage', slicesBusy));
  watch(METRICS.crawlHostsHeld, ({ hostsHeld }) => by('reason', hostsHeld));
  watch(METRICS.crawlOldestDue, ({ oldestDueSeconds }) => by('stage', oldestDueSeconds));
  watch(METRICS.crawlRuns, ({ runs }) =>
    runs.map(({ kind, state, count }) => ({ labels: { kind, state }, value: count })),
  );
}

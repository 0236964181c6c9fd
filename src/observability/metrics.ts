import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

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
} as const;

export type Metrics = {
  readonly httpRequestDuration: Histogram<'route' | 'status'>;
  readonly httpRateLimited: Counter<'class'>;
  /** Shows what `bytes` gives whenever the metrics are read. */
  watchIndexMemory(bytes: () => number): void;
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
    watchIndexMemory(bytes) {
      const { name, help } = indexResidentBytes;
      const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect: () => gauge.set(bytes()) });
    },
    contentType: registry.contentType,
    print: () => registry.metrics(),
  };
}

import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

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
} as const;

export type Metrics = {
  readonly httpRequestDuration: Histogram<'route' | 'status'>;
  readonly httpRateLimited: Counter<'class'>;
  /** The text that `GET /metrics` answers, and its media type. */
  readonly contentType: string;
  print(): Promise<string>;
};

/** The metrics of one process, with those of Node itself. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'fossick_' });
  const { httpRequestDuration, httpRateLimited } = METRICS;
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
    contentType: registry.contentType,
    print: () => registry.metrics(),
  };
}

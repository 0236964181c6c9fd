import type { MetricFamily, MetricSample } from './exposition.ts';

type Count = { readonly count: number };

/** What is known of the installation as a whole; a part that cannot be read now is undefined. */
export type InstallationCounters = {
  readonly version: string;
  readonly findings: readonly (Count & { readonly name: string; readonly severity: string })[] | undefined;
  readonly roles: readonly { readonly role: string; readonly isHeld: boolean; readonly beats: number }[] | undefined;
  readonly children: readonly { readonly name: string; readonly isReady: boolean; readonly restarts: number }[];
  /** Longest answer to `GET /health/live` that another process has waited for since the last but one scrape. */
  readonly probeSeconds: number | undefined;
  readonly disk: { readonly freeBytes: number; readonly totalBytes: number } | undefined;
  /** Undefined: without Redis; `undefined` inside: it does not answer. */
  readonly redis: { readonly roundTripSeconds: number | undefined } | undefined;
  readonly engines:
    | readonly {
        readonly id: number;
        readonly documents: number;
        readonly unseenChanges: number;
        readonly lagSeconds: number;
      }[]
    | undefined;
  readonly crawl: CrawlCounters | undefined;
  readonly jobsWaiting: readonly (Count & { readonly queue: string })[] | undefined;
  /** Seconds since 1970; undefined: there is none that is known. */
  readonly lastBackupAt: number | undefined;
};

/** What the crawlers do now, by the labels of the metrics. */
export type CrawlCounters = {
  readonly slicesBusy: ReadonlyMap<string, number>;
  readonly hostsHeld: ReadonlyMap<string, number>;
  readonly hostsStalled: ReadonlyMap<string, number>;
  readonly oldestDueSeconds: ReadonlyMap<string, number>;
  readonly waitingUrls: number;
  readonly heldRemovals: number;
  readonly runs: readonly (Count & { readonly kind: string; readonly state: string })[];
};

type Value = { readonly labels?: Readonly<Record<string, string>>; readonly value: number };
type Row = {
  readonly name: string;
  readonly type: 'gauge' | 'counter';
  readonly labels: readonly string[];
  readonly help: string;
  readonly valuesOf: (counters: InstallationCounters) => readonly Value[];
};

const one = (value: number | undefined): readonly Value[] => (value === undefined ? [] : [{ value }]);
const by = (label: string, values: ReadonlyMap<string, number> | undefined): readonly Value[] =>
  [...(values ?? [])].map(([text, value]) => ({ labels: { [label]: text }, value }));

/** Every metric of the installation. A label `engine` is a number; there are as many values as engines. */
export const INSTALLATION_METRICS: readonly Row[] = [
  {
    name: 'fossick_build_info',
    type: 'gauge',
    labels: ['version', 'node'],
    help: 'Always 1: the version of the program and of Node',
    valuesOf: ({ version }) => [{ labels: { version, node: process.version }, value: 1 }],
  },
  {
    name: 'fossick_health_findings',
    type: 'gauge',
    labels: ['name', 'severity'],
    help: 'What is wrong, as fossick status tells it with the command that mends it; 0 for all that is well',
    valuesOf: ({ findings }) =>
      (findings ?? []).map(({ name, severity, count }) => ({ labels: { name, severity }, value: count })),
  },
  {
    name: 'fossick_role_held',
    type: 'gauge',
    labels: ['role'],
    help: 'Whether a living process has the role',
    valuesOf: ({ roles }) => (roles ?? []).map(({ role, isHeld }) => ({ labels: { role }, value: isHeld ? 1 : 0 })),
  },
  {
    name: 'fossick_role_beats_total',
    type: 'counter',
    labels: ['role'],
    help: 'Renewals of the lease of a role: one each three seconds while its holder works',
    valuesOf: ({ roles }) => (roles ?? []).map(({ role, beats }) => ({ labels: { role }, value: beats })),
  },
  {
    name: 'fossick_child_ready',
    type: 'gauge',
    labels: ['child'],
    help: 'Whether a process that npm start runs has come up',
    valuesOf: ({ children }) =>
      children.map(({ name, isReady }) => ({ labels: { child: name }, value: isReady ? 1 : 0 })),
  },
  {
    name: 'fossick_child_restarts_total',
    type: 'counter',
    labels: ['child'],
    help: 'How often a process that npm start runs has ended unasked and was started again',
    valuesOf: ({ children }) => children.map(({ name, restarts }) => ({ labels: { child: name }, value: restarts })),
  },
  {
    name: 'fossick_http_probe_seconds',
    type: 'gauge',
    labels: [],
    help: 'Longest answer that another process waited for on a new connection within 15 s, with the wait to be accepted: what callers see under overload',
    valuesOf: ({ probeSeconds }) => one(probeSeconds),
  },
  {
    name: 'fossick_disk_free_bytes',
    type: 'gauge',
    labels: [],
    help: 'Free space where the data folder lies',
    valuesOf: ({ disk }) => one(disk?.freeBytes),
  },
  {
    name: 'fossick_disk_size_bytes',
    type: 'gauge',
    labels: [],
    help: 'Size of the file system where the data folder lies',
    valuesOf: ({ disk }) => one(disk?.totalBytes),
  },
  {
    name: 'fossick_redis_up',
    type: 'gauge',
    labels: [],
    help: 'Whether Redis answers within a second',
    valuesOf: ({ redis }) => one(redis && (redis.roundTripSeconds === undefined ? 0 : 1)),
  },
  {
    name: 'fossick_redis_round_trip_seconds',
    type: 'gauge',
    labels: [],
    help: 'Shortest of three answers of Redis',
    valuesOf: ({ redis }) => one(redis?.roundTripSeconds),
  },
  {
    name: 'fossick_engine_documents',
    type: 'gauge',
    labels: ['engine'],
    help: 'Documents of an engine',
    valuesOf: ({ engines }) =>
      (engines ?? []).map(({ id, documents }) => ({ labels: { engine: String(id) }, value: documents })),
  },
  {
    name: 'fossick_index_lag_seconds',
    type: 'gauge',
    labels: ['engine'],
    help: 'How long the oldest change that was accepted and is not found by searches has waited',
    valuesOf: ({ engines }) =>
      (engines ?? []).map(({ id, lagSeconds }) => ({ labels: { engine: String(id) }, value: lagSeconds })),
  },
  {
    name: 'fossick_index_unseen_changes',
    type: 'gauge',
    labels: ['engine'],
    help: 'Changes that were accepted and are not found by searches',
    valuesOf: ({ engines }) =>
      (engines ?? []).map(({ id, unseenChanges }) => ({ labels: { engine: String(id) }, value: unseenChanges })),
  },
  {
    name: 'fossick_crawl_slices_busy',
    type: 'gauge',
    labels: ['stage'],
    help: 'Slices of crawlers that a process works on',
    valuesOf: ({ crawl }) => by('stage', crawl?.slicesBusy),
  },
  {
    name: 'fossick_crawl_hosts_held',
    type: 'gauge',
    labels: ['reason'],
    help: 'Hosts that are left alone for a while',
    valuesOf: ({ crawl }) => by('reason', crawl?.hostsHeld),
  },
  {
    name: 'fossick_crawl_hosts_stalled',
    type: 'gauge',
    labels: ['cause'],
    help: 'Hosts of crawlers that are due and on which nothing has started for a minute',
    valuesOf: ({ crawl }) => by('cause', crawl?.hostsStalled),
  },
  {
    name: 'fossick_crawl_oldest_due_seconds',
    type: 'gauge',
    labels: ['stage'],
    help: 'How long the oldest URL that is due has waited',
    valuesOf: ({ crawl }) => by('stage', crawl?.oldestDueSeconds),
  },
  {
    name: 'fossick_crawl_waiting_urls',
    type: 'gauge',
    labels: [],
    help: 'URLs of runs under way that wait for a visit or are visited',
    valuesOf: ({ crawl }) => one(crawl?.waitingUrls),
  },
  {
    name: 'fossick_crawl_removals_held',
    type: 'gauge',
    labels: [],
    help: 'Documents that wait for an operator before they leave',
    valuesOf: ({ crawl }) => one(crawl?.heldRemovals),
  },
  {
    name: 'fossick_crawl_runs',
    type: 'gauge',
    labels: ['kind', 'state'],
    help: 'Runs of all crawlers that the stores know',
    valuesOf: ({ crawl }) => counted(crawl?.runs ?? []),
  },
  {
    name: 'fossick_jobs_waiting',
    type: 'gauge',
    labels: ['queue'],
    help: 'Jobs in Redis that wait for a process',
    valuesOf: ({ jobsWaiting }) => (jobsWaiting ?? []).map(({ queue, count }) => ({ labels: { queue }, value: count })),
  },
  {
    name: 'fossick_backup_last_timestamp_seconds',
    type: 'gauge',
    labels: [],
    help: 'When the newest backup was finished, in seconds since 1970; absent: there is none that is known',
    valuesOf: ({ lastBackupAt }) => one(lastBackupAt),
  },
];

export function installationFamilies(counters: InstallationCounters): readonly MetricFamily[] {
  return INSTALLATION_METRICS.map(({ name, type, help, valuesOf }) => ({
    name,
    type,
    help,
    samples: valuesOf(counters).map(({ labels = {}, value }): MetricSample => ({ name, labels, value })),
  }));
}

/** Runs of several crawlers with the same labels are one value. */
function counted(runs: CrawlCounters['runs']): readonly Value[] {
  const sums = new Map<string, Value>();
  for (const { kind, state, count } of runs) {
    const key = `${kind} ${state}`;
    sums.set(key, { labels: { kind, state }, value: (sums.get(key)?.value ?? 0) + count });
  }
  return [...sums.values()];
}

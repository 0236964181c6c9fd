import { rolesOf, type StatusDeps } from '../accounts/installation-status.ts';
import type { ProcessUsage } from '../api/admin/system.ts';
import type { Config } from '../config/config.ts';
import { systemClock } from '../core/clock.ts';
import { readCrawlLoad } from '../crawl/crawl-load.ts';
import type { HostHolds } from '../crawl/host-holds.ts';
import type { WorkOn } from '../crawl/work-on.ts';
import { FINDING_NAMES, FINDINGS, type Health } from '../health/health.ts';
import { backupAt } from '../health/store-checks.ts';
import { roundTripMs } from '../jobs/connection.ts';
import { QUEUE_NAMES } from '../jobs/queues.ts';
import { pause } from '../observability/background.ts';
import { type MetricFamily, mergeFamilies, printFamilies } from '../observability/exposition.ts';
import { type InstallationCounters, installationFamilies } from '../observability/installation-metrics.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { EngineStores } from '../storage/engine-store.ts';
import type { AccountStore } from '../storage/system/accounts.ts';
import type { BackupStore } from '../storage/system/installation.ts';
import { type HealthContext, type InstallationHealth, openHealth } from './health.ts';
import { createNeighbours, type Neighbours } from './neighbours.ts';
import { productVersion } from './product-files.ts';
import type { Jobs } from './redis.ts';
import { monotonicMs, type SupervisorMessage } from './role.ts';

export type ObservingContext = Omit<HealthContext, 'neighbours'> &
  Pick<CountersContext, 'metrics'> & {
    readonly config: Config;
  };

/** How the api sees the installation: what is wrong with it, and its figures with those of the other processes. */
export function openObserving(context: ObservingContext): {
  readonly health: Health;
  readonly printMetrics: () => Promise<string>;
  readonly hear: (message: SupervisorMessage) => void;
  readonly readProcesses: () => Promise<readonly ProcessUsage[]>;
} {
  const neighbours = createNeighbours();
  const opened = openHealth({ ...context, neighbours });
  const counters: CountersContext = {
    ...context,
    ...opened,
    neighbours,
    isProcessAlive: context.processes.isAlive,
    version: productVersion(),
  };
  return {
    health: opened.health,
    printMetrics: metricsPrinter(counters),
    hear: neighbours.hear,
    readProcesses: () => readProcesses(counters),
  };
}

/** This process, those that the supervisor tells of, and its Redis. */
async function readProcesses({ metrics, neighbours }: CountersContext): Promise<readonly ProcessUsage[]> {
  const families = new Map([['api', await metrics.read()], ...neighbours.families()]);
  const children = new Map(neighbours.children().map((child) => [child.name, child]));
  return [...new Set([...families.keys(), ...children.keys()])].map((name) => {
    const child = children.get(name);
    const figureOf = (metric: string) =>
      families.get(name)?.find((family) => family.name === `fossick_process_${metric}`)?.samples[0]?.value;
    const startSeconds = figureOf('start_time_seconds');
    return {
      name,
      isReady: child?.isReady,
      restarts: child?.restarts ?? 0,
      lastCause: child?.lastCause,
      memoryBytes: figureOf('resident_memory_bytes'),
      cpuSeconds: figureOf('cpu_seconds_total'),
      startedAt: startSeconds === undefined ? undefined : startSeconds * 1_000,
    };
  });
}

type CountersContext = Pick<StatusDeps, 'isProcessAlive' | 'indexerLease' | 'version' | 'diskSpace'> &
  InstallationHealth & {
    /** Of this process. */
    readonly metrics: Pick<Metrics, 'read'>;
    readonly systemStore: StatusDeps['store'] & Pick<BackupStore, 'listBackups'>;
    readonly accounts: Pick<AccountStore, 'listCrawlers'>;
    readonly engineStores: Pick<EngineStores, 'of'>;
    readonly hostHolds: HostHolds;
    readonly workOn: WorkOn;
    readonly neighbours: Neighbours;
    readonly jobs: Jobs | undefined;
  };

/** One reading serves all who ask within this time. */
const READING_LIVES_MS = 1_000;
/** A part that takes longer is left out of this answer. */
const PART_WITHIN_MS = 2_000;

/** What `GET /metrics` answers: the installation, and every process of it with its name as label `process`. */
function metricsPrinter(context: CountersContext): () => Promise<string> {
  let held: { readonly atMs: number; readonly text: Promise<string> } | undefined;
  return () => {
    const atMs = monotonicMs();
    if (held === undefined || atMs - held.atMs > READING_LIVES_MS) held = { atMs, text: print(context) };
    return held.text;
  };
}

async function print(context: CountersContext): Promise<string> {
  const own = await context.metrics.read();
  const processes = new Map<string, readonly MetricFamily[]>([['api', own], ...context.neighbours.families()]);
  const counters = await readCounters(context);
  return printFamilies([...installationFamilies(counters), ...mergeFamilies(processes)]);
}

async function readCounters(context: CountersContext): Promise<InstallationCounters> {
  const { systemStore: store, isProcessAlive, indexerLease, accounts, engineStores, neighbours, jobs } = context;
  const { hostHolds, workOn } = context;
  const listCrawlers = () => accounts.listCrawlers();
  const crawling = { engineStores, hostHolds, workOn, listCrawlers, clock: systemClock };
  const [findings, roles, disk, crawl, backups, roundTrip, jobsWaiting] = await Promise.all([
    part(() => context.health.findings()),
    part(() => rolesOf({ store, isProcessAlive, indexerLease })),
    part(context.diskSpace),
    part(() => readCrawlLoad(crawling)),
    part(() => store.listBackups()),
    jobs && part(() => roundTripMs(jobs.producer)),
    jobs && part(() => countJobs(jobs)),
  ]);
  return {
    version: context.version,
    findings:
      findings &&
      FINDING_NAMES.map((name) => ({
        name,
        severity: FINDINGS[name].severity,
        count: findings.filter((found) => found.name === name).length,
      })),
    roles: roles?.map(({ role, holder, beats }) => ({ role, isHeld: holder !== undefined, beats })),
    children: neighbours.children(),
    probeSeconds: neighbours.probeSeconds(),
    disk,
    redis: jobs && { roundTripSeconds: roundTrip === undefined ? undefined : roundTrip / 1_000 },
    engines: enginesOf(context),
    crawl,
    jobsWaiting,
    lastBackupAt: secondsOf(backupAt(backups ?? [])),
  };
}

function enginesOf({ indexLags, documents }: CountersContext): InstallationCounters['engines'] {
  const counts = documents();
  return indexLags.last().map(({ engineId, seq, visibleSeq, seconds }) => ({
    id: engineId,
    documents: counts.get(engineId) ?? 0,
    unseenChanges: Math.max(0, seq - visibleSeq),
    lagSeconds: seconds,
  }));
}

function secondsOf(at: number | undefined): number | undefined {
  return at === undefined ? undefined : at / 1_000;
}

async function countJobs({ queues }: Jobs): Promise<InstallationCounters['jobsWaiting']> {
  return await Promise.all(QUEUE_NAMES.map(async (queue) => ({ queue, count: await queues.countWaiting(queue) })));
}

/** Undefined when it fails or takes too long: one part that is broken leaves all others to be seen. */
async function part<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
  const waiting = new AbortController();
  const timeout = pause(PART_WITHIN_MS, waiting.signal).then(() => undefined);
  try {
    return await Promise.race([read().catch(() => undefined), timeout]);
  } finally {
    waiting.abort();
  }
}

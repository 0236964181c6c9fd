import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { rolesOf, type StatusDeps } from '../accounts/installation-status.ts';
import { listAlertTargets } from '../accounts/manage-alert-targets.ts';
import type { Config } from '../config/config.ts';
import { systemClock } from '../core/clock.ts';
import type { Engine } from '../core/records.ts';
import { createCrawlerFaults } from '../crawl/crawler-status.ts';
import type { HostHolds } from '../crawl/host-holds.ts';
import type { WorkOn } from '../crawl/work-on.ts';
import { checkCrawlers, checkIndexes, checkStores } from '../health/crawler-checks.ts';
import {
  type Check,
  checkIndexLag,
  createHealth,
  createIndexLags,
  type Health,
  type IndexLags,
} from '../health/health.ts';
import {
  checkAlertTargets,
  checkBrowser,
  checkChildren,
  checkClock,
  checkModels,
  checkProxy,
  checkRedis,
  checkRedisFolder,
  checkRoles,
  checkSearchThreads,
  type ModelDeps,
  type ProxyDeps,
} from '../health/process-checks.ts';
import {
  checkBackups,
  checkDatabase,
  checkDisk,
  checkIndexServers,
  type DatabaseDeps,
  isDiskFull,
} from '../health/store-checks.ts';
import { createTitleLooks, type TitleLooks } from '../health/title-check.ts';
import { checkSearchTools } from '../health/tool-check.ts';
import { roundTripMs } from '../jobs/connection.ts';
import { mostSharedTitles } from '../search/shared-titles.ts';
import { type EngineStores, usableStore } from '../storage/engine-store.ts';
import type { ProcessRegistry } from '../storage/process-registry.ts';
import type { AccountStore } from '../storage/system/accounts.ts';
import type { SystemStore } from '../storage/system-store.ts';
import { backupEveryMs, backupsSince } from './backups.ts';
import { chromiumOf } from './chromium.ts';
import { environmentTargets } from './environment-targets.ts';
import type { Neighbours } from './neighbours.ts';
import { isPrivateRedis, type Jobs } from './redis.ts';
import { monotonicMs } from './role.ts';
import type { ServedIndex } from './search-index.ts';

/** What the health of an installation is read from. */
export type HealthContext = {
  readonly config: Config;
  readonly systemStore: StatusDeps['store'] &
    Pick<
      SystemStore,
      'listBackups' | 'clockJumps' | 'rememberOnce' | 'listAlertTargets' | 'listAlertStates' | 'countBrokenTools'
    >;
  readonly engineStores: Pick<EngineStores, 'of'>;
  readonly processes: Pick<ProcessRegistry, 'isAlive'>;
  readonly indexerLease: string;
  readonly hostHolds: HostHolds;
  readonly workOn: WorkOn;
  readonly accounts: Pick<AccountStore, 'listCrawlers' | 'listEngines'>;
  readonly searchIndex: Pick<ServedIndex, 'search' | 'visibleSeq' | 'repairOf' | 'replacedThreads' | 'fault'>;
  readonly diskSpace: StatusDeps['diskSpace'];
  readonly failingModels: ModelDeps['failingModels'];
  readonly unlistedProxy: ProxyDeps['unlistedProxy'];
  readonly neighbours: Pick<Neighbours, 'children' | 'redisFoldersSetAside'>;
  /** Undefined: the stores are files. */
  readonly databaseFault?: DatabaseDeps['databaseFault'] | undefined;
  /** Undefined: this process has no Redis. */
  readonly jobs: Jobs | undefined;
};

export type InstallationHealth = {
  readonly health: Health;
  readonly indexLags: IndexLags;
  /** Documents of the engines. */
  readonly documents: TitleLooks['documents'];
};

/** Longest look at the titles of an engine. */
const TITLES_WITHIN_MS = 30_000;

/** The checks of the whole installation, as the api sees it. */
export function openHealth(context: HealthContext): InstallationHealth {
  const { config, systemStore, engineStores, accounts, searchIndex, diskSpace, jobs, databaseFault } = context;
  const startedAtMs = monotonicMs();
  const { processes, indexerLease } = context;
  const roles = () => rolesOf({ store: systemStore, isProcessAlive: processes.isAlive, indexerLease });
  const engines = () => accounts.listEngines();
  const usableEngines = () => enginesWithStore(context);
  const activeCrawlers = async () => {
    const usable = new Set((await usableEngines()).map(({ id }) => id));
    return (await accounts.listCrawlers()).filter(({ active, engineId }) => active && usable.has(engineId));
  };
  const indexLags = createIndexLags({
    engines: usableEngines,
    lastSeq: async (engineId) => (await engineStores.of(engineId)).lastSeq(),
    visibleSeq: (engineId) => searchIndex.visibleSeq(engineId),
    monotonicMs,
  });
  const titles = createTitleLooks({
    lags: indexLags.last,
    mostSharedTitles: (engineId) => mostSharedTitles({ searchIndex }, engineId, AbortSignal.timeout(TITLES_WITHIN_MS)),
    monotonicMs,
  });
  const checks = [
    ...(databaseFault === undefined ? [] : [checkDatabase({ databaseFault })]),
    ...(searchIndex.fault === undefined ? [] : [checkIndexServers({ indexFault: searchIndex.fault })]),
    checkRoles({
      roles,
      canStore: async () => !isDiskFull(await diskSpace()) && (await databaseFault?.()) === undefined,
      isSupervised: () => context.neighbours.children().length > 0,
      monotonicMs,
      startedAtMs,
    }),
    checkDisk({ diskSpace, dataDir: config.DATA_DIR }),
    checkBackups({
      listBackups: systemStore.listBackups,
      everyMs: backupEveryMs(config),
      installedAt: () => backupsSince(systemStore),
      clock: systemClock,
    }),
    checkClock({ clockJumps: systemStore.clockJumps, clock: systemClock }),
    checkProxy(context),
    checkStores({ engines, engineStores }),
    checkIndexes({ engines, repairOf: searchIndex.repairOf }),
    checkChildren({ children: context.neighbours.children, monotonicMs }),
    checkSearchThreads({ replacedThreads: searchIndex.replacedThreads, monotonicMs }),
    ...(jobs === undefined ? [] : redisChecks(context, jobs)),
    checkIndexLag(indexLags),
    checkCrawlers({ activeCrawlers, faultsOf: createCrawlerFaults({ ...context, clock: systemClock }) }),
    titles.check,
    checkSearchTools(systemStore),
    checkModels(context),
    checkAlertTargets({ failing: () => failingTargets(context) }),
    checkBrowser({
      hasBrowser: async () => (await chromiumOf(config)) !== undefined,
      isCrawling: async () => (await activeCrawlers()).length > 0,
    }),
  ];
  return { health: createHealth({ checks, monotonicMs }), indexLags, documents: titles.documents };
}

function redisChecks({ config, neighbours }: HealthContext, { producer }: Jobs): readonly Check[] {
  const setAside = join(config.DATA_DIR, 'redis.bad');
  return [
    checkRedis({
      redisRoundTripMs: () => roundTripMs(producer),
      isPrivate: isPrivateRedis(config),
      lastCause: () => neighbours.children().find(({ name }) => name === 'redis')?.lastCause,
    }),
    checkRedisFolder({
      folderSetAside: async () =>
        neighbours.redisFoldersSetAside() > 0 && existsSync(setAside) ? setAside : undefined,
    }),
  ];
}

async function failingTargets({ config, systemStore }: HealthContext) {
  const states = await systemStore.listAlertStates();
  const targets = await listAlertTargets({ store: systemStore, environmentTargets: environmentTargets(config) });
  return targets.flatMap(({ id, settings: { name, active } }) => {
    const state = states.find(({ targetId }) => targetId === id);
    if (!active || state?.failingSince === undefined) return [];
    return [{ id, name, problem: state.problem ?? 'its log line says why' }];
  });
}

/** A store that cannot be used is a finding of its own, and says nothing of index and crawls. */
async function enginesWithStore({ accounts, engineStores }: HealthContext) {
  const usable: Engine[] = [];
  for (const engine of await accounts.listEngines()) {
    if ((await usableStore(engineStores, engine.id)) !== undefined) usable.push(engine);
  }
  return usable;
}

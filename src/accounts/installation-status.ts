import type { Clock } from '../core/clock.ts';
import { vectorSetOf } from '../core/document-vectors.ts';
import type { Engine } from '../core/records.ts';
import type { AccountStore } from '../storage/account-store.ts';
import type { EngineStores } from '../storage/engine-store.ts';
import type { LeaseStore } from '../storage/lease-store.ts';

/** Roles that one process of the installation has at a time, by the name of their lease. */
const LEASED_ROLES = ['indexer', 'scheduler'] as const;
/** Below this share of free space the installation is not ready (architecture: health). */
const LOW_DISK_RATIO = 0.05;

export type StatusDeps = {
  readonly store: Pick<AccountStore, 'listEngines' | 'listCrawlers'> & Pick<LeaseStore, 'leaseHolder'>;
  readonly engineStores: Pick<EngineStores, 'of'>;
  /** The number up to which searches of this process see every change. */
  readonly visibleSeq: (engineId: number) => number;
  readonly diskSpace: () => Promise<{ readonly freeBytes: number; readonly totalBytes: number }>;
  /** A browser that renders pages. */
  readonly hasBrowser: () => Promise<boolean>;
  readonly version: string;
  /** Embeds the passages of engines with answers; undefined = none are embedded. */
  readonly embeddingModel?: string | undefined;
  readonly clock: Clock;
};

export type EngineStatus = {
  readonly id: number;
  readonly name: string;
  readonly documents: number;
  readonly crawlers: number;
  readonly activeCrawlers: number;
  readonly seq: number;
  readonly visibleSeq: number;
  /** Up to which passages have vectors; absent = the engine has none. */
  readonly vectorSeq?: number;
};

export type InstallationStatus = {
  readonly at: number;
  readonly version: string;
  readonly nodeVersion: string;
  readonly disk: { readonly freeBytes: number; readonly totalBytes: number };
  /** `holder` null: no process has the role. */
  readonly roles: readonly { readonly role: string; readonly holder: string | null }[];
  readonly engines: readonly EngineStatus[];
  /** One sentence each, with what to do. */
  readonly warnings: readonly string[];
};

/** The state of the installation as this process sees it. */
export async function installationStatus(deps: StatusDeps): Promise<InstallationStatus> {
  const at = deps.clock.now();
  const disk = await deps.diskSpace();
  const roles: { role: string; holder: string | null }[] = [];
  for (const role of LEASED_ROLES) roles.push({ role, holder: (await deps.store.leaseHolder(role, at)) ?? null });
  const engines: EngineStatus[] = [];
  for (const engine of await deps.store.listEngines()) engines.push(await engineStatus(deps, engine));
  const isCrawling = engines.some(({ activeCrawlers }) => activeCrawlers > 0);
  const warnings = [
    ...(isCrawling && !(await deps.hasBrowser())
      ? [
          'There is no Chromium: pages made by scripts are stored without their text. Run npm run setup, or set CHROMIUM_PATH',
        ]
      : []),
    ...(disk.freeBytes < disk.totalBytes * LOW_DISK_RATIO
      ? ['Less than 5 % of the disk is free: make room, or pushes and tracking will be refused']
      : []),
    ...roles
      .filter(({ holder }) => holder === null)
      .map(({ role }) => `No process has the role ${role}: start workers/${role}.ts, or the whole with npm start`),
  ];
  return { at, version: deps.version, nodeVersion: process.version, disk, roles, engines, warnings };
}

async function engineStatus(deps: StatusDeps, { id, name, settings }: Engine): Promise<EngineStatus> {
  const store = await deps.engineStores.of(id);
  const crawlers = await deps.store.listCrawlers({ engineId: id });
  const model = deps.embeddingModel;
  return {
    id,
    name,
    documents: await store.countDocuments(),
    crawlers: crawlers.length,
    activeCrawlers: crawlers.filter(({ active }) => active).length,
    seq: await store.lastSeq(),
    visibleSeq: deps.visibleSeq(id),
    ...(model !== undefined && settings.aiEnabled && { vectorSeq: await store.vectorSeq(vectorSetOf(model)) }),
  };
}

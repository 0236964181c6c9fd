import { rolesOf, type StatusDeps } from '../accounts/installation-status.ts';
import type { Config } from '../config/config.ts';
import { checkIndexes } from '../health/engine-checks.ts';
import { createHealth, type Health } from '../health/health.ts';
import { checkBrowser, checkProxy, checkRoles } from '../health/process-checks.ts';
import { checkDisk } from '../health/store-checks.ts';
import type { AccountStore } from '../storage/account-store.ts';
import { chromiumOf } from './browser.ts';
import { livenessOf } from './process-lock.ts';
import { monotonicMs } from './role.ts';

/** What the health of an installation is made of. */
export type HealthContext = {
  readonly config: Config;
  readonly systemStore: StatusDeps['store'];
  readonly accounts: Pick<AccountStore, 'listCrawlers'>;
  readonly diskSpace: StatusDeps['diskSpace'];
  readonly unlistedProxy: () => string | undefined;
  readonly repairOf: (engineId: number) => Promise<string | undefined>;
};

/** The checks of the whole installation, as the api sees it. */
export function openHealth(context: HealthContext): Health {
  const { config, systemStore, accounts, diskSpace, unlistedProxy, repairOf } = context;
  const startedAtMs = monotonicMs();
  const roles = () => rolesOf({ store: systemStore, isProcessAlive: livenessOf(config) });
  const isCrawling = async () => (await accounts.listCrawlers()).some(({ active }) => active);
  const hasBrowser = async () => (await chromiumOf(config)) !== undefined;
  const checks = [
    checkRoles({ roles, monotonicMs, startedAtMs }),
    checkDisk({ diskSpace, dataDir: config.DATA_DIR }),
    checkProxy({ unlistedProxy }),
    checkIndexes({ engines: () => systemStore.listEngines(), repairOf }),
    checkBrowser({ hasBrowser, isCrawling }),
  ];
  return createHealth({ checks, monotonicMs });
}

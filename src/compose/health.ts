import { rolesOf, type StatusDeps } from '../accounts/installation-status.ts';
import type { Config } from '../config/config.ts';
import { systemClock } from '../core/clock.ts';
import { createHealth, type Health } from '../health/health.ts';
import { checkBrowser, checkRoles } from '../health/process-checks.ts';
import { checkDisk } from '../health/store-checks.ts';
import type { AccountStore } from '../storage/account-store.ts';
import { chromiumOf } from './browser.ts';
import { monotonicMs } from './role.ts';

/** What the health of an installation is made of. */
export type HealthContext = {
  readonly config: Config;
  readonly systemStore: StatusDeps['store'];
  readonly accounts: Pick<AccountStore, 'listCrawlers'>;
  readonly diskSpace: StatusDeps['diskSpace'];
};

/** The checks of the whole installation, as the api sees it. */
export function openHealth({ config, systemStore, accounts, diskSpace }: HealthContext): Health {
  const startedAtMs = monotonicMs();
  const roles = () => rolesOf({ store: systemStore, clock: systemClock });
  const isCrawling = async () => (await accounts.listCrawlers()).some(({ active }) => active);
  const hasBrowser = async () => (await chromiumOf(config)) !== undefined;
  const checks = [
    checkRoles({ roles, monotonicMs, startedAtMs }),
    checkDisk({ diskSpace, dataDir: config.DATA_DIR }),
    checkBrowser({ hasBrowser, isCrawling }),
  ];
  return createHealth({ checks, monotonicMs });
}

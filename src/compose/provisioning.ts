import type { ParseAlertTarget } from '../accounts/alert-target-settings.ts';
import type { ApplyDeps } from '../accounts/apply-provision.ts';
import type { AccountSnapshot } from '../accounts/engine-snapshot.ts';
import { environmentVariable } from '../config/environment.ts';
import { systemClock } from '../core/clock.ts';
import type { Wake } from '../core/wake.ts';
import type { ParseOperatorSettings } from '../crawl/parse-operator-settings.ts';
import type { SystemStore } from '../storage/system-store.ts';

/** What planning and applying a provision file, and changing records by hand, work with. */
export function provisioning(input: {
  readonly store: SystemStore;
  readonly accounts: Pick<AccountSnapshot, 'drop'>;
  readonly parseCrawlerSettings: ParseOperatorSettings;
  readonly parseAlertTarget: ParseAlertTarget;
  readonly unmarkedNames: ApplyDeps['unmarkedNames'];
  readonly wake: Wake;
}) {
  return { ...input, clock: systemClock, readVariable: environmentVariable };
}

import type { Clock } from '../core/clock.ts';
import type { Wake } from '../core/wake.ts';
import type { AccountStore } from '../storage/account-store.ts';
import type { AccountSnapshot } from './engine-snapshot.ts';
import { type PlanDeps, type ProvisionPlan, planProvision } from './plan-provision.ts';
import type { ProvisionFile } from './provision-file.ts';

export type ApplyDeps = PlanDeps & {
  readonly store: PlanDeps['store'] & Pick<AccountStore, 'changeRecords' | 'findCrawler'>;
  readonly accounts: Pick<AccountSnapshot, 'drop'>;
  readonly clock: Clock;
  readonly wake: Wake;
};

/**
 * Makes the stored records what the file wants, in one commit; a second time it changes nothing. Resolves with what
 * was done. Crawlers that changed are hinted at.
 * @throws AppError `request.invalid` with every mistake · `record.conflict` for a key that was revoked
 */
export async function applyProvision(deps: ApplyDeps, file: ProvisionFile): Promise<ProvisionPlan> {
  const plan = await planProvision(deps, file);
  if (plan.changes.length === 0) return plan;
  const ids = await deps.store.changeRecords(`provision:${file.name}`, plan.changes, deps.clock.now());
  deps.accounts.drop();
  const crawlerIds = plan.changes.flatMap(({ kind }, index) =>
    kind === 'put-crawler' || kind === 'set-crawler-active' ? [ids[index] ?? 0] : [],
  );
  for (const crawlerId of new Set(crawlerIds)) {
    const crawler = await deps.store.findCrawler(crawlerId);
    if (crawler !== undefined) deps.wake({ kind: 'crawler-changed', engineId: crawler.engineId, crawlerId });
  }
  return plan;
}

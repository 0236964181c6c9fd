import { startIndexer } from './indexer.ts';
import { jobsFacts, openJobs, requireRedisUrl } from './redis.ts';
import type { RoleContext, RunningRole } from './role.ts';
import { startScheduler } from './scheduler.ts';
import { openRoleStores } from './stores.ts';

/** Indexer and scheduler in one process on the same stores, as `all.ts` runs them: both mostly wait. */
export async function composeUpkeep(context: RoleContext): Promise<RunningRole> {
  await using stack = new AsyncDisposableStack();
  const { config, log } = context;
  const jobs = await openJobs(stack, requireRedisUrl(config), log);
  const stores = await openRoleStores(stack, context, { writesIndex: true, ...jobsFacts(jobs, config) });
  stack.use(await startIndexer(context, stores));
  stack.use(await startScheduler(context, { stores, jobs }));
  return stack.move();
}

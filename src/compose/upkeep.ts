import { startIndexer } from './indexer.ts';
import { lockProcess } from './process-lock.ts';
import type { RoleContext, RunningRole } from './role.ts';
import { startScheduler } from './scheduler.ts';
import { openStores } from './stores.ts';

/** Indexer and scheduler in one process on the same stores, as `all.ts` runs them: both mostly wait. */
export async function composeUpkeep(context: RoleContext): Promise<RunningRole> {
  await using stack = new AsyncDisposableStack();
  stack.use(await lockProcess(context));
  const stores = stack.use(await openStores(context.config, context.log, context.metrics));
  stack.use(await startIndexer(context, stores));
  stack.use(await startScheduler(context, stores));
  return stack.move();
}

import { composeIndexer } from '../src/compose/indexer.ts';
import { composeScheduler } from '../src/compose/scheduler.ts';
import { runRole } from './run.ts';

/** Indexer and scheduler in one process, as `all.ts` runs them: both mostly wait. */
await runRole('upkeep', async (context) => {
  await using stack = new AsyncDisposableStack();
  stack.use(await composeIndexer(context));
  stack.use(await composeScheduler(context));
  return stack.move();
});

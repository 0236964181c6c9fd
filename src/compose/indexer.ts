import { type HeldRole, holdRole } from '../accounts/hold-role.ts';
import { systemClock } from '../core/clock.ts';
import type { Engine } from '../core/records.ts';
import { projectEngines } from '../indexing/project-engines.ts';
import { openEmbeddedWriter } from '../search-index/embedded/writer.ts';
import type { IndexSource } from '../search-index/index-writer.ts';
import type { EngineStore } from '../storage/engine-store.ts';
import { indexFolder } from './index-folder.ts';
import { monotonicMs, type RoleContext, type RunningRole } from './role.ts';
import { openStores, type Stores } from './stores.ts';

/** The indexer as a process of its own. */
export async function composeIndexer(context: RoleContext): Promise<RunningRole> {
  await using stack = new AsyncDisposableStack();
  const stores = stack.use(await openStores(context.config.DATA_DIR));
  stack.use(startIndexer(context, stores));
  return stack.move();
}

/** Whenever this process has the role, it writes the index of every engine, until it is disposed. */
export function startIndexer({ config, log, name }: RoleContext, stores: Stores): AsyncDisposable {
  const { systemStore, engineStores } = stores;
  const stop = new AbortController();
  const deps = { leases: systemStore, clock: systemClock, monotonicMs, log };
  const openWriter = (held: HeldRole) => (engine: Engine, store: EngineStore) =>
    openEmbeddedWriter({
      directory: indexFolder(config.DATA_DIR, engine.id),
      source: whileHeld(store, held),
      language: engine.language,
      clock: systemClock,
      log,
    });
  const running = holdRole(deps, { role: 'indexer', holder: name, signal: stop.signal }, (held, signal) => {
    const refreshMs = config.INDEX_REFRESH_MS;
    const projection = {
      accounts: systemStore,
      engineStores,
      openWriter: openWriter(held),
      log,
      refreshMs,
      monotonicMs,
    };
    return projectEngines(projection, signal);
  });
  return {
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await running;
    },
  };
}

/** A process that may have lost the role publishes nothing. */
function whileHeld(store: EngineStore, held: HeldRole): IndexSource {
  return {
    ...store,
    claimGeneration: async (expected, next, publish) =>
      held.isHeld() && (await store.claimGeneration(expected, next, publish)),
  };
}

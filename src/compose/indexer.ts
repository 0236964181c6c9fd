import { type HeldRole, holdRole } from '../accounts/hold-role.ts';
import { systemClock } from '../core/clock.ts';
import { projectEngines } from '../indexing/project-engines.ts';
import { openEmbeddedWriter } from '../search-index/embedded/writer.ts';
import type { IndexSource } from '../search-index/index-writer.ts';
import type { EngineStore } from '../storage/engine-store.ts';
import { indexFolder } from './index-folder.ts';
import { monotonicMs, type RoleContext, type RunningRole } from './role.ts';
import { openStores } from './stores.ts';

/** The indexer: whenever this process has the role, it writes the index of every engine. */
export async function composeIndexer({ config, log, name }: RoleContext): Promise<RunningRole> {
  await using stack = new AsyncDisposableStack();
  const { systemStore, engineStores } = stack.use(await openStores(config.DATA_DIR));
  const stop = new AbortController();
  const deps = { leases: systemStore, clock: systemClock, monotonicMs, log };
  const running = holdRole(deps, { role: 'indexer', holder: name, signal: stop.signal }, (held, signal) =>
    projectEngines(
      {
        accounts: systemStore,
        engineStores,
        openWriter: (engine, store) =>
          openEmbeddedWriter({
            directory: indexFolder(config.DATA_DIR, engine.id),
            source: whileHeld(store, held),
            language: engine.language,
            clock: systemClock,
            log,
          }),
        log,
        refreshMs: config.INDEX_REFRESH_MS,
        monotonicMs,
      },
      signal,
    ),
  );
  stack.defer(async () => {
    stop.abort();
    await running;
  });
  return stack.move();
}

/** A process that may have lost the role publishes nothing. */
function whileHeld(store: EngineStore, held: HeldRole): IndexSource {
  return {
    ...store,
    claimGeneration: async (expected, next, publish) =>
      held.isHeld() && (await store.claimGeneration(expected, next, publish)),
  };
}

import { type RoleLease, runWithLease } from '../accounts/run-with-lease.ts';
import type { StoredDocument } from '../core/document.ts';
import type { Engine } from '../core/records.ts';
import type { EmbeddedPassage, EmbedEnginesDeps } from '../indexing/embed-engines.ts';
import { projectEngines } from '../indexing/project-engines.ts';
import { cutPassages, DEFAULT_SOURCE_FIELDS } from '../search/cut-passages.ts';
import type { IndexSource } from '../search-index/index-writer.ts';
import type { EngineStore } from '../storage/engine-store.ts';
import { isInjected } from '../text/injected-text.ts';
import { openEmbeddingModels } from './models/embedding-models.ts';
import { monotonicMs, type RoleContext, type RunningRole } from './role.ts';
import { indexWriting } from './search-index.ts';
import { leaseDeps, openRoleStores, type RoleStores } from './stores.ts';

/** The indexer as a process of its own. */
export async function composeIndexer(context: RoleContext): Promise<RunningRole> {
  await using stack = new AsyncDisposableStack();
  const stores = await openRoleStores(stack, context, { writesIndex: true });
  stack.use(await startIndexer(context, stores));
  return stack.move();
}

/** Pages come in runs; between them a model of this machine gives back its 220 MB. */
const REST_AFTER_MS = 60_000;

/**
 * Whenever this process has the role, it writes the index of every engine, and with a model for embeddings the
 * vectors of its passages, until it is disposed.
 */
export async function startIndexer({ config, log }: RoleContext, stores: RoleStores): Promise<AsyncDisposable> {
  const { systemStore, engineStores, indexerLease, self } = stores;
  await using stack = new AsyncDisposableStack();
  const models = await openEmbeddingModels(stack, { config, log, report: () => undefined, restAfterMs: REST_AFTER_MS });
  const stop = new AbortController();
  const deps = leaseDeps(stores, log);
  const { openWriter: openIndexWriter, removeIndex } = await indexWriting(stack, config, log);
  const openWriter = (held: RoleLease) => (engine: Engine, store: EngineStore) =>
    openIndexWriter(engine, whileHeld(store, held));
  const role = { holder: self.holder, signal: stop.signal };
  const projecting = runWithLease(deps, { ...role, role: indexerLease }, async (held, signal) => {
    const refreshMs = config.INDEX_REFRESH_MS;
    const projection = {
      accounts: systemStore,
      engineStores,
      openWriter: openWriter(held),
      removeIndex,
      log,
      refreshMs,
      monotonicMs,
    };
    await projectEngines(projection, signal);
  });
  // Vectors are in the stores: one process in all makes them, however many write an index.
  const embedding =
    models &&
    runWithLease(deps, { ...role, role: 'embedder' }, async (_held, signal) =>
      embed({ accounts: systemStore, engineStores, log, model: models.configured }, signal),
    );
  stack.defer(async () => {
    stop.abort();
    await Promise.all([projecting, embedding]);
  });
  return stack.move();
}

/** Loaded only with a model. */
async function embed(deps: Omit<EmbedEnginesDeps, 'passagesOf'>, signal: AbortSignal): Promise<void> {
  const { embedEngines } = await import('../indexing/embed-engines.ts');
  await embedEngines({ ...deps, passagesOf }, signal);
}

/** Those that answers are made of when a request names no fields. */
export function passagesOf(row: StoredDocument, language: string): Iterable<EmbeddedPassage> {
  return cutPassages(row, { language, sourceFields: DEFAULT_SOURCE_FIELDS, isInjected });
}

/** A process that may have lost the role publishes nothing. */
function whileHeld(store: EngineStore, held: RoleLease): IndexSource {
  return {
    ...store,
    claimGeneration: async (expected, next, publish) =>
      held.isHeld() && (await store.claimGeneration(expected, next, publish)),
  };
}

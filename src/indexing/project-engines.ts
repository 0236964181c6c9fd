import type { Engine } from '../core/records.ts';
import { pause, runInBackground } from '../observability/background.ts';
import type { Log } from '../observability/logger.ts';
import type { IndexWriter } from '../search-index/index-writer.ts';
import type { AccountStore } from '../storage/account-store.ts';
import type { EngineStore, EngineStores } from '../storage/engine-store.ts';
import { isStoreFault } from '../storage/store-fault.ts';
import { projectEngine } from './project-engine.ts';

const LOOK_EVERY_MS = 200;
/** After a failure (full disk, lost claim) the writer is opened anew from its last generation. */
const TRY_AGAIN_MS = 5_000;

export type ProjectEnginesDeps = {
  readonly accounts: Pick<AccountStore, 'listEngines'> & { changeToken(): number };
  readonly engineStores: EngineStores;
  /** Opens the one writer of an engine's index; the caller disposes it. */
  readonly openWriter: (engine: Engine, store: EngineStore) => Promise<IndexWriter>;
  readonly log: Log;
  readonly refreshMs: number;
  readonly monotonicMs: () => number;
};

type Followed = { readonly stop: AbortController; readonly done: Promise<void> };

/** Keeps the index of every engine up to date, new engines included, until the signal ends it. */
export async function projectEngines(deps: ProjectEnginesDeps, signal: AbortSignal): Promise<void> {
  const followed = new Map<number, Followed>();
  let seenToken: number | undefined;
  while (!signal.aborted) {
    const token = deps.accounts.changeToken();
    if (token !== seenToken) {
      const engines = await deps.accounts.listEngines();
      stopAllBut(engines, followed);
      for (const engine of engines) {
        if (!followed.has(engine.id)) begin(deps, engine, { followed, signal });
      }
      const isEnding = engines.some(({ id }) => followed.get(id)?.stop.signal.aborted);
      seenToken = isEnding ? undefined : token;
    }
    await pause(LOOK_EVERY_MS, signal);
  }
  await Promise.all([...followed.values()].map(({ done }) => done));
}

/** What is stopped is followed until its writer has ended: an engine that is given its id has to wait for that. */
function stopAllBut(engines: readonly Engine[], followed: ReadonlyMap<number, Followed>): void {
  const ids = new Set(engines.map(({ id }) => id));
  for (const [id, { stop }] of followed) if (!ids.has(id)) stop.abort();
}

function begin(
  deps: ProjectEnginesDeps,
  engine: Engine,
  { followed, signal }: { readonly followed: Map<number, Followed>; readonly signal: AbortSignal },
): void {
  const begun = follow(deps, engine, signal);
  followed.set(engine.id, begun);
  void begun.done.then(() => followed.delete(engine.id));
}

function follow(deps: ProjectEnginesDeps, engine: Engine, signal: AbortSignal): Followed {
  const stop = new AbortController();
  const ended = Promise.withResolvers<void>();
  const until = AbortSignal.any([signal, stop.signal]);
  runInBackground(deps.log, 'project engine', async () => {
    try {
      while (!until.aborted) await projectOnce(deps, engine, until);
    } finally {
      ended.resolve();
    }
  });
  return { stop, done: ended.promise };
}

async function projectOnce(deps: ProjectEnginesDeps, engine: Engine, signal: AbortSignal): Promise<void> {
  const { log, refreshMs, monotonicMs } = deps;
  try {
    const store = await deps.engineStores.of(engine.id);
    await using writer = await deps.openWriter(engine, store);
    await projectEngine({ store, writer, log, refreshMs, monotonicMs }, signal);
  } catch (err) {
    if (signal.aborted) return;
    if (!isStoreFault(err)) log.error({ err, engineId: engine.id }, 'projection failed, trying again');
    await pause(TRY_AGAIN_MS, signal);
  }
}

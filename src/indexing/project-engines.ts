import type { Engine } from '../core/records.ts';
import { yieldToEventLoop } from '../core/yield.ts';
import { pause, repeat, runInBackground } from '../observability/background.ts';
import type { Log } from '../observability/logger.ts';
import type { IndexWriter } from '../search-index/index-writer.ts';
import { type EngineStore, type EngineStores, isStoreFault } from '../storage/engine-store.ts';
import type { AccountStore } from '../storage/system/accounts.ts';

const LOOK_EVERY_MS = 200;
/** After a failure (full disk, lost claim) the writer is opened anew from its last generation. */
const TRY_AGAIN_MS = 5_000;

export type ProjectEnginesDeps = {
  readonly accounts: Pick<AccountStore, 'listEngines'> & { changeToken(): number };
  readonly engineStores: EngineStores;
  /** Opens the one writer of an engine's index; the caller disposes it. */
  readonly openWriter: (engine: Engine, store: EngineStore) => Promise<IndexWriter>;
  /** Removes the index of an engine that was removed; absent = it goes with the engine's store. */
  readonly removeIndex?: ((engineId: number) => Promise<void>) | undefined;
  readonly log: Log;
  readonly refreshMs: number;
  readonly monotonicMs: () => number;
};

type Followed = { readonly stop: AbortController; readonly done: Promise<void> };

/**
 * Keeps the index of every engine up to date, new engines included, until the signal ends it. Stores that do not answer
 * for a while end nothing: they are looked at again.
 */
export async function projectEngines(deps: ProjectEnginesDeps, signal: AbortSignal): Promise<void> {
  const followed = new Map<number, Followed>();
  let seenToken: number | undefined;
  await repeat({ log: deps.log, name: 'project engines', pauseMs: LOOK_EVERY_MS, signal }, async () => {
    const token = deps.accounts.changeToken();
    if (token === seenToken) return;
    const engines = await deps.accounts.listEngines();
    stopAllBut(engines, followed);
    for (const engine of engines) {
      if (!followed.has(engine.id)) begin(deps, engine, { followed, signal });
    }
    const isEnding = engines.some(({ id }) => followed.get(id)?.stop.signal.aborted);
    seenToken = isEnding ? undefined : token;
  });
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
      if (stop.signal.aborted) await deps.removeIndex?.(engine.id);
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
    await store.startProjection();
    await using writer = await deps.openWriter(engine, store);
    await projectEngine({ store, writer, log, refreshMs, monotonicMs }, signal);
  } catch (err) {
    if (signal.aborted) return;
    if (!isStoreFault(err)) log.error({ err, engineId: engine.id }, 'projection failed, trying again');
    await pause(TRY_AGAIN_MS, signal);
  }
}

/**
 * Changes that one step reads, some 20 ms of work for the event loop, and pending ones after which a generation is
 * published at once (search-engine 8.1).
 */
const STEP = { rows: 500, bytes: 2 * 1024 * 1024 } as const;
const MAX_PENDING = 20_000;
/** How often the store is asked for new changes: soon after the last ones, and later. */
const HOT_PAUSE_MS = 25;
const IDLE_PAUSE_MS = 250;
const HOT_FOR_MS = 2_000;
const PURGE_STEP = 1_000;

export type ProjectDeps = {
  readonly store: EngineStore;
  readonly writer: IndexWriter;
  readonly log: Log;
  /** Time between two generations while changes come in. */
  readonly refreshMs: number;
  /** Milliseconds that only grow. */
  readonly monotonicMs: () => number;
};

/** Where the projection stands. */
type Progress = {
  readSeq: number;
  /** Version of the store at which nothing was left to read. */
  seenToken: number | undefined;
  hotUntilMs: number;
  refreshedAtMs: number;
  /** Rows of documents deleted up to here are gone. */
  purgedSeq: number;
  /** Work that an operator has asked for is under way. */
  isWorking: boolean;
};

/**
 * Follows the changes of one engine into its index until the signal ends it. A generation ends at a write border,
 * so the rows of one request appear together. An idle engine costs one look at the store's version per pause.
 */
export async function projectEngine(deps: ProjectDeps, signal: AbortSignal): Promise<void> {
  const progress: Progress = {
    readSeq: deps.writer.appliedSeq,
    seenToken: undefined,
    hotUntilMs: 0,
    refreshedAtMs: Number.NEGATIVE_INFINITY,
    purgedSeq: 0,
    isWorking: false,
  };
  while (!signal.aborted) {
    const read = await readChanges(deps, progress, signal);
    if (isRefreshDue(deps, progress)) {
      progress.refreshedAtMs = deps.monotonicMs();
      await deps.writer.refresh();
    } else if (read === 0) {
      await rest(deps, progress, signal);
    }
  }
}

/** Takes the next changes in; resolves with how many there were. */
async function readChanges(deps: ProjectDeps, progress: Progress, signal: AbortSignal): Promise<number> {
  const { store, writer, monotonicMs } = deps;
  const token = store.changeToken();
  if (token === progress.seenToken) return 0;
  await startAskedWork(deps, progress, signal);
  // Asked before the changes: what is not among them up to this number will never come.
  const lastSeq = await store.lastSeq();
  const changes = await store.changesAfter(progress.readSeq, STEP);
  const last = changes.at(-1);
  if (last === undefined) {
    progress.seenToken = token;
    if (writer.pending === 0 && lastSeq > writer.appliedSeq) await writer.skipTo(lastSeq);
    return 0;
  }
  writer.apply(changes);
  progress.readSeq = last.seq;
  progress.hotUntilMs = monotonicMs() + HOT_FOR_MS;
  // Nothing of this has waited for anything: leases are renewed, and a stop is heard, between two steps.
  await yieldToEventLoop();
  return changes.length;
}

/** Does what an operator has asked of the index, beside the projection: searches and changes go on. */
async function startAskedWork({ store, writer, log }: ProjectDeps, progress: Progress, signal: AbortSignal) {
  const work = progress.isWorking ? undefined : await store.indexWork();
  if (work === undefined) return;
  progress.isWorking = true;
  runInBackground(log, work, async () => {
    try {
      await (work === 'rebuild' ? writer.rebuild('asked by an operator') : writer.rollBack());
    } finally {
      // A writer that is stopped has not done it: its successor will.
      if (!signal.aborted) await store.endIndexWork(work);
      progress.isWorking = false;
    }
  });
}

function isRefreshDue({ writer, monotonicMs, refreshMs }: ProjectDeps, progress: Progress): boolean {
  if (writer.pending === 0) return false;
  return writer.pending >= MAX_PENDING || monotonicMs() - progress.refreshedAtMs >= refreshMs;
}

async function rest(deps: ProjectDeps, progress: Progress, signal: AbortSignal): Promise<void> {
  const { writer, monotonicMs } = deps;
  if (writer.pending > 0 || monotonicMs() < progress.hotUntilMs) return pause(HOT_PAUSE_MS, signal);
  if (progress.purgedSeq < writer.appliedSeq) progress.purgedSeq = await purge(deps);
  return pause(IDLE_PAUSE_MS, signal);
}

/** Removes the rows of deleted documents that the index has passed; resolves with the `seq` up to which none is left. */
async function purge({ store, writer }: ProjectDeps): Promise<number> {
  const seq = writer.appliedSeq;
  while ((await store.purgeDeleted(seq, PURGE_STEP)) === PURGE_STEP);
  return seq;
}

import { type FSWatcher, watch } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../../core/clock.ts';
import { AppError } from '../../../core/errors.ts';
import type { Log } from '../../../observability/logger.ts';
import { EMPTY_VOCABULARY, type Vocabulary } from '../../../text/compounds.ts';
import type { IndexedStore } from '../../index-writer.ts';
import { DAMAGE_FILE, foreignTo, isReadable, MANIFEST_FILE, type Manifest, readManifest } from '../manifest.ts';
import { POSITIONS_EXTENT } from '../segment/segment.ts';
import { corrupt } from '../segment/segment-file.ts';
import { readWords } from '../words-file.ts';
import type { ReadDocuments } from './long-values.ts';
import { bytesToOpen, type OpenSegment } from './open-files.ts';
import {
  closeUnused,
  type OpenSegmentView,
  openOf,
  openSnapshot,
  openViews,
  preparePlan,
  type RequiredColumns,
} from './prepare-plan.ts';
import { type Residency, type ResidentEngine, SEGMENT_SHARE } from './residency.ts';
import { emptySnapshot, type SegmentView, type Snapshot } from './snapshot.ts';

export type EngineReaderOptions = {
  readonly engineId: number;
  readonly directory: string;
  readonly clock: Clock;
  readonly log: Log;
  /** The store, for texts that columns do not keep; without it such values are known by their fingerprint. */
  readonly readDocuments: ReadDocuments | undefined;
  /** The store that the index has to belong to; without it none is asked. */
  readonly openStore: (() => Promise<IndexedStore>) | undefined;
  readonly residency: Residency;
  /** Called with each extent that the reader has let go of. */
  readonly onDrop: (uid: string, extent: number) => void;
  /** Closes the reader for want of memory. */
  readonly unload: () => void;
  /** Called with each new generation, before it is searched. */
  readonly onSnapshot: (snapshot: Snapshot, openOf: (view: SegmentView) => OpenSegment) => void;
};

/** Follows the generations of one engine. */
export type EngineReader = {
  /** The newest generation this process has seen; undefined before the first look. */
  readonly snapshot: Snapshot | undefined;
  /** Why the newest generation on disk cannot be opened. */
  readonly damage: AppError | undefined;
  /** Opens the engine on first call. @throws AppError `index.corrupt` when there is no generation to answer from */
  current(): Promise<Snapshot>;
  /** Attaches what a plan reads. */
  prepare(snapshot: Snapshot, required: RequiredColumns): Promise<void>;
  /** Keeps everything of the engine in memory while the work runs. */
  whileUsed<T>(work: () => Promise<T>): Promise<T>;
  openSegmentOf(view: SegmentView): OpenSegment;
  loadField(view: SegmentView, field: number): Promise<void>;
  /** True when `seq` is visible, false when the signal ends the wait. */
  waitVisible(seq: number, signal: AbortSignal): Promise<boolean>;
  close(): Promise<void>;
};

/** Pause between looks at the manifest while the engine is searched or waited for, and else. */
const HOT_MS = 25;
const IDLE_MS = 1_000;
/** A generation may be replaced while it is being opened. */
const OPEN_TRIES = 3;
/** How long a search waits for the first generation of an engine that was never searched. */
const FIRST_GENERATION_MS = 2_000;
/** Pause before a generation that could not be opened is tried again, and between two notes to the writer. */
const DAMAGED_MS = 1_000;
const NOTE_MS = 10_000;

type Follower = {
  readonly options: EngineReaderOptions;
  /** Woken after each look. */
  readonly waiters: Set<() => void>;
  /** Searches under way, and when each extent was last needed by one. */
  uses: number;
  readonly extentUsedAt: Map<number, number>;
  held: readonly OpenSegmentView[];
  snapshot: Snapshot | undefined;
  /** Why the newest generation cannot be opened. */
  damage: AppError | undefined;
  /** Manifest file that `snapshot` was read from; the one that could not be opened, and when. */
  stamp: string;
  failed: { readonly stamp: string; readonly at: number } | undefined;
  notedAt: number;
  usedAt: number;
  looking: Promise<void> | undefined;
  timer: NodeJS.Timeout | undefined;
  watcher: FSWatcher | undefined;
  closed: boolean;
};

export function createEngineReader(options: EngineReaderOptions): EngineReader {
  const follower: Follower = {
    options,
    waiters: new Set(),
    held: [],
    snapshot: undefined,
    damage: undefined,
    stamp: '',
    usedAt: 0,
    failed: undefined,
    notedAt: Number.NEGATIVE_INFINITY,
    uses: 0,
    extentUsedAt: new Map(),
    looking: undefined,
    timer: undefined,
    watcher: undefined,
    closed: false,
  };
  options.residency.add(residentEngine(follower));
  return {
    get snapshot() {
      return follower.snapshot;
    },
    get damage() {
      return follower.damage;
    },
    async whileUsed(work) {
      follower.uses++;
      try {
        return await work();
      } finally {
        follower.uses--;
      }
    },
    current: () => currentSnapshot(follower),
    prepare: (snapshot, required) => noting(follower, () => preparePlan(snapshot, required, prepareDeps(follower))),
    openSegmentOf: (view) => openOf(follower.held, view),
    loadField: (view, field) =>
      noting(follower, () => {
        follower.extentUsedAt.set(field, options.clock.now());
        return openOf(follower.held, view).load(field);
      }),
    async waitVisible(seq, signal) {
      const isVisible = () => (follower.snapshot?.seq ?? 0) >= seq;
      for (let pauseMs = 0; !isVisible() && !signal.aborted; pauseMs = HOT_MS) {
        await nextLook(follower, pauseMs, signal);
      }
      return isVisible();
    },
    async close() {
      options.residency.remove(options.engineId);
      follower.closed = true;
      clearTimeout(follower.timer);
      follower.watcher?.close();
      await follower.looking;
      await Promise.all(follower.held.map(({ open }) => open.close()));
      follower.held = [];
    },
  };
}

function prepareDeps({ held, options, extentUsedAt }: Follower) {
  const { clock, residency, readDocuments: read } = options;
  return { held, read, residency, used: (extent: number) => void extentUsedAt.set(extent, clock.now()) };
}

function residentEngine(follower: Follower): ResidentEngine {
  const { engineId, onDrop, unload } = follower.options;
  const dropWhere = (test: (extent: number) => boolean) => {
    for (const { view, open } of follower.held) {
      for (const extent of view.segment.attached().filter(test)) {
        open.drop(extent);
        onDrop(view.segment.uid, extent);
      }
    }
  };
  return {
    engineId,
    bytes: () =>
      follower.held.reduce((sum, { view }) => sum + view.segment.residentBytes() + (view.live?.byteLength ?? 0), 0),
    isBusy: () => follower.uses > 0 || follower.waiters.size > 0 || follower.looking !== undefined,
    usedAt: () => follower.usedAt,
    dropColumns: (unusedSince) =>
      dropWhere((extent) => extent !== POSITIONS_EXTENT && (follower.extentUsedAt.get(extent) ?? 0) < unusedSince),
    dropPositions: () => dropWhere((extent) => extent === POSITIONS_EXTENT),
    unload,
  };
}

async function currentSnapshot(follower: Follower): Promise<Snapshot> {
  const { engineId, clock } = follower.options;
  const wasIdle = clock.now() - follower.usedAt >= IDLE_MS;
  follower.usedAt = clock.now();
  if (wasIdle && follower.looking === undefined && follower.snapshot !== undefined) planLook(follower);
  if (follower.snapshot === undefined) await lookOnce(follower);
  if (follower.snapshot === undefined && follower.damage === undefined) await firstGeneration(follower);
  if (follower.snapshot === undefined && follower.damage !== undefined) throw follower.damage;
  return follower.snapshot ?? emptySnapshot(engineId);
}

/**
 * There is no manifest. That is right for an empty store, and for one whose index is about to be published for the
 * first time: that is waited for. @throws AppError `index.corrupt` when documents would be missed
 */
async function firstGeneration(follower: Follower): Promise<void> {
  const store = await follower.options.openStore?.();
  if (store === undefined || (await store.lastSeq()) === 0) return;
  const signal = AbortSignal.timeout((await store.indexGeneration()) === 0 ? FIRST_GENERATION_MS : 0);
  while (follower.snapshot === undefined && follower.damage === undefined) {
    if (signal.aborted) throw corrupt('manifest missing');
    await nextLook(follower, HOT_MS, signal);
  }
}

/** One look at a time; wakes the waiters after it and plans the next. Never rejects. */
function lookOnce(follower: Follower): Promise<void> {
  if (follower.closed) return Promise.resolve();
  follower.looking ??= look(follower).finally(() => {
    follower.looking = undefined;
    for (const wake of [...follower.waiters]) wake();
    planLook(follower);
  });
  return follower.looking;
}

function planLook(follower: Follower): void {
  const { waiters, usedAt, options } = follower;
  clearTimeout(follower.timer);
  if (follower.closed) return;
  const hot = waiters.size > 0 || options.clock.now() - usedAt < IDLE_MS;
  follower.timer = setTimeout(() => void lookOnce(follower), hot ? HOT_MS : IDLE_MS).unref();
}

/** Opens the generation on disk when it is a new one; keeps the present one when it cannot be opened. */
async function look(follower: Follower): Promise<void> {
  const { directory, engineId, log, clock } = follower.options;
  let stamp = follower.stamp;
  try {
    follower.watcher ??= watchFolder(directory, () => void lookOnce(follower));
    stamp = await stampOf(directory);
    const { failed } = follower;
    if (stamp === follower.stamp) return;
    if (stamp === failed?.stamp && clock.now() - failed.at < DAMAGED_MS) return;
    await adopt(follower, OPEN_TRIES);
    follower.stamp = stamp;
    follower.failed = undefined;
    follower.damage = undefined;
  } catch (err) {
    const damaged = err instanceof AppError;
    const wasSeen = follower.failed?.stamp === stamp;
    follower.damage = damaged ? err : new AppError('index.corrupt', 'The index cannot be read', { cause: err });
    follower.failed = { stamp, at: clock.now() };
    if (!wasSeen) log.warn({ err, engineId }, 'generation of an index cannot be opened');
    if (follower.damage.code === 'index.corrupt') await noteDamage(follower);
  }
}

/** Does work that reads files of the index, and tells the writer when they are damaged. */
async function noting<T>(follower: Follower, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (err) {
    if (err instanceof AppError && err.code === 'index.corrupt') {
      follower.options.log.warn({ err, engineId: follower.options.engineId }, 'part of an index cannot be read');
      await noteDamage(follower);
    }
    throw err;
  }
}

/** Leaves a note for the writer, which repairs what is damaged. A folder that cannot be written to has no writer. */
async function noteDamage(follower: Follower): Promise<void> {
  const { clock, directory } = follower.options;
  if (clock.now() - follower.notedAt < NOTE_MS) return;
  follower.notedAt = clock.now();
  await writeFile(join(directory, DAMAGE_FILE), '').catch(() => undefined);
}

async function adopt(follower: Follower, tries: number): Promise<void> {
  const manifest = await readManifest(follower.options.directory);
  if (manifest === undefined || manifest.generation <= (follower.snapshot?.generation ?? 0)) return;
  if (!isReadable(manifest)) throw corrupt('version');
  try {
    await requireOwn(follower, manifest);
    await replace(follower, manifest);
  } catch (error) {
    if (tries === 1) throw error;
    await adopt(follower, tries - 1);
  }
}

/** @throws AppError `index.corrupt` when the generation was not made of the store of the engine */
async function requireOwn({ options }: Follower, manifest: Manifest): Promise<void> {
  const store = await options.openStore?.();
  const foreign = store && (await foreignTo(store, manifest));
  if (foreign !== undefined) throw corrupt(foreign.cause);
}

async function replace(follower: Follower, manifest: Manifest): Promise<void> {
  const { engineId, directory } = follower.options;
  const before = follower.held;
  using _room = follower.options.residency.reserve(await bytesToHold(follower, manifest));
  const next = await openViews(directory, manifest, before);
  try {
    const { used } = prepareDeps(follower);
    const vocabulary = await openWords(follower, manifest);
    const snapshot = await openSnapshot({ engineId, used, vocabulary }, manifest, next);
    follower.held = next;
    follower.snapshot = snapshot;
    follower.options.onSnapshot(snapshot, (view) => openOf(next, view));
    closeUnused(before, next);
  } catch (error) {
    closeUnused(next, before);
    throw error;
  }
}

/** Bytes that a generation adds. @throws AppError `index.too-large` when it alone is over the budget */
async function bytesToHold(follower: Follower, manifest: Manifest): Promise<number> {
  const { directory, residency } = follower.options;
  const { segments } = manifest;
  let added = 0;
  let kept = 0;
  for (const entry of segments) {
    const known = follower.held.find(({ view }) => view.segment.uid === entry.uid);
    if (known === undefined) added += await bytesToOpen(directory, entry);
    else kept += known.view.segment.residentBytes();
  }
  if (added + kept <= residency.budgetBytes) return added;
  const neededMb = Math.ceil((added + kept) / SEGMENT_SHARE / 2 ** 20);
  throw new AppError('index.too-large', `The index of this engine needs ${neededMb} MB: raise INDEX_MEMORY_MB`);
}

/** Without its file search works, but words of the query are not split. */
async function openWords({ snapshot, options }: Follower, { words }: Manifest): Promise<Vocabulary> {
  const number = words?.number ?? null;
  if (snapshot?.vocabulary.number === number) return snapshot.vocabulary;
  try {
    return await readWords(options.directory, number);
  } catch (err) {
    options.log.warn({ err, engineId: options.engineId }, 'words of an index cannot be read');
    return EMPTY_VOCABULARY;
  }
}

/** Looks again after a pause; resolves after any look, or when the signal ends. */
function nextLook(follower: Follower, pauseMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      follower.waiters.delete(finish);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(() => void lookOnce(follower), pauseMs);
    follower.waiters.add(finish);
    signal.addEventListener('abort', finish, { once: true });
  });
}

/** Undefined while there is no such folder: polling finds it. */
function watchFolder(directory: string, onChange: () => void): FSWatcher | undefined {
  try {
    return watch(directory, { persistent: false }, (_event, name) => {
      if (name === MANIFEST_FILE) onChange();
    }).on('error', () => undefined);
  } catch {
    return undefined;
  }
}

/** Changes with every publication; `''` = there is none. */
async function stampOf(directory: string): Promise<string> {
  try {
    const { ino, mtimeNs, size } = await stat(join(directory, MANIFEST_FILE), { bigint: true });
    return `${ino}.${mtimeNs}.${size}`;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

import { type FSWatcher, watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../../core/clock.ts';
import { AppError } from '../../../core/errors.ts';
import type { Log } from '../../../observability/logger.ts';
import { hasBit } from '../bytes/bitset.ts';
import { isReadable, MANIFEST_FILE, type Manifest, readManifest, tombstonesFile } from '../manifest.ts';
import { POSITIONS_EXTENT } from '../segment/segment.ts';
import { corrupt } from '../segment/segment-file.ts';
import { readTombstones } from '../segment/tombstones.ts';
import { type ReadDocuments, readLongValues } from './long-values.ts';
import { type OpenSegment, openSegment } from './open-files.ts';
import type { PlanNeeds } from './plan-needs.ts';
import { emptySnapshot, isOwnField, type SegmentView, type Snapshot, snapshotOf } from './snapshot.ts';
import { typeFields } from './typing.ts';

export type EngineReaderOptions = {
  readonly engineId: number;
  readonly directory: string;
  readonly clock: Clock;
  readonly log: Log;
  /** The store, for texts that columns do not keep; without it such values are known by their fingerprint. */
  readonly readDocuments: ReadDocuments | undefined;
};

/** Follows the generations of one engine. */
export type EngineReader = {
  /** The newest generation this process has seen; undefined before the first look. */
  readonly snapshot: Snapshot | undefined;
  /** Opens the engine on first call. @throws AppError `index.corrupt` when there is no generation to answer from */
  current(): Promise<Snapshot>;
  /** Attaches what a plan reads; true when that was texts of long values, which only this thread then has. */
  prepare(snapshot: Snapshot, needs: PlanNeeds): Promise<boolean>;
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

type HeldView = { readonly view: SegmentView; readonly open: OpenSegment; readonly tombstones: number | null };

export function createEngineReader(options: EngineReaderOptions): EngineReader {
  const { engineId, directory, clock, log } = options;
  const waiters = new Set<() => void>();
  let held: readonly HeldView[] = [];
  let snapshot: Snapshot | undefined;
  let damage: AppError | undefined;
  let seenStamp = '';
  let usedAt = 0;
  let checking: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let watcher: FSWatcher | undefined;
  let closed = false;

  const check = (): Promise<void> => {
    checking ??= look().finally(() => {
      checking = undefined;
      for (const wake of [...waiters]) wake();
      schedule();
    });
    return checking;
  };

  const schedule = (): void => {
    clearTimeout(timer);
    if (closed) return;
    const hot = waiters.size > 0 || clock.now() - usedAt < IDLE_MS;
    timer = setTimeout(() => void check(), hot ? HOT_MS : IDLE_MS).unref();
  };

  /** Opens the generation on disk when it is a new one. Never rejects. */
  const look = async (): Promise<void> => {
    try {
      watcher ??= watchFolder(directory, () => void check());
      const stamp = await stampOf(directory);
      if (stamp === seenStamp) return;
      await adopt();
      seenStamp = stamp;
      damage = undefined;
    } catch (error) {
      damage =
        error instanceof AppError ? error : new AppError('index.corrupt', 'The index cannot be read', { cause: error });
      log.warn({ err: error, engineId }, 'generation of an index cannot be opened');
    }
  };

  const adopt = async (): Promise<void> => {
    for (let tries = 1; ; tries++) {
      const manifest = await readManifest(directory);
      if (manifest === undefined || manifest.generation <= (snapshot?.generation ?? 0)) return;
      if (!isReadable(manifest)) throw corrupt('version');
      try {
        await replace(manifest);
        return;
      } catch (error) {
        if (tries === OPEN_TRIES) throw error;
      }
    }
  };

  const replace = async (manifest: Manifest): Promise<void> => {
    const next = await openViews(directory, manifest, held);
    try {
      const opened = await openSnapshot(engineId, manifest, next);
      if (closed) throw new AppError('internal', 'The reader of this index is closed');
      const before = held;
      held = next;
      snapshot = opened;
      closeUnused(before, next);
    } catch (error) {
      closeUnused(next, held);
      throw error;
    }
  };

  return {
    get snapshot() {
      return snapshot;
    },
    async current() {
      usedAt = clock.now();
      if (snapshot !== undefined) {
        if (timer === undefined) schedule();
        return snapshot;
      }
      await check();
      if (snapshot === undefined && damage !== undefined) throw damage;
      return snapshot ?? emptySnapshot(engineId);
    },
    prepare: (of, needs) => prepare(of, needs, held, options.readDocuments),
    openSegmentOf: (view) => openOf(held, view),
    loadField: (view, field) => openOf(held, view).load(field),
    async waitVisible(seq, signal) {
      const isVisible = () => (snapshot?.seq ?? 0) >= seq;
      for (let pauseMs = 0; !isVisible() && !signal.aborted; pauseMs = HOT_MS) {
        await nextCheck(waiters, { signal, pauseMs }, () => void check());
      }
      return isVisible();
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      watcher?.close();
      await checking;
      for (const { open } of held) await open.close();
      held = [];
    },
  };
}

/** Resolves after the next look at the manifest, or when the signal ends. */
function nextCheck(
  waiters: Set<() => void>,
  { signal, pauseMs }: { signal: AbortSignal; pauseMs: number },
  check: () => void,
): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      waiters.delete(finish);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(check, pauseMs);
    waiters.add(finish);
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

/** Opens what the manifest names; segments and live bits that did not change are taken over. */
async function openViews(directory: string, manifest: Manifest, present: readonly HeldView[]): Promise<HeldView[]> {
  const views: HeldView[] = [];
  try {
    for (const entry of manifest.segments) {
      const known = present.find(({ view }) => view.segment.uid === entry.uid);
      if (known !== undefined && known.tombstones === entry.tombstones) {
        views.push(known);
        continue;
      }
      const live = await readLive(directory, entry);
      const open = known?.open ?? (await openSegment(directory, entry));
      const view = { segment: open.segment, live, liveCount: entry.live };
      views.push({ view, open, tombstones: entry.tombstones });
    }
    return views;
  } catch (error) {
    closeUnused(views, present);
    throw error;
  }
}

async function readLive(directory: string, entry: Manifest['segments'][number]): Promise<Uint32Array | undefined> {
  if (entry.tombstones === null) return undefined;
  return readTombstones(join(directory, tombstonesFile(entry.n, entry.tombstones)), entry.uid, entry.documents);
}

/** Closes the files of `before` that `after` does not use. */
function closeUnused(before: readonly HeldView[], after: readonly HeldView[]): void {
  const used = new Set(after.map(({ open }) => open));
  for (const { open } of before) if (!used.has(open)) void open.close();
}

async function openSnapshot(engineId: number, manifest: Manifest, held: readonly HeldView[]): Promise<Snapshot> {
  const views = held.map(({ view }) => view);
  const types = await typeFields(manifest.fields, views, (view, field) => openOf(held, view).load(field));
  const { generation, seq, live, bodyTokens, fields, languages, crawlers } = manifest;
  const averageLength = live === 0 ? 0 : bodyTokens / live;
  const liveLanguages = views.reduce((mask, view) => mask | liveLanguagesOf(view), 0);
  const facts = { engineId, generation, seq, live, averageLength, fields, languages, liveLanguages, crawlers, types };
  return snapshotOf(facts, views);
}

function liveLanguagesOf({ segment, live }: SegmentView): number {
  if (live === undefined) return segment.languageMask;
  let mask = 0;
  for (let d = 0; d < segment.documents; d++) if (hasBit(live, d)) mask |= 1 << segment.languages[d]!;
  return mask;
}

function openOf(held: readonly HeldView[], view: SegmentView): OpenSegment {
  const found = held.find(({ open }) => open.segment === view.segment);
  if (found === undefined) throw new AppError('internal', 'The generation of this index has been replaced');
  return found.open;
}

async function prepare(
  snapshot: Snapshot,
  needs: PlanNeeds,
  held: readonly HeldView[],
  readDocuments: ReadDocuments | undefined,
): Promise<boolean> {
  let longTexts = false;
  for (const view of snapshot.segments) {
    const open = openOf(held, view);
    if (needs.positions) await open.load(POSITIONS_EXTENT);
    for (const name of needs.fields) {
      const number = isOwnField(name) ? undefined : snapshot.fieldNumbers.get(name);
      if (number === undefined) continue;
      await open.load(number);
      const long = view.segment.fieldCounts.get(number)?.longValues ?? 0;
      if (long === 0 || readDocuments === undefined || !needs.texts.has(name)) continue;
      longTexts = true;
      if (view.segment.textsOf(number) !== undefined) continue;
      const field = { ...snapshot.fields[number]!, number };
      view.segment.attachTexts(number, await readLongValues(view, field, readDocuments));
    }
  }
  return longTexts;
}

import type { Clock } from '../../../core/clock.ts';
import { AppError } from '../../../core/errors.ts';
import { runInBackground } from '../../../observability/background.ts';
import type { Log } from '../../../observability/logger.ts';
import type { IndexedStore } from '../../index-writer.ts';
import { foreignTo, readManifest } from '../manifest.ts';
import { createEngineReader, type EngineReader } from './engine-reader.ts';
import type { ReadDocuments } from './long-values.ts';
import type { OpenSegment } from './open-files.ts';
import { createResidency, SEGMENT_SHARE } from './residency.ts';
import type { SegmentView, Snapshot } from './snapshot.ts';

export type OpenEnginesOptions = {
  readonly directoryOf: (engineId: number) => string;
  /** Memory that indexes may take; no bound when it is undefined. */
  readonly memoryBytes: number | undefined;
  readonly clock: Clock;
  readonly log: Log;
  readonly readDocumentsOf: (engineId: number) => ReadDocuments | undefined;
  readonly storeOf: ((engineId: number) => Promise<IndexedStore>) | undefined;
  readonly onSnapshot: (snapshot: Snapshot, openOf: (view: SegmentView) => OpenSegment) => void;
  readonly onDrop: (engineId: number, uid: string, extent: number) => void;
  /** Called when an engine is closed, with its reader gone from here already. */
  readonly onClose: (engineId: number) => Promise<void>;
};

/** The engines that a process has open, within its memory; each is opened on first use. */
export type OpenEngines = AsyncDisposable & {
  of(engineId: number): EngineReader;
  /** The newest `seq` known to be visible; also of an engine that was closed for want of memory. */
  visibleSeq(engineId: number): number;
  usedBytes(): number;
  /** Why searches of an engine have no generation to answer from; undefined = they have. Opens no engine. */
  repairOf(engineId: number): Promise<string | undefined>;
  forget(engineId: number): Promise<void>;
};

function causeOf(error: unknown): string {
  if (!(error instanceof AppError) || error.code !== 'index.corrupt') throw error;
  return typeof error.options.details?.['part'] === 'string' ? error.options.details['part'] : error.message;
}

async function repairOf(
  { storeOf, directoryOf }: OpenEnginesOptions,
  engineId: number,
  reader: EngineReader | undefined,
): Promise<string | undefined> {
  if (reader?.snapshot !== undefined || storeOf === undefined) return undefined;
  if (reader?.damage !== undefined) return causeOf(reader.damage);
  const store = await storeOf(engineId);
  try {
    const manifest = await readManifest(directoryOf(engineId));
    if (manifest !== undefined) return (await foreignTo(store, manifest))?.cause;
    return (await store.lastSeq()) === 0 ? undefined : 'missing';
  } catch (error) {
    return causeOf(error);
  }
}

export function createOpenEngines(options: OpenEnginesOptions): OpenEngines {
  const { clock, log, directoryOf, storeOf, memoryBytes = Number.POSITIVE_INFINITY } = options;
  const readers = new Map<number, EngineReader>();
  const residency = createResidency(memoryBytes * SEGMENT_SHARE, clock);
  /** What an engine showed that was closed for want of memory. */
  const closedSeqs = new Map<number, number>();

  const close = async (engineId: number) => {
    const reader = readers.get(engineId);
    readers.delete(engineId);
    await options.onClose(engineId);
    await reader?.close();
  };
  const open = (engineId: number): EngineReader => {
    const reader = createEngineReader({
      engineId,
      clock,
      log,
      residency,
      directory: directoryOf(engineId),
      readDocuments: options.readDocumentsOf(engineId),
      openStore: storeOf && (() => storeOf(engineId)),
      onSnapshot: options.onSnapshot,
      onDrop: (uid, extent) => options.onDrop(engineId, uid, extent),
      unload: () => {
        closedSeqs.set(engineId, reader.snapshot?.seq ?? 0);
        residency.remove(engineId);
        runInBackground(log, 'close engine', () => close(engineId));
      },
    });
    readers.set(engineId, reader);
    return reader;
  };
  const of = (engineId: number) => readers.get(engineId) ?? open(engineId);
  /** The manifest says what an engine shows when it is opened again; opening it for that would close another. */
  const followClosed = (engineId: number) =>
    runInBackground(log, 'read manifest', async () => {
      const manifest = await readManifest(directoryOf(engineId));
      if (manifest !== undefined && closedSeqs.has(engineId)) closedSeqs.set(engineId, manifest.seq);
    });
  return {
    of,
    repairOf: (engineId) => repairOf(options, engineId, readers.get(engineId)),
    usedBytes: residency.usedBytes,
    visibleSeq(engineId) {
      const reader = readers.get(engineId);
      if (reader === undefined && closedSeqs.has(engineId)) followClosed(engineId);
      // Not opened yet: the next call knows. Damage is logged there and thrown by the next search.
      else if (reader?.snapshot === undefined)
        void of(engineId)
          .current()
          .catch(() => undefined);
      return reader?.snapshot?.seq ?? closedSeqs.get(engineId) ?? 0;
    },
    async forget(engineId) {
      closedSeqs.delete(engineId);
      await close(engineId);
    },
    async [Symbol.asyncDispose]() {
      for (const reader of readers.values()) await reader.close();
      readers.clear();
    },
  };
}

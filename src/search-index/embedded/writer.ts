import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../core/clock.ts';
import type { StoredDocument } from '../../core/document.ts';
import type { Log } from '../../observability/logger.ts';
import type { Generation, IndexSource, IndexWriter } from '../index-writer.ts';
import { buildSegments, holdSegment } from './build-segments.ts';
import { killRows } from './kill-rows.ts';
import { segmentFile } from './manifest.ts';
import { applyMerge, mergedColumns } from './merge/apply-merge.ts';
import { type MergeInput, mergeSegments } from './merge/merger.ts';
import { runMergeThread } from './merge/run-merge.ts';
import { chooseIdleMerge, chooseMerge } from './merge/tiered.ts';
import { CLASS_NUMBERS } from './numbering.ts';
import { deleteOrphans, type FaultPoint, orphansOf, publishState, type WriterDeps } from './publish.ts';
import { startRebuild } from './rebuild.ts';
import type { WrittenSegment } from './segment/assembly.ts';
import { deleteUnnamed, type HeldSegment, type IndexState, loadState, mapRows } from './writer-state.ts';

export type EmbeddedWriterOptions = {
  /** Folder of the index, made when it is missing. */
  readonly directory: string;
  readonly source: IndexSource;
  /** Language of documents that have none; a change of it is a rebuild. */
  readonly language: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Documents up to which a merge runs at once instead of on a thread. */
  readonly inlineMergeDocuments?: number;
  /** Milliseconds without a publication after which the segments are merged to few. */
  readonly idleMergeMs?: number;
  /** Called at each step of a publication; a test ends the writer by throwing. */
  readonly at?: (point: FaultPoint) => void;
};

/** A merge of so many documents takes under 20 ms. */
const INLINE_MERGE_DOCUMENTS = 2_000;
const IDLE_MERGE_MS = 60_000;

/** The writer's own state; `exclusive` work alone changes it. */
type Writer = {
  readonly deps: WriterDeps;
  readonly language: string;
  readonly inlineMergeDocuments: number;
  readonly idleMergeMs: number;
  readonly waiting: Map<number, StoredDocument>;
  readonly orphans: Map<string, number>;
  readonly ending: AbortController;
  state: IndexState;
  nextSegment: number;
  /** A publication was begun and has not ended well: what is on disk decides. */
  stale: boolean;
  tail: Promise<unknown>;
  idleTimer: NodeJS.Timeout | undefined;
  merging: { readonly uids: readonly string[]; readonly done: Promise<void> } | undefined;
};

/**
 * Opens the one writer of an engine's index. Repairs what a crash has left: unnamed files are deleted, and a damaged
 * or outdated index is rebuilt from the source before it resolves. Caller disposes.
 */
export async function openEmbeddedWriter(options: EmbeddedWriterOptions): Promise<IndexWriter> {
  const { directory, source, clock, log, language } = options;
  const { rebuildCause, named, ...opened } = await openState(source, directory, language);
  await deleteUnnamed(directory, named);
  const writer: Writer = {
    deps: { directory, source, clock, log, at: options.at ?? (() => undefined) },
    language,
    inlineMergeDocuments: options.inlineMergeDocuments ?? INLINE_MERGE_DOCUMENTS,
    idleMergeMs: options.idleMergeMs ?? IDLE_MERGE_MS,
    idleTimer: undefined,
    waiting: new Map(),
    orphans: new Map(),
    ending: new AbortController(),
    ...opened,
    stale: false,
    tail: Promise.resolve(),
    merging: undefined,
  };
  if (rebuildCause !== undefined) await rebuild(writer, rebuildCause);
  planIdleMerge(writer);
  return {
    get appliedSeq() {
      return writer.state.seq;
    },
    get pending() {
      return writer.waiting.size;
    },
    apply: (changes) => takeIn(writer, changes),
    refresh: () => refresh(writer),
    skipTo: (seq) => skipTo(writer, seq),
    rebuild: (cause) => rebuild(writer, cause),
    async [Symbol.asyncDispose]() {
      writer.ending.abort();
      clearTimeout(writer.idleTimer);
      while (writer.merging !== undefined) await writer.merging.done;
      await writer.tail;
    },
  };
}

/** State of the folder, level with the generation that the source has stored. */
async function openState(source: IndexSource, directory: string, language: string) {
  const { state, rebuildCause, named } = await loadState(directory, language);
  const stored = await source.indexGeneration();
  // The manifest is ahead when the writer ended between its rename and the store's commit.
  if (stored < state.generation) await source.claimGeneration(stored, state.generation, async () => undefined);
  const generation = Math.max(stored, state.generation);
  const nextSegment = 1 + state.segments.reduce((highest, { n }) => Math.max(highest, n), 0);
  return { state: { ...state, generation }, rebuildCause, named, nextSegment };
}

function takeIn({ state, waiting }: Writer, changes: readonly StoredDocument[]): void {
  for (const change of changes) {
    const latest = waiting.get(change.rid)?.seq ?? 0;
    if (change.seq > state.seq && change.seq > latest) waiting.set(change.rid, change);
  }
}

/** Runs one piece of work at a time, in order of the calls. */
function exclusive<T>(writer: Writer, work: () => Promise<T>): Promise<T> {
  const result = writer.tail.then(work);
  writer.tail = result.catch(() => undefined);
  return result;
}

async function refresh(writer: Writer): Promise<Generation> {
  await exclusive(writer, async () => {
    await reloadWhenStale(writer);
    const changes = [...writer.waiting.values()];
    if (changes.length > 0) await publishChanges(writer, changes);
  });
  await mergeWhileDue(writer);
  return generationOf(writer.state);
}

async function skipTo(writer: Writer, seq: number): Promise<Generation> {
  await exclusive(writer, async () => {
    await reloadWhenStale(writer);
    if (seq > writer.state.seq) await publish(writer, { ...writer.state, seq });
  });
  return generationOf(writer.state);
}

async function publishChanges(writer: Writer, changes: readonly StoredDocument[]): Promise<void> {
  const { deps, state, waiting } = writer;
  writer.stale = true;
  const added = await buildSegments(deps, state.numbering, { changes, nextNumber: () => writer.nextSegment++ });
  const kills = killRows(
    state,
    changes.map(({ rid }) => rid),
  );
  const seq = changes.reduce((highest, change) => Math.max(highest, change.seq), state.seq);
  await publish(writer, { ...state, seq, segments: [...kills.segments, ...added] });
  for (const rid of kills.rids) state.rows.delete(rid);
  for (const segment of added) mapRows(state.rows, segment);
  for (const change of changes) if (waiting.get(change.rid) === change) waiting.delete(change.rid);
}

/** Publishes a draft and makes it the state; afterwards the files of the one before are orphans. */
async function publish(writer: Writer, draft: IndexState): Promise<void> {
  const { deps, orphans, state } = writer;
  writer.stale = true;
  writer.state = await publishState(deps, state.generation, draft);
  writer.stale = false;
  planIdleMerge(writer);
  for (const name of orphansOf(state, writer.state)) orphans.set(name, deps.clock.now());
  await deleteOrphans(deps, orphans);
}

async function reloadWhenStale(writer: Writer): Promise<void> {
  if (!writer.stale) return;
  const { deps, language } = writer;
  const { state, nextSegment } = await openState(deps.source, deps.directory, language);
  writer.state = state;
  writer.nextSegment = Math.max(nextSegment, writer.nextSegment);
  writer.stale = false;
  // Another writer may have used these names since.
  writer.orphans.clear();
  for (const [rid, { seq }] of writer.waiting) if (seq <= state.seq) writer.waiting.delete(rid);
}

function generationOf({ generation, seq, segments }: IndexState): Generation {
  return { number: generation, seq, documents: segments.reduce((sum, { liveCount }) => sum + liveCount, 0) };
}

async function rebuild(writer: Writer, cause: string): Promise<void> {
  const { deps, language, waiting } = writer;
  deps.log.info({ cause }, 'index rebuild started');
  const { catchUp } = await startRebuild(deps, language, () => writer.nextSegment++);
  await exclusive(writer, async () => {
    await reloadWhenStale(writer);
    const rebuilt = await catchUp();
    const seq = Math.max(rebuilt.seq, writer.state.seq);
    await publish(writer, { ...rebuilt, seq });
    for (const [rid, change] of waiting) if (change.seq <= seq) waiting.delete(rid);
  });
  deps.log.info({ documents: generationOf(writer.state).documents }, 'index rebuild finished');
  await mergeWhileDue(writer);
}

/** Merges what is small at once and starts a thread for what is not. A failed merge is tried after the next refresh. */
async function mergeWhileDue(writer: Writer): Promise<void> {
  while (await exclusive(writer, () => mergeOnce(writer)));
}

/** False when nothing more is to be done now. */
async function mergeOnce(writer: Writer): Promise<boolean> {
  const { state, merging, deps, ending } = writer;
  if (writer.stale || ending.signal.aborted) return false;
  const busy = new Set(merging?.uids);
  const sources = chooseMerge(state.segments.filter(({ uid }) => !busy.has(uid)));
  if (sources === undefined) return false;
  if (sources.reduce((sum, { liveCount }) => sum + liveCount, 0) > writer.inlineMergeDocuments) {
    if (merging !== undefined) return false;
    startMerge(writer, sources);
    return true;
  }
  try {
    await finishMerge(writer, sources, await runMerge(writer, sources, mergeSegments));
    return true;
  } catch (err) {
    deps.log.error({ err }, 'merge failed');
    return false;
  }
}

/** Merges the engine to few segments when nothing is published for a while. */
function planIdleMerge(writer: Writer): void {
  clearTimeout(writer.idleTimer);
  if (writer.ending.signal.aborted) return;
  writer.idleTimer = setTimeout(() => {
    const isBusy = writer.merging !== undefined || writer.stale;
    const sources = isBusy ? undefined : chooseIdleMerge(writer.state.segments);
    if (isBusy) planIdleMerge(writer);
    else if (sources !== undefined) startMerge(writer, sources);
  }, writer.idleMergeMs).unref();
}

/** Merges on a thread, beside refreshes, then looks for the next merge; `done` never rejects. */
function startMerge(writer: Writer, sources: readonly HeldSegment[]): void {
  const { signal } = writer.ending;
  const run = async () => {
    const result = await runMerge(writer, sources, (input) => runMergeThread(input, signal));
    await exclusive(writer, () => finishMerge(writer, sources, result));
    writer.merging = undefined;
    await mergeWhileDue(writer);
  };
  const done = run().catch((err: unknown) => {
    writer.merging = undefined;
    if (!signal.aborted) writer.deps.log.error({ err }, 'merge failed');
  });
  writer.merging = { uids: sources.map(({ uid }) => uid), done };
}

async function runMerge(
  writer: Writer,
  sources: readonly HeldSegment[],
  run: (input: MergeInput) => Promise<WrittenSegment>,
): Promise<HeldSegment> {
  const { deps, state } = writer;
  const n = writer.nextSegment++;
  const { fields } = state.numbering.lists();
  const written = await run({
    sources: sources.map((source) => ({ path: join(deps.directory, segmentFile(source.n)), live: source.live })),
    output: join(deps.directory, segmentFile(n)),
    crawlerIds: state.numbering.crawlerIds(),
    bodyFields: [...fields.keys()].filter((field) => fields[field]!.class === CLASS_NUMBERS.c),
  });
  return holdSegment(n, written, mergedColumns(sources));
}

/** Swaps the sources for the result in one generation. */
async function finishMerge(writer: Writer, sources: readonly HeldSegment[], result: HeldSegment): Promise<void> {
  const { deps, state } = writer;
  deps.at('merge-finished');
  const applied = writer.stale ? undefined : applyMerge(state.segments, sources, result);
  if (applied === undefined) {
    await rm(join(deps.directory, segmentFile(result.n)), { force: true });
    return;
  }
  await publish(writer, { ...state, segments: applied.segments });
  mapRows(writer.state.rows, applied.merged);
}

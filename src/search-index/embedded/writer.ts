import { rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../core/clock.ts';
import type { StoredDocument } from '../../core/document.ts';
import type { Log } from '../../observability/logger.ts';
import { createVocabulary, hasCompounds, type Vocabulary } from '../../text/compounds.ts';
import type { Generation, IndexSource, IndexWriter } from '../index-writer.ts';
import { buildSegments, toLoadedSegment } from './build-segments.ts';
import { deleteRows } from './delete-rows.ts';
import { CLASS_NUMBERS } from './field-numbers.ts';
import { INDEX_FORMAT_VERSION } from './format-version.ts';
import { DAMAGE_FILE, segmentFile } from './manifest.ts';
import { applyMerge, mergedColumns } from './merge/apply-merge.ts';
import { buildVocabulary } from './merge/build-vocabulary.ts';
import { type MergeInput, mergeSegments } from './merge/merger.ts';
import { runMergeThread, runVocabularyThread } from './merge/run-merge.ts';
import { chooseIdleMerge, chooseMerge, chooseSplitAnew } from './merge/tiered.ts';
import type { FaultPoint, WriterDeps } from './publish.ts';
import { dropPrevious, rebuild, rollBack, startRenewal } from './replace-list.ts';
import type { WrittenSegment } from './segment/assembly.ts';
import { newVocabularyNumber, writeWords } from './words-file.ts';
import {
  dropProgress,
  exclusive,
  liveDocuments,
  nextNumber,
  openAside,
  openState,
  publish,
  reloadWhenStale,
  repair,
  type Writer,
} from './writer-core.ts';
import {
  deleteUnnamed,
  type IndexState,
  isDamage,
  type LoadedSegment,
  type LoadedVocabulary,
  mapRows,
} from './writer-state.ts';

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
  /** Live documents from which the words of compounds are counted in all of them. */
  readonly vocabularyFromDocuments?: number;
  /** Splits compounds instead of what would be learned: for tests that compare indexes. */
  readonly vocabulary?: Vocabulary;
  /** How often the writer looks whether a reader has met damage. */
  readonly damageLookMs?: number;
  /** Changes after which a rebuild saves its progress. */
  readonly saveRebuildChanges?: number;
  /** Called at each fault point; a test ends the writer there by throwing, or its process by a signal. */
  readonly at?: (point: FaultPoint) => void;
};

/** A merge of so many documents takes under 20 ms. */
const INLINE_MERGE_DOCUMENTS = 2_000;
const IDLE_MERGE_MS = 60_000;
const DAMAGE_LOOK_MS = 1_000;

/**
 * Opens the one writer of an engine's index. Repairs what a crash or damage has left: unnamed files are deleted, rows
 * of damaged segments are indexed again before it resolves; an index of another version is made anew beside searching
 * and writing. Caller disposes.
 */
export async function openEmbeddedWriter(options: EmbeddedWriterOptions): Promise<IndexWriter> {
  const { directory, source, clock, log, language } = options;
  const buildsVocabulary = options.vocabulary === undefined;
  const deps = { directory, source, clock, log, buildsVocabulary, at: options.at ?? (() => undefined) };
  const { repairKind, named, state, nextSegment } = await openState({ deps, language });
  const aside = await openAside({ deps, language });
  await deleteUnnamed(directory, named.union(aside.named), clock.now());
  const words = options.vocabulary && (await useWords(deps, options.vocabulary));
  const writer: Writer = {
    deps,
    language,
    inlineMergeDocuments: options.inlineMergeDocuments ?? INLINE_MERGE_DOCUMENTS,
    idleMergeMs: options.idleMergeMs ?? IDLE_MERGE_MS,
    saveRebuildChanges: options.saveRebuildChanges,
    idleTimer: undefined,
    waiting: new Map(),
    orphans: new Map(),
    ending: new AbortController(),
    state: words === undefined ? state : { ...state, words },
    nextSegment: Math.max(nextSegment, nextNumber(aside.named)),
    previous: aside.previous,
    rebuilding: Promise.resolve(),
    onPublished: () => planIdleMerge(writer),
    stale: false,
    tail: Promise.resolve(),
    merging: undefined,
    learning: undefined,
    vocabularyFromDocuments: options.vocabularyFromDocuments ?? FIRST_DOCUMENTS,
  };
  await repair(writer, repairKind);
  if (repairKind.kind === 'renew') startRenewal(writer, repairKind.cause);
  else if (repairKind.kind === 'nothing' && aside.isUnfinished) startRenewal(writer, 'interrupted rebuild');
  else await dropProgress(deps);
  await dropPrevious(writer);
  planIdleMerge(writer);
  const watching = setInterval(() => void lookForDamage(writer), options.damageLookMs ?? DAMAGE_LOOK_MS).unref();
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
    rebuild: async (cause) => {
      await rebuild(writer, cause);
      await mergeWhileDue(writer);
    },
    rollBack: () => rollBack(writer),
    async [Symbol.asyncDispose]() {
      writer.ending.abort();
      clearTimeout(writer.idleTimer);
      clearInterval(watching);
      await writer.rebuilding;
      await writer.learning;
      while (writer.merging !== undefined) await writer.merging.done;
      await writer.tail;
    },
  };
}

/** Looks at every file again when a reader has left its note. Never rejects. */
async function lookForDamage(writer: Writer): Promise<void> {
  const { deps } = writer;
  try {
    await unlink(join(deps.directory, DAMAGE_FILE));
  } catch (err) {
    if (!isDamage(err)) deps.log.error({ err }, 'note of damage cannot be read');
    return;
  }
  await checkFiles(writer);
}

/** Reads the files of the state again and repairs what is damaged. Never rejects: the next refresh tries again. */
async function checkFiles(writer: Writer): Promise<void> {
  try {
    await exclusive(writer, async () => {
      writer.stale = true;
      await reloadWhenStale(writer);
    });
  } catch (err) {
    writer.deps.log.error({ err }, 'index repair failed');
  }
}

function takeIn({ state, waiting }: Writer, changes: readonly StoredDocument[]): void {
  for (const change of changes) {
    const latest = waiting.get(change.rid)?.seq ?? 0;
    if (change.seq > state.seq && change.seq > latest) waiting.set(change.rid, change);
  }
}

async function refresh(writer: Writer): Promise<Generation> {
  await exclusive(writer, async () => {
    await reloadWhenStale(writer);
    const changes = [...writer.waiting.values()];
    if (changes.length > 0) await publishChanges(writer, changes);
  });
  await refreshVocabulary(writer);
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
  const built = await buildSegments(deps, state, { changes, nextNumber: () => writer.nextSegment++ });
  const deletes = deleteRows(
    state,
    changes.map(({ rid }) => rid),
  );
  const seq = changes.reduce((highest, change) => Math.max(highest, change.seq), state.seq);
  await publish(writer, { ...state, seq, segments: [...deletes.segments, ...built.segments], words: built.words });
  for (const rid of deletes.rids) state.rows.delete(rid);
  for (const segment of built.segments) mapRows(state.rows, segment);
  for (const change of changes) if (waiting.get(change.rid) === change) waiting.delete(change.rid);
  await dropPrevious(writer);
}

function generationOf(state: IndexState): Generation {
  return { number: state.generation, seq: state.seq, documents: liveDocuments(state) };
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
  const free = mergeable(state).filter(({ uid }) => !busy.has(uid));
  const { number: vocabulary } = state.words.vocabulary;
  const sources =
    chooseMerge(free) ??
    // Without words, which may be damaged, segments keep the parts that they have.
    (vocabulary === 0 ? undefined : chooseSplitAnew(free, { vocabulary, documents: writer.inlineMergeDocuments }));
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
    if (!isDamage(err)) return false;
    writer.stale = true;
    await reloadWhenStale(writer);
    return true;
  }
}

/** Segments of the present format: those of another one are read only, until a rebuild replaces them. */
function mergeable({ segments }: IndexState): readonly LoadedSegment[] {
  return segments.filter(({ format }) => format === INDEX_FORMAT_VERSION);
}

/** Merges the engine to few segments when nothing is published for a while. */
function planIdleMerge(writer: Writer): void {
  clearTimeout(writer.idleTimer);
  if (writer.ending.signal.aborted) return;
  writer.idleTimer = setTimeout(() => {
    const isBusy = writer.merging !== undefined || writer.stale;
    const sources = isBusy ? undefined : chooseIdleMerge(mergeable(writer.state), writer.state.words.vocabulary.number);
    if (isBusy) planIdleMerge(writer);
    else if (sources !== undefined) startMerge(writer, sources);
  }, writer.idleMergeMs).unref();
}

/** Merges on a thread, beside refreshes, then looks for the next merge; `done` never rejects. */
function startMerge(writer: Writer, sources: readonly LoadedSegment[]): void {
  const { signal } = writer.ending;
  const run = async () => {
    const result = await runMerge(writer, sources, (input) => runMergeThread(input, signal));
    await exclusive(writer, () => finishMerge(writer, sources, result));
    writer.merging = undefined;
    await mergeWhileDue(writer);
  };
  const done = run().catch(async (err: unknown) => {
    writer.merging = undefined;
    if (signal.aborted) return;
    writer.deps.log.error({ err }, 'merge failed');
    if (isDamage(err)) await checkFiles(writer);
  });
  writer.merging = { uids: sources.map(({ uid }) => uid), done };
}

async function runMerge(
  writer: Writer,
  sources: readonly LoadedSegment[],
  run: (input: MergeInput) => Promise<WrittenSegment>,
): Promise<LoadedSegment> {
  const { deps, state } = writer;
  const n = writer.nextSegment++;
  const { fields } = state.fieldNumbers.lists();
  const written = await run({
    sources: sources.map((source) => ({ path: join(deps.directory, segmentFile(source.n)), live: source.live })),
    output: join(deps.directory, segmentFile(n)),
    crawlerIds: state.fieldNumbers.crawlerIds(),
    vocabulary: state.words.vocabulary.number === 0 ? null : state.words.vocabulary.number,
    languages: state.fieldNumbers.lists().languages,
    bodyFields: [...fields.keys()].filter((field) => fields[field]!.class === CLASS_NUMBERS.c),
  });
  return toLoadedSegment(n, written, mergedColumns(sources));
}

/** Swaps the sources for the result in one generation. */
async function finishMerge(writer: Writer, sources: readonly LoadedSegment[], result: LoadedSegment): Promise<void> {
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

/** Live documents from which words are counted: below, hardly one stands in three of them (`KNOWN_DOCUMENTS`). */
const FIRST_DOCUMENTS = 64;
/** Growth after which they are counted again: of an engine whose segments are merged at once, and of a larger one. */
const SMALL_GROWTH = 1.25;
const LARGE_GROWTH = 2;

/**
 * Counts the words that compounds consist of in all live documents, from 64 of them on and again when the engine has
 * grown, when one of its languages writes words together: at once for a small engine, else on a thread beside
 * refreshes. They split the compounds of small segments at once, and those of later segments and merges. What a
 * publication alone brings is learned as it is built (`wordsWithNew`). Never rejects; what failed is tried after the
 * next refresh.
 */
async function refreshVocabulary(writer: Writer): Promise<void> {
  const { state, ending, stale, inlineMergeDocuments, vocabularyFromDocuments } = writer;
  const live = liveDocuments(state);
  if (stale || ending.signal.aborted || writer.learning !== undefined) return;
  if (!writer.deps.buildsVocabulary) return;
  const growth = live <= inlineMergeDocuments ? SMALL_GROWTH : LARGE_GROWTH;
  if (live < Math.max(vocabularyFromDocuments, growth * state.words.documents)) return;
  if (!state.fieldNumbers.lists().languages.some(hasCompounds)) return;
  const learning = rebuildVocabulary(writer, live > inlineMergeDocuments).catch((err: unknown) => {
    if (!ending.signal.aborted) writer.deps.log.error({ err }, 'words of compounds could not be learned');
  });
  if (live <= inlineMergeDocuments) return learning;
  writer.learning = learning.then(() => {
    writer.learning = undefined;
  });
}

async function rebuildVocabulary(writer: Writer, onThread: boolean): Promise<void> {
  const { deps, state, ending } = writer;
  const input = {
    directory: deps.directory,
    segments: state.segments.map(({ n, uid, live }) => ({ n, uid, live })),
    languages: state.fieldNumbers.lists().languages,
  };
  const languages = onThread ? await runVocabularyThread(input, ending.signal) : await buildVocabulary(input);
  const vocabulary = createVocabulary(newVocabularyNumber(), languages);
  await writeWords(deps.directory, vocabulary);
  const words = { vocabulary, documents: liveDocuments(state) };
  await exclusive(writer, async () => {
    if (!writer.stale) await publish(writer, { ...writer.state, words });
  });
}

/** Puts a given vocabulary beside the index, to be in force from the next publication on. */
async function useWords({ directory }: WriterDeps, vocabulary: Vocabulary): Promise<LoadedVocabulary> {
  await writeWords(directory, vocabulary).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  return { vocabulary, documents: 0 };
}

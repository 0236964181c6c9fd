import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredDocument } from '../../core/document.ts';
import type { IndexSource } from '../index-writer.ts';
import { buildSegments, startSegments } from './build-segments.ts';
import { hasBit, setBit } from './bytes/bitset.ts';
import { deleteRows } from './delete-rows.ts';
import { type Manifest, NEXT_FILE, namedFiles, PREVIOUS_FILE } from './manifest.ts';
import { deleteOrphans, filesOfState, orphansOf, publishState, saveManifest, type WriterDeps } from './publish.ts';
import { emptyState, type IndexRepair, type IndexState, loadAside, loadState, mapRows } from './writer-state.ts';

/** The list that a rebuild has replaced, kept for a while; its files are not deleted. */
export type Previous = { readonly names: ReadonlySet<string>; readonly untilMs: number };

/** The writer's own state; `exclusive` work alone changes it. */
export type Writer = {
  readonly deps: WriterDeps;
  readonly language: string;
  readonly inlineMergeDocuments: number;
  readonly idleMergeMs: number;
  readonly saveRebuildChanges: number | undefined;
  readonly waiting: Map<number, StoredDocument>;
  readonly orphans: Map<string, number>;
  readonly ending: AbortController;
  state: IndexState;
  nextSegment: number;
  /** A publication was begun and has not ended well, or files were damaged: what is on disk decides. */
  stale: boolean;
  tail: Promise<unknown>;
  idleTimer: NodeJS.Timeout | undefined;
  merging: { readonly uids: readonly string[]; readonly done: Promise<void> } | undefined;
  /** Under way on a thread; never rejects. */
  learning: Promise<void> | undefined;
  readonly vocabularyFromDocuments: number;
  previous: Previous | undefined;
  readonly onPublished: () => void;
  /** Rebuilds that are under way or wait; never rejects. */
  rebuilding: Promise<unknown>;
};

export const PREVIOUS_MS = 24 * 3_600_000;

type Folder = { readonly deps: WriterDeps; readonly language: string };

/** State of the folder, level with the generation that the source has stored, and what it needs. */
export async function openState(folder: Folder) {
  const { deps, language } = folder;
  const { state, repairKind, named } = await loadState(deps, language);
  const generation = await levelGeneration(deps.source, state.generation, repairKind);
  return { state: { ...state, generation }, repairKind, named, nextSegment: nextNumber(named) };
}

/** The number after the highest in the names of files. */
export function nextNumber(names: ReadonlySet<string>): number {
  return [...names].reduce((next, name) => Math.max(next, 1 + Number(/^seg-(\d+)/.exec(name)?.[1] ?? 0)), 1);
}

/** What an earlier writer has left beside the published list: a rebuild's progress, the list before the last one. */
export async function openAside({ deps, language }: Folder) {
  const progress = await loadAside(deps, NEXT_FILE, language);
  const previous = await loadAside(deps, PREVIOUS_FILE, language);
  const named = new Set(
    [progress, previous].flatMap((aside) => (aside === undefined ? [] : [...namedFiles(aside.manifest)])),
  );
  return { isUnfinished: progress !== undefined, previous: previous && keptUntil(previous.manifest), named };
}

function keptUntil(manifest: Manifest): Previous {
  return { names: namedFiles(manifest), untilMs: manifest.createdAt + PREVIOUS_MS };
}

/** Runs one piece of work at a time, in order of the calls. */
export function exclusive<T>(writer: Writer, work: () => Promise<T>): Promise<T> {
  const result = writer.tail.then(work);
  writer.tail = result.catch(() => undefined);
  return result;
}

/** Publishes a draft and makes it the state; afterwards the files of the one before are orphans. */
export async function publish(writer: Writer, draft: IndexState): Promise<void> {
  const { deps, orphans, state } = writer;
  writer.stale = true;
  writer.state = await publishState(deps, state.generation, draft);
  writer.stale = false;
  writer.onPublished();
  for (const name of orphansOf(state, writer.state)) orphans.set(name, deps.clock.now());
  // A list that was gone back to is made of files that were orphans.
  for (const name of filesOfState(writer.state)) orphans.delete(name);
  await deleteOrphans(deps, orphans, writer.previous?.names);
}

/** Goes on from what is on disk, repaired where it is damaged, after a publication that failed or a note of damage. */
export async function reloadWhenStale(writer: Writer): Promise<void> {
  if (!writer.stale) return;
  const { state, nextSegment, repairKind } = await openState(writer);
  writer.state = state;
  writer.nextSegment = Math.max(nextSegment, writer.nextSegment);
  writer.stale = false;
  // Another writer may have used these names since.
  writer.orphans.clear();
  await repair(writer, repairKind);
  forgetApplied(writer);
}

/** Publishes what brings a folder level with the source: it has a generation then. Nothing when it is whole. */
export async function repair(writer: Writer, { kind, cause }: IndexRepair): Promise<void> {
  const { deps, language, state } = writer;
  if (kind === 'first') await publish(writer, state);
  if (kind !== 'rebuild' && kind !== 'reconcile') return;
  const startedAt = deps.clock.now();
  deps.log.warn({ cause }, 'index repair started');
  const nextNumber = () => writer.nextSegment++;
  // A repair that fails half-way leaves rows in the state that no generation has.
  writer.stale = true;
  const draft =
    kind === 'rebuild'
      ? await catchUp(deps, emptyState(language), nextNumber)
      : (await reconcile(deps, state, nextNumber)).draft;
  await publish(writer, { ...draft, seq: Math.max(draft.seq, state.seq) });
  deps.log.warn({ cause, documents: liveDocuments(writer.state), ms: deps.clock.now() - startedAt }, 'index repaired');
}

/** Drops the waiting changes that the state holds already. */
export function forgetApplied({ waiting, state }: Writer): void {
  for (const [rid, { seq }] of waiting) if (seq <= state.seq) waiting.delete(rid);
}

export function liveDocuments({ segments }: IndexState): number {
  return segments.reduce((sum, { liveCount }) => sum + liveCount, 0);
}

/** The manifest is ahead when the writer ended between its rename and the store's commit. */
async function levelGeneration(source: IndexSource, found: number, repairKind: IndexRepair): Promise<number> {
  const stored = await source.indexGeneration();
  // What the lost manifest published may not be published again under its number, as readers may hold it.
  const generation = repairKind.kind === 'rebuild' ? Math.max(stored, found) + 1 : Math.max(stored, found);
  if (stored < generation) await source.claimGeneration(stored, generation, async () => undefined);
  return generation;
}

/** What one step of a rebuild reads of the source: bounds its memory, and the wait of a refresh beside it. */
const STEP = { rows: 5_000, bytes: 32 * 1024 * 1024 } as const;
/** Changes after which a rebuild saves where it is, so that its successor goes on from there. */
const SAVE_CHANGES = 50_000;

type Rebuild = {
  readonly from: IndexState;
  readonly nextNumber: () => number;
  readonly saveChanges?: number | undefined;
  readonly signal: AbortSignal;
};

/**
 * A draft brought up to where the source has nothing more; published by nobody, its progress kept in `MANIFEST.next`.
 * Segment files are written as it goes. Rows that were deleted and forgotten meanwhile are in it: reconcile it.
 * @throws the signal's reason between two steps
 */
export async function buildDraft(deps: WriterDeps, rebuild: Rebuild): Promise<IndexState> {
  const { from, nextNumber, signal, saveChanges = SAVE_CHANGES } = rebuild;
  let draft = from;
  let unsaved = 0;
  for (;;) {
    signal.throwIfAborted();
    const step = await applyNext(deps, draft, nextNumber);
    if (step.changes === 0) return draft;
    draft = step.draft;
    unsaved += step.changes;
    if (unsaved >= saveChanges) {
      draft = await saveManifest(deps, NEXT_FILE, draft);
      unsaved = 0;
    }
    deps.at('rebuild-step');
  }
}

/** A draft with all changes of the source after its `seq`. */
async function catchUp(deps: WriterDeps, from: IndexState, nextNumber: () => number): Promise<IndexState> {
  let draft = from;
  for (;;) {
    const step = await applyNext(deps, draft, nextNumber);
    if (step.changes === 0) return draft;
    draft = step.draft;
    deps.at('rebuild-step');
  }
}

/** Forgets the progress of a rebuild; the files of its segments stay. */
export async function dropProgress({ directory }: Pick<WriterDeps, 'directory'>): Promise<void> {
  await rm(join(directory, NEXT_FILE), { force: true });
}

async function applyNext(deps: WriterDeps, draft: IndexState, nextNumber: () => number) {
  const changes = await deps.source.changesAfter(draft.seq, STEP);
  const last = changes.at(-1);
  if (last === undefined) return { draft, changes: 0 };
  const { segments: added, words } = await buildSegments(deps, draft, { changes, nextNumber });
  const deletes = deleteRows(
    draft,
    changes.map(({ rid }) => rid),
  );
  for (const rid of deletes.rids) draft.rows.delete(rid);
  for (const segment of added) mapRows(draft.rows, segment);
  const segments = [...deletes.segments, ...added];
  return { draft: { ...draft, seq: last.seq, segments, words }, changes: changes.length };
}

/** Rids that one page lists, and documents that are read at once: bounds memory at the largest documents. */
const PAGE_RIDS = 10_000;
const READ_DOCUMENTS = 100;

/**
 * A draft made to hold what the source holds: rows that no segment has are indexed, rows that are gone are killed,
 * then the changes after the draft's `seq` are applied. Published by nobody. O(rows) bits of memory.
 */
export async function reconcile(
  deps: WriterDeps,
  draft: IndexState,
  nextNumber: () => number,
): Promise<{ readonly draft: IndexState; readonly added: number; readonly deleted: number }> {
  const building = startSegments(deps, draft, nextNumber);
  let live = new Uint32Array(1_024);
  let added = 0;
  for (let after = 0; ; ) {
    const rids = await deps.source.liveRids(after, PAGE_RIDS);
    const last = rids.at(-1);
    if (last === undefined) break;
    after = last;
    live = grown(live, last + 1);
    for (const rid of rids) setBit(live, rid);
    const missing = rids.filter((rid) => draft.rows.segmentOf(rid) === 0);
    for (let at = 0; at < missing.length; at += READ_DOCUMENTS) {
      const documents = await deps.source.readDocuments(missing.slice(at, at + READ_DOCUMENTS));
      const found = documents.filter((document) => document !== undefined);
      added += found.length;
      await building.add(found);
    }
  }
  const deletes = deleteRows(draft, goneRids(draft, live));
  for (const rid of deletes.rids) draft.rows.delete(rid);
  const { segments, words } = await building.finish();
  for (const segment of segments) mapRows(draft.rows, segment);
  const level = { ...draft, segments: [...deletes.segments, ...segments], words };
  return { draft: await catchUp(deps, level, nextNumber), added, deleted: deletes.rids.length };
}

/** Live rows of the draft that the source does not have. */
function* goneRids({ segments }: IndexState, live: Uint32Array): Generator<number> {
  for (const segment of segments) {
    for (let d = 0; d < segment.documents; d++) {
      const rid = segment.rids[d]!;
      if (hasBit(segment.live, d) && (rid >= live.length * 32 || !hasBit(live, rid))) yield rid;
    }
  }
}

/** The bits with room for `count` of them. */
function grown(bits: Uint32Array<ArrayBuffer>, count: number): Uint32Array<ArrayBuffer> {
  if (count <= bits.length * 32) return bits;
  const larger = new Uint32Array(Math.max(bits.length * 2, (count + 31) >>> 5));
  larger.set(bits);
  return larger;
}

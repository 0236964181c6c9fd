import type { StoredDocument } from '../../core/document.ts';
import type { IndexSource } from '../index-writer.ts';
import { type Manifest, NEXT_FILE, namedFiles, PREVIOUS_FILE } from './manifest.ts';
import { deleteOrphans, filesOfState, orphansOf, publishState, type WriterDeps } from './publish.ts';
import { catchUp } from './rebuild.ts';
import { reconcile } from './reconcile.ts';
import { emptyState, type IndexRepair, type IndexState, loadAside, loadState } from './writer-state.ts';

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

import { randomInt } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../core/clock.ts';
import { AppError } from '../../core/errors.ts';
import type { Log } from '../../observability/logger.ts';
import type { IndexSource } from '../index-writer.ts';
import { INDEX_FORMAT_VERSION } from './format-version.ts';
import {
  MANIFEST_FILE,
  type Manifest,
  type Origin,
  originAt,
  segmentFile,
  syncFolder,
  tombstonesFile,
  wordsFile,
  writeManifest,
} from './manifest.ts';
import { writeTombstones } from './segment/tombstones.ts';
import type { IndexState, LoadedSegment } from './writer-state.ts';

/** Points at which a test may end the writer (search-engine design 8.12). */
export type FaultPoint =
  | 'segment-written'
  | 'tombstones-written'
  | 'generation-claimed'
  | 'manifest-renamed'
  | 'merge-finished'
  | 'rebuild-step';

export type WriterDeps = {
  readonly directory: string;
  readonly source: IndexSource;
  readonly clock: Clock;
  readonly log: Log;
  readonly at: (point: FaultPoint) => void;
  /** False: the words of compounds are given. */
  readonly buildsVocabulary: boolean;
};

const MAX_TOMBSTONES = 2 ** 48 - 1;
/** How long a file outlives the generation that named it: readers may be about to open it. */
const ORPHAN_MS = 10_000;

/**
 * Publishes a state as the generation after `generation`: tombstones, folder, claim, manifest. Segments without live
 * documents are left out. Nothing is visible before the rename of the manifest, everything after.
 * @throws AppError `internal` when another writer has published meanwhile, or may publish now, `index.corrupt` when the
 * store has not come as far as the state
 */
export async function publishState(deps: WriterDeps, generation: number, draft: IndexState): Promise<IndexState> {
  const next = generation + 1;
  const state = { ...(await saveSegments(deps, draft)), generation: next };
  const origin = await originAt(deps.source, state.seq);
  const claimed = await deps.source.claimGeneration(generation, next, async () => {
    deps.at('generation-claimed');
    const path = join(deps.directory, MANIFEST_FILE);
    await writeManifest(path, manifestOf(state, origin, deps.clock), () => deps.at('manifest-renamed'));
  });
  if (!claimed) throw new AppError('internal', 'This index has another writer now, or may have one');
  return state;
}

/** Writes a state as a manifest that no reader looks at, with the store it is of; durable when it resolves. */
export async function saveManifest(deps: WriterDeps, name: string, draft: IndexState): Promise<IndexState> {
  const state = await saveSegments(deps, draft);
  const origin = { ...(await deps.source.identity()), mark: null };
  await writeManifest(join(deps.directory, name), manifestOf(state, origin, deps.clock));
  return state;
}

/** The segments that hold a live document, with their live bits in files. */
async function saveSegments(deps: WriterDeps, draft: IndexState): Promise<IndexState> {
  const segments: LoadedSegment[] = [];
  for (const segment of draft.segments) {
    if (segment.liveCount > 0) segments.push(await saveTombstones(deps, segment));
  }
  deps.at('tombstones-written');
  await syncFolder(deps.directory);
  return { ...draft, segments };
}

/** Names of the files that `before` consisted of and `after` does not. */
export function orphansOf(before: IndexState, after: IndexState): string[] {
  const named = new Set(filesOfState(after));
  return filesOfState(before).filter((name) => !named.has(name));
}

/** Deletes the files that have been orphans for 10 s, but those in `kept`; `orphans` = time by name, emptied as they go. */
export async function deleteOrphans(
  deps: WriterDeps,
  orphans: Map<string, number>,
  kept: ReadonlySet<string> = new Set(),
): Promise<void> {
  const now = deps.clock.now();
  for (const [name, since] of orphans) {
    if (now - since < ORPHAN_MS || kept.has(name)) continue;
    orphans.delete(name);
    await rm(join(deps.directory, name), { force: true });
  }
}

/** Names of the files that a state consists of. */
export function filesOfState({ segments, words }: IndexState): string[] {
  const { number } = words.vocabulary;
  return [...segments.flatMap(filesOf), ...(number === 0 ? [] : [wordsFile(number)])];
}

function filesOf({ n, tombstones }: LoadedSegment): string[] {
  const names = [segmentFile(n)];
  return tombstones === undefined ? names : [...names, tombstonesFile(n, tombstones)];
}

/** The number in the file's name is random: two writers at one generation must not meet in a name. */
async function saveTombstones(deps: WriterDeps, segment: LoadedSegment): Promise<LoadedSegment> {
  if (!segment.changed) return segment;
  const { n, uid, documents, live } = segment;
  const tombstones = randomInt(1, MAX_TOMBSTONES);
  await writeTombstones(join(deps.directory, tombstonesFile(n, tombstones)), { uid, documents, bits: live });
  return { ...segment, tombstones, changed: false };
}

function manifestOf(state: IndexState, origin: Origin, clock: Clock): Manifest {
  const { analysis, generation, seq, segments, fieldNumbers, words } = state;
  const { fields, languages, crawlers } = fieldNumbers.lists();
  return {
    format: INDEX_FORMAT_VERSION,
    analysis,
    generation,
    seq,
    origin,
    createdAt: clock.now(),
    live: segments.reduce((sum, { liveCount }) => sum + liveCount, 0),
    bodyTokens: segments.reduce((sum, { bodyTokens }) => sum + bodyTokens, 0),
    fields: fields.map(({ name, class: textClass }) => ({ name, class: textClass })),
    languages: [...languages],
    crawlers: [...crawlers],
    words: words.vocabulary.number === 0 ? null : { number: words.vocabulary.number, documents: words.documents },
    segments: segments.map((segment) => {
      const { n, uid, bytes, documents, liveCount: live, bodyTokens, tombstones, minSeq, maxSeq, vocabulary } = segment;
      return { n, uid, bytes, documents, live, bodyTokens, tombstones: tombstones ?? null, minSeq, maxSeq, vocabulary };
    }),
  };
}

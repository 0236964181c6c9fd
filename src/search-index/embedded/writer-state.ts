import { copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isSameStore } from '../../core/store-identity.ts';
import type { Log } from '../../observability/logger.ts';
import { ANALYSIS_VERSION } from '../../text/analysis-version.ts';
import { EMPTY_VOCABULARY, type Vocabulary } from '../../text/compounds.ts';
import type { IndexSource } from '../index-writer.ts';
import { fullBits, hasBit } from './bytes/bitset.ts';
import { FieldNumbers } from './field-numbers.ts';
import { INDEX_FORMAT_VERSION } from './format-version.ts';
import {
  foreignTo,
  isReadable,
  MANIFEST_FILE,
  type Manifest,
  type ManifestSegment,
  namedFiles,
  readManifest,
  segmentFile,
  tombstonesFile,
  wordsFile,
} from './manifest.ts';
import { RowMap } from './segment/row-map.ts';
import { type BodyLengths, checkSegment, corrupt } from './segment/segment-file.ts';
import { readTombstones } from './segment/tombstones.ts';
import { readWords } from './words-file.ts';

/** A segment of the list that the writer works on. Replaced, never changed: readers of `live` keep what they hold. */
export type LoadedSegment = {
  readonly n: number;
  readonly uid: string;
  readonly format: number;
  readonly bytes: number;
  readonly documents: number;
  readonly minSeq: number;
  readonly maxSeq: number;
  readonly rids: Uint32Array;
  readonly bodyLengths: BodyLengths;
  readonly live: Uint32Array;
  readonly liveCount: number;
  /** Tokens of class C of the live documents. */
  readonly bodyTokens: number;
  /** Number of the `.del` file that holds `live`; undefined = every document is live. */
  readonly tombstones: number | undefined;
  /** `live` is in no file yet. */
  readonly changed: boolean;
  /** Number of the vocabulary that its compounds were split by. */
  readonly vocabulary: number;
};

/** What splits compounds, and the live documents of the engine when it was learned. */
export type LoadedVocabulary = { readonly vocabulary: Vocabulary; readonly documents: number };

/** What one generation consists of, and where each row lies in it. */
export type IndexState = {
  readonly generation: number;
  readonly seq: number;
  /** Version of the analysis that all of it, or its oldest part, was made with. */
  readonly analysis: number;
  readonly segments: readonly LoadedSegment[];
  readonly rows: RowMap;
  readonly fieldNumbers: FieldNumbers;
  readonly words: LoadedVocabulary;
};

/**
 * What a folder needs: nothing; a first generation, as the store has no documents yet; to be made anew before anything
 * else, as nothing of it can be used; to be compared with the store, as segments are damaged or a later generation is
 * lost; or a renewal beside searching and writing, as it is of another version.
 */
export type IndexRepair = {
  readonly kind: 'nothing' | 'first' | 'rebuild' | 'reconcile' | 'renew';
  readonly cause: string;
};

export type StateDeps = { readonly directory: string; readonly log: Log; readonly source: IndexSource };

export type LoadedState = {
  readonly state: IndexState;
  readonly repairKind: IndexRepair;
  /** Files that the manifest names. */
  readonly named: ReadonlySet<string>;
};

const NOTHING: IndexRepair = { kind: 'nothing', cause: '' };
const NO_WORDS: LoadedVocabulary = { vocabulary: EMPTY_VOCABULARY, documents: 0 };

export function emptyState(language: string): IndexState {
  const fieldNumbers = new FieldNumbers({ fields: [], languages: [language], crawlers: [] });
  const made = { analysis: ANALYSIS_VERSION, fieldNumbers, words: NO_WORDS };
  return { generation: 0, seq: 0, segments: [], rows: new RowMap(), ...made };
}

/**
 * Reads and checks an index folder whole, makes it when there is none. A damaged file is set aside as `.bad` and its
 * segment left out; so is the manifest of an index that was not made of the store.
 */
export async function loadState(deps: StateDeps, language: string): Promise<LoadedState> {
  const { directory, log, source } = deps;
  await mkdir(directory, { recursive: true });
  const none = { state: emptyState(language), repairKind: NOTHING, named: new Set<string>() };
  let manifest: Manifest | undefined;
  try {
    manifest = await readManifest(directory);
  } catch (err) {
    if (!isDamage(err)) throw err;
    log.error({ err, file: MANIFEST_FILE }, 'damaged file of an index');
    await keepManifest(directory);
    return { ...none, repairKind: { kind: 'rebuild', cause: 'manifest damaged' } };
  }
  if (manifest === undefined) return { ...none, repairKind: await repairOfMissing(source) };
  const foreign = await foreignTo(source, manifest);
  if (foreign !== undefined) {
    log.error({ cause: foreign.cause, seq: manifest.seq }, 'index does not belong to its store');
    await keepManifest(directory);
    if (foreign.ahead) await source.startEpoch();
    const state = { ...none.state, generation: manifest.generation };
    return { ...none, state, repairKind: { kind: 'rebuild', cause: foreign.cause } };
  }
  const named = namedFiles(manifest);
  if (!isReadable(manifest)) {
    const state = { ...none.state, generation: manifest.generation };
    return { state, repairKind: { kind: 'rebuild', cause: 'format changed' }, named };
  }
  const { state, whole } = await loadSegments(deps, manifest);
  const cause = changedCause(state, language);
  if (cause !== undefined) return { state, repairKind: { kind: whole ? 'renew' : 'rebuild', cause }, named };
  if (!whole) return { state, repairKind: { kind: 'reconcile', cause: 'segment damaged' }, named };
  const ahead = manifest.generation - (await source.indexGeneration());
  return { state, repairKind: repairOfGeneration(ahead), named };
}

/** By the numbers that a manifest is ahead of its store: one, when its writer ended between rename and commit. */
function repairOfGeneration(ahead: number): IndexRepair {
  if (ahead < 0) return { kind: 'reconcile', cause: 'later generation lost' };
  return ahead <= 1 ? NOTHING : { kind: 'reconcile', cause: 'index of another machine' };
}

/** A copy to be looked at. The file stays in its place, so that a reader does not take the engine for an empty one. */
async function keepManifest(directory: string): Promise<void> {
  await copyFile(join(directory, MANIFEST_FILE), join(directory, `${MANIFEST_FILE}.bad`));
}

/** An empty store has no document that a search could miss. */
async function repairOfMissing(source: IndexSource): Promise<IndexRepair> {
  if ((await source.lastSeq()) === 0) return { kind: 'first', cause: 'first index' };
  const isFirst = (await source.indexGeneration()) === 0;
  return { kind: 'rebuild', cause: isFirst ? 'first index' : 'index missing' };
}

/** The state that a manifest beside the published one names; undefined when there is none that is whole and usable. */
export async function loadAside(
  deps: StateDeps,
  name: string,
  language: string,
): Promise<{ readonly state: IndexState; readonly manifest: Manifest } | undefined> {
  try {
    const manifest = await readManifest(deps.directory, name);
    if (manifest === undefined || !isReadable(manifest) || manifest.origin === null) return undefined;
    if (!isSameStore(manifest.origin, await deps.source.identity())) return undefined;
    const { state, whole } = await loadSegments(deps, manifest);
    return whole && changedCause(state, language) === undefined ? { state, manifest } : undefined;
  } catch (err) {
    if (!isDamage(err)) throw err;
    deps.log.warn({ err, file: name }, 'damaged file of an index');
    return undefined;
  }
}

/** How long a damaged file is kept, to be looked at. */
const BAD_FILES_MS = 7 * 24 * 3_600_000;

/**
 * Deletes what a writer that was killed has left: files that no manifest names. Only for a writer that has not begun
 * to write, as files are named after they are written.
 */
export async function deleteUnnamed(directory: string, named: ReadonlySet<string>, now: number): Promise<void> {
  for (const name of await readdir(directory)) {
    const path = join(directory, name);
    const isOurs = /^(seg|words)-\d+(-\d+)?\.(bin|del)$/.test(name);
    const unnamed = name.endsWith('.tmp') || (isOurs && !named.has(name));
    const old = name.endsWith('.bad') && now - (await stat(path)).mtimeMs > BAD_FILES_MS;
    if (unnamed || old) await rm(path, { force: true });
  }
}

/** The live rows of a segment, by document. */
export function mapRows(rows: RowMap, { n, rids, live }: LoadedSegment): void {
  for (let d = 0; d < rids.length; d++) if (hasBit(live, d)) rows.set(rids[d]!, n, d);
}

function changedCause({ segments, analysis, fieldNumbers }: IndexState, language: string): string | undefined {
  if (segments.some(({ format }) => format !== INDEX_FORMAT_VERSION)) return 'format changed';
  if (analysis !== ANALYSIS_VERSION) return 'analysis changed';
  return fieldNumbers.lists().languages[0] === language ? undefined : 'language of the engine changed';
}

/** The segments that are whole; `whole` = all of them. Damaged files are set aside. */
async function loadSegments(deps: { directory: string; log: Log }, manifest: Manifest) {
  const rows = new RowMap();
  const segments: LoadedSegment[] = [];
  for (const entry of manifest.segments) {
    const segment = await loadSegment(deps, entry);
    if (segment !== undefined) segments.push(segment);
  }
  for (const segment of segments) mapRows(rows, segment);
  const { generation, seq, analysis } = manifest;
  const words = await loadWords(deps, manifest);
  const state: IndexState = {
    generation,
    seq,
    analysis,
    segments,
    rows,
    fieldNumbers: new FieldNumbers(manifest),
    words,
  };
  return { state, whole: segments.length === manifest.segments.length };
}

/** Nothing is known when the file is damaged or gone: the words are learned again soon. */
async function loadWords(deps: { directory: string; log: Log }, { words }: Manifest): Promise<LoadedVocabulary> {
  if (words === null) return NO_WORDS;
  try {
    return { vocabulary: await readWords(deps.directory, words.number), documents: words.documents };
  } catch (error) {
    await setAside(deps, wordsFile(words.number), error);
    return NO_WORDS;
  }
}

async function loadSegment(
  deps: { directory: string; log: Log },
  entry: ManifestSegment,
): Promise<LoadedSegment | undefined> {
  const { n, uid, documents } = entry;
  let name = segmentFile(n);
  try {
    const file = await open(join(deps.directory, name), 'r');
    const { rids, bodyLengths, format, uid: foundUid } = await checkSegment(file).finally(() => file.close());
    if (foundUid !== uid || rids.length !== documents) throw corrupt('uid');
    let live = fullBits(documents);
    if (entry.tombstones !== null) {
      name = tombstonesFile(n, entry.tombstones);
      live = await readTombstones(join(deps.directory, name), uid, documents);
    }
    const { bytes, minSeq, maxSeq, bodyTokens, live: liveCount, tombstones, vocabulary } = entry;
    const held = { n, uid, format, bytes, documents, minSeq, maxSeq, rids, bodyLengths, live, liveCount, bodyTokens };
    return { ...held, vocabulary, tombstones: tombstones ?? undefined, changed: false };
  } catch (error) {
    await setAside(deps, name, error);
    return undefined;
  }
}

/** Renames a damaged file, so that it can be looked at; any other error than damage or absence is thrown on. */
async function setAside({ directory, log }: { directory: string; log: Log }, name: string, err: unknown) {
  if (!isDamage(err)) throw err;
  log.error({ err, file: name }, 'damaged file of an index');
  await rename(join(directory, name), join(directory, `${name}.bad`)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
}

/** A file is not what was written, or not there; errors of a merge thread come as copies without their class. */
export function isDamage(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'index.corrupt' || code === 'ENOENT';
}

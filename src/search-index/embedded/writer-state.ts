import { copyFile, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../core/errors.ts';
import { ANALYSIS_VERSION } from '../../text/analysis-version.ts';
import { fullBits, hasBit } from './bytes/bitset.ts';
import { INDEX_FORMAT_VERSION } from './format-version.ts';
import {
  MANIFEST_FILE,
  type Manifest,
  type ManifestSegment,
  namedFiles,
  readManifest,
  segmentFile,
  tombstonesFile,
} from './manifest.ts';
import { Numbering } from './numbering.ts';
import { type BodyLengths, checkSegment } from './segment/check-segment.ts';
import { RowMap } from './segment/row-map.ts';
import { corrupt } from './segment/segment-file.ts';
import { readTombstones } from './segment/tombstones.ts';

/** A segment of the list that the writer works on. Replaced, never changed: readers of `live` keep what they hold. */
export type HeldSegment = {
  readonly n: number;
  readonly uid: string;
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
};

/** What one generation consists of, and where each row lies in it. */
export type IndexState = {
  readonly generation: number;
  readonly seq: number;
  readonly segments: readonly HeldSegment[];
  readonly rows: RowMap;
  readonly numbering: Numbering;
};

export type LoadedState = {
  readonly state: IndexState;
  /** Why the index must be made anew from the store; undefined = it is whole and of this version. */
  readonly rebuildCause: string | undefined;
  /** Files that the manifest names. */
  readonly named: ReadonlySet<string>;
};

export function emptyState(language: string): IndexState {
  const numbering = new Numbering({ fields: [], languages: [language], crawlers: [] });
  return { generation: 0, seq: 0, segments: [], rows: new RowMap(), numbering };
}

/**
 * Reads and checks an index folder whole, makes it when there is none. A damaged file is set aside as `.bad`; the
 * state is then empty and to be rebuilt.
 */
export async function loadState(directory: string, language: string): Promise<LoadedState> {
  await mkdir(directory, { recursive: true });
  const none = { state: emptyState(language), rebuildCause: undefined, named: new Set<string>() };
  let manifest: Manifest | undefined;
  try {
    manifest = await readManifest(directory);
  } catch (error) {
    if (!isDamage(error)) throw error;
    // It stays in its place, so that a reader does not take the engine for an empty one.
    await copyFile(join(directory, MANIFEST_FILE), join(directory, `${MANIFEST_FILE}.bad`));
    return { ...none, rebuildCause: 'manifest damaged' };
  }
  if (manifest === undefined) return none;
  const named = namedFiles(manifest);
  const blank = { ...none.state, generation: manifest.generation };
  if (manifest.format !== INDEX_FORMAT_VERSION) return { state: blank, rebuildCause: 'format changed', named };
  const state = await loadSegments(directory, manifest);
  if (state === undefined) return { state: blank, rebuildCause: 'segment damaged', named };
  return { state, rebuildCause: changedCause(manifest, language), named };
}

/**
 * Deletes what a writer that was killed has left: files that the manifest does not name. Only for a writer that has
 * not begun to write, as files are named after they are written.
 */
export async function deleteUnnamed(directory: string, named: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(directory)) {
    const unnamed = name.endsWith('.tmp') || (/^seg-\d+(-\d+)?\.(bin|del)$/.test(name) && !named.has(name));
    if (unnamed) await rm(join(directory, name), { force: true });
  }
}

/** The live rows of a segment, by document. */
export function mapRows(rows: RowMap, { n, rids, live }: HeldSegment): void {
  for (let d = 0; d < rids.length; d++) if (hasBit(live, d)) rows.set(rids[d]!, n, d);
}

function changedCause(manifest: Manifest, language: string): string | undefined {
  if (manifest.analysis !== ANALYSIS_VERSION) return 'analysis changed';
  return manifest.languages[0] === language ? undefined : 'language of the engine changed';
}

/** Undefined when a file is damaged; all damaged ones are then set aside. */
async function loadSegments(directory: string, manifest: Manifest): Promise<IndexState | undefined> {
  const rows = new RowMap();
  const segments: HeldSegment[] = [];
  let whole = true;
  for (const entry of manifest.segments) {
    const segment = await loadSegment(directory, entry);
    if (segment === undefined) whole = false;
    else segments.push(segment);
  }
  if (!whole) return undefined;
  for (const segment of segments) mapRows(rows, segment);
  return {
    generation: manifest.generation,
    seq: manifest.seq,
    segments,
    rows,
    numbering: new Numbering(manifest),
  };
}

async function loadSegment(directory: string, entry: ManifestSegment): Promise<HeldSegment | undefined> {
  const { n, uid, documents } = entry;
  let name = segmentFile(n);
  try {
    const file = await open(join(directory, name), 'r');
    const { rids, bodyLengths, uid: foundUid } = await checkSegment(file).finally(() => file.close());
    if (foundUid !== uid || rids.length !== documents) throw corrupt('uid');
    let live = fullBits(documents);
    if (entry.tombstones !== null) {
      name = tombstonesFile(n, entry.tombstones);
      live = await readTombstones(join(directory, name), uid, documents);
    }
    const { bytes, minSeq, maxSeq, bodyTokens, live: liveCount, tombstones } = entry;
    const held = { n, uid, bytes, documents, minSeq, maxSeq, rids, bodyLengths, live, liveCount, bodyTokens };
    return { ...held, tombstones: tombstones ?? undefined, changed: false };
  } catch (error) {
    await setAside(directory, name, error);
    return undefined;
  }
}

/** Renames a damaged file, so that it can be looked at; any other error than damage or absence is thrown on. */
async function setAside(directory: string, name: string, error: unknown): Promise<void> {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
  if (!isDamage(error)) throw error;
  await rename(join(directory, name), join(directory, `${name}.bad`));
}

function isDamage(error: unknown): boolean {
  return error instanceof AppError && error.code === 'index.corrupt';
}

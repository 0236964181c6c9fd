import { open, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { AppError } from '../../core/errors.ts';
import type { IndexedStore } from '../index-writer.ts';
import { READABLE_FORMATS } from './format-version.ts';
import { corrupt } from './segment/segment-file.ts';

const whole = z.number().int().nonnegative();

const MANIFEST_SEGMENT = z.object({
  n: z.number().int().positive(),
  uid: z.string().regex(/^[0-9a-f]{16}$/),
  bytes: whole,
  documents: whole,
  live: whole,
  /** Tokens of class C of the live documents. */
  bodyTokens: whole,
  /** Number in the name of the `.del` file, null = every document is live. */
  tombstones: whole.nullable(),
  minSeq: whole,
  maxSeq: whole,
  /** Number of the vocabulary that its compounds were split by, 0 = none. */
  vocabulary: whole.default(0),
});

const ORIGIN = z.object({ storeId: z.string(), epoch: z.string(), mark: whole.nullable() });

const MANIFEST = z.object({
  format: whole,
  analysis: whole,
  generation: whole,
  seq: whole,
  /** Null in manifests of before stores had an identity. */
  origin: ORIGIN.nullable().default(null),
  createdAt: z.number(),
  live: whole,
  bodyTokens: whole,
  fields: z.array(z.object({ name: z.string(), class: z.number().int().min(0).max(3) })),
  languages: z.array(z.string()).min(1),
  crawlers: z.array(whole),
  /** The present vocabulary, with the live documents of the engine when it was learned. */
  words: z.object({ number: whole, documents: whole }).nullable().default(null),
  segments: z.array(MANIFEST_SEGMENT),
});

export type ManifestSegment = z.infer<typeof MANIFEST_SEGMENT>;
/** One generation of an index: the whole of what a reader needs to know. */
export type Manifest = z.infer<typeof MANIFEST>;

export const MANIFEST_FILE = 'MANIFEST';
/** How far a rebuild has come; the list that the last one replaced. Same form as the manifest. */
export const NEXT_FILE = 'MANIFEST.next';
export const PREVIOUS_FILE = 'MANIFEST.previous';
/** Left by a reader that has met damage, so that the writer looks at its files; empty. */
export const DAMAGE_FILE = 'DAMAGED';

export function segmentFile(n: number): string {
  return `seg-${n}.bin`;
}

export function tombstonesFile(n: number, tombstones: number): string {
  return `seg-${n}-${tombstones}.del`;
}

export function wordsFile(number: number): string {
  return `words-${number}.bin`;
}

/** Names of the files of segments, tombstones and words that a manifest names. */
export function namedFiles(manifest: Manifest): Set<string> {
  const names = new Set<string>();
  for (const { n, tombstones } of manifest.segments) {
    names.add(segmentFile(n));
    if (tombstones !== null) names.add(tombstonesFile(n, tombstones));
  }
  if (manifest.words !== null) names.add(wordsFile(manifest.words.number));
  return names;
}

/** The manifest in a file, the published one unless it is named; undefined when there is none. @throws AppError `index.corrupt` */
export async function readManifest(directory: string, name = MANIFEST_FILE): Promise<Manifest | undefined> {
  let text: string;
  try {
    text = await readFile(join(directory, name), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  return decodeManifest(text);
}

/** @throws AppError `index.corrupt` */
function decodeManifest(text: string): Manifest {
  const end = text.lastIndexOf('\n');
  const json = text.slice(0, Math.max(0, end));
  if (end < 0 || text.slice(end + 1) !== checksum(json)) throw corrupt('manifest');
  const parsed = MANIFEST.safeParse(parseJson(json));
  if (!parsed.success) throw corrupt('manifest');
  return parsed.data;
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw corrupt('manifest');
  }
}

function encodeManifest(manifest: Manifest): string {
  const json = JSON.stringify(manifest);
  return `${json}\n${checksum(json)}`;
}

/** A reader of this program can read the segments of the manifest. */
export function isReadable(manifest: Manifest): boolean {
  return READABLE_FORMATS.includes(manifest.format);
}

/** Replaces a manifest; readers see the old or the new one, and the new one survives a power cut. */
export async function writeManifest(
  path: string,
  manifest: Manifest,
  afterRename: () => void = () => undefined,
): Promise<void> {
  const temporary = `${path}.tmp`;
  const file = await open(temporary, 'w');
  try {
    await file.writeFile(encodeManifest(manifest));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
  afterRename();
  await syncFolder(dirname(path));
}

/** Makes renames and new names in a folder durable. */
export async function syncFolder(directory: string): Promise<void> {
  const folder = await open(directory, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function checksum(json: string): string {
  return crc32(json).toString(16).padStart(8, '0');
}

/** The store that a generation was made of, and the mark of the write that its `seq` belongs to; null at `seq` 0. */
export type Origin = { readonly storeId: string; readonly epoch: string; readonly mark: number | null };

/** @throws AppError `index.corrupt` when the store has not come as far: it is not the one that was read */
export async function originAt(store: IndexedStore, seq: number): Promise<Origin> {
  const { storeId, epoch } = await store.identity();
  const mark = await markAt(store, seq);
  if (mark === undefined) throw new AppError('index.corrupt', 'The index is ahead of its store', { details: { seq } });
  return { storeId, epoch, mark };
}

/**
 * Why a generation does not belong to the store beside it; undefined when it does. `ahead` = the store has lost what
 * the index has seen, and is to begin a new epoch. Three reads of the store.
 */
export type Foreign = { readonly cause: string; readonly ahead: boolean };

export async function foreignTo(store: IndexedStore, manifest: Manifest): Promise<Foreign | undefined> {
  const { origin, seq } = manifest;
  if (origin === null) return foreignUnnamed(store, manifest);
  const { storeId, epoch } = await store.identity();
  if (origin.storeId !== storeId) return { cause: 'made of another store', ahead: false };
  if (origin.epoch !== epoch) return { cause: 'made before the store was restored', ahead: false };
  if ((await markAt(store, seq)) !== origin.mark) return { cause: 'ahead of its store', ahead: true };
  return undefined;
}

/** A manifest of before stores had an identity: adopted when its numbers agree with those of the store. */
async function foreignUnnamed(store: IndexedStore, { generation, seq, live }: Manifest): Promise<Foreign | undefined> {
  const lastSeq = await store.lastSeq();
  // The manifest is one ahead when its writer ended between the rename and the commit of the claim.
  const isOfStore = generation - (await store.indexGeneration()) <= 1 && seq <= lastSeq;
  const isComplete = seq < lastSeq || live === (await store.countDocuments());
  return isOfStore && isComplete
    ? undefined
    : { cause: 'of an earlier version, not level with its store', ahead: true };
}

/** Null at the beginning, where all stores are alike. */
async function markAt(store: IndexedStore, seq: number): Promise<number | null | undefined> {
  return seq === 0 ? null : await store.markOf(seq);
}

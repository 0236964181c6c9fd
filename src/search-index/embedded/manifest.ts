import { open, readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { z } from 'zod';
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

import type { Segment } from '../segment/segment.ts';
import { boundedDistance } from './edit-distance.ts';

/** Surfaces of one length: their code units one after the other, the letters each has, and its entry. */
type Bucket = { readonly units: Uint16Array; readonly letters: Int32Array; readonly entries: Uint32Array };

/** Words of one segment that an edit distance looks at, by length in code units. */
type SurfaceScan = readonly (Bucket | undefined)[];

const scans = new WeakMap<Segment, SurfaceScan>();

/**
 * Visits the surfaces of a segment within an edit distance of a folded word, in no order. Compares the letters of
 * words of similar length (about 2 ns each), then the few that fit; the first call reads the dictionary of the segment
 * (about 0.3 µs an entry), the result is kept while the segment is.
 */
export function forEachNearSurface(
  segment: Segment,
  folded: string,
  most: number,
  visit: (entry: number, distance: number) => void,
): void {
  const asked = unitsOf(folded);
  const letters = lettersOf(asked, 0, asked.length);
  const scan = scanOf(segment);
  for (let length = Math.max(1, asked.length - most); length <= asked.length + most; length++) {
    const bucket = scan[length];
    if (bucket === undefined) continue;
    const { units, entries } = bucket;
    const word = { units, from: 0, length };
    for (let i = 0; i < entries.length; i++) {
      // An edit adds a letter, drops one, or both.
      if (bitCount(bucket.letters[i]! ^ letters) > 2 * most) continue;
      word.from = i * length;
      const distance = boundedDistance(asked, word, most);
      if (distance <= most) visit(entries[i]!, distance);
    }
  }
}

/** Visits every surface of a segment whose code units pass a test, in no order. O(code units). */
export function forEachSurfaceThat(
  segment: Segment,
  test: (units: Uint16Array, from: number, to: number) => boolean,
  visit: (entry: number) => void,
): void {
  for (const [length, bucket] of scanOf(segment).entries()) {
    if (bucket === undefined) continue;
    const { units, entries } = bucket;
    for (let i = 0; i < entries.length; i++) if (test(units, i * length, (i + 1) * length)) visit(entries[i]!);
  }
}

export function unitsOf(text: string): Uint16Array {
  return Uint16Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
}

function scanOf(segment: Segment): SurfaceScan {
  const known = scans.get(segment);
  if (known !== undefined) return known;
  const scan = readSurfaces(segment);
  scans.set(segment, scan);
  return scan;
}

function readSurfaces({ dictionary }: Segment): SurfaceScan {
  const texts: string[][] = [];
  const entries: number[][] = [];
  dictionary.forEachSurface((text, entry) => {
    texts[text.length] ??= [];
    entries[text.length] ??= [];
    texts[text.length]!.push(text);
    entries[text.length]!.push(entry);
  });
  return Array.from(texts, (words, length) => (words === undefined ? undefined : bucketOf(words, entries[length]!)));
}

function bucketOf(words: readonly string[], entries: readonly number[]): Bucket {
  const length = words[0]!.length;
  const units = new Uint16Array(words.length * length);
  const letters = new Int32Array(words.length);
  for (const [i, word] of words.entries()) {
    for (let j = 0; j < length; j++) units[i * length + j] = word.charCodeAt(j);
    letters[i] = lettersOf(units, i * length, (i + 1) * length);
  }
  return { units, letters, entries: Uint32Array.from(entries) };
}

/** One bit per letter of the word, letters of all scripts spread over 32. */
function lettersOf(units: Uint16Array, from: number, to: number): number {
  let letters = 0;
  for (let i = from; i < to; i++) letters |= 1 << (units[i]! & 31);
  return letters;
}

function bitCount(word: number): number {
  let x = word - ((word >>> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

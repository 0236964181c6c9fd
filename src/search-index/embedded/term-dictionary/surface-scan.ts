import type { Segment } from '../segment/segment.ts';
import { checkStop } from '../stop-point.ts';
import { boundedDistance } from './edit-distance.ts';

const WORDS_BETWEEN_STOPS = 8_192;

/** Surfaces of one length: their code units one after the other, the letters each has, and its entry. */
type Bucket = { readonly units: Uint16Array; readonly letters: Int32Array; readonly entries: Uint32Array };

/** Words of one segment that an edit distance looks at, by length in code units. */
type SurfaceScan = readonly (Bucket | undefined)[];

const scans = new WeakMap<Segment, SurfaceScan>();

/**
 * Visits the surfaces of a segment within an edit distance of a folded word, in no order. Compares the letters of
 * words of similar length (about 2 ns each), then the few that fit; the first call reads the dictionary of the segment
 * (about 0.1 µs an entry), the result is kept while the segment is.
 */
export function forEachFuzzySurface(
  segment: Segment,
  folded: string,
  most: number,
  visit: (entry: number, distance: number) => void,
): void {
  const wanted = unitsOf(folded);
  const letters = lettersOf(wanted, 0, wanted.length);
  const scan = scanOf(segment);
  for (let length = Math.max(1, wanted.length - most); length <= wanted.length + most; length++) {
    const bucket = scan[length];
    if (bucket === undefined) continue;
    const { units, entries } = bucket;
    const word = { units, from: 0, length };
    for (let i = 0; i < entries.length; i++) {
      if (i % WORDS_BETWEEN_STOPS === 0) checkStop();
      // An edit adds a letter, drops one, or both.
      const own = bucket.letters[i]!;
      if (bitCount(own & ~letters) > most || bitCount(letters & ~own) > most) continue;
      word.from = i * length;
      const distance = boundedDistance(wanted, word, most);
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
    for (let i = 0; i < entries.length; i++) {
      if (i % WORDS_BETWEEN_STOPS === 0) checkStop();
      if (test(units, i * length, (i + 1) * length)) visit(entries[i]!);
    }
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
  const { entries } = dictionary;
  const surfaces = dictionary.surfacesIn({ from: 0, to: entries.count });
  const counts: number[] = [];
  entries.visitUnits(surfaces, (_units, length) => {
    counts[length] = (counts[length] ?? 0) + 1;
  });
  const buckets = Array.from(counts, (count: number | undefined, length) => openBucket(count ?? 0, length));
  entries.visitUnits(surfaces, (units, length, i) => {
    const bucket = buckets[length]!;
    const index = bucket.filled++;
    for (let j = 0; j < length; j++) bucket.units[index * length + j] = units[j]!;
    bucket.letters[index] = lettersOf(units, 0, length);
    bucket.entries[index] = surfaces[i]!;
  });
  return buckets;
}

function openBucket(count: number, length: number): Bucket & { filled: number } {
  const units = new Uint16Array(count * length);
  return { units, letters: new Int32Array(count), entries: new Uint32Array(count), filled: 0 };
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

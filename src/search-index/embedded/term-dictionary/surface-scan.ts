import { decodeTerm } from '../postings/blocks.ts';
import type { Segment } from '../segment/segment.ts';
import { checkStop } from '../stop-point.ts';
import { SURFACE_CLASS } from './surfaces.ts';

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

/** Longest word compared; tokens have at most 64 code units, and folding may lengthen them. */
const MAX_UNITS = 256;

/** Rows of the table, by number of characters of the asked word read: the last, the one before it, the present. */
let row = new Uint8Array(MAX_UNITS + 1);
let before = new Uint8Array(MAX_UNITS + 1);
let present = new Uint8Array(MAX_UNITS + 1);

/** A word of UTF-16 code units: `units[from..from + length)`. */
export type UnitsOfWord = { readonly units: Uint16Array; readonly from: number; readonly length: number };

/**
 * Optimal string alignment distance of two words; above `most` (0, 1 or 2) it is `most + 1`. Looks at a band of
 * 2 · most + 1 cells per character and ends when two rows are above `most` (a swap reaches back over one): about
 * 0.1 µs. No allocation.
 */
export function boundedDistance(a: Uint16Array, b: UnitsOfWord, most: number): number {
  const size = a.length;
  const { length } = b;
  const beyond = most + 1;
  if (Math.abs(size - length) > most || size > MAX_UNITS || length > MAX_UNITS) return beyond;
  for (let j = 0; j <= Math.min(length, most); j++) row[j] = j;
  let lastLeast = 0;
  for (let i = 1; i <= size; i++) {
    const least = fillRow(a, i, b, most);
    if (least > most && lastLeast > most) return beyond;
    lastLeast = least;
    const spare = before;
    before = row;
    row = present;
    present = spare;
  }
  return Math.min(row[length]!, beyond);
}

/** Fills `present` within the band of row `i`; returns its least cell. */
function fillRow(a: Uint16Array, i: number, { units, from, length }: UnitsOfWord, most: number): number {
  const beyond = most + 1;
  const low = Math.max(1, i - most);
  const high = Math.min(length, i + most);
  const unit = a[i - 1]!;
  let least = low === 1 ? Math.min(i, beyond) : beyond;
  present[low - 1] = least;
  for (let j = low; j <= high; j++) {
    const other = units[from + j - 1]!;
    const above = j < i + most ? row[j]! + 1 : beyond;
    let cell = Math.min(beyond, above, present[j - 1]! + 1, row[j - 1]! + (unit === other ? 0 : 1));
    const swapped = i > 1 && j > 1 && unit === units[from + j - 2] && a[i - 2] === other;
    if (swapped) cell = Math.min(cell, before[j - 2]! + 1);
    present[j] = cell;
    least = Math.min(least, cell);
  }
  return least;
}

/** Grows to the longest list read; belongs to the thread. */
let termDocuments = new Uint32Array(1 << 10);

/** Visits the documents of a surface, ascending, with the bits of `SURFACE_CLASS`. O(df). */
export function forEachDocumentOfSurface(
  segment: Segment,
  entry: number,
  visit: (document: number, classes: number) => void,
): void {
  const { dictionary, tfBytes, termPosting } = segment;
  if (dictionary.hasOwnList(entry)) {
    dictionary.surfaces.forEachOwn(entry, visit);
    return;
  }
  const term = dictionary.termOf(entry);
  const df = readTerm(segment, term);
  const first = termPosting[term]!;
  const documents = termDocuments;
  for (let i = 0; i < df; i++) visit(documents[i]!, classesOf(tfBytes[first + i]!));
}

/**
 * The documents of a surface, ascending, or only those that have it in class C; valid until the next call. O(df), one
 * tight loop.
 */
export function documentsOfSurface(segment: Segment, entry: number, inBody: boolean): Uint32Array {
  const { dictionary, tfBytes, termPosting } = segment;
  if (dictionary.hasOwnList(entry)) {
    reserve(dictionary.surfaces.frequencyOf(entry));
    const count = dictionary.surfaces.readOwn(entry, inBody ? SURFACE_CLASS.c : 0, termDocuments);
    return termDocuments.subarray(0, count);
  }
  const term = dictionary.termOf(entry);
  const df = readTerm(segment, term);
  if (!inBody) return termDocuments.subarray(0, df);
  const first = termPosting[term]!;
  let count = 0;
  for (let i = 0; i < df; i++) {
    termDocuments[count] = termDocuments[i]!;
    if ((classesOf(tfBytes[first + i]!) & SURFACE_CLASS.c) !== 0) count++;
  }
  return termDocuments.subarray(0, count);
}

/** The documents that have a surface in class A, ascending; valid until the next call. O(documents). */
export function titlesOfSurface({ dictionary }: Segment, entry: number): Uint32Array {
  reserve(dictionary.surfaces.titleBound(entry));
  return termDocuments.subarray(0, dictionary.surfaces.readTitles(entry, termDocuments));
}

function readTerm(segment: Segment, term: number): number {
  const df = segment.termDf[term]!;
  reserve(df);
  decodeTerm(segment, term, termDocuments);
  return df;
}

function reserve(count: number): void {
  if (termDocuments.length < count) termDocuments = new Uint32Array(count * 2);
}

/** Classes B and C of a tf byte. */
function classesOf(tf: number): number {
  return ((tf & 0b1100) === 0 ? 0 : SURFACE_CLASS.b) | (tf >>> 4 === 0 ? 0 : SURFACE_CLASS.c);
}

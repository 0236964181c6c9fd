import { hash } from 'node:crypto';
import type { Fields, Section } from '../core/document.ts';
import { scanWords } from './word-characters.ts';

const SHINGLE_WORDS = 3;
const FNV_PRIME = 0x01000193;

/** SHA-256 of fields and sections in one spelling: equal for documents that would be stored equal. */
export function contentHashOf(fields: Fields, sections: readonly Section[]): string {
  const sorted = [...fields].sort(([a], [b]) => (a < b ? -1 : 1));
  const blocks = sections.map(({ headings, blocks }) => [headings, blocks]);
  return hash('sha256', JSON.stringify([sorted, blocks]));
}

/**
 * Simhash (Charikar 2002) over 3-word shingles, 64 bits as 16 hexadecimal digits: texts that differ little differ in
 * few bits. O(words).
 */
export function similarityHashOf(text: string): string {
  const lower = text.toLowerCase();
  const counters = { lanes: new Uint32Array(16), ones: new Float64Array(64), shingles: 0 };
  let [first, second, third, words] = [0, 0, 0, 0];
  scanWords(lower, (start, end) => {
    [first, second, third] = [second, third, hashWord(lower, start, end)];
    words++;
    if (words >= SHINGLE_WORDS) countShingle(counters, first, second, third);
  });
  if (words > 0 && words < SHINGLE_WORDS) countShingle(counters, first, second, third);
  spreadLanes(counters);
  return hexOf(counters, 32) + hexOf(counters, 0);
}

/** `lanes`: four counters of 8 bits each, for every eighth bit of a hash; emptied into `ones` before they overflow. */
type BitCounters = { readonly lanes: Uint32Array; readonly ones: Float64Array; shingles: number };

const LANE_CAPACITY = 255;

function hashWord(text: string, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME);
  return hash;
}

function countShingle(counters: BitCounters, first: number, second: number, third: number): void {
  const low = mix(mix(mix(0x811c9dc5 ^ first) ^ second) ^ third);
  const high = mix(Math.imul(mix(Math.imul(mix(first ^ 0x9747b28c), 31) ^ second), 31) ^ third);
  countBits(counters, low, high);
}

/** Finalizer of MurmurHash3: every bit of the input moves every bit of the result. */
function mix(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

function countBits(counters: BitCounters, low: number, high: number): void {
  const { lanes } = counters;
  for (let bit = 0; bit < 8; bit++) {
    lanes[bit] = (lanes[bit] ?? 0) + ((low >>> bit) & 0x01010101);
    lanes[bit + 8] = (lanes[bit + 8] ?? 0) + ((high >>> bit) & 0x01010101);
  }
  counters.shingles++;
  if (counters.shingles % LANE_CAPACITY === 0) spreadLanes(counters);
}

function spreadLanes({ lanes, ones }: BitCounters): void {
  for (let bit = 0; bit < 64; bit++) {
    const lane = (bit < 32 ? 0 : 8) + (bit % 8);
    ones[bit] = (ones[bit] ?? 0) + (((lanes[lane] ?? 0) >>> ((bit % 32) - (bit % 8))) & 0xff);
  }
  lanes.fill(0);
}

/** A bit is set when more than half of the shingles have it. */
function hexOf({ ones, shingles }: BitCounters, offset: number): string {
  let value = 0;
  for (let bit = 0; bit < 32; bit++) if ((ones[offset + bit] ?? 0) * 2 > shingles) value += 2 ** bit;
  return value.toString(16).padStart(8, '0');
}

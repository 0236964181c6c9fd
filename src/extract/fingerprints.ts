import { createHash } from 'node:crypto';
import type { Fields, Section } from '../core/document.ts';

const SHINGLE_WORDS = 3;
const FNV_PRIME = 0x01000193;

/** SHA-256 of fields and sections in one spelling: equal for documents that would be stored equal. */
export function contentHashOf(fields: Fields, sections: readonly Section[]): string {
  const sorted = [...fields].sort(([a], [b]) => (a < b ? -1 : 1));
  const blocks = sections.map(({ headings, blocks }) => [headings, blocks]);
  return createHash('sha256')
    .update(JSON.stringify([sorted, blocks]))
    .digest('hex');
}

/**
 * Simhash (Charikar 2002) over 3-word shingles, 64 bits as 16 hexadecimal digits: texts that differ little differ in
 * few bits. O(words).
 */
export function similarityHashOf(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const hashes = words.map(hashWord);
  const counts = new Int32Array(64);
  const last = Math.max(0, hashes.length - SHINGLE_WORDS);
  for (let at = 0; at <= last && hashes.length > 0; at++) {
    let low = 0x811c9dc5;
    let high = 0x9747b28c;
    for (const hash of hashes.slice(at, at + SHINGLE_WORDS)) {
      low = mix(low ^ hash);
      high = mix(Math.imul(high, 31) ^ hash);
    }
    countBits(counts, low, 0);
    countBits(counts, high, 32);
  }
  return hexOf(counts, 32) + hexOf(counts, 0);
}

function hashWord(word: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), FNV_PRIME);
  return hash;
}

/** Finalizer of MurmurHash3: every bit of the input moves every bit of the result. */
function mix(value: number): number {
  let hash = value;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

function countBits(counts: Int32Array, hash: number, offset: number): void {
  for (let bit = 0; bit < 32; bit++) {
    const at = offset + bit;
    counts[at] = (counts[at] ?? 0) + (((hash >>> bit) & 1) === 1 ? 1 : -1);
  }
}

function hexOf(counts: Int32Array, offset: number): string {
  let value = 0;
  for (let bit = 0; bit < 32; bit++) if ((counts[offset + bit] ?? 0) > 0) value += 2 ** bit;
  return value.toString(16).padStart(8, '0');
}

import { BLANK, kindOf } from '../word-characters.ts';
import type { TextBlock } from './blocks.ts';
import type { PageElement } from './page-tree.ts';

/** Share of the other known pages of the host that hold the block; 0 while too few are known. */
export type BlockDocumentFrequency = (blockHash: string) => number;

export const NO_TEMPLATES: BlockDocumentFrequency = () => 0;

/** Levels of elements, and characters of the text, that tell blocks apart. */
const SIGNATURE_LEVELS = 4;
const TEXT_CHARS = 300;
/** Blocks of one page that count: templates stand around the text, at the beginning and the end. */
const BLOCKS_AT_END = 200;

/** Texts of more words, or of as many that are no numbers, say something beside their numbers. */
const MAX_VALUE_WORDS = 12;
const SAYING_WORDS = 4;

/**
 * One hash per block, 64 bits as 16 hexadecimal digits: of the names and first classes of its element and the three
 * above, and of its text with each number folded to one digit, unless it is a value. O(characters).
 */
export function blockHashes(blocks: readonly TextBlock[]): readonly string[] {
  const signatures = new Map<PageElement, number>();
  const bytes = Buffer.alloc(blocks.length * HASH_BYTES);
  for (const [index, { element, text, words }] of blocks.entries()) {
    let path = 0;
    let at: PageElement | undefined = element;
    for (let level = 0; level < SIGNATURE_LEVELS && at !== undefined; level++, at = at.parent) {
      path = mix(path ^ signatureOf(at, signatures));
    }
    writeHash(bytes, index * HASH_BYTES, { text: text.trim(), path, isValue: isValue(text, words) });
  }
  const digits = bytes.toString('hex');
  return blocks.map((_, index) => digits.slice(index * 2 * HASH_BYTES, (index + 1) * 2 * HASH_BYTES));
}

const HASH_BYTES = 8;

/** What the statistics of a host keep of a page. */
export function templateBlocks(hashes: readonly string[]): readonly string[] {
  const kept =
    hashes.length <= 2 * BLOCKS_AT_END ? hashes : [...hashes.slice(0, BLOCKS_AT_END), ...hashes.slice(-BLOCKS_AT_END)];
  return [...new Set(kept)];
}

function signatureOf(element: PageElement, known: Map<PageElement, number>): number {
  const found = known.get(element);
  if (found !== undefined) return found;
  const classes = (element.attributes['class'] ?? '').trimStart();
  const name = hashUnits(element.name, 0x811c9dc5, element.name.length);
  const signature = hashUnits(classes, Math.imul(name ^ DOT, FNV_PRIME), firstBlank(classes));
  known.set(element, signature);
  return signature;
}

/** Prices, dates, versions, counts: their numbers are their text. */
function isValue(text: string, words: number): boolean {
  if (words > MAX_VALUE_WORDS || !/\d/.test(text)) return false;
  return (text.match(/\p{L}{2,}/gu)?.length ?? 0) < SAYING_WORDS;
}

type HashedText = { readonly text: string; readonly path: number; readonly isValue: boolean };

function writeHash(bytes: Buffer, to: number, { text, path, isValue }: HashedText): void {
  const length = Math.min(text.length, TEXT_CHARS);
  let [low, high] = [0x811c9dc5 ^ path, 0x9747b28c ^ path];
  let wasDigit = false;
  for (let at = 0; at < length; at++) {
    let unit = text.charCodeAt(at);
    const isDigit = !isValue && unit >= 0x30 && unit <= 0x39;
    if (isDigit && wasDigit) continue;
    if (isDigit) unit = 0x30;
    wasDigit = isDigit;
    low = Math.imul(low ^ unit, FNV_PRIME);
    high = Math.imul(high ^ unit, 0x5bd1e995) ^ (high >>> 15);
  }
  bytes.writeInt32BE(mix(high), to);
  bytes.writeInt32BE(mix(low), to + 4);
}

const FNV_PRIME = 0x01000193;
const DOT = 0x2e;

/** Of the text up to `end`. */
function hashUnits(text: string, seed: number, end: number): number {
  let hash = seed;
  for (let at = 0; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME);
  return hash;
}

function firstBlank(text: string): number {
  let at = 0;
  while (at < text.length && (kindOf(text.charCodeAt(at)) & BLANK) === 0) at++;
  return at;
}

/** Finalizer of MurmurHash3: every bit of the input moves every bit of the result. */
function mix(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

import { rankOfUnit } from '../../../core/compare-text.ts';
import type { WordTable } from './word-table.ts';

/** Units in a key of 64 bits: 8 bits for each, above 24 bits for the word's number. */
const KEY_UNITS = 5;
const NUMBER_BITS = 24;
const NUMBER_MASK = (1 << NUMBER_BITS) - 1;
/** Stands for this unit and all above. */
const HIGHEST = 255;
/** Up to this many words are compared one by one. */
const FEW_WORDS = 12;

/**
 * Numbers of all words of a table, at most 2^24, by code point. Sorts the first five units of each as one number, then
 * the next five of those that share them: O(words · log words) on numbers, 0.2 µs a word, no strings.
 */
export function sortWords(table: WordTable): Uint32Array {
  const order = new Uint32Array(table.count);
  for (let word = 0; word < order.length; word++) order[word] = word;
  const keys = new BigUint64Array(order.length);
  sortFrom({ table, keys, words32: new Uint32Array(keys.buffer) }, order, 0);
  return order;
}

/** `halves` = low and high half of each key in turn, as every platform of Node has them. */
type Keys = { readonly table: WordTable; readonly keys: BigUint64Array; readonly words32: Uint32Array };

/** Sorts words that are alike in their first `depth` units. */
function sortFrom(space: Keys, words: Uint32Array, depth: number): void {
  const { table, keys, words32 } = space;
  for (let i = 0; i < words.length; i++) writeKey(table, words[i]!, depth, words32, i);
  keys.subarray(0, words.length).sort();
  const groups: number[] = [];
  for (let from = 0; from < words.length; ) {
    const high = words32[from * 2 + 1]!;
    const low = words32[from * 2]! >>> NUMBER_BITS;
    let to = from;
    for (; to < words.length && words32[to * 2 + 1] === high && words32[to * 2]! >>> NUMBER_BITS === low; to++) {
      words[to] = words32[to * 2]! & NUMBER_MASK;
    }
    if (to - from > 1) groups.push(from, to, isExact(high, low) ? depth + KEY_UNITS : -1);
    from = to;
  }
  // The keys are written over from here on.
  for (let i = 0; i < groups.length; i += 3) {
    const group = words.subarray(groups[i]!, groups[i + 1]!);
    if (group.length > FEW_WORDS && groups[i + 2]! > 0) sortFrom(space, group, groups[i + 2]!);
    else sortByComparing(table, group, depth);
  }
}

/** The five units from `depth` on; what follows one that does not fit counts as nothing. No word holds a unit of 0. */
function writeKey({ units, starts }: WordTable, word: number, depth: number, words32: Uint32Array, at: number): void {
  const from = starts.array[word]! + depth;
  const end = Math.min(from + KEY_UNITS, starts.array[word + 1]!);
  let high = 0;
  let low = 0;
  for (let i = from; i < end; i++) {
    const unit = units[i]!;
    const byte = Math.min(unit, HIGHEST);
    if (i - from < 4) high |= byte << (24 - (i - from) * 8);
    else low = byte;
    if (byte === HIGHEST) break;
  }
  words32[at * 2] = ((low << NUMBER_BITS) | word) >>> 0;
  words32[at * 2 + 1] = high >>> 0;
}

/** Whether a key holds all that its units tell. */
function isExact(high: number, low: number): boolean {
  if (low === HIGHEST) return false;
  for (let shift = 0; shift < 32; shift += 8) if (((high >>> shift) & HIGHEST) === HIGHEST) return false;
  return true;
}

/** Insertion sort, or the platform's above a few words. */
function sortByComparing(table: WordTable, words: Uint32Array, depth: number): void {
  if (words.length > FEW_WORDS) {
    words.sort((a, b) => compareWords(table, a, b, depth));
    return;
  }
  for (let i = 1; i < words.length; i++) {
    const word = words[i]!;
    let j = i;
    for (; j > 0 && compareWords(table, words[j - 1]!, word, depth) > 0; j--) words[j] = words[j - 1]!;
    words[j] = word;
  }
}

/** Order by code point of two words that are alike in their first `depth` units. */
function compareWords({ units, starts }: WordTable, a: number, b: number, depth: number): number {
  const endA = starts.array[a + 1]!;
  const endB = starts.array[b + 1]!;
  let i = starts.array[a]! + depth;
  let j = starts.array[b]! + depth;
  for (; i < endA && j < endB; i++, j++) {
    if (units[i] !== units[j]) return rankOfUnit(units[i]!) - rankOfUnit(units[j]!);
  }
  return endA - i - (endB - j);
}

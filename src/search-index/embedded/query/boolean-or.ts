import { bitWords, countBits, listBits, setBit } from '../bytes/bitset.ts';
import { BLOCK, blockCount, decodeBlock, decodeTerm } from '../postings/blocks.ts';
import type { Segment } from '../segment/segment.ts';
import { checkStop } from '../stop-point.ts';
import { EVERY_LANGUAGE, type TermList, type WordLists } from './compile.ts';
import { groupIn, type LeafScope } from './evaluate-leaf.ts';
import type { MatchBuffer, MatchTarget } from './match-segment.ts';
import { cursorOf, type GroupMatches } from './word-source.ts';

/** Documents of a window: their scores stay in the second-level cache. */
const WINDOW = 32_768;

const windowScores = new Float32Array(WINDOW);
/** The same as bits: scores are not below 0, so that a score has a number above 0 exactly when it is there. */
const windowBits = new Int32Array(windowScores.buffer);
const block = new Uint32Array(BLOCK);

/** One posting list while the windows pass over it. */
type ListWalk = {
  readonly kind: 'list';
  readonly list: TermList;
  readonly weight: number;
  next: number;
  readonly end: number;
};
/** A word with alternatives, evaluated before. */
type GroupWalk = { readonly kind: 'group'; readonly group: GroupMatches; readonly weight: number; next: number };

/**
 * Documents with any of the words: window by window, each list adds into the window's scores, then one sweep collects
 * and clears. O(Σ df + documents), of few postings O(Σ df + documents / 32). Every contribution must be above 0.
 */
export function matchAnyByWindows(scope: LeafScope, words: readonly WordLists[], out: MatchTarget): number {
  const { segment, segmentIndex } = scope;
  const walks = words.flatMap((word): readonly (ListWalk | GroupWalk)[] => {
    const { weight, plain } = word;
    const group = groupIn(scope, word);
    if (group !== undefined) return [{ kind: 'group', group, weight, next: 0 }];
    return plain[segmentIndex]!.map((list) => openWalk(segment, list, weight));
  });
  if (walks.length === 0) return 0;
  const most = walks.reduce(
    (sum, walk) => sum + (walk.kind === 'list' ? segment.termDf[walk.list.term]! : walk.group.count),
    0,
  );
  // One more: a window writes behind its last match, too.
  out.buffer.reserve(out.start, Math.min(segment.documents, most) + 1);
  if (most * FEW_DIVISOR < segment.documents) return matchAnyOfFew(scope, walks, out);
  let count = out.start;
  for (let low = 0; low < segment.documents && count - out.start < out.enough; low += WINDOW) {
    checkStop();
    const high = Math.min(segment.documents, low + WINDOW);
    let some = false;
    for (const walk of walks) {
      const added = walk.kind === 'list' ? addWindow(scope, walk, low, high) : addGroupWindow(walk, low, high);
      some = added || some;
    }
    if (some) count = sweep(scope.accept, { low, high }, out.buffer, count);
  }
  return count - out.start;
}

/**
 * Documents with any of the words among few accepted ones: walks those and gallops in every list. O(accepted · lists ·
 * log gap).
 */
export function matchAnyByFilter(
  scope: LeafScope & { readonly accept: Uint32Array },
  words: readonly WordLists[],
  { buffer, start }: { buffer: MatchBuffer; start: number },
): number {
  const { segment, table } = scope;
  const documents = new Uint32Array(countBits(scope.accept));
  const size = listBits(scope.accept, documents);
  const scores = new Float32Array(size);
  const found = new Uint8Array(size);
  for (const word of words) {
    const { weight, plain } = word;
    const group = groupIn(scope, word);
    const cursor = cursorOf(segment, { lists: plain[scope.segmentIndex]!, group });
    checkStop();
    for (let i = 0; i < size; i++) {
      const d = documents[i]!;
      const index = cursor.seek(d);
      if (index < 0) continue;
      found[i] = 1;
      const saturation =
        group === undefined ? table[(segment.tfBytes[index]! << 6) | segment.norms[d]!]! : group.saturations[index]!;
      scores[i] = scores[i]! + Math.fround(weight * saturation);
    }
  }
  buffer.reserve(start, size);
  let count = start;
  for (let i = 0; i < size; i++) {
    if (found[i] === 0) continue;
    buffer.documents[count] = documents[i]!;
    buffer.scores[count++] = scores[i]!;
  }
  return count - start;
}

function openWalk(segment: Segment, list: TermList, weight: number): ListWalk {
  const df = segment.termDf[list.term]!;
  const next = df === 1 ? 0 : segment.termFirst[list.term]!;
  return { kind: 'list', list, weight, next, end: df === 1 ? 1 : next + blockCount(df) };
}

/** Adds the part of a group that lies in the window; true when there was any. */
function addGroupWindow(walk: GroupWalk, low: number, high: number): boolean {
  const { group, weight } = walk;
  const { documents, saturations, count } = group;
  const scores = windowScores;
  const start = walk.next;
  let i = start;
  for (; i < count && documents[i]! < high; i++) {
    const at = documents[i]! - low;
    scores[at] = scores[at]! + Math.fround(weight * saturations[i]!);
  }
  walk.next = i;
  return i > start;
}

/** Adds the part of a list that lies in the window; true when there was any. */
function addWindow(scope: LeafScope, walk: ListWalk, low: number, high: number): boolean {
  const { segment } = scope;
  const { term, mask } = walk.list;
  const df = segment.termDf[term]!;
  const posting = segment.termPosting[term]!;
  if (df === 1) return addSingle(scope, walk, low, high);
  const first = segment.termFirst[term]!;
  while (walk.next < walk.end && segment.blockLast[walk.next]! < low) walk.next++;
  let some = false;
  for (let b = walk.next; b < walk.end && segment.blockFirst[b]! < high; b++) {
    some = true;
    const at = (b - first) * BLOCK;
    const part = { block: b, size: Math.min(BLOCK, df - at), posting: posting + at, low };
    const whole = segment.blockFirst[b]! >= low && segment.blockLast[b]! < high;
    if (whole && mask === EVERY_LANGUAGE) addWholeBlock(segment, scope.table, walk.weight, part);
    else addPartOfBlock(scope, walk, part, high);
  }
  return some;
}

type BlockPart = { readonly block: number; readonly size: number; readonly posting: number; readonly low: number };

/** Adds a block that lies in the window whole. One loop per delta width, no branch per document. */
function addWholeBlock(segment: Segment, table: Float32Array, weight: number, part: BlockPart): void {
  const { deltas, tfBytes, norms } = segment;
  const scores = windowScores;
  const { size, low } = part;
  const coded = segment.blockOffset[part.block]!;
  let from = coded >>> 2;
  let posting = part.posting;
  let d = segment.blockFirst[part.block]!;
  scores[d - low] = scores[d - low]! + Math.fround(weight * table[(tfBytes[posting++]! << 6) | norms[d]!]!);
  switch (coded & 3) {
    case 0:
      for (let i = 1; i < size; i++) {
        d += deltas[from++]!;
        scores[d - low] = scores[d - low]! + Math.fround(weight * table[(tfBytes[posting++]! << 6) | norms[d]!]!);
      }
      return;
    case 1:
      for (let i = 1; i < size; i++) {
        d += deltas[from]! | (deltas[from + 1]! << 8);
        from += 2;
        scores[d - low] = scores[d - low]! + Math.fround(weight * table[(tfBytes[posting++]! << 6) | norms[d]!]!);
      }
      return;
    default:
      // A wider delta than the window: the block has one posting in it.
      throw new RangeError('a block inside a window has deltas of at most two bytes');
  }
}

function addPartOfBlock(
  { segment, table }: LeafScope,
  { list, weight }: ListWalk,
  part: BlockPart,
  high: number,
): void {
  const { tfBytes, norms, languages } = segment;
  const { mask } = list;
  decodeBlock(segment, part.block, part.size, block);
  for (let i = 0; i < part.size; i++) {
    const d = block[i]!;
    if (d < part.low || d >= high || ((mask >>> languages[d]!) & 1) === 0) continue;
    const contribution = Math.fround(weight * table[(tfBytes[part.posting + i]! << 6) | norms[d]!]!);
    windowScores[d - part.low] = windowScores[d - part.low]! + contribution;
  }
}

function addSingle({ segment, table }: LeafScope, { list, weight }: ListWalk, low: number, high: number): boolean {
  const d = segment.termFirst[list.term]!;
  if (d < low || d >= high || ((list.mask >>> segment.languages[d]!) & 1) === 0) return false;
  const posting = segment.termPosting[list.term]!;
  const contribution = Math.fround(weight * table[(segment.tfBytes[posting]! << 6) | segment.norms[d]!]!);
  windowScores[d - low] = windowScores[d - low]! + contribution;
  return true;
}

/**
 * Collects the accepted documents of the window and clears it; returns where the next match goes. Every document is
 * written and only matches move on, as a branch on what is nearly random costs four times as much: 1.5 ns a document.
 */
function sweep(
  accept: Uint32Array | undefined,
  { low, high }: { low: number; high: number },
  { documents, scores }: MatchBuffer,
  start: number,
): number {
  const size = high - low;
  let count = start;
  for (let i = 0; i < size; i++) {
    const d = low + i;
    const accepted = accept === undefined ? 1 : accept[d >>> 5]! >>> (d & 31);
    documents[count] = d;
    scores[count] = windowScores[i]!;
    count += (-windowBits[i]! >>> 31) & accepted;
  }
  windowScores.fill(0, 0, size);
  return count;
}

/** Share of the documents of a segment below which the postings of all words are added up one by one. */
const FEW_DIVISOR = 5;

/** Scores by document and who has one; zero between searches. They grow to the largest segment. */
let scattered = new Float32Array(0);
let scatteredBits = new Uint32Array(0);

/** Few postings: no document without one is looked at. O(Σ df + documents / 32), 8 ns a posting. */
function matchAnyOfFew(scope: LeafScope, walks: readonly (ListWalk | GroupWalk)[], out: MatchTarget): number {
  const { segment, accept } = scope;
  const words = bitWords(segment.documents);
  if (scattered.length < segment.documents) {
    scattered = new Float32Array(segment.documents);
    scatteredBits = new Uint32Array(words);
  }
  for (const walk of walks) {
    if (walk.kind === 'list') scatterList(scope, walk);
    else scatterGroup(walk);
  }
  const { documents, scores } = out.buffer;
  let count = out.start;
  for (let i = 0; i < words; i++) {
    let word = scatteredBits[i]!;
    if (word === 0) continue;
    scatteredBits[i] = 0;
    const accepted = accept === undefined ? -1 : accept[i]!;
    for (; word !== 0; word &= word - 1) {
      const bit = 31 - Math.clz32(word & -word);
      const d = (i << 5) | bit;
      documents[count] = d;
      scores[count] = scattered[d]!;
      scattered[d] = 0;
      count += (accepted >>> bit) & 1;
    }
  }
  return count - out.start;
}

function scatterList({ segment, table }: LeafScope, { list, weight }: ListWalk): void {
  const { tfBytes, norms, languages } = segment;
  const { term, mask } = list;
  const [sums, bits] = [scattered, scatteredBits];
  const df = segment.termDf[term]!;
  const posting = segment.termPosting[term]!;
  const documents = new Uint32Array(df);
  decodeTerm(segment, term, documents);
  for (let i = 0; i < df; i++) {
    const d = documents[i]!;
    if (mask !== EVERY_LANGUAGE && ((mask >>> languages[d]!) & 1) === 0) continue;
    sums[d] = sums[d]! + Math.fround(weight * table[(tfBytes[posting + i]! << 6) | norms[d]!]!);
    bits[d >>> 5] = bits[d >>> 5]! | (1 << (d & 31));
  }
}

function scatterGroup({ group, weight }: GroupWalk): void {
  const { count, documents, saturations } = group;
  for (let i = 0; i < count; i++) {
    const d = documents[i]!;
    scattered[d] = scattered[d]! + Math.fround(weight * saturations[i]!);
    setBit(scatteredBits, d);
  }
}

import type { NameRange } from '../../../text/title-name.ts';
import { MAX_BETWEEN, PROXIMITY_FACTORS, proximityOf, type QueryWord, type RerankFeatures } from '../../rerank.ts';
import { PositionReader } from '../positions/coder.ts';
import { RunReader } from '../positions/runs.ts';
import { WordCursor } from '../query/postings-of.ts';
import type { Segment } from '../segment/segment.ts';
import type { RerankPlan } from './rerank.ts';

const TITLE_CLASS = 0;
const CLASS_B = 1;

/** Bits of a tf byte for classes A, B and C. */
const CLASS_BITS = [0x03, 0x0c, 0xf0] as const;

/** By tf byte: every bit of the classes that it has a count in. */
const CLASSES_OF = Uint8Array.from({ length: 256 }, (_, tf) =>
  CLASS_BITS.reduce((classes, bits) => ((tf & bits) === 0 ? classes : classes | bits), 0),
);

/**
 * Reads what documents of one segment show of the query's words; questions must ascend. Positions are read only where
 * the tf bytes leave something open: of words that share a class with their neighbour or stand in class A or B.
 */
export class RerankFeatureReader {
  private readonly segment: Segment;
  private readonly stage: RerankPlan;
  private readonly table: Float32Array;
  private readonly cursors: readonly WordCursor[];
  private readonly readers: readonly PositionReader[];
  private readonly runs: RunReader;
  private readonly titleNames: Uint8Array | undefined;
  private readonly postings: Int32Array;
  private readonly tfs: Uint8Array;
  private readonly isRead: Uint8Array;
  private readonly walk: PhraseWalk;
  private readonly saturation: Float32Array;
  private readonly proximity: Float64Array;
  private readonly inTitle: Uint8Array;
  private readonly titlePositions = new Set<number>();

  constructor(segment: Segment, segmentIndex: number, stage: RerankPlan, table: Float32Array) {
    const sections = segment.positions();
    this.segment = segment;
    this.stage = stage;
    this.table = table;
    this.cursors = stage.lists.map(({ plain }) => new WordCursor(segment, plain[segmentIndex]!));
    this.readers = stage.lists.map(() => {
      const reader = new PositionReader();
      reader.open(sections, segment.tfBytes);
      return reader;
    });
    this.runs = new RunReader(sections.runStart, sections.runs);
    this.titleNames = sections.titleNames;
    this.postings = new Int32Array(stage.lists.length);
    this.tfs = new Uint8Array(stage.lists.length);
    this.isRead = new Uint8Array(stage.lists.length);
    this.saturation = new Float32Array(stage.lists.length);
    this.proximity = new Float64Array(stage.lists.length);
    this.inTitle = new Uint8Array(stage.lists.length);
    this.walk = new PhraseWalk(stage.rules.words, this.readers);
  }

  /** The lists of the result are the reader's own and hold until the next document. */
  read(document: number, ageMs: number | undefined): RerankFeatures {
    this.findPostings(document);
    const { words } = this.stage.rules;
    let anywhere = 0;
    let everywhere = 0xff;
    for (let i = 0; i < words.length; i++) {
      if (words[i]!.role === 'stop') continue;
      anywhere |= CLASSES_OF[this.tfs[i]!]!;
      everywhere &= CLASSES_OF[this.tfs[i]!]!;
    }
    this.findProximity();
    const titleLength = (anywhere & CLASS_BITS[TITLE_CLASS]) === 0 ? 0 : this.runs.titleLength(document);
    const allInTitle = titleLength > 0 && (everywhere & CLASS_BITS[TITLE_CLASS]) !== 0;
    const allInB = (everywhere & CLASS_BITS[CLASS_B]) !== 0;
    return {
      saturation: this.saturation,
      proximity: this.proximity,
      inTitle: this.inTitle,
      ageMs,
      titleLength,
      titleCovered: this.coverTitle(titleLength),
      phraseInTitle: allInTitle && this.standsTogether(TITLE_CLASS, titleLength),
      titleIsQuery: allInTitle && this.isTitle(document, titleLength),
      phraseInB: allInB && this.standsTogether(CLASS_B, Number.POSITIVE_INFINITY),
    };
  }

  /** The words' postings, -1 = none, with their tf bytes and T. */
  private findPostings(document: number): void {
    const { segment, postings, tfs, saturation } = this;
    for (let i = 0; i < postings.length; i++) {
      const posting = this.cursors[i]!.seek(document);
      postings[i] = posting;
      tfs[i] = posting < 0 ? 0 : segment.tfBytes[posting]!;
      this.isRead[i] = 0;
      saturation[i] = posting < 0 ? 0 : this.table[(tfs[i]! << 6) | segment.norms[document]!]!;
    }
  }

  private readWord(word: number): PositionReader {
    const reader = this.readers[word]!;
    if (this.isRead[word] === 0) {
      reader.read(this.postings[word]!);
      this.isRead[word] = 1;
    }
    return reader;
  }

  /** Per content word how close the next one comes, over all classes. */
  private findProximity(): void {
    const { tfs, proximity } = this;
    proximity.fill(0);
    for (const [a, b] of this.stage.pairs) {
      const shared = CLASSES_OF[tfs[a]!]! & CLASSES_OF[tfs[b]!]!;
      for (let textClass = 0; shared !== 0 && textClass < PROXIMITY_FACTORS.length; textClass++) {
        const factor = PROXIMITY_FACTORS[textClass]!;
        // No later class can bring more than its factor.
        if ((shared & CLASS_BITS[textClass]!) === 0 || factor <= proximity[a]!) continue;
        proximity[a] = Math.max(proximity[a]!, nearest(this.readWord(a), this.readWord(b), textClass, factor));
      }
    }
  }

  /** Marks the words that the title has; returns how many of its positions they take. */
  private coverTitle(titleLength: number): number {
    const { tfs, titlePositions, inTitle } = this;
    inTitle.fill(0);
    if (titleLength === 0) return 0;
    titlePositions.clear();
    for (let i = 0; i < tfs.length; i++) {
      if ((tfs[i]! & CLASS_BITS[TITLE_CLASS]) === 0) continue;
      const { positions, endA } = this.readWord(i);
      for (let p = 0; p < endA && positions[p]! < titleLength; p++) {
        titlePositions.add(positions[p]!);
        inTitle[i] = 1;
      }
    }
    return titlePositions.size;
  }

  private standsTogether(textClass: number, end: number): boolean {
    this.readClass(textClass);
    return this.walk.isAnywhere(textClass, this.tfs, end);
  }

  /** The query is the title, or the name in it. */
  private isTitle(document: number, titleLength: number): boolean {
    this.readClass(TITLE_CLASS);
    const names = this.titleNames;
    const [from, to] = names === undefined ? [0, 0] : [names[2 * document]!, names[2 * document + 1]!];
    const isName = to > 0 && this.walk.fills(this.tfs, { from, to });
    return isName || this.walk.fills(this.tfs, { from: 0, to: titleLength });
  }

  private readClass(textClass: number): void {
    for (let i = 0; i < this.tfs.length; i++) if ((this.tfs[i]! & CLASS_BITS[textClass]!) !== 0) this.readWord(i);
  }
}

/** Closeness of the nearest occurrences of two words in one class. O(occurrences). */
function nearest(a: PositionReader, b: PositionReader, textClass: number, factor: number): number {
  const inA = a.rangeOfClass(textClass);
  const inB = b.rangeOfClass(textClass);
  let [i, j] = [inA.from, inB.from];
  let best = 0;
  // Only neighbours in the merged order can be nearest.
  while (i < inA.to && j < inB.to && best < factor) {
    const at = a.positions[i]!;
    const distance = b.positions[j]! - at;
    if (distance === 0) {
      // A joined form and its part: each with the other's next occurrence.
      i = placeAfter(a, i, inA.to, at);
      j = placeAfter(b, j, inB.to, at);
      if (j < inB.to) best = Math.max(best, proximity(factor, b.positions[j]! - at, false));
      if (i < inA.to) best = Math.max(best, proximity(factor, a.positions[i]! - at, true));
    } else {
      best = Math.max(best, proximity(factor, Math.abs(distance), distance < 0));
      if (distance > 0) i++;
      else j++;
    }
  }
  return best;
}

function proximity(factor: number, distance: number, reversed: boolean): number {
  return distance > MAX_BETWEEN + 1 ? 0 : proximityOf(factor, distance, reversed);
}

/** First place from `from` on whose position is another than `at`. */
function placeAfter(reader: PositionReader, from: number, to: number, at: number): number {
  let index = from;
  while (index < to && reader.positions[index] === at) index++;
  return index;
}

type Within = {
  readonly textClass: number;
  /** Tf byte per word; positions are read of those that the class has. */
  readonly tfs: Uint8Array;
  readonly end: number;
};

/**
 * Decides on the positions that readers hold whether the words of a query stand side by side in its order. A stop word
 * may be missing; a joined form stands on the position of its first part.
 */
class PhraseWalk {
  private readonly words: readonly QueryWord[];
  private readonly readers: readonly PositionReader[];

  constructor(words: readonly QueryWord[], readers: readonly PositionReader[]) {
    this.words = words;
    this.readers = readers;
  }

  /** Somewhere in a class before `end`. */
  isAnywhere(textClass: number, tfs: Uint8Array, end: number): boolean {
    return this.walk(undefined, { textClass, tfs, end }).length > 0;
  }

  /** From the position `from` of class A up to `to`. */
  fills(tfs: Uint8Array, { from, to }: NameRange): boolean {
    return this.walk([from - 1], { textClass: 0, tfs, end: to }).includes(to - 1);
  }

  /** Positions that the words up to the last have come to, ascending. O(positions of the words). */
  private walk(before: readonly number[] | undefined, within: Within): readonly number[] {
    let reached = before;
    for (let word = 0; word < this.words.length; word++) {
      const isStop = this.words[word]!.role === 'stop';
      if (isStop && reached === undefined) continue;
      const found = this.positionsAfter(word, reached, within, isStop);
      reached = isStop ? merged(reached!, found) : found;
      if (reached.length === 0) return reached;
    }
    return reached ?? [];
  }

  /** Positions of a word on or right behind one that was reached; of a stop word, right behind only. Ascending. */
  private positionsAfter(
    word: number,
    reached: readonly number[] | undefined,
    { textClass, tfs, end }: Within,
    isStop: boolean,
  ): number[] {
    const found: number[] = [];
    const reader = this.readers[word]!;
    const { from, to } =
      (tfs[word]! & CLASS_BITS[textClass]!) === 0 ? { from: 0, to: 0 } : reader.rangeOfClass(textClass);
    let at = 0;
    for (let i = from; i < to && reader.positions[i]! < end; i++) {
      const position = reader.positions[i]!;
      while (reached !== undefined && at < reached.length && reached[at]! < position - 1) at++;
      const follows = reached === undefined || reached[at] === position - 1;
      const isOn = !isStop && (reached?.[at] === position || reached?.[at + 1] === position);
      if ((follows || isOn) && found.at(-1) !== position) found.push(position);
    }
    return found;
  }
}

/** The positions of both lists, each once; both ascend. */
function merged(a: readonly number[], b: readonly number[]): readonly number[] {
  if (b.length === 0) return a;
  const all: number[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    const next = Math.min(a[i] ?? Number.POSITIVE_INFINITY, b[j] ?? Number.POSITIVE_INFINITY);
    if (a[i] === next) i++;
    if (b[j] === next) j++;
    all.push(next);
  }
  return all;
}

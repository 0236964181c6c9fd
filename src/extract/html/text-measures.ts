import {
  CAPITAL,
  DIGIT,
  isPairAt,
  isSurrogate,
  isWordPair,
  kindOf,
  lowerUnit,
  PUNCTUATION,
  scanWords,
  WORD,
} from '../word-characters.ts';
import type { TextBlock } from './blocks.ts';

/** Words of the head and of structured data that a block's words are compared with. */
export type ReferenceTexts = {
  readonly title: string;
  readonly description: string;
  /** Texts of structured data: descriptions and bodies, reviews and comments, all others. */
  readonly data: Readonly<Record<'main' | 'opinions' | 'other', readonly string[]>>;
};

/** One number per block in each list. */
export type TextMeasures = {
  readonly chars: Float64Array;
  readonly words: Float64Array;
  readonly wordChars: Float64Array;
  readonly shortWords: Float64Array;
  readonly punctuation: Float64Array;
  readonly digits: Float64Array;
  readonly capitals: Float64Array;
  readonly linkShare: Float64Array;
  /** Bits of the kinds of characters among the first `HEAD_CHARS`. */
  readonly headKinds: Uint8Array;
  /** Of the text without case and blanks: equal texts have equal numbers. */
  readonly hash: Int32Array;
  readonly titleWords: Float64Array;
  /** Different words of the title that occur in the block. */
  readonly titleCovered: Float64Array;
  readonly descriptionWords: Float64Array;
  /** Words that end a run of three that also stands in the text of structured data. */
  readonly dataMain: Float64Array;
  readonly dataOpinions: Float64Array;
  readonly dataOther: Float64Array;
  readonly titleSize: number;
};

/** Of a text; patterns read no further. */
export const HEAD_CHARS = 500;
const SHORT_WORD_CHARS = 3;
/** Characters of each reference that are read: catalogues carry whole lists of products. */
const MAX_REFERENCE_CHARS = 200_000;

export function measureTexts(blocks: readonly TextBlock[], references: ReferenceTexts): TextMeasures {
  const list = () => new Float64Array(blocks.length);
  const known = readReferences(references);
  const measures: TextMeasures = {
    chars: list(),
    words: list(),
    wordChars: list(),
    shortWords: list(),
    punctuation: list(),
    digits: list(),
    capitals: list(),
    linkShare: list(),
    hash: new Int32Array(blocks.length),
    titleWords: list(),
    titleCovered: list(),
    descriptionWords: list(),
    dataMain: list(),
    dataOpinions: list(),
    dataOther: list(),
    headKinds: new Uint8Array(blocks.length),
    titleSize: known.titleSize,
  };
  const words: WordReader = { known, measures, block: 0, before: 0, last: 0, covered: new Set() };
  for (const [at, block] of blocks.entries()) {
    words.block = at;
    words.before = 0;
    words.last = 0;
    measureText(measures, words, block);
    if (words.covered.size > 0) {
      measures.titleCovered[at] = words.covered.size;
      words.covered.clear();
    }
  }
  return measures;
}

/** Kinds that exclude each other, and the characters of the present block by them. */
const COUNTED = PUNCTUATION | DIGIT | CAPITAL;
const counts = new Float64Array((COUNTED >> 1) + 1);

/** One pass over the characters of a block. */
function measureText(measures: TextMeasures, words: WordReader, { text, linkChars }: TextBlock): void {
  const at = words.block;
  const { length } = text;
  let [hash, headKinds, start, word] = [0, 0, -1, WORD_SEED];
  counts.fill(0);
  for (let index = 0; index < length; index++) {
    const unit = text.charCodeAt(index);
    const kind = kindOf(unit);
    const lower = lowerUnit(unit);
    add(counts, (kind & COUNTED) >> 1, 1);
    if (index < HEAD_CHARS) headKinds |= kind;
    if (unit !== 0x20) hash = (Math.imul(hash, 31) + lower) | 0;
    if ((kind & WORD) !== 0 || (isSurrogate(unit) && isWordHalf(text, index))) {
      if (start < 0) start = index;
      word = (Math.imul(word, 31) + lower) | 0;
    } else if (start >= 0) {
      addWord(words, word, index - start);
      start = -1;
      word = WORD_SEED;
    }
  }
  if (start >= 0) addWord(words, word, length - start);
  measures.chars[at] = length;
  measures.punctuation[at] = valueAt(counts, PUNCTUATION >> 1);
  measures.digits[at] = valueAt(counts, DIGIT >> 1);
  measures.capitals[at] = valueAt(counts, CAPITAL >> 1);
  measures.hash[at] = hash;
  measures.headKinds[at] = headKinds;
  measures.linkShare[at] = Math.min(1, share(linkChars, length));
}

/** Either half of a letter beyond the first plane. */
function isWordHalf(text: string, at: number): boolean {
  if (isPairAt(text, at)) return isWordPair(text, at);
  return at > 0 && isPairAt(text, at - 1) && isWordPair(text, at - 1);
}

/** Bits of what a word, or the run of three words that it ends, is known from. */
const [TITLE, DESCRIPTION] = [1, 2] as const;
const [MAIN, OPINIONS, OTHER] = [1, 2, 4] as const;

type KnownWords = {
  readonly words: ReadonlyMap<number, number>;
  readonly runs: ReadonlyMap<number, number>;
  readonly titleSize: number;
};

type WordReader = {
  readonly known: KnownWords;
  readonly measures: TextMeasures;
  /** Words of the title in the present block. */
  readonly covered: Set<number>;
  block: number;
  /** The two words before. */
  before: number;
  last: number;
};

function addWord(reader: WordReader, word: number, length: number): void {
  const { known, measures, block } = reader;
  add(measures.words, block, 1);
  add(measures.wordChars, block, length);
  if (length <= SHORT_WORD_CHARS) add(measures.shortWords, block, 1);
  const source = known.words.get(word);
  if (source !== undefined) {
    if ((source & TITLE) !== 0) {
      add(measures.titleWords, block, 1);
      reader.covered.add(word);
    }
    if ((source & DESCRIPTION) !== 0) add(measures.descriptionWords, block, 1);
  }
  if (known.runs.size > 0) addRun(measures, block, known.runs.get(hashRun(reader.before, reader.last, word)));
  reader.before = reader.last;
  reader.last = word;
}

function addRun(measures: TextMeasures, block: number, source: number | undefined): void {
  if (source === undefined) return;
  if ((source & MAIN) !== 0) add(measures.dataMain, block, 1);
  if ((source & OPINIONS) !== 0) add(measures.dataOpinions, block, 1);
  if ((source & OTHER) !== 0) add(measures.dataOther, block, 1);
}

function readReferences({ title, description, data }: ReferenceTexts): KnownWords {
  const words = new Map<number, number>();
  addWords(words, title, TITLE);
  const titleSize = words.size;
  addWords(words, description, DESCRIPTION);
  const runs = new Map<number, number>();
  addRuns(runs, data.main, MAIN);
  addRuns(runs, data.opinions, OPINIONS);
  addRuns(runs, data.other, OTHER);
  return { words, runs, titleSize };
}

function addWords(words: Map<number, number>, text: string, source: number): void {
  scanWords(text, (start, end) => addBit(words, hashWord(text, start, end), source));
}

function addRuns(runs: Map<number, number>, texts: readonly string[], source: number): void {
  let left = MAX_REFERENCE_CHARS;
  for (const whole of texts) {
    const text = whole.slice(0, left);
    left -= text.length;
    let [before, last] = [0, 0];
    scanWords(text, (start, end) => {
      const word = hashWord(text, start, end);
      addBit(runs, hashRun(before, last, word), source);
      before = last;
      last = word;
    });
  }
}

function addBit(bits: Map<number, number>, key: number, bit: number): void {
  bits.set(key, (bits.get(key) ?? 0) | bit);
}

const WORD_SEED = 7;

/** 32 bits: a page has some thousand words, so that two of them hardly ever meet. */
function hashWord(text: string, start: number, end: number): number {
  let hash = WORD_SEED;
  for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + lowerUnit(text.charCodeAt(at))) | 0;
  return hash;
}

function hashRun(first: number, second: number, third: number): number {
  return (Math.imul(Math.imul(first, 31) + second, 37) + third) | 0;
}

/** Lists of numbers that are read within their bounds: reading beyond gives 0. */
type Numbers = Float64Array | Int32Array;

export function valueAt(list: Numbers, index: number): number {
  return list[index] ?? 0;
}

export function add(list: Float64Array, index: number, value: number): void {
  list[index] = (list[index] ?? 0) + value;
}

/** 0 of nothing. */
export function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}

const LOGARITHMS = Float64Array.from({ length: 4_096 }, (_, count) => Math.log1p(count));

/** `Math.log1p`, of small counts from a table. */
export function logOf(count: number): number {
  return LOGARITHMS[count] ?? Math.log1p(count);
}

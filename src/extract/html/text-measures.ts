import { scanWords } from '../word-characters.ts';
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

const SHORT_WORD_CHARS = 3;
/** Characters of each reference that are read: catalogues carry whole lists of products. */
const MAX_REFERENCE_CHARS = 200_000;

export function measureTexts(blocks: readonly TextBlock[], references: ReferenceTexts): TextMeasures {
  const list = () => new Float64Array(blocks.length);
  const measures: TextMeasures = {
    ...{ chars: list(), words: list(), wordChars: list(), shortWords: list(), punctuation: list(), digits: list() },
    ...{ capitals: list(), linkShare: list(), hash: new Int32Array(blocks.length), titleWords: list() },
    ...{ titleCovered: list(), descriptionWords: list(), dataMain: list(), dataOpinions: list(), dataOther: list() },
    titleSize: wordsIn(references.title).size,
  };
  const sets: WordSets = {
    title: wordsIn(references.title),
    description: wordsIn(references.description),
    main: runsIn(references.data.main),
    opinions: runsIn(references.data.opinions),
    other: runsIn(references.data.other),
  };
  for (const [at, block] of blocks.entries()) {
    measureCharacters(measures, at, block);
    measureWords(measures, at, block.text, sets);
  }
  return measures;
}

type WordSets = Readonly<Record<'title' | 'description' | 'main' | 'opinions' | 'other', ReadonlySet<number>>>;

function measureCharacters(measures: TextMeasures, at: number, { text, linkChars }: TextBlock): void {
  let [punctuation, digits, capitals, hash] = [0, 0, 0, 0];
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    const kind = kindOf(unit);
    if (kind === PUNCTUATION) punctuation++;
    else if (kind === DIGIT) digits++;
    else if (kind === CAPITAL) capitals++;
    if (unit !== 0x20) hash = (Math.imul(hash, 31) + lowerUnit(unit)) | 0;
  }
  measures.chars[at] = text.length;
  measures.punctuation[at] = punctuation;
  measures.digits[at] = digits;
  measures.capitals[at] = capitals;
  measures.hash[at] = hash;
  measures.linkShare[at] = text.length === 0 ? 0 : Math.min(1, linkChars / text.length);
}

function measureWords(measures: TextMeasures, at: number, text: string, sets: WordSets): void {
  let [words, wordChars, shortWords, titleWords, descriptionWords] = [0, 0, 0, 0, 0];
  let [dataMain, dataOpinions, dataOther, before, last] = [0, 0, 0, 0, 0];
  let covered: Set<number> | undefined;
  scanWords(text, (start, end) => {
    const word = hashWord(text, start, end);
    const run = hashRun(before, last, word);
    before = last;
    last = word;
    words++;
    wordChars += end - start;
    if (end - start <= SHORT_WORD_CHARS) shortWords++;
    if (sets.title.has(word)) {
      titleWords++;
      covered ??= new Set();
      covered.add(word);
    }
    if (sets.description.has(word)) descriptionWords++;
    if (sets.main.has(run)) dataMain++;
    if (sets.opinions.has(run)) dataOpinions++;
    if (sets.other.has(run)) dataOther++;
  });
  measures.words[at] = words;
  measures.wordChars[at] = wordChars;
  measures.shortWords[at] = shortWords;
  measures.titleWords[at] = titleWords;
  measures.titleCovered[at] = covered?.size ?? 0;
  measures.descriptionWords[at] = descriptionWords;
  measures.dataMain[at] = dataMain;
  measures.dataOpinions[at] = dataOpinions;
  measures.dataOther[at] = dataOther;
}

function wordsIn(text: string): ReadonlySet<number> {
  const words = new Set<number>();
  scanWords(text, (start, end) => words.add(hashWord(text, start, end)));
  return words;
}

function runsIn(texts: readonly string[]): ReadonlySet<number> {
  const runs = new Set<number>();
  let left = MAX_REFERENCE_CHARS;
  for (const whole of texts) {
    const text = whole.slice(0, left);
    left -= text.length;
    let [before, last] = [0, 0];
    scanWords(text, (start, end) => {
      const word = hashWord(text, start, end);
      runs.add(hashRun(before, last, word));
      before = last;
      last = word;
    });
  }
  return runs;
}

/** 32 bits: a page has some thousand words, so that two of them hardly ever meet. */
function hashWord(text: string, start: number, end: number): number {
  let hash = 7;
  for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + lowerUnit(text.charCodeAt(at))) | 0;
  return hash;
}

function hashRun(first: number, second: number, third: number): number {
  return (Math.imul(Math.imul(first, 31) + second, 37) + third) | 0;
}

const [UNKNOWN, OTHER, PUNCTUATION, DIGIT, CAPITAL] = [0, 1, 2, 3, 4];
/** By UTF-16 code unit, filled as texts need it. */
const KINDS = new Uint8Array(0x10000);
const LOWER = new Uint16Array(0x10000);

function kindOf(unit: number): number {
  const known = KINDS[unit] ?? OTHER;
  if (known !== UNKNOWN) return known;
  const text = String.fromCharCode(unit);
  const kind = /[.,;:!?。，、；：！？…]/.test(text) ? PUNCTUATION : /\d/.test(text) ? DIGIT : capitalOr(text);
  KINDS[unit] = kind;
  return kind;
}

function capitalOr(text: string): number {
  return /\p{Lu}/u.test(text) ? CAPITAL : OTHER;
}

function lowerUnit(unit: number): number {
  const known = LOWER[unit];
  if (known !== undefined && known !== 0) return known;
  const lower = String.fromCharCode(unit).toLowerCase().charCodeAt(0);
  LOWER[unit] = lower;
  return lower;
}

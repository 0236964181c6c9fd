import type { LanguageTables } from './language-tables.ts';

export type LanguageScore = {
  readonly language: string;
  /** 0 to 1. */
  readonly score: number;
  /** Mean score of the language's own texts. */
  readonly usual: number;
};

export type NgramScores = {
  /** Of the languages that have any of the n-grams, best first. */
  readonly scores: readonly LanguageScore[];
  /** Different ones in the text. */
  readonly ngrams: number;
};

/** What the n-grams of the first 350 bytes of a text say. */
export type NgramDetector = (text: string) => NgramScores;

/** What the package eld knows. */
export type NgramSource = {
  readonly tables: LanguageTables;
  /** Runs of what is no letter. */
  readonly separators: RegExp;
  /** The sign that stands for a byte of UTF-8 beyond ASCII in the tables. */
  readonly signs: readonly string[];
  /** Language → mean score. */
  readonly usual: Readonly<Record<string, number>>;
};

/** Subtracted from all scores of the tables. */
const BASE_SCORE = 53;
/** Halfway to 1, as the mean score of an n-gram. */
const SCALE = 25;

/**
 * The detector of eld over packed tables, with the same scores: the package's own makes a set of names and an object
 * of scores for each n-gram, which cost seven times as much.
 */
export function createNgramDetector({ tables, separators, signs, usual }: NgramSource): NgramDetector {
  const { languages } = tables;
  return (text) => {
    const ngrams = new Set<string>();
    for (const word of readWords(text.replace(separators, ' ').trim().toLowerCase(), signs)) addNgrams(ngrams, word);
    const sums = sumScores(ngrams, tables);
    const scores: LanguageScore[] = [];
    for (const [number, language] of languages.entries()) {
      const mean = (sums[number] ?? 0) / ngrams.size;
      if (mean > 0) scores.push({ language, score: mean / (mean + SCALE), usual: usual[language] ?? 0 });
    }
    return { scores: scores.sort((a, b) => b.score - a.score), ngrams: ngrams.size };
  };
}

/** By number of the language. */
function sumScores(ngrams: ReadonlySet<string>, { languages, entries, starts, scores }: LanguageTables): Float64Array {
  const sums = new Float64Array(languages.length);
  for (const ngram of ngrams) {
    const entry = entries.get(ngram);
    if (entry === undefined) continue;
    const end = starts[entry + 1] ?? 0;
    for (let at = starts[entry] ?? 0; at < end; at++) {
      const score = scores[at] ?? 0;
      sums[score >> 8] = (sums[score >> 8] ?? 0) + (score & 0xff) + BASE_SCORE;
    }
  }
  return sums;
}

/** Bytes after which the next blank ends the text, and after which the next character does. */
const CUT_BYTES = 350;
const SURE_CUT_BYTES = 380;
const BLANK = 0x20;

/** Words of a text in lower case, parted by single blanks, with a sign for each byte. */
function readWords(text: string, signs: readonly string[]): readonly string[] {
  const words: string[] = [];
  let word = '';
  let bytes = 0;
  for (let at = 0; at < text.length && bytes <= SURE_CUT_BYTES; at++) {
    const unit = text.charCodeAt(at);
    if (unit === BLANK) {
      words.push(word);
      word = '';
      if (bytes > CUT_BYTES) break;
      bytes++;
    } else {
      const encoded = unit < 0x80 ? (text[at] ?? '') : signsOf(unit, signs);
      word += encoded;
      bytes += encoded.length;
    }
  }
  words.push(word);
  return words.filter((found) => found !== '');
}

/** One sign for each byte; the separators leave no letter beyond the first plane. */
function signsOf(unit: number, signs: readonly string[]): string {
  const last = signs[0x80 | (unit & 0x3f)];
  if (unit < 0x800) return `${signs[0xc0 | (unit >> 6)]}${last}`;
  return `${signs[0xe0 | (unit >> 12)]}${signs[0x80 | ((unit >> 6) & 0x3f)]}${last}`;
}

const MAX_WORD_SIGNS = 70;
const [NGRAM_SIGNS, STRIDE] = [4, 3];

/** Runs of four signs, each of which begins with the last sign of the one before; blanks stand for the word's ends. */
function addNgrams(ngrams: Set<string>, word: string): void {
  const padded = ` ${word} `;
  const length = Math.min(word.length, MAX_WORD_SIGNS);
  let at = 0;
  for (; at + NGRAM_SIGNS < length; at += STRIDE) {
    ngrams.add(padded.slice(at === 0 ? 0 : at + 1, at + 1 + NGRAM_SIGNS));
  }
  const last = Math.max(0, length - NGRAM_SIGNS);
  ngrams.add(padded.slice(at === 0 ? 0 : last + 1));
}

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** 96 % of texts of this length are told right (search-engine design 5). */
const MIN_CHARS = 60;
const READ_CHARS = 400;

export type LanguageGuess = {
  readonly code: string;
  /** Share of sentences that were told right at this lead over the second best; below .5 no known language fits. */
  readonly confidence: number;
  /** Languages whose scores are hardly lower, best first; `code` is the first. */
  readonly close: readonly string[];
};

const require = createRequire(import.meta.url);
let opened: { readonly detect: NgramDetector; readonly languages: ReadonlySet<string> } | undefined;

/** Language of a text by its first 400 characters; undefined when it has fewer than 60 or fits none. */
export function detectLanguage(text: string): string | undefined {
  if (text.length < MIN_CHARS) return undefined;
  const guess = guessLanguage(text);
  return guess === undefined || guess.confidence < 0.5 ? undefined : guess.code;
}

/** Does the detector know the language? */
export function isDetectable(code: string): boolean {
  opened ??= openDetector();
  return opened.languages.has(code);
}

/** What a text of any length looks like by its first 400 characters; undefined without letters. */
export function guessLanguage(text: string): LanguageGuess | undefined {
  opened ??= openDetector();
  const { scores, ngrams } = opened.detect(text.slice(0, READ_CHARS));
  const [best, second] = scores;
  if (best === undefined) return undefined;
  const close = scores.filter(({ score }) => best.score - score <= CLOSE_LEAD).slice(0, MAX_CLOSE);
  const isReliable = ngrams >= MIN_NGRAMS && best.score >= best.usual * MIN_SCORE_SHARE;
  return {
    code: codeOf(best.language),
    confidence: isReliable ? shareRight(best.score - (second?.score ?? 0)) : UNRELIABLE,
    close: close.map(({ language }) => codeOf(language)),
  };
}

const CLOSE_LEAD = 0.05;
const MAX_CLOSE = 3;
/**
 * Share of the mean score of a language that its texts reach: of pages of four sentences in the detector's languages
 * all do, of those in 19 others a third (`npm run eval:extract -- <data folder> --set language`).
 */
const MIN_SCORE_SHARE = 0.75;
const UNRELIABLE = 0.3;
/** Fewer are a word or two. */
const MIN_NGRAMS = 3;

/** Measured on 21,800 sentences of 57 languages. */
function shareRight(lead: number): number {
  if (lead < 0.02) return 0.92;
  return lead < 0.04 ? 0.97 : lead < 0.1 ? 0.985 : 0.999;
}

function codeOf(code: string): string {
  return languageCode(code) ?? code;
}

/** Parts of eld by their paths: the package names no entry for `require`, nor one without its tables as a module. */
function openDetector(): NonNullable<typeof opened> {
  const part = (path: string) => fileURLToPath(new URL(path, import.meta.resolve('eld/small')));
  const { separators } = require(part('../regexPatterns.js')) as { readonly separators: RegExp };
  const { dictionary } = require(part('../dictionary.js')) as { readonly dictionary: readonly string[] };
  const { avgScore } = require(part('../avgScore.js')) as { readonly avgScore: Readonly<Record<string, number>> };
  const tables = readLanguageTables(readFileSync(part('../ngrams/small.js'), 'utf8'));
  return {
    detect: createNgramDetector({ tables, separators, signs: dictionary, usual: avgScore }),
    languages: new Set(tables.languages.map(codeOf)),
  };
}

const TAG = /^\s*([a-z]{2,3})(?:[-_][a-z0-9]{1,8})*\s*$/i;

/** Both written forms of Norwegian are analysed as one language. */
const SAME: ReadonlyMap<string, string> = new Map([
  ['no', 'nb'],
  ['nn', 'nb'],
]);

const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });

/**
 * Code of the language of a tag, as the analyzers know it: `en-GB`, `EN_us` and `eng` are `en`, `iw` is `he`.
 * Undefined when it names no language that the platform knows.
 */
export function languageCode(tag: string): string | undefined {
  const known = codes.get(tag);
  if (known !== undefined || codes.has(tag)) return known;
  if (codes.size === CACHED_TAGS) codes.clear();
  const code = readTag(tag);
  codes.set(tag, code);
  return code;
}

/** What tags were read as: the platform takes microseconds for each, and a site has few. */
const codes = new Map<string, string | undefined>();
const CACHED_TAGS = 1_000;

function readTag(tag: string): string | undefined {
  const primary = TAG.exec(tag)?.[1]?.toLowerCase();
  if (primary === undefined) return undefined;
  const code = Intl.getCanonicalLocales(primary)[0] ?? primary;
  return names.of(code) === undefined ? undefined : (SAME.get(code) ?? code);
}

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
type NgramDetector = (text: string) => NgramScores;

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

/**
 * The tables of the package eld, packed: scores of entry `n` lie from `starts[n]` to `starts[n + 1]`, each
 * `language << 8 | score`.
 */
type LanguageTables = {
  /** Codes by number. */
  readonly languages: readonly string[];
  /** N-gram → entry. */
  readonly entries: ReadonlyMap<string, number>;
  readonly starts: Uint32Array;
  readonly scores: Uint16Array;
};

/** `'ab':{0:12,3:4}`, the quotes left out where the key is a name. */
const ENTRY = /(?:'((?:[^'\\]|\\.)*)'|([\w$]+)):\{([^}]*)\}/gy;

/**
 * Reads the tables from the text of their module. As a module its literals cost 105 MB, packed 8 MB: a language and
 * its score are two bytes.
 *
 * @throws Error when the text is not written as in the version of eld that is pinned
 */
export function readLanguageTables(source: string): LanguageTables {
  const languages = /languages:\{([^}]*)\}/.exec(source)?.[1];
  const start = source.indexOf('ngrams:{');
  if (languages === undefined || start < 0) throw new Error('The language tables cannot be read');
  return {
    languages: pairsOf(languages).map(([, name]) => name.slice(1, -1)),
    ...packEntries(source, start + 'ngrams:{'.length),
  };
}

function packEntries(source: string, from: number): Omit<LanguageTables, 'languages'> {
  const entries = new Map<string, number>();
  const starts: number[] = [];
  const scores: number[] = [];
  ENTRY.lastIndex = from;
  for (let found = ENTRY.exec(source); found !== null; found = ENTRY.exec(source)) {
    const [, quoted, name = '', values = ''] = found;
    entries.set(quoted === undefined ? name : quoted.replace(/\\(.)/g, '$1'), starts.length);
    starts.push(scores.length);
    for (const [language, score] of pairsOf(values)) scores.push((Number(language) << 8) | Number(score));
    if (source[ENTRY.lastIndex] === '}') break;
    ENTRY.lastIndex++;
  }
  starts.push(scores.length);
  return { entries, starts: Uint32Array.from(starts), scores: Uint16Array.from(scores) };
}

function pairsOf(text: string): [string, string][] {
  return text.split(',').map((pair) => {
    const colon = pair.indexOf(':');
    return [pair.slice(0, colon), pair.slice(colon + 1)];
  });
}

import { compareCodePoints } from '../core/compare-text.ts';
import type { PageKind } from '../core/document.ts';
import { parseDate, parseGeoPoint, parseNumber, typeBySuffix } from '../core/field-values.ts';
import type { MatchNode, QueryPlan, RelevanceSettings } from './query-plan.ts';
import type { FuzzyTerm } from './search-index.ts';

/**
 * Scoring formulas that every adapter shares, so that order and ties are compared exactly (search-engine design 12.1).
 * Start values: title 5, headings and custom fields 2, text 1; k1 1.2, b 0.75 (Robertson and Zaragoza 2009); bonuses
 * of search-engine design 12.2; a window of 50 adds 0.2 to 0.3 ms CPU to three words at 100,000 documents (0030).
 */
export const DEFAULT_RELEVANCE: RelevanceSettings = {
  classWeights: { a: 5, b: 2, c: 1 },
  k1: 1.2,
  b: 0.75,
  window: 50,
  rerankWeights: {
    proximity: 0.35,
    titleCoverage: 0.25,
    titleIsQuery: 1,
    phraseInTitle: 0.5,
    phraseInB: 0.25,
    stopWords: 0.1,
  },
};

export type FirstStageWeights = Pick<RelevanceSettings, 'classWeights' | 'k1' | 'b'>;

/** Class C counts that 4 bits can hold: exact to 8, then the largest not above the count. */
const CLASS_C_COUNTS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 24, 32, 48, 64] as const;
const MAX_LENGTH_CODE = 63;

/** 4-bit code of a class C count. */
function classCCode(count: number): number {
  if (count <= 8) return count;
  let code = 9;
  while (code < 15 && (CLASS_C_COUNTS[code + 1] ?? Number.POSITIVE_INFINITY) <= count) code++;
  return code;
}

/** The posting's term frequency byte: class A in bits 0-1, B in 2-3 (both cut at 3), code of class C in 4-7. */
export function tfByte(a: number, b: number, c: number): number {
  return Math.min(3, a) | (Math.min(3, b) << 2) | (classCCode(c) << 4);
}

/** The counts that a tf byte stands for. */
export function countsOfTf(tf: number): { readonly a: number; readonly b: number; readonly c: number } {
  return { a: tf & 3, b: (tf >>> 2) & 3, c: CLASS_C_COUNTS[tf >>> 4] ?? 0 };
}

/**
 * Six bits for the length of a document: exact to 8 tokens, then five steps per doubling to 511 tokens, where most
 * pages are, and 2.35 from there to a million (docs/relevance.md, "Lengths").
 */
const EXACT_LENGTHS = 8;
/** Fifths of a doubling at 511 tokens; those below 8 tokens have no codes of their own. */
const FINE_FIFTHS = 45;
const UNUSED_FIFTHS = 8;
const COARSE_STEP = 0.47;

/** 6-bit code of a length in tokens; a longer document never has a smaller one. */
export function lengthCode(length: number): number {
  if (length <= EXACT_LENGTHS) return length;
  const fifths = 5 * Math.log2(length + 1);
  const steps = fifths <= FINE_FIFTHS ? fifths : FINE_FIFTHS + (fifths - FINE_FIFTHS) * COARSE_STEP;
  return Math.min(MAX_LENGTH_CODE, Math.round(steps) - UNUSED_FIFTHS);
}

/**
 * The length by which a document is judged, from its tokens of class C: pages that are no subject of their own count as
 * longer ones (tuned on names of manuals, docs/relevance.md).
 */
export function judgedLength(tokens: number, pageKind: PageKind | undefined): number {
  return pageKind === undefined ? tokens : tokens * LENGTH_FACTORS[pageKind];
}

const LENGTH_FACTORS: Readonly<Record<PageKind, number>> = { index: 8, source: 4, history: 4 };

/** The length that a code stands for. */
export function lengthOfCode(code: number): number {
  if (code <= EXACT_LENGTHS) return code;
  const steps = code + UNUSED_FIFTHS;
  const fifths = steps <= FINE_FIFTHS ? steps : FINE_FIFTHS + (steps - FINE_FIFTHS) / COARSE_STEP;
  return 2 ** (fifths / 5) - 1;
}

/** The present code of a length whose code in index formats before 4 is known: five steps per doubling throughout. */
export function translatedLengthCode(code: number): number {
  return lengthCode(Math.round(2 ** (code / 5) - 1));
}

/**
 * T of every (tf byte, length code): index `tf << 6 | code`, 64 KB. `averageLength` = tokens of class C per live
 * document of the engine. One table per snapshot and settings.
 */
export function saturationTable(settings: FirstStageWeights, averageLength: number): Float32Array {
  const { classWeights, k1, b } = settings;
  const average = Math.max(1, averageLength);
  const table = new Float32Array(256 * 64);
  for (let tf = 0; tf < 256; tf++) {
    const c = CLASS_C_COUNTS[tf >>> 4] ?? 0;
    for (let code = 0; code < 64; code++) {
      const lengthNorm = 1 - b + (b * lengthOfCode(code)) / average;
      const weighted =
        classWeights.a * (tf & 3) + classWeights.b * ((tf >>> 2) & 3) + (classWeights.c * c) / lengthNorm;
      table[(tf << 6) | code] = (weighted * (k1 + 1)) / (k1 + weighted);
    }
  }
  return table;
}

/** Inverse document frequency of a query word: `documents` = live documents of the engine. */
export function idf(documents: number, documentFrequency: number): number {
  return Math.log(1 + (documents - documentFrequency + 0.5) / (documentFrequency + 0.5));
}

/** One way to satisfy a query word: what it is worth against the word itself, and its live documents. */
export type ListFrequency = { readonly weight: number; readonly documentFrequency: number };

/**
 * Document frequency of a query word with alternatives: together those of full weight, or all of them when no
 * document has one of these; never above the documents of the engine.
 */
export function groupFrequency(documents: number, lists: readonly ListFrequency[]): number {
  const sum = (input: readonly ListFrequency[]) => input.reduce((total, list) => total + list.documentFrequency, 0);
  return Math.min(documents, sum(lists.filter(({ weight }) => weight === 1)) || sum(lists));
}

/** Saturation of an alternative; the best of a document's counts as the word's. */
export function weightedSaturation(weight: number, saturation: number): number {
  return Math.fround(weight * saturation);
}

/** The tf byte of a document that a pattern matches: one occurrence, in its title or in its text. */
export function patternTf(inTitle: boolean): number {
  return inTitle ? tfByte(1, 0, 0) : tfByte(0, 0, 1);
}

/** Which text class a field belongs to; `none` = plain words do not search it. */
export type TextClass = 'a' | 'b' | 'c' | 'none';

const UNSEARCHED = new Set(['Url', 'Id', 'Image', 'Language', 'Domain', '_type']);

/**
 * Class by name: Title is A, Content is C, a custom field B until the writer finds it long (search-engine design
 * 7.4); addresses, ids and typed fields are not searched by plain words.
 */
export function textClassOf(field: string): TextClass {
  if (field === 'Title') return 'a';
  if (field === 'Content') return 'c';
  return UNSEARCHED.has(field) || field.startsWith('fc_') ? 'none' : 'b';
}

const ABSOLUTE_URL = /^[a-z][a-z0-9+.-]*:\/\/\S+$/i;

/** Class of one value of a field: numbers, instants and points of typed fields and addresses are `none`. */
export function textClassOfValue(field: string, value: string): TextClass {
  const byName = textClassOf(field);
  return byName !== 'none' && (isTypedValue(field, value) || ABSOLUTE_URL.test(value)) ? 'none' : byName;
}

function isTypedValue(field: string, value: string): boolean {
  switch (typeBySuffix(field)) {
    case 'number':
      return !Number.isNaN(parseNumber(value));
    case 'date':
      return parseDate(value) !== undefined;
    case 'geo':
      return parseGeoPoint(value) !== undefined;
    default:
      return false;
  }
}

/** A phrase scores this much more than its words (search-engine design 11.4, start value). */
export const PHRASE_FACTOR = 1.2;

/** What a word adds to a document's score; scores are sums of these by `addScores` in query word order. */
export function wordScore(weight: { idf: number; boost: number }, saturation: number): number {
  return Math.fround(weight.idf * weight.boost * saturation);
}

/** Float32 addition, so that every path and adapter comes to the same sum. */
export function addScores(a: number, b: number): number {
  return Math.fround(a + b);
}

/** A phrase's score from the float32 sum of its words. */
export function phraseScore(sum: number): number {
  return Math.fround(PHRASE_FACTOR * sum);
}

const MAX_FLOAT32 = 3.4028234663852886e38;

/** A score times a boost's factor: float32, and finite whatever the caller's factors are. */
export function boostScore(score: number, factor: number): number {
  return Math.min(Math.fround(score * factor), MAX_FLOAT32);
}

/** What a word at an edit distance of 0, 1, 2 is worth against the word itself (search-engine design 11.1). */
export const DISTANCE_WEIGHTS = [1, 0.5, 0.3] as const;

/** Near words that stand in for one absent word. */
export const MAX_FUZZY_TERMS = 5;

const DIGIT = /\d/;
const FIRST_LENGTH = 4;
const SECOND_LENGTH = 8;

/**
 * Edits within which a folded word may have been meant: 1 from 4 characters on, 2 from 8; shorter ones and words with
 * digits mean themselves (search-engine design 14.2).
 */
export function maxEditsOf(folded: string): 0 | 1 | 2 {
  if (folded.length < FIRST_LENGTH || DIGIT.test(folded)) return 0;
  return folded.length < SECOND_LENGTH ? 1 : 2;
}

/**
 * The best fuzzy terms: those of one document only when there is no other that is as near, as they are often typos
 * themselves, but the word itself always; by distance, then by documents, then by code point.
 */
export function bestFuzzyTerms(words: readonly FuzzyTerm[], limit: number): readonly FuzzyTerm[] {
  const frequent = words.filter(({ documents, distance }) => documents > 1 && distance > 0);
  const nearest = Math.min(...frequent.map(({ distance }) => distance));
  const kept = words.filter(({ documents, distance }) => documents > 1 || distance === 0 || distance < nearest);
  const ordered = kept.toSorted(
    (a, b) => a.distance - b.distance || b.documents - a.documents || compareCodePoints(a.text, b.text),
  );
  return ordered.slice(0, limit);
}

/** A plan that asks only whether there is a match. */
export function matchPlan(match: MatchNode): QueryPlan {
  return {
    match,
    operator: 'OR',
    filter: { kind: 'all' },
    postFilter: { kind: 'all' },
    postFilterCounts: false,
    boosts: [],
    sort: [],
    pins: [],
    removed: [],
    facets: [],
    ranges: [],
    topHits: [],
    offset: 0,
    limit: 0,
    spare: 0,
    counts: 'none',
    weights: DEFAULT_RELEVANCE,
  };
}

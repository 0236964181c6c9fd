import { compareCodePoints } from '../core/compare-text.ts';
import type { FuzzyTerm } from './search-index.ts';

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
 * The best fuzzy terms: those of one document only when there is no other, as they are often typos themselves, but the
 * word itself always; by distance, then by documents, then by code point.
 */
export function bestFuzzyTerms(words: readonly FuzzyTerm[], limit: number): readonly FuzzyTerm[] {
  const isFrequent = words.some(({ documents, distance }) => documents > 1 && distance > 0);
  const kept = isFrequent ? words.filter(({ documents, distance }) => documents > 1 || distance === 0) : words;
  const ordered = kept.toSorted(
    (a, b) => a.distance - b.distance || b.documents - a.documents || compareCodePoints(a.text, b.text),
  );
  return ordered.slice(0, limit);
}

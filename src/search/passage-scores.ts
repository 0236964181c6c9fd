import type { AnalysedPassage, QuestionTerm } from './retrieved-passages.ts';
import { createTermMatcher, type TermMatcher } from './term-matcher.ts';

/** Without headings and titles rank ≤ 5 drops by 11 points (answers design 3). */
const HEADING_WEIGHT = 1.6;
const TITLE_WEIGHT = 0.9;
/** b between 0.4 and 0.75 makes no difference (answers design 3). */
const K1 = 1.2;
const B = 0.6;
/** Stems of a usual passage: constant, so that a passage scores the same beside any others. */
const AVERAGE_TERMS = 60;
const LENGTH_OFFSET = 5;

export type PassageScorer = (analysed: AnalysedPassage) => number;

/** BM25 of a passage for a question: a term counts by the best of what satisfies it. O(stems of the passage). */
export function createPassageScorer(terms: readonly QuestionTerm[]): PassageScorer {
  const matchers = new Map<string, TermMatcher>();
  const matcherOf = (language: string) => {
    const matcher = matchers.get(language) ?? createTermMatcher(terms, language);
    matchers.set(language, matcher);
    return matcher;
  };
  return ({ passage, sentences, headings, title }) => {
    const matcher = matcherOf(passage.language);
    const counts = matcher.newCounts();
    let isFound = matcher.add(counts, headings, HEADING_WEIGHT);
    isFound = matcher.add(counts, title, TITLE_WEIGHT) || isFound;
    let length = LENGTH_OFFSET;
    for (const sentence of sentences) {
      isFound = matcher.add(counts, sentence, 1) || isFound;
      length += sentence.length;
    }
    if (!isFound) return 0;
    const norm = K1 * (1 - B + (B * length) / AVERAGE_TERMS);
    const saturate = (count: number) => (count * (K1 + 1)) / (count + norm);
    return terms.reduce((sum, { weight }, term) => sum + weight * matcher.best(term, counts, saturate), 0);
  };
}

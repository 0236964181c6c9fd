import { type ReadingRules, readQuery } from '../../src/search/query/read-query.ts';
import { compileSynonyms } from '../../src/search/synonyms.ts';
import type { MatchNode } from '../../src/search-index/query-plan.ts';

/** What a query text matches where there are no synonyms. */
export function matchOfText(text: string, rules: Omit<ReadingRules, 'synonyms'>): MatchNode {
  return readQuery(text, { ...rules, synonyms: compileSynonyms([], []) }).match;
}

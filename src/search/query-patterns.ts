import { editDistance } from '../core/edit-distance.ts';
import { matchesWildcard } from '../core/wildcard.ts';
import type { MatchNode, PatternNode } from '../search-index/query-plan.ts';

/** A pattern or fuzzy word of a query, as a test of folded words. */
export type QueryPattern = {
  readonly field: string | undefined;
  /** What every such word begins with; `''` = anything. */
  readonly head: string;
  matches(folded: string): boolean;
};

/** Patterns and fuzzy words of a match that select documents: those under a `not` mark nothing. */
export function queryPatterns(match: MatchNode): readonly QueryPattern[] {
  switch (match.kind) {
    case 'prefix':
    case 'wildcard':
    case 'fuzzy':
      return [queryPattern(match)];
    case 'and':
    case 'or':
      return match.of.flatMap(queryPatterns);
    case 'some':
      return [...match.must, ...match.should].flatMap(queryPatterns);
    default:
      return [];
  }
}

function queryPattern(node: PatternNode): QueryPattern {
  const { field } = node;
  if (node.kind === 'fuzzy') {
    const { text, distance } = node;
    return { field, head: '', matches: (folded) => isWithin(text, folded, distance) };
  }
  if (node.kind === 'prefix') {
    const { pattern } = node;
    return { field, head: pattern, matches: (folded) => folded.startsWith(pattern) };
  }
  const [head = ''] = node.pattern.split(/[*?]/, 1);
  const pattern = [...node.pattern];
  return { field, head, matches: (folded) => matchesWildcard(pattern, [...folded]) };
}

function isWithin(a: string, b: string, distance: number): boolean {
  return a === b || (Math.abs(a.length - b.length) <= distance && editDistance(a, b) <= distance);
}

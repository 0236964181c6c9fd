import { weightedSaturation } from '../../relevance.ts';
import type { WeightedList, WordLists } from './compile.ts';
import type { LeafScope } from './evaluate-leaf.ts';
import { matchesOfTerms } from './evaluate-terms.ts';
import { matchesOfExpansion } from './expand-pattern.ts';
import { forEachPhrase } from './phrase-matches.ts';
import type { GroupMatches } from './word-source.ts';

/**
 * The word with its alternatives in a segment, evaluated once per query; undefined when only its own lists have
 * postings there, which every path reads faster as they are. A pattern always is a group.
 */
export function groupIn(scope: LeafScope, word: WordLists): GroupMatches | undefined {
  const { segmentIndex, groups } = scope;
  const { pattern } = word;
  if (pattern === undefined && !word.also.some((list) => occursIn(list, segmentIndex))) return undefined;
  let group = groups.get(word);
  if (group === undefined) {
    group = pattern === undefined ? evaluateGroup(scope, word, undefined) : matchesOfExpansion(scope, pattern);
    groups.set(word, group);
  }
  return group;
}

/**
 * Best list per document, in one field or in searched text. O(Σ df · log lists); for fields and several words plus
 * their positions.
 */
export function evaluateGroup(scope: LeafScope, word: WordLists, field: number | undefined): GroupMatches {
  const lists = [matchesOfTerms(scope, word, field), ...word.also.map((list) => matchesOfList(scope, list, field))];
  let best: GroupMatches = { count: 0, documents: new Uint32Array(0), saturations: new Float32Array(0) };
  // The shortest first: what they make together is walked again for every list behind them.
  for (const list of lists.sort((a, b) => a.count - b.count)) best = uniteBest(best, list);
  return best;
}

function occursIn({ words }: WeightedList, segmentIndex: number): boolean {
  return words.length > 0 && words.every(({ plain }) => plain[segmentIndex]!.length > 0);
}

function matchesOfList(scope: LeafScope, list: WeightedList, field: number | undefined): GroupMatches {
  const [only] = list.words;
  const found =
    list.words.length === 1 && only !== undefined
      ? matchesOfTerms(scope, only, field)
      : matchesOfPhrase(scope, list, field);
  const { count, saturations } = found;
  for (let i = 0; i < count; i++) saturations[i] = weightedSaturation(list.weight, saturations[i]!);
  return found;
}

/** Documents in which the words stand together, each with the least of their Ts. */
function matchesOfPhrase(scope: LeafScope, list: WeightedList, field: number | undefined): GroupMatches {
  const documents: number[] = [];
  const saturations: number[] = [];
  forEachPhrase(scope, { ...list, field }, (document, termsOf) => {
    let least = Number.POSITIVE_INFINITY;
    for (const saturation of termsOf) least = Math.min(least, saturation.of(document));
    documents.push(document);
    saturations.push(least);
  });
  return {
    count: documents.length,
    documents: Uint32Array.from(documents),
    saturations: Float32Array.from(saturations),
  };
}

/** Union of two lists, ascending, with the higher saturation where a document is in both. */
function uniteBest(a: GroupMatches, b: GroupMatches): GroupMatches {
  if (a.count === 0) return b;
  if (b.count === 0) return a;
  const documents = new Uint32Array(a.count + b.count);
  const saturations = new Float32Array(a.count + b.count);
  let count = 0;
  let i = 0;
  let j = 0;
  while (i < a.count || j < b.count) {
    const x = i < a.count ? a.documents[i]! : Number.POSITIVE_INFINITY;
    const y = j < b.count ? b.documents[j]! : Number.POSITIVE_INFINITY;
    documents[count] = Math.min(x, y);
    const own = x <= y ? a.saturations[i++]! : 0;
    const other = y <= x ? b.saturations[j++]! : 0;
    saturations[count++] = Math.max(own, other);
  }
  return { count, documents, saturations };
}

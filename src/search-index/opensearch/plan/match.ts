import { isPattern, type MatchNode, type WordNode } from '../../query-plan.ts';
import { groupFrequency, idf } from '../../relevance.ts';
import type { QueryWord } from '../../rerank.ts';
import type { Json } from '../connection.ts';
import { type Leaf, type Prepared, rarestOf } from '../prepare-plan.ts';
import { filterQuery } from './filter.ts';
import { patternQuery, patternScore } from './pattern.ts';
import { listScore, phraseScoreOf, type Scoring } from './scripts.ts';
import { anyOf, listQuery, NOTHING, termsByLanguage, type WordList } from './word-lists.ts';

/** A prepared plan with what its scores are made of. */
export type Scope = Prepared & Scoring;

/** Documents that match a node, without a score. */
export function matchQuery(node: MatchNode, scope: Scope): Json {
  const all = (nodes: readonly MatchNode[]) => nodes.map((part) => matchQuery(part, scope));
  const { languages } = scope.generation.words;
  switch (node.kind) {
    case 'all':
      return { match_all: {} };
    case 'none':
      return NOTHING;
    case 'filter':
      return filterQuery(node.filter, scope.generation.typeOf);
    case 'prefix':
    case 'wildcard':
    case 'fuzzy':
      return patternQuery(node, scope.patterns.get(node)?.expansion ?? new Map());
    case 'word':
      return anyOf(listsOf(node).map((list) => listQuery(list, languages)));
    case 'phrase':
      return listQuery(node, languages);
    case 'and':
      return { bool: { filter: all(node.of) } };
    case 'or':
      return anyOf(all(node.of));
    case 'some':
      return node.must.length === 0 ? anyOf(all(node.should)) : { bool: { filter: all(node.must) } };
    case 'not':
      return { bool: { must_not: all(node.of) } };
  }
}

/** The same with scores: what matches is asked first, then every leaf adds what it scores. */
export function scoredQuery(scope: Scope): Json {
  const { match, leaves } = scope;
  const [only] = leaves;
  if (only !== undefined && only === match) return leafScore(only, scope);
  if (match.kind === 'or' && match.of.length > 0 && match.of.every((part) => leaves.includes(part as Leaf))) {
    return { bool: { should: leaves.map((leaf) => leafScore(leaf, scope)), minimum_should_match: 1 } };
  }
  return {
    bool: {
      filter: [matchQuery(match, scope)],
      should: leaves.map((leaf) => leafScore(leaf, scope)),
      minimum_should_match: 0,
    },
  };
}

/** What a leaf adds to the score of a document that it matches. */
export function leafScore(leaf: Leaf, whole: Scope): Json {
  // Queries that are equal would be taken for one, and a repeated word would count once.
  const scope = { ...whole, place: whole.leaves.indexOf(leaf) };
  const { languages } = scope.generation.words;
  if (leaf.kind === 'all') return { match_all: {} };
  if (leaf.kind === 'filter') {
    return { constant_score: { filter: filterQuery(leaf.filter, scope.generation.typeOf), boost: leaf.boost } };
  }
  if (isPattern(leaf)) {
    return patternScore(leaf, scope.patterns.get(leaf) ?? { expansion: new Map(), documents: 0 }, scope);
  }
  if (leaf.kind === 'phrase') {
    const words = leaf.words.map((text) => ({
      terms: termsByLanguage(text, languages),
      weight: idfOf({ text, also: [] }, scope) * leaf.boost,
    }));
    return phraseScoreOf(listQuery(leaf, languages), words, scope);
  }
  const weight = wordIdf(leaf, scope) * leaf.boost;
  const lists = listsOf(leaf).map((list) => {
    const words = list.words.map((word) => ({ terms: termsByLanguage(word, languages), weight: 1 }));
    return listScore(listQuery(list, languages), words, scope, { weight, factor: list.weight });
  });
  return lists.length === 1 && lists[0] !== undefined ? lists[0] : { dis_max: { queries: lists } };
}

type WeightedList = WordList & { readonly weight: number };

/** The word and its alternatives, of which the best counts; those without a document are left out. */
function listsOf({ text, field, also }: WordNode): readonly WeightedList[] {
  return [{ words: [text], slop: 0, weight: 1 }, ...also].map((list) => ({ ...list, field }));
}

/** A name is worth at most what the words before it are. */
export function wordIdf(leaf: WordNode, scope: Scope): number {
  const own = idfOf(leaf, scope);
  if (leaf.role !== 'name') return own;
  const before = scope.leaves.slice(0, scope.leaves.indexOf(leaf)).flatMap((other): readonly Group[] => {
    if ((other.kind !== 'word' && other.kind !== 'phrase') || other.field !== undefined) return [];
    return other.kind === 'word' ? [other] : other.words.map((text) => ({ text, also: [] }));
  });
  return Math.min(
    own,
    before.reduce((sum, word) => sum + idfOf(word, scope), 0),
  );
}

type Group = Pick<QueryWord, 'text' | 'also'>;

export function idfOf({ text, also }: Group, { frequencyOf, generation }: Scope): number {
  const lists = also.map(({ words, weight }) => ({ weight, documentFrequency: rarestOf(words, frequencyOf) }));
  const own = { weight: 1, documentFrequency: frequencyOf(text) };
  return idf(generation.documents, groupFrequency(generation.documents, [own, ...lists]));
}

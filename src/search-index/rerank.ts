import type { Alternative, MatchNode, QueryPlan, RecencyRule, RerankWeights, WordNode } from './query-plan.ts';
import { addScores } from './relevance.ts';

/**
 * A word of the query. Those of role `stop` neither select nor count as part of what was asked. Alternatives count for
 * its idf and for coverage, not for what is read from titles and positions.
 */
export type QueryWord = {
  readonly text: string;
  readonly also: readonly Alternative[];
  readonly role: 'content' | 'stop';
};

export type WeightedWord = QueryWord & { readonly idf: number };

/**
 * What one document shows of the query's words beyond how often it has them. Lists are parallel to the words. The
 * title is the first value of class A that has a token.
 */
export type RerankFeatures = {
  /** T (`saturationTable`) of the word; 0 when the document does not have it in searched text. */
  readonly saturation: ArrayLike<number>;
  /** `proximityOf` the nearest occurrences of a content word and the next content word, the best over all classes. */
  readonly proximity: ArrayLike<number>;
  /** Not 0: the title has the word. */
  readonly inTitle: ArrayLike<number>;
  /** Positions of the title, bigrams' too, 0 when class A has no content word; and those that query words take. */
  readonly titleLength: number;
  readonly titleCovered: number;
  /** The content words stand side by side in order of the query, with no other than its stop words between them. */
  readonly phraseInTitle: boolean;
  readonly phraseInB: boolean;
  /** The same, and the title, or the name in it (`text/title-name`), holds nothing else. */
  readonly titleIsQuery: boolean;
  /** Milliseconds since the latest instant of the recency field; undefined = it has none. */
  readonly ageMs: number | undefined;
};

/** Bonuses in the order in which they are added. */
export const RERANK_FEATURES = [
  'proximity',
  'titleCoverage',
  'titleIsQuery',
  'phraseInTitle',
  'phraseInB',
  'stopWords',
  'recency',
] as const;

/** Words between two neighbours of the query that still count as close. */
export const MAX_BETWEEN = 8;

/** What closeness counts in classes A, B and C. */
export const PROXIMITY_FACTORS = [2, 1.5, 1] as const;

const REVERSED_FACTOR = 0.5;
const DAY_MS = 86_400_000;

/** Closeness of two occurrences in one class, at most `MAX_BETWEEN + 1` positions apart, at least one. */
export function proximityOf(classFactor: number, distance: number, reversed: boolean): number {
  return ((reversed ? REVERSED_FACTOR : 1) * classFactor) / distance;
}

/** Sort keys that mean relevance. */
const RELEVANCE_KEYS: readonly string[] = ['_score', '_rank'];

/** Whether the bonuses can change anything for a plan. */
export function usesReranking({ weights, sort, limit, spare }: QueryPlan): boolean {
  return weights.window > 0 && limit + spare > 0 && sort.every(({ field }) => RELEVANCE_KEYS.includes(field));
}

/**
 * Words of searched text outside `not`, those of phrases too, in order of the tree. `selecting` = the tree without
 * its stop words.
 */
export function queryWords(match: MatchNode, selecting: MatchNode): readonly QueryWord[] {
  const content = new Set<MatchNode>(textLeaves(selecting));
  return textLeaves(match).flatMap((leaf) => {
    const role = content.has(leaf) ? 'content' : 'stop';
    if (leaf.kind === 'word') return [{ text: leaf.text, also: leaf.also, role } as const];
    return leaf.words.map((text) => ({ text, also: [], role }) as const);
  });
}

type TextLeaf = WordNode | Extract<MatchNode, { kind: 'phrase' }>;

/** Words and phrases of searched text outside `not`, in order of the tree; names are neither. */
export function textLeaves(node: MatchNode): readonly TextLeaf[] {
  switch (node.kind) {
    case 'word':
      return node.field === undefined && node.role !== 'name' ? [node] : [];
    case 'phrase':
      return node.field === undefined ? [node] : [];
    case 'and':
    case 'or':
      return node.of.flatMap(textLeaves);
    case 'some':
      return [...node.must, ...node.should].flatMap(textLeaves);
    default:
      return [];
  }
}

/** Summed idf of the content words. */
export function informationOf(words: readonly WeightedWord[]): number {
  let sum = 0;
  for (const { idf, role } of words) if (role === 'content') sum += idf;
  return sum;
}

/** Share of the content words' idf that belongs to those found; 0 when there are none. */
export function coverageOf(words: readonly WeightedWord[], isFound: (word: number) => boolean): number {
  const found = words.filter((_, i) => isFound(i));
  return words.some(({ role }) => role === 'content') ? informationOf(found) / informationOf(words) : 0;
}

export type RerankRules = {
  readonly words: readonly WeightedWord[];
  /** `informationOf` the words. */
  readonly information: number;
  readonly weights: RerankWeights;
  readonly recency: RecencyRule | undefined;
};

/** What a document gets on top of a first-stage score above 0: float32 numbers ≥ 0 in order of `BONUSES`. */
export function rerankScores(rules: RerankRules, features: RerankFeatures): readonly number[] {
  const { words, information, weights } = rules;
  const { titleLength, titleCovered, phraseInTitle, phraseInB, titleIsQuery } = features;
  const titled = titleLength === 0 ? 0 : titleIdf(words, features) * (titleCovered / titleLength);
  return [
    Math.fround(weights.proximity * proximity(words, features)),
    Math.fround(weights.titleCoverage * titled),
    Math.fround(titleIsQuery ? weights.titleIsQuery * information : 0),
    Math.fround(phraseInTitle ? weights.phraseInTitle * information : 0),
    Math.fround(phraseInB ? weights.phraseInB * information : 0),
    Math.fround(weights.stopWords * stopWords(words, features)),
    Math.fround(recencyScore(rules, features)),
  ];
}

/** Sum of the bonuses, in float32. */
export function rerankScore(rerankWeights: readonly number[]): number {
  let sum = 0;
  for (const feature of rerankWeights) sum = addScores(sum, feature);
  return sum;
}

function proximity(words: readonly WeightedWord[], { proximity }: RerankFeatures): number {
  let sum = 0;
  let before = -1;
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    if (word === undefined || word.role === 'stop') continue;
    if (before >= 0) sum += Math.min(word.idf, words[before]?.idf ?? 0) * (proximity[before] ?? 0);
    before = i;
  }
  return sum;
}

function titleIdf(words: readonly WeightedWord[], { inTitle }: RerankFeatures): number {
  let sum = 0;
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    if (word?.role === 'content' && inTitle[i] !== 0) sum += word.idf;
  }
  return sum;
}

function stopWords(words: readonly WeightedWord[], { saturation }: RerankFeatures): number {
  let sum = 0;
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    if (word?.role === 'stop') sum += word.idf * (saturation[i] ?? 0);
  }
  return sum;
}

function recencyScore({ recency, information }: RerankRules, { ageMs }: RerankFeatures): number {
  if (recency === undefined || ageMs === undefined) return 0;
  return recency.weight * information * 2 ** (-ageMs / (recency.halfLifeDays * DAY_MS));
}

import type { FilterNode } from '../core/filters.ts';
import { isNameTerm, NAME_PREFIX } from '../text/term-keys.ts';
import type { MatchNode, ValueBoost } from './query-plan.ts';
import { addScores, boostScore, phraseScore, wordScore } from './relevance.ts';
import { RERANK_FEATURES, type RerankFeatures, type RerankRules, rerankScores } from './rerank.ts';

/**
 * A number of a score with what it is made of. `score` = its first part (`relevance`) times the `boost`s after it, by
 * `boostScore`; `phrase` = `phraseScore` of the sum of its parts; what else has parts is their sum; sums by
 * `addScores` in order.
 */
export type ScorePart = {
  readonly name: string;
  readonly value: number;
  readonly inputs: Readonly<Record<string, number | string | boolean>>;
  readonly parts: readonly ScorePart[];
};

/** Why a document is no hit: the first thing that keeps it out. */
export type Mismatch =
  /** No live document of the generation has the id. `dead` = it still knows one that was deleted. */
  | { readonly cause: 'absent'; readonly dead: boolean }
  /** The plan takes the id out. */
  | { readonly cause: 'removed' }
  /** A condition that should hold and does not, or, with `isExcluded`, the other way round. */
  | { readonly cause: 'filter' | 'post-filter'; readonly filter: FilterNode; readonly isExcluded: boolean }
  | { readonly cause: 'words'; readonly node: MatchNode; readonly isExcluded: boolean };

/** What a search says about one document. */
export type Explanation = {
  readonly generation: number;
  readonly seq: number;
  /** Undefined = it is a hit. */
  readonly mismatch: Mismatch | undefined;
  /** Place among all hits from 1; undefined = it is none, or one behind the first `EXPLAINED_HITS`. */
  readonly rank: number | undefined;
  /** The place that a pin asks for. */
  readonly pin: number | undefined;
  /** Of a hit. */
  readonly score: ScorePart | undefined;
};

/** Hits among which a document's rank is looked for. */
export const EXPLAINED_HITS = 10_000;

export type WordFacts = {
  readonly text: string;
  readonly field: string | undefined;
  readonly idf: number;
  /** idf × boost. */
  readonly weight: number;
  /** T of its best list. */
  readonly saturation: number;
  /** Term frequencies of the word itself in searched text, as far as a posting holds them. */
  readonly counts: { readonly a: number; readonly b: number; readonly c: number } | undefined;
};

/** What of the query the document has, in order of the tree. */
export type LeafFacts =
  | { readonly kind: 'all' }
  | { readonly kind: 'filter'; readonly value: number }
  | { readonly kind: 'pattern'; readonly text: string; readonly value: number }
  | { readonly kind: 'word'; readonly word: WordFacts }
  | { readonly kind: 'phrase'; readonly words: readonly WordFacts[] };

export type ScoreFacts = {
  readonly leaves: readonly LeafFacts[];
  /** Length of class C in tokens, as far as it is known. */
  readonly length: number;
  readonly rules: RerankRules;
  /** Undefined outside the window. */
  readonly features: RerankFeatures | undefined;
  /** Those that fit. */
  readonly boosts: readonly ValueBoost[];
};

/** The tree of a hit's score. */
export function explainScore({ leaves, length, rules, features, boosts }: ScoreFacts): ScorePart {
  const words = sumOf('words', leaves.map(leafPart), { length });
  const rerankWeights = features === undefined || words.value === 0 ? [] : [rerankPart(rules, features)];
  const relevance = sumOf('relevance', [words, ...rerankWeights]);
  const boostParts = boosts.map(({ field, values, factor }) => ({
    name: 'boost',
    value: factor,
    parts: [],
    inputs: { field, values: values.join(', ') },
  }));
  const value = boosts.reduce((product, { factor }) => boostScore(product, factor), relevance.value);
  return { name: 'score', value, inputs: {}, parts: [relevance, ...boostParts] };
}

/** The first node that keeps a document out, by what `matches` says of each; undefined when it matches. */
export function findMismatch(node: MatchNode, matches: (node: MatchNode) => boolean): Mismatch | undefined {
  if (matches(node)) return undefined;
  if (node.kind === 'not') return { cause: 'words', node: node.of.find(matches) ?? node, isExcluded: true };
  const part = requiredParts(node).find((own) => !matches(own));
  return part === undefined ? { cause: 'words', node, isExcluded: false } : findMismatch(part, matches);
}

/** Parts without which a node cannot match; of alternatives only a single one, a name not counted. */
function requiredParts(node: MatchNode): readonly MatchNode[] {
  if (node.kind === 'and') return node.of;
  if (node.kind === 'or') {
    const parts = node.of.filter((part) => part.kind !== 'word' || part.role !== 'name');
    return parts.length === 1 ? parts : [];
  }
  if (node.kind !== 'some') return [];
  return node.must.length > 0 || node.should.length !== 1 ? node.must : node.should;
}

/** The first condition of a filter that keeps a document out; undefined when it passes. */
export function findFailing(
  cause: 'filter' | 'post-filter',
  filter: FilterNode,
  passes: (filter: FilterNode) => boolean,
): Mismatch | undefined {
  if (passes(filter)) return undefined;
  if (filter.kind === 'not') {
    const inner = filter.of.kind === 'or' ? filter.of.of.find(passes) : undefined;
    return { cause, filter: inner ?? filter.of, isExcluded: true };
  }
  const isChain = filter.kind === 'and' || (filter.kind === 'or' && filter.of.length === 1);
  const part = isChain ? filter.of.find((entry) => !passes(entry)) : undefined;
  return part === undefined ? { cause, filter, isExcluded: false } : findFailing(cause, part, passes);
}

function leafPart(leaf: LeafFacts): ScorePart {
  if (leaf.kind === 'all') return { name: 'all', value: 1, inputs: {}, parts: [] };
  if (leaf.kind === 'filter') return { name: 'filter', value: leaf.value, inputs: {}, parts: [] };
  if (leaf.kind === 'pattern') return { name: 'pattern', value: leaf.value, inputs: { text: leaf.text }, parts: [] };
  if (leaf.kind === 'word') return wordPart(leaf.word);
  const sum = sumOf('phrase', leaf.words.map(wordPart));
  return { ...sum, value: phraseScore(sum.value) };
}

function wordPart({ text, field, idf, weight, saturation, counts }: WordFacts): ScorePart {
  const isName = isNameTerm(text);
  return {
    name: isName ? 'name' : 'word',
    value: wordScore({ idf: weight, boost: 1 }, saturation),
    inputs: {
      text: isName ? text.slice(NAME_PREFIX.length) : text,
      ...(field !== undefined && { field }),
      idf,
      weight,
      saturation,
      ...(counts !== undefined && { titleCount: counts.a, fieldCount: counts.b, textCount: counts.c }),
    },
    parts: [],
  };
}

function rerankPart(rules: RerankRules, features: RerankFeatures): ScorePart {
  const { titleLength, titleCovered, ageMs } = features;
  const values = rerankScores(rules, features);
  const parts = RERANK_FEATURES.map((name, i) => ({ name, value: values[i] ?? 0, inputs: {}, parts: [] }));
  return sumOf('bonuses', parts, {
    information: rules.information,
    titleLength,
    titleCovered,
    ...(ageMs !== undefined && { ageMs }),
  });
}

function sumOf(name: string, parts: readonly ScorePart[], inputs: ScorePart['inputs'] = {}): ScorePart {
  let value = 0;
  for (const part of parts) value = addScores(value, part.value);
  return { name, value, inputs, parts };
}

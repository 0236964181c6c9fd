import { type TypeOfField, valuesOf } from '../../../src/core/filters.ts';
import { isOfText, type MatchNode, type QueryPlan } from '../../../src/search-index/query-plan.ts';
import { addScores, boostScore } from '../../../src/search-index/relevance.ts';
import {
  coverageOf,
  informationOf,
  type QueryWord,
  queryWords,
  type RerankFeatures,
  type RerankRules,
  rerankScore,
  rerankScores,
  usesReranking,
} from '../../../src/search-index/rerank.ts';
import type { ScoredDocument } from './count-facets.ts';
import { hasWord, type Scorer } from './evaluate-match.ts';
import type { IndexedDocument } from './indexed-document.ts';
import { orderHits } from './order-hits.ts';
import { ageOf, readRerankFeatures } from './rerank-features.ts';

export type Scope = {
  readonly plan: QueryPlan;
  readonly words: readonly QueryWord[];
  readonly scorer: Scorer;
  readonly typeOf: TypeOfField;
};

export type Reranked = {
  readonly ranked: readonly ScoredDocument[];
  /** Row ids of those that got bonuses. */
  readonly window: ReadonlySet<number>;
  readonly bestCoverage: number;
};

/** The best matches of the first stage with their bonuses, the rest as they are, and what the best one covers. */
export function rerank(matches: readonly ScoredDocument[], scope: Scope): Reranked {
  const { plan, typeOf } = scope;
  const rules = rerankRules(scope);
  const applies = usesReranking(plan) && rules.words.some(({ role }) => role === 'content');
  const window = new Set(
    orderHits(matches, [], typeOf)
      .slice(0, applies ? plan.weights.window : 0)
      .map(({ rid }) => rid),
  );
  const ranked = matches.map((match) =>
    window.has(match.indexed.document.rid) ? withRerankScores(match, rules, scope) : match,
  );
  const best = orderHits(ranked, [], typeOf)[0];
  const document = matches.find(({ indexed }) => indexed.document.rid === best?.rid)?.indexed;
  const isAsked = plan.limit + plan.spare > 0;
  const bestCoverage =
    document === undefined || !isAsked ? 0 : coverageOf(rules.words, (i) => isCovered(document, rules.words[i]));
  return { ranked, window, bestCoverage };
}

/**
 * The words of a query with all that satisfies them: `selecting` = `words` without stop words, `match` = the same with
 * fuzzy terms.
 */
export function queryWordsOf(
  input: Readonly<Record<'words' | 'selecting' | 'match', MatchNode>>,
): readonly QueryWord[] {
  const complete = queryWords(input.match, input.match).values();
  return queryWords(input.words, input.selecting).map((word) =>
    word.role === 'stop' ? word : { ...word, also: complete.next().value?.also ?? [] },
  );
}

/** By the document's own text. Of several words that stand for one it needs all. */
function isCovered(document: IndexedDocument, word: QueryWord | undefined): boolean {
  const has = (text: string) => hasWord(document, text, undefined);
  const also = (word?.also ?? []).filter(({ source }) => isOfText(source)).map(({ words }) => words);
  return word !== undefined && [[word.text], ...also].some((words) => words.length > 0 && words.every(has));
}

/** The score times the factors of the boosts that fit, in their order. */
export function boostDocument({ document }: IndexedDocument, score: number, { boosts }: QueryPlan): number {
  const fitting = boosts.filter(({ field, values }) => valuesOf(document, field).some((own) => values.includes(own)));
  return fitting.reduce((product, { factor }) => boostScore(product, factor), score);
}

export function rerankRules({ plan, words: asked, scorer }: Scope): RerankRules {
  const words = asked.map((word) => ({ ...word, idf: scorer.idfOf(word) }));
  return { words, information: informationOf(words), weights: plan.weights.rerankWeights, recency: plan.recency };
}

function withRerankScores(match: ScoredDocument, rules: RerankRules, scope: Scope): ScoredDocument {
  const { indexed, first } = match;
  if (first === 0) return match;
  const relevance = addScores(first, rerankScore(rerankScores(rules, featuresOf(indexed, rules, scope))));
  return { ...match, score: boostDocument(indexed, relevance, scope.plan) };
}

export function featuresOf(indexed: IndexedDocument, rules: RerankRules, { scorer, typeOf }: Scope): RerankFeatures {
  return readRerankFeatures(indexed, rules.words, {
    saturation: rules.words.map(({ text }) => scorer.ownSaturationOf(indexed, text)),
    ageMs: rules.recency === undefined ? undefined : ageOf(indexed, rules.recency, typeOf),
  });
}

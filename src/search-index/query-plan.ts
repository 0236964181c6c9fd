import type { FilterNode } from '../core/filters.ts';

/**
 * What a search matches. A word is one token as `text/tokenizer` writes it; the adapter stems it per document
 * language. Rules for every adapter:
 * - a word or phrase without a field matches values of text class a, b or c (`textClassOfValue`), one with a field
 *   matches every value of that field and no other;
 * - words of a phrase stand in one value in this order, with at most `slop` further positions between them in all;
 * - `and` of nothing matches everything, `or` of nothing nothing; `some` needs every `must`, and one `should` when
 *   there is no `must`; `not` matches when none of `of` does;
 * - words of role `stop` are left out, except inside `not`, and with them an `and`, `or` or `some` that held nothing
 *   else; when nothing else outside `not` selects (word, phrase or `all`), they are content;
 * - wildcards, prefixes and fuzzy words match folded surface forms, never stems, of the same values as words do, but
 *   with the field `Title` or `Content` of its searched values only;
 * - a pattern scores as a word with the idf of all documents it matches; its saturation is the best over the edit
 *   distances of its forms in the document: T of `patternTf` (in title: one of the forms of this distance is in class
 *   a) times the weight of `DISTANCE_WEIGHTS`; `filter` matches the documents that pass it;
 * - a document's score is the sum (`addScores`, in order of the tree) over all leaves outside `not` that match it:
 *   `wordScore`, `phraseScore`; `all` adds 1, `filter` its boost; then `boostScore` per boost that
 *   fits, in their order;
 * - sorted by relevance, the `weights.window` best results of that get bonuses (`rerank.ts`): their score is
 *   (sum + bonuses) × boosts, 0 stays 0. Bonuses only add, so that these stay before the rest. Facets and top hits
 *   know the first score only;
 * - a word's df counts the live documents that have it in class a, b or c, whatever its field; its tf byte counts
 *   all of these classes, or, when it stands in class `none` only, that count as class c;
 * - outside `not` and without a field, a word also matches the words beside a document's main text
 *   (`structure.surroundings`), as an alternative of little weight whose count is one of class c and no part of the
 *   length. These are in no field, phrase, pattern, facet or completion, are no fuzzy terms, cover nothing of what was
 *   asked, and are not among what a search says it matched;
 * - the same holds for the words of texts of links that lead to a document (`linkTexts`), whose count is one of class b
 *   (`linkCount` by the pages that have such a link);
 * - a word of role `name` stands for the whole query: it matches the documents that have it among their names
 *   (`namesOf`), with their counts by class; it is no word that was asked for, and stands in an `or` at the root of
 *   the tree, from which it is left out when no document has it; its idf is that of its documents, but at most the sum
 *   of those of the words and phrases of searched text before it;
 * - a document is judged by the length of `judgedLength`: an index, a listing of source code and a history of changes
 *   count as longer than they are;
 * - a phrase's sum takes each of its words like a word of the phrase's field and boost;
 * - a word and its alternatives are lists of one group: an alternative matches in the word's field too, its
 *   saturation is `weightedSaturation` of the least of its words', its df that of its rarest word; the group has the
 *   df of `groupFrequency` and in each document the highest saturation of the lists that match there.
 */
export type MatchNode =
  | { readonly kind: 'all' }
  | { readonly kind: 'none' }
  | WordNode
  | {
      readonly kind: 'phrase';
      readonly words: readonly string[];
      readonly slop: number;
      readonly field?: string;
      readonly boost: number;
    }
  | PatternNode
  | { readonly kind: 'filter'; readonly filter: FilterNode; readonly boost: number }
  | { readonly kind: 'and' | 'or'; readonly of: readonly MatchNode[] }
  | { readonly kind: 'some'; readonly must: readonly MatchNode[]; readonly should: readonly MatchNode[] }
  | { readonly kind: 'not'; readonly of: readonly MatchNode[] };

export type WordNode = {
  readonly kind: 'word';
  readonly text: string;
  readonly field?: string;
  readonly boost: number;
  /**
   * A stop word selects only when no other word does; it then counts as content. The text of a `name` is a `nameTerm`
   * (`text/term-keys`).
   */
  readonly role: 'content' | 'stop' | 'name';
  /**
   * `when-absent`: a word that, with its alternatives, no document has takes the `MAX_FUZZY_TERMS` best fuzzy terms of
   * the index as alternatives of `DISTANCE_WEIGHTS`, within `maxEditsOf`, while another word or phrase that scores
   * has documents of its own.
   */
  readonly fuzzy: 'never' | 'when-absent';
  /** What satisfies the word too. Together with it they are one word: one idf, and the best of them counts. */
  readonly also: readonly Alternative[];
};

/** One word, or several that stand together in one value; `weight` in (0, 1] times what it scores on its own. */
export type Alternative = {
  readonly words: readonly string[];
  readonly slop: number;
  readonly weight: number;
  /**
   * The planner's synonyms and spellings (words written as one or as two, irregular forms), and what a word that is
   * still being typed may become; the others, and further spellings, are what an adapter adds itself: fuzzy terms, and the forms of `withWordForms`, among them terms that no text can hold (`text/term-keys`).
   */
  readonly source:
    | 'synonym'
    | 'completion'
    | 'split'
    | 'part'
    | 'spelling'
    | 'bigrams'
    | 'linkText'
    | 'surroundings'
    | 'fuzzy';
};

/** Whether an alternative stands in what a document's readers see, so that it may cover what was asked. */
export function isOfText(source: Alternative['source']): boolean {
  return source !== 'surroundings' && source !== 'linkText';
}

/**
 * Matches surface forms. `pattern`: folded, `*` = any text, `?` = one character, `\` escapes; a prefix is the text
 * before its `*`. A fuzzy word matches within `distance` edits (optimal string alignment). The forms of highest
 * document frequency count, `MAX_EXPANSIONS` at most.
 */
export type PatternNode =
  | {
      readonly kind: 'prefix' | 'wildcard';
      readonly pattern: string;
      readonly field?: string;
      readonly boost: number;
    }
  | {
      readonly kind: 'fuzzy';
      readonly text: string;
      readonly distance: 0 | 1 | 2;
      readonly field?: string;
      readonly boost: number;
    };

export function isPattern(node: MatchNode): node is PatternNode {
  return node.kind === 'prefix' || node.kind === 'wildcard' || node.kind === 'fuzzy';
}

/** Surface forms that a pattern or fuzzy word may stand for. */
export const MAX_EXPANSIONS = 1_000;

/**
 * Values compare by the field's type, texts without regard to case (then by code point); the smallest of several
 * counts ascending, the largest descending; a document without a value of the type is last either way; points have no
 * order. `_score` and `_rank` are relevance, best first in both directions.
 */
export type SortKey = { readonly field: string; readonly direction: 'ascending' | 'descending' };
/** Multiplies the score once when any value of the field equals any of `values`. */
export type ValueBoost = { readonly field: string; readonly values: readonly string[]; readonly factor: number };

/**
 * Counts of every distinct value, the empty text too. `includeEmpty` adds values of live documents without a match.
 * Ordered by count, best score or key (by code point) in the given direction, equal items by key ascending.
 */
export type FacetRequest = {
  readonly name: string;
  readonly field: string;
  readonly orderBy: 'DocCount' | 'DocScore' | 'Alphabetically';
  readonly direction: 'Desc' | 'Asc';
  readonly size: number;
  readonly includeEmpty: boolean;
  readonly facets: readonly FacetRequest[];
};

/** One range facet: `from` inclusive, `to` exclusive, both in the number or instant of the field; ±Infinity = open. */
export type RangeRequest = {
  readonly label: string;
  readonly field: string;
  readonly ranges: readonly { readonly from: number; readonly to: number }[];
  readonly unit: 'number' | 'date';
};

/**
 * Per field the most frequent values among the matches that facets count, each with its best hits in the order of the
 * plan without pins and bonuses; equally frequent values by code point.
 */
export type TopHitsRequest = { readonly field: string; readonly size: number; readonly maxFieldValues: number };

/** A document that an editor puts at a place among the results, 1-based. Contract: 2.10. */
export type Pin = { readonly id: string; readonly rank: number };

/** Weights of scoring; inputs of a search, so they change without indexing. */
export type RelevanceSettings = {
  readonly classWeights: { readonly a: number; readonly b: number; readonly c: number };
  readonly k1: number;
  readonly b: number;
  /** The best hits by these weights alone that the bonuses are given to; 0 = none. */
  readonly window: number;
  /** Each at least 0. */
  readonly rerankWeights: RerankWeights;
};

/** Shares of the query's summed idf, but for `proximity` (of the rarer word of a pair) and `stopWords` (of the word). */
export type RerankWeights = {
  readonly proximity: number;
  readonly titleCoverage: number;
  readonly titleIsQuery: number;
  readonly phraseInTitle: number;
  readonly phraseInB: number;
  readonly stopWords: number;
};

/**
 * A bonus of `weight` × summed idf × 2^(-age / half-life) for the latest instant of a date field that is not after
 * `now` (epoch milliseconds).
 */
export type RecencyRule = {
  readonly field: string;
  readonly halfLifeDays: number;
  readonly weight: number;
  readonly now: number;
};

export type QueryPlan = {
  readonly match: MatchNode;
  readonly operator: 'AND' | 'OR';
  /** Acts on results and facets. */
  readonly filter: FilterNode;
  /** Acts on results; on counts only with `postFilterCounts`. */
  readonly postFilter: FilterNode;
  readonly postFilterCounts: boolean;
  readonly boosts: readonly ValueBoost[];
  /** Empty = by relevance. Fields `_score` and `_rank` = relevance. */
  readonly sort: readonly SortKey[];
  /**
   * In order of precedence. A pinned document that passes filter and post-filter is a match, whatever the words, and
   * stands at its rank; at the same rank the later one takes the next free place. What the words did not match scores
   * 0. The same id under several crawlers means the lowest crawler. Ignored unless the sort is by relevance.
   */
  readonly pins: readonly Pin[];
  /** Ids that are no match, nor counted, whatever they contain; also when they are pinned. */
  readonly removed: readonly string[];
  readonly facets: readonly FacetRequest[];
  readonly ranges: readonly RangeRequest[];
  readonly topHits: readonly TopHitsRequest[];
  readonly offset: number;
  readonly limit: number;
  /** Hits beyond the page that replace those whose row has just gone. */
  readonly spare: number;
  /**
   * `none`: only the best hits are wanted; `total` is then a lower bound, at least 1 when anything matches, and facets,
   * ranges and top hits are empty. With no hits wanted either, it is the question whether anything matches.
   */
  readonly counts: 'exact' | 'none';
  readonly weights: RelevanceSettings;
  readonly recency?: RecencyRule;
  /** Waits behind other searches and is never refused for their number: for callers that are limited elsewhere. */
  readonly isBackground?: boolean;
  /** What is made of the hits; absent = nothing. */
  readonly output?: PlanOutput;
  /** Estimated nanoseconds above which the plan is refused with `search.too-costly`. */
  readonly budgetNs?: number;
};

/**
 * What a plan costs, by the part of it that causes the cost: estimated nanoseconds of processor time, known before it
 * runs. `hits` is the page: its order, reading its documents, and what is made of them (`QueryPlan.output`).
 */
export type PlanCost = {
  readonly match: number;
  readonly filter: number;
  readonly postFilter: number;
  readonly boosts: number;
  readonly facets: number;
  readonly ranges: number;
  readonly topHits: number;
  readonly sort: number;
  readonly hits: number;
};

export type PlanPart = keyof PlanCost;

/** What the caller makes of the hits, which is part of what a search costs. */
type PlanOutput = {
  /** Fields of a document that are returned; empty = all of them. */
  readonly fields: readonly string[];
  readonly highlight: boolean;
};

export function totalCost(cost: PlanCost): number {
  return Object.values(cost).reduce((sum, own) => sum + own, 0);
}

/** The part that costs most. */
export function dearestPart(cost: PlanCost): PlanPart {
  const parts = Object.keys(cost) as PlanPart[];
  return parts.reduce((dearest, part) => (cost[part] > cost[dearest] ? part : dearest));
}

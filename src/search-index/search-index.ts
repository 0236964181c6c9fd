import type { FieldType } from '../core/field-values.ts';
import type { FilterNode } from '../core/filters.ts';
import type { Vocabulary } from '../text/compounds.ts';
import type { CompletionOptions, Completions } from './completions.ts';
import type { Explanation } from './explanation.ts';
import type { Alternative, MatchNode, PlanCost, QueryPlan } from './query-plan.ts';

export type IndexHit = {
  readonly rid: number;
  readonly crawlerId: number;
  readonly id: string;
  /** Finite, ≥ 0; 1 for match-all. */
  readonly score: number;
  /** The hit's sort values in order of `plan.sort`; `undefined` = the document has none. */
  readonly sortValues: readonly (number | string | undefined)[];
};

export type FacetItem = {
  readonly key: string;
  readonly count: number;
  readonly facets: readonly FacetCounts[];
};

/** Counts over all matches of query and filter, whatever the page. */
export type FacetCounts = {
  readonly name: string;
  readonly field: string;
  readonly items: readonly FacetItem[];
  /** Matches with and without the field. */
  readonly allCount: number;
  readonly missingCount: number;
};

/** A frequent value among the matches with its best hits. */
export type TopValue = { readonly value: string; readonly count: number; readonly hits: readonly IndexHit[] };

/** What matched a query word or pattern: what highlighting marks, in `field` or every searched text. */
export type MatchedWord = {
  readonly text: string;
  /** Stems of the word in every language of the engine. */
  readonly forms: ReadonlySet<string>;
  readonly field: string | undefined;
  /** What satisfied the word too; absent = nothing did. */
  readonly also?: readonly MatchedAlternative[];
  /** Of a pattern: the folded surface forms that it stands for, those of most documents first; it has no stems. */
  readonly surfaces?: ReadonlySet<string>;
};

/** An alternative that live documents have: one word, or several that stand together in one value within `slop`. */
export type MatchedAlternative = {
  readonly words: readonly string[];
  readonly slop: number;
  readonly source: Alternative['source'];
  /** Per word its stems in every language of the engine. */
  readonly forms: readonly ReadonlySet<string>[];
};

export type Hits = {
  readonly seq: number;
  readonly total: number;
  /** At most `limit + spare` from `offset` on. */
  readonly hits: readonly IndexHit[];
  readonly facets: readonly FacetCounts[];
  readonly ranges: readonly { readonly label: string; readonly counts: readonly number[] }[];
  readonly topHits: readonly { readonly field: string; readonly values: readonly TopValue[] }[];
  readonly matched: readonly MatchedWord[];
  /**
   * Share of the query's idf that belongs to words which the best match by relevance has: 0 to 1; 0 without a match,
   * without a content word in searched text, and when no hits were asked for.
   */
  readonly bestCoverage: number;
  /** What a plan with a budget was estimated to cost; absent where nothing is estimated. */
  readonly cost?: PlanCost;
  /** Splits the compounds of the documents as the index did, so that matched parts can be marked; absent = none is. */
  readonly vocabulary?: Vocabulary;
};

/** A word of searched text near an asked one, as live documents have it. */
export type FuzzyTerm = {
  /** Folded. */
  readonly text: string;
  /** A written form of it, normalised, with accents: the most frequent one as far as the index knows. */
  readonly display: string;
  /** Live documents that have it in any written form. */
  readonly documents: number;
  /** Edits from the asked word, folded; 0 = the same letters, which documents may write with other accents. */
  readonly distance: number;
};

export type FuzzyOptions = {
  /** 1 when absent: the word itself is none. */
  readonly minDistance?: 0 | 1;
  readonly maxDistance: 1 | 2;
  readonly limit: number;
  /** Looks as a patient plan searches. */
  readonly isBackground?: boolean;
};

export type FieldStatus = {
  readonly name: string;
  readonly type: FieldType;
  /** Live documents that have the field. */
  readonly documents: number;
};

/**
 * Port: searches over the index of an engine. Promises:
 * - a search sees one generation, whole; generations seen by one process never go back;
 * - `visibleSeq` is the `seq` up to which every change is visible;
 * - `total` is the exact number of documents that match after filters and post-filters;
 * - facet and range counts are exact over all matches of query and filter, independent of offset, limit and sort,
 *   and count a document once per distinct value;
 * - a word matches a document when one of its tokens in a searched field has the same analysed form in the
 *   document's language; phrases match inside one value of one field;
 * - AND needs every selecting word, OR one; stop words select only when no other word does;
 * - filters are exact and case-sensitive; an unknown field matches nothing and facets to no items;
 * - the order is total: sort keys or score, then id by code point, then crawler id; pages of one
 *   generation neither overlap nor leave gaps;
 * - scores are finite and ≥ 0, and the same whatever path or segment layout was taken;
 * - boosts reorder only;
 * - a field's type follows its live values (contract 1.10), also after deletions;
 * - completions follow the rules of `Completions` over the live titles and headings; those of a large engine may be
 *   of a generation that is some seconds old, and are pending while its first ones take long to be made;
 * - `explain` sums to the score of the hit, and names the first thing that keeps another document out; documents are
 *   explained in their order, together as each alone;
 * - fuzzy terms are surface forms of searched text within `maxDistance` edits (optimal string alignment) of the folded
 *   word, not itself unless asked for and never with a digit, in the order of `bestFuzzyTerms`;
 * - document frequencies count the live documents that have the word's stem in searched text, in the document's
 *   language; surface frequencies those in which the folded word itself is written;
 * - a patient search waits for its turn instead of being refused while many are under way, and others go before it;
 * - a search, an explanation or a look for words that is aborted ends within 20 ms with the signal's reason;
 * - a plan that is estimated to cost more than its budget is refused with `search.too-costly` before it runs, whose
 *   details name the part that costs most (`part`); adapters that estimate nothing refuse nothing;
 * - an engine nobody ever wrote to is empty, not an error.
 */
export interface SearchIndex extends AsyncDisposable {
  search(engineId: number, plan: QueryPlan, signal: AbortSignal): Promise<Hits>;
  /** Live documents that pass the filter, and the `seq` of the generation that said so. For bulk-delete. */
  matchingRids(engineId: number, filter: FilterNode): Promise<{ readonly seq: number; readonly rids: Uint32Array }>;
  hasMatch(engineId: number, match: MatchNode, signal: AbortSignal): Promise<boolean>;
  /** How a search scores each of some documents, or what keeps it out. Costs about two searches, however many they are. */
  explain(
    engineId: number,
    plan: QueryPlan,
    documents: readonly { readonly crawlerId: number; readonly id: string }[],
    signal: AbortSignal,
  ): Promise<readonly Explanation[]>;
  /** What a typed text may become. */
  completions(engineId: number, text: string, options: CompletionOptions): Promise<Completions>;
  /** At most `limit`. The caller knows from which length on words have near ones: `maxEditsOf`. */
  fuzzyTerms(engineId: number, word: string, options: FuzzyOptions, signal: AbortSignal): Promise<readonly FuzzyTerm[]>;
  /** In the order of the words, each as `text/tokenizer` writes it. */
  documentFrequencies(engineId: number, words: readonly string[]): Promise<readonly number[]>;
  /** The same for words as they are written, whatever their stems. */
  surfaceFrequencies(engineId: number, words: readonly string[]): Promise<readonly number[]>;
  fields(engineId: number): Promise<readonly FieldStatus[]>;
  /** Languages that live documents are in, sorted. */
  languages(engineId: number): Promise<readonly string[]>;
  visibleSeq(engineId: number): number;
  /** True when `seq` is visible, false when the signal ends the wait. Never rejects. */
  waitVisible(engineId: number, seq: number, signal: AbortSignal): Promise<boolean>;
  /** Closes what is held of a deleted engine. */
  forget(engineId: number): Promise<void>;
}

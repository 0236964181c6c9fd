import type { FilterNode } from '../../core/filters.ts';
import type { FacetRequest, MatchNode, QueryPlan, RelevanceSettings, ValueBoost } from '../query-plan.ts';
import { boostScore, saturationTable } from '../relevance.ts';
import type { FacetCounts, FuzzyOptions, FuzzyTerm, Hits } from '../search-index.ts';
import { dropStopWords } from '../stop-words.ts';
import { withoutAbsentName } from '../word-forms.ts';
import { clearBit, fullBits, hasBit } from './bytes/bitset.ts';
import { collectTopValues, countFacet, type FacetScope } from './collect/facets.ts';
import { GlobalOrdinals } from './collect/global-ordinals.ts';
import { type AcceptedDocuments, addPinned, collectPage, findPinned, type PinnedDocument } from './collect/pins.ts';
import { countRanges } from './collect/ranges.ts';
import { type Candidate, keepMatches, type SegmentMatches, totalOf } from './collect/top-hits.ts';
import { LiveCounts } from './postings/live-counts.ts';
import { type CompiledMatch, compileMatch, documentFrequency, withFuzzyTerms } from './query/compile.ts';
import { FilterBits } from './query/filter.ts';
import { findFuzzyTerms, surfaceFrequency } from './query/fuzzy-terms.ts';
import { MatchBuffer, matchSegment, type SegmentQuery } from './query/match-segment.ts';
import { type EvaluationStrategy, queryFormOf } from './query/query-form.ts';
import type { SegmentView, Snapshot } from './read/snapshot.ts';
import { coverageOfBest, type RerankPlan, rerank, rerankPlanOf } from './score/rerank.ts';
import { checkStop } from './stop-point.ts';

export type SearchOptions = {
  readonly forcedPath?: EvaluationStrategy | undefined;
};

/** Scoring tables kept: one per engine state and settings that are in use at the same time. */
const CACHED_TABLES = 8;
const CACHED_FACETS = 64;

/** Documents that a boost fits, looked up once per segment and search. */
type BoostBits = {
  readonly bitsOf: (view: SegmentView) => Uint32Array | undefined;
  readonly factor: number;
};

/** The matches of a plan. */
export type EvaluatedPlan = {
  /** The plan's match without stop words, with the fuzzy terms of absent ones. */
  readonly selecting: MatchNode;
  readonly match: CompiledMatch;
  readonly stage: RerankPlan;
  readonly pinned: readonly PinnedDocument[];
  readonly boosts: readonly BoostBits[];
  /** Segment by segment; `results` = those that pass the post-filter too. */
  readonly found: readonly SegmentMatches[];
  readonly results: readonly SegmentMatches[];
};

/**
 * Runs plans on snapshots, one at a time: owns the scratch memory and caches of its thread. The extents that a plan
 * reads must be attached to the segments. Long work has stop points (`stoppable`).
 */
export class Searcher {
  readonly counts = new LiveCounts();
  private readonly filters = new FilterBits();
  private readonly ordinals = new GlobalOrdinals();
  private readonly buffer = new MatchBuffer();
  private readonly tables = new Map<string, Float32Array>();
  private readonly countsOfAll = new WeakMap<Snapshot, Map<string, FacetCounts>>();

  search(snapshot: Snapshot, plan: QueryPlan, options: SearchOptions = {}): Hits {
    const evaluated = this.evaluate(snapshot, plan, options);
    const { found, results, pinned, stage, match } = evaluated;
    // Before the bonuses, which come in place: what is counted knows the first score only.
    const counts = this.countAll(snapshot, plan, plan.postFilterCounts ? results : found);
    const best = this.rerank(snapshot, plan, evaluated);
    return {
      seq: snapshot.seq,
      total: totalOf(results),
      hits: collectPage(snapshot, results, { plan, pinned, best }),
      ...counts,
      matched: match.matched,
      bestCoverage: coverageOfBest(snapshot, stage, best),
    };
  }

  /** Finds and scores the matches; valid until the next evaluation. */
  evaluate(snapshot: Snapshot, plan: QueryPlan, options: SearchOptions = {}): EvaluatedPlan {
    const selecting = dropStopWords(plan.match);
    const documentsOf = (word: string) => documentFrequency(snapshot, this.counts, word);
    const resolved = withFuzzyTerms(withoutAbsentName(selecting, documentsOf), {
      documentsOf,
      findFuzzyTerms: (word, fuzzy) => this.fuzzyTerms(snapshot, word, fuzzy),
    });
    const match = this.compileWhole(snapshot, resolved);
    const filtered = snapshot.segments.map((view) => this.filtered(snapshot, view, plan));
    const pinned = findPinned(snapshot, plan, filtered);
    const matches = addPinned(this.findMatches(snapshot, match, { plan, filtered }, options), pinned);
    const boosts = plan.boosts.map((boost) => this.boostBits(snapshot, boost));
    const found = applyBoosts(matches, boosts);
    const results = found.map((part, segment) => keepMatches(part, filtered[segment]!.post));
    const stage = rerankPlanOf({ snapshot, plan, counts: this.counts }, selecting, match);
    return { selecting: resolved, match, stage, pinned, boosts, found, results };
  }

  /** Gives the best results their bonuses, in place, and returns them in their new order. */
  rerank(snapshot: Snapshot, plan: QueryPlan, { stage, boosts, results }: EvaluatedPlan): readonly Candidate[] {
    const boost = (view: SegmentView, document: number, score: number) =>
      boosts.reduce((product, { bitsOf, factor }) => {
        const bits = bitsOf(view);
        return bits === undefined || hasBit(bits, document) ? boostScore(product, factor) : product;
      }, score);
    return rerank({ snapshot, plan, table: this.tableOf(snapshot, plan.weights), boost }, stage, results);
  }

  /** With what patterns stand for. */
  compileWhole(snapshot: Snapshot, match: MatchNode): CompiledMatch {
    return compileMatch(snapshot, match, { counts: this.counts, filters: this.filters, scans: true });
  }

  passesFilter(snapshot: Snapshot, view: SegmentView, filter: FilterNode, document: number): boolean {
    const bits = this.filters.of(snapshot, view, filter);
    return bits === undefined || hasBit(bits, document);
  }

  /** What a plan will read, without what patterns and absent words stand for, which only a search looks for. */
  compile(snapshot: Snapshot, match: MatchNode): CompiledMatch {
    return compileMatch(snapshot, dropStopWords(match), { counts: this.counts, filters: this.filters, scans: false });
  }

  fuzzyTerms(snapshot: Snapshot, word: string, options: FuzzyOptions): readonly FuzzyTerm[] {
    return findFuzzyTerms(snapshot, this.counts, word, options);
  }

  documentFrequencies(snapshot: Snapshot, words: readonly string[]): readonly number[] {
    return words.map((word) => documentFrequency(snapshot, this.counts, word));
  }

  surfaceFrequencies(snapshot: Snapshot, words: readonly string[]): readonly number[] {
    return words.map((word) => surfaceFrequency(snapshot, this.counts, word));
  }

  /** Rids of the live documents that pass. */
  matchingRids(snapshot: Snapshot, filter: FilterNode): Uint32Array {
    const rids: number[] = [];
    for (const view of snapshot.segments) {
      const accept = this.accepted(snapshot, view, filter, []);
      for (let d = 0; d < view.segment.documents; d++) {
        if (accept === undefined || hasBit(accept, d)) rids.push(view.segment.rids[d]!);
      }
    }
    return Uint32Array.from(rids);
  }

  /** Drops what is kept of an engine. */
  forget(engineId: number): void {
    this.ordinals.forget(engineId);
  }

  private findMatches(
    snapshot: Snapshot,
    match: CompiledMatch,
    { plan, filtered }: { readonly plan: QueryPlan; readonly filtered: readonly AcceptedDocuments[] },
    { forcedPath }: SearchOptions,
  ): SegmentMatches[] {
    const enough = isAnyEnough(plan) ? 1 : Number.POSITIVE_INFINITY;
    const { weights } = plan;
    const query: SegmentQuery = { match, form: queryFormOf(match), weights, enough, forced: forcedPath };
    const table = this.tableOf(snapshot, plan.weights);
    const counts: number[] = [];
    let end = 0;
    for (const [segmentIndex, view] of snapshot.segments.entries()) {
      checkStop();
      const scope = {
        segment: view.segment,
        segmentIndex,
        table,
        accept: filtered[segmentIndex]!.accept,
        groups: new Map(),
      };
      const count = end < enough ? matchSegment(scope, query, this.buffer, end) : 0;
      counts.push(count);
      end += count;
    }
    let start = 0;
    return snapshot.segments.map((view, i) => {
      const count = counts[i]!;
      const documents = this.buffer.documents.subarray(start, start + count);
      const scores = this.buffer.scores.subarray(start, start + count);
      start += count;
      return { view, count, documents, scores };
    });
  }

  private countAll(
    snapshot: Snapshot,
    plan: QueryPlan,
    counted: readonly SegmentMatches[],
  ): Pick<Hits, 'facets' | 'ranges' | 'topHits'> {
    if (plan.counts === 'none') return { facets: [], ranges: [], topHits: [] };
    const scope = { snapshot, ordinals: this.ordinals, alive: new Map() };
    return {
      facets: plan.facets.map((facet) => this.countFacet(scope, plan, facet, counted)),
      ranges: plan.ranges.map((range) => countRanges(snapshot, range, counted)),
      topHits: plan.topHits.map((request) => collectTopValues(scope, request, { sort: plan.sort, matches: counted })),
    };
  }

  /** Counts over every live document are kept: the landing page of a site asks for nothing else. */
  private countFacet(
    scope: FacetScope,
    plan: QueryPlan,
    facet: FacetRequest,
    counted: readonly SegmentMatches[],
  ): FacetCounts {
    const { snapshot } = scope;
    const filtered = plan.filter.kind !== 'all' || (plan.postFilterCounts && plan.postFilter.kind !== 'all');
    const changed = plan.boosts.length + plan.removed.length > 0;
    if (plan.match.kind !== 'all' || filtered || changed) return countFacet(scope, facet, counted);
    let cached = this.countsOfAll.get(snapshot);
    if (cached === undefined || cached.size > CACHED_FACETS) {
      cached = new Map();
      this.countsOfAll.set(snapshot, cached);
    }
    const key = JSON.stringify(facet);
    const known = cached.get(key) ?? countFacet(scope, facet, counted);
    cached.set(key, known);
    return known;
  }

  private filtered(
    snapshot: Snapshot,
    view: SegmentView,
    { filter, postFilter, removed }: QueryPlan,
  ): AcceptedDocuments {
    return {
      accept: this.accepted(snapshot, view, filter, removed),
      post: this.filters.of(snapshot, view, postFilter),
    };
  }

  /** Live documents that pass the filter and have none of the removed ids, undefined = all of the segment. */
  private accepted(
    snapshot: Snapshot,
    view: SegmentView,
    filter: FilterNode,
    removed: readonly string[],
  ): Uint32Array | undefined {
    const { segment, live } = view;
    const bits = this.filters.of(snapshot, view, filter);
    const gone = removed.flatMap((id) => segment.documentsWithId(id));
    if (gone.length === 0 && (bits === undefined || live === undefined)) return bits ?? live;
    const accept = bits?.slice() ?? fullBits(segment.documents);
    if (live !== undefined) for (let i = 0; i < accept.length; i++) accept[i] = accept[i]! & live[i]!;
    for (const document of gone) clearBit(accept, document);
    return accept;
  }

  private boostBits(snapshot: Snapshot, { field, values, factor }: ValueBoost): BoostBits {
    const fits: FilterNode = { kind: 'value', field, values };
    const known = new Map<SegmentView, Uint32Array | undefined>();
    const bitsOf = (view: SegmentView) => {
      if (!known.has(view)) known.set(view, this.filters.of(snapshot, view, fits));
      return known.get(view);
    };
    return { bitsOf, factor };
  }

  /** T under settings in a snapshot. */
  tableOf({ averageLength }: Snapshot, { classWeights, k1, b }: RelevanceSettings): Float32Array {
    const settings = { classWeights, k1, b };
    const key = JSON.stringify([averageLength, settings]);
    let table = this.tables.get(key);
    if (table === undefined) {
      if (this.tables.size === CACHED_TABLES) this.tables.clear();
      table = saturationTable(settings, averageLength);
      this.tables.set(key, table);
    }
    return table;
  }
}

/** Whether a plan asks for nothing but whether there is a match. A pinned one must not count beside itself. */
function isAnyEnough({ counts, offset, limit, spare, postFilter, pins }: QueryPlan): boolean {
  return counts === 'none' && offset + limit + spare === 0 && postFilter.kind === 'all' && pins.length === 0;
}

/** Multiplies the scores of documents that hold one of a boost's values, boost by boost. */
function applyBoosts(found: readonly SegmentMatches[], boosts: readonly BoostBits[]): readonly SegmentMatches[] {
  if (boosts.length === 0) return found;
  const boosted = found.map((part) => ({ ...part, first: part.scores.slice(0, part.count) }));
  for (const { bitsOf, factor } of boosts) {
    checkStop();
    for (const { view, count, documents, scores } of boosted) {
      const bits = bitsOf(view);
      if (bits === undefined) continue;
      for (let i = 0; i < count; i++) {
        if (hasBit(bits, documents[i]!)) scores[i] = boostScore(scores[i]!, factor);
      }
    }
  }
  return boosted;
}

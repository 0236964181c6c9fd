import { type PlanCost, totalCost } from '../../plan-cost.ts';
import type { FacetRequest, QueryPlan } from '../../query-plan.ts';
import { usesReranking } from '../../rerank.ts';
import { type CompiledMatch, countEntries, type Leaf } from '../query/compile.ts';
import { requiredColumnsOf } from '../read/required-columns.ts';
import type { Snapshot } from '../read/snapshot.ts';
import { filterCost, textsOfField } from './filter-cost.ts';
import { BYTES_BESIDE_TEXT, BYTES_PER_TOKEN, PRICE } from './prices.ts';

/** Estimated nanoseconds of a scan of the words of all segments. */
export function scanCostOf(snapshot: Snapshot): number {
  return PRICE.entry * countEntries(snapshot);
}

/**
 * Estimated cost of a plan on one thread that has read its fields before but knows none of its predicates. Columns must
 * be attached, texts of long values too.
 */
export function estimateCost(snapshot: Snapshot, plan: QueryPlan, match: CompiledMatch): PlanCost {
  const { live, segments } = snapshot;
  const matches = Math.min(live, expectedMatches(match, live));
  const boosted = plan.boosts.reduce((sum, { values }) => sum + values.length, 0);
  const counting = PRICE.matchAndCount * matches;
  const lookUps = PRICE.lookUp * segments.length;
  const rerankWeights = usesReranking(plan) && match.leaves.some(({ kind }) => kind === 'word' || kind === 'phrase');
  const window = rerankWeights ? PRICE.windowHit * Math.min(matches, plan.weights.window) : 0;
  return {
    match: matchCost(snapshot, match) + counting + window + lookUps * (plan.pins.length + plan.removed.length),
    filter: filterCost(snapshot, plan.filter),
    postFilter: filterCost(snapshot, plan.postFilter),
    boosts: plan.boosts.length * (counting + PRICE.documentAndPredicate * live) + lookUps * boosted,
    facets: plan.facets.reduce((sum, facet) => sum + facetCost(snapshot, facet, matches), 0),
    ranges: plan.ranges.reduce((sum, { ranges }) => sum + counting + PRICE.matchAndRange * matches * ranges.length, 0),
    topHits: plan.topHits.reduce((sum, { size, maxFieldValues }) => {
      const hits = Math.min(matches, size * maxFieldValues);
      return sum + 2 * counting + PRICE.hit * hits + outputCost(snapshot, plan, hits);
    }, 0),
    sort: plan.sort.length * (counting + PRICE.matchAndSortKey * matches),
    hits:
      PRICE.hit * Math.min(matches, plan.offset + plan.limit + plan.spare) +
      outputCost(snapshot, plan, Math.min(matches, plan.limit)),
  };
}

/** The same without what the caller makes of the hits: the work of a search thread. */
export function estimateSearching(snapshot: Snapshot, plan: QueryPlan, match: CompiledMatch): number {
  const { output: _, ...searched } = plan;
  return totalCost(estimateCost(snapshot, searched, match));
}

/**
 * Estimated nanoseconds that a plan takes in addition on a thread that has not read its fields as texts before. Their
 * columns must be attached.
 */
export function estimateFirstUse(snapshot: Snapshot, plan: QueryPlan): number {
  let sum = 0;
  for (const field of requiredColumnsOf(plan).texts) {
    const { values, bytes } = textsOfField(snapshot, field);
    sum += PRICE.value * values + PRICE.textByte * bytes;
  }
  return sum;
}

/** Reading the documents of hits, and what the caller makes of them. */
function outputCost({ averageLength }: Snapshot, { output }: QueryPlan, hits: number): number {
  if (output === undefined) return 0;
  const { fields, highlight } = output;
  const bytes = BYTES_BESIDE_TEXT + BYTES_PER_TOKEN * averageLength;
  const writesText = fields.length === 0 || fields.includes('Content');
  const written = PRICE.documentByte * (writesText ? bytes : bytes / 3);
  return hits * (PRICE.document + written + (highlight && writesText ? PRICE.highlightByte * bytes : 0));
}

function matchCost(snapshot: Snapshot, { leaves, entriesLeftOut }: CompiledMatch): number {
  return leaves.reduce((sum, leaf) => sum + leafCost(leaf, snapshot.live), PRICE.entry * entriesLeftOut);
}

function facetCost(snapshot: Snapshot, facet: FacetRequest, matches: number): number {
  const { values } = textsOfField(snapshot, facet.field);
  const choosing = PRICE.facetValue * Math.min(values, matches);
  return PRICE.matchAndCount * matches + choosing + nestedCost(facet, matches, snapshot.segments.length);
}

/** Facets below one: the matches are parted by its items, and each item's are counted on their own. */
function nestedCost({ size, facets }: FacetRequest, matches: number, segments: number): number {
  const items = Math.min(size, matches);
  const each = 2 * PRICE.matchAndCount * matches + PRICE.itemAndSegment * items * segments;
  return facets.reduce(
    (sum, facet) => sum + each + items * nestedCost(facet, matches / Math.max(1, items), segments),
    0,
  );
}

function leafCost(leaf: Leaf, documents: number): number {
  switch (leaf.kind) {
    case 'all':
    case 'filter':
      return documents;
    case 'word':
      return leaf.word.postings * (leaf.field === undefined ? PRICE.posting : PRICE.positionPosting);
    case 'phrase':
      return PRICE.positionPosting * leastPostings(leaf);
  }
}

/** Upper bound of the matches: all required means the rarest leaf, else their sum. */
function expectedMatches({ root, leaves }: CompiledMatch, documents: number): number {
  const sizes = leaves.map((leaf) =>
    leaf.kind === 'word' ? leaf.word.postings : leaf.kind === 'phrase' ? leastPostings(leaf) : documents,
  );
  if (sizes.length === 0) return documents;
  return root.kind === 'and' ? Math.min(...sizes) : sizes.reduce((sum, size) => sum + size, 0);
}

function leastPostings({ words }: Extract<Leaf, { kind: 'phrase' }>): number {
  return words.reduce((least, { postings }) => Math.min(least, postings), Number.MAX_SAFE_INTEGER);
}

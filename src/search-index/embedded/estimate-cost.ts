import type { FacetRequest, QueryPlan } from '../query-plan.ts';
import { type CompiledMatch, countEntries, type Leaf } from './query/compile.ts';
import { countPredicates, countValues, needsOf } from './read/plan-needs.ts';
import { columnsOf, isOwnField, type Snapshot } from './read/snapshot.ts';

/** Nanoseconds per unit of work (search-engine design 9, measured). */
const PER_POSTING = 4;
const PER_MATCH_AND_FACET = 1.3;
const PER_DOCUMENT_AND_PREDICATE = 1.1;
/** Looking a value or an id up in one segment: 100,000 values took 0.5 µs each and segment. */
const PER_LOOK_UP = 500;
/** A posting whose positions are read. */
const PER_POSITION_POSTING = 40;

/** A dictionary entry that a scan for near words or patterns looks at. */
const PER_ENTRY = 60;

/** A distinct value that is read as a text: facets number them, sorts rank them, comparisons look at each. */
const PER_VALUE = 150;
/** Counting the few matches of one item of the facet above. */
const PER_ITEM_AND_SEGMENT = 2_000;
/** A hit whose id is read and that is put in order. */
const PER_HIT = 1_000;

/** Estimated nanoseconds of a scan of the words of all segments. */
export function scanCostOf(snapshot: Snapshot): number {
  return PER_ENTRY * countEntries(snapshot);
}

/** Estimated nanoseconds that a plan takes on one thread. */
export function estimateCost(snapshot: Snapshot, plan: QueryPlan, match: CompiledMatch): number {
  const documents = snapshot.live;
  const matches = Math.min(documents, expectedMatches(match, documents));
  const passes =
    plan.facets.length + plan.ranges.length + plan.boosts.length + plan.sort.length + 2 * plan.topHits.length + 1;
  const predicates = countPredicates(plan.filter) + countPredicates(plan.postFilter) + plan.boosts.length;
  const lists = match.leaves.reduce((sum, leaf) => sum + scanCost(leaf, documents), 0);
  const scans = PER_ENTRY * match.entriesLeftOut;
  const counting = PER_MATCH_AND_FACET * matches * passes;
  const filtering = PER_DOCUMENT_AND_PREDICATE * documents * predicates;
  const hits = PER_HIT * Math.min(matches, plan.offset + plan.limit + plan.spare);
  const found = PER_LOOK_UP * snapshot.segments.length * lookUps(plan);
  const nested = plan.facets.reduce((sum, facet) => sum + nestedCost(facet, matches, snapshot.segments.length), 0);
  return lists + scans + counting + nested + filtering + hits + found;
}

/** Facets below one: the matches are parted by its items, and each item's are counted on their own. */
function nestedCost({ size, facets }: FacetRequest, matches: number, segments: number): number {
  const items = Math.min(size, matches);
  const each = 2 * PER_MATCH_AND_FACET * matches + PER_ITEM_AND_SEGMENT * items * segments;
  return facets.reduce(
    (sum, facet) => sum + each + items * nestedCost(facet, matches / Math.max(1, items), segments),
    0,
  );
}

/**
 * Estimated nanoseconds that a plan takes in addition on a thread that has not read its fields as texts before. Their
 * columns must be attached.
 */
export function estimateFirstUse(snapshot: Snapshot, plan: QueryPlan): number {
  let count = 0;
  for (const field of needsOf(plan).texts) {
    for (const view of snapshot.segments) {
      const own = isOwnField(field);
      count += own ? view.segment.documents : (columnsOf(snapshot, view, field)?.keyword.values.count ?? 0);
    }
  }
  return PER_VALUE * count;
}

function lookUps({ filter, postFilter, boosts, pins, removed }: QueryPlan): number {
  const boosted = boosts.reduce((sum, { values }) => sum + values.length, 0);
  return countValues(filter) + countValues(postFilter) + boosted + pins.length + removed.length;
}

function scanCost(leaf: Leaf, documents: number): number {
  switch (leaf.kind) {
    case 'all':
    case 'filter':
      return documents;
    case 'word':
      return leaf.word.postings * (leaf.field === undefined ? PER_POSTING : PER_POSITION_POSTING);
    case 'phrase':
      return PER_POSITION_POSTING * leastPostings(leaf);
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

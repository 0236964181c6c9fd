import type { FilterNode } from '../../../core/filters.ts';
import { type FacetRequest, type PlanCost, type QueryPlan, totalCost } from '../../query-plan.ts';
import { usesReranking } from '../../rerank.ts';
import { type CompiledMatch, countEntries, type Leaf } from '../query/compile.ts';
import { PASS_BYTES, readsTexts } from '../query/filter.ts';
import { FEW_PATTERNS, type TextPredicate } from '../query/text-predicates.ts';
import { requiredColumnsOf } from '../read/prepare-plan.ts';
import { columnsOf, isOwnField, type Snapshot, typeOf } from '../read/snapshot.ts';

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

type Predicate = Exclude<FilterNode, { kind: 'all' | 'none' | 'and' | 'or' | 'not' }>;

/** Texts of a field over all segments. */
export type FieldTexts = { readonly values: number; readonly bytes: number };

/** Estimated nanoseconds of a filter whose predicates are not known from an earlier search. Its columns must be attached. */
function filterCost(snapshot: Snapshot, filter: FilterNode): number {
  const predicates = predicatesOf(filter);
  const texts = predicates.filter((node) => readsTexts(node, typeOf(snapshot, node.field))) as TextPredicate[];
  const others = predicates.filter((node) => !readsTexts(node, typeOf(snapshot, node.field)));
  const byField = Map.groupBy(texts, ({ field }) => field);
  const reading = [...byField].map(([field, own]) => textCost(snapshot, field, own));
  return [...reading, ...others.map((node) => predicateCost(snapshot, node))].reduce((sum, cost) => sum + cost, 0);
}

/** What reading a field as texts looks at. Its columns must be attached, texts of long values too. */
function textsOfField(snapshot: Snapshot, field: string): FieldTexts {
  let values = 0;
  let bytes = 0;
  const number = snapshot.fieldNumbers.get(field);
  for (const view of snapshot.segments) {
    const { segment } = view;
    if (isOwnField(field)) {
      values += segment.documents;
      bytes += segment.documents * OWN_FIELD_BYTES;
      continue;
    }
    const list = columnsOf(snapshot, view, field)?.keyword.values;
    values += list?.count ?? 0;
    bytes += list?.codedBytes ?? 0;
    bytes += number === undefined ? 0 : (segment.sharedTexts(number)?.bytes.length ?? 0);
  }
  return { values, bytes };
}

/** An address or a word. */
const OWN_FIELD_BYTES = 60;

function predicatesOf(filter: FilterNode): readonly Predicate[] {
  switch (filter.kind) {
    case 'all':
    case 'none':
      return [];
    case 'and':
    case 'or':
      return filter.of.flatMap(predicatesOf);
    case 'not':
      return predicatesOf(filter.of);
    default:
      return [filter];
  }
}

function predicateCost(snapshot: Snapshot, node: Predicate): number {
  const { live, segments } = snapshot;
  const pass = PRICE.documentAndPredicate * live;
  switch (node.kind) {
    case 'geo':
      return pass + PRICE.documentAndDistance * live;
    case 'compare': {
      const type = typeOf(snapshot, node.field);
      const count = node.values.length;
      if (type !== 'number' && type !== 'date') return pass + PRICE.lookUp * segments.length * count;
      return (
        pass + live * (PRICE.documentAndNumber + PRICE.documentAndHalving * Math.log2(count)) + PRICE.typedValue * count
      );
    }
    case 'value':
      return pass + PRICE.lookUp * segments.length * node.values.length;
    default:
      return pass;
  }
}

/** All predicates on one field: its texts are read once. */
function textCost(snapshot: Snapshot, field: string, predicates: readonly TextPredicate[]): number {
  const { values, bytes } = textsOfField(snapshot, field);
  const patterns = (operator: 'contains' | 'prefix') =>
    predicates.flatMap((node) => (node.kind === 'text' && node.operator === operator ? node.values : []));
  const orders = predicates.filter(({ kind }) => kind === 'compare').length;
  const reading = PRICE.text * values + PRICE.textByte * bytes;
  const marking =
    predicates.length * (PRICE.valueAndPredicate * values + 2 * PRICE.documentAndPredicate * snapshot.live);
  const ordering = PRICE.valueAndOrder * values * orders;
  const passes = Math.ceil((predicates.length * (values + snapshot.live / 8)) / PASS_BYTES);
  const looking = containsCost(patterns('contains'), bytes) + prefixCost(patterns('prefix'), values);
  return passes * (reading + looking) + marking + ordering;
}

function containsCost(patterns: readonly string[], bytes: number): number {
  if (patterns.length <= FEW_PATTERNS) return PRICE.textByteAndPattern * bytes * patterns.length;
  const patternBytes = lengthOf(patterns);
  const passes = 1 + Math.floor(patternBytes / PATTERN_BYTES_PER_TABLE);
  return PRICE.textByteInAutomaton * bytes * passes + PRICE.patternByte * patternBytes;
}

/** Of patterns of 60 different bytes. */
const PATTERN_BYTES_PER_TABLE = 65_000;

function prefixCost(patterns: readonly string[], values: number): number {
  if (patterns.length <= FEW_PATTERNS) return PRICE.valueAndPrefix * values * patterns.length;
  return FEW_PATTERNS * PRICE.valueAndPrefix * values + PRICE.patternByte * lengthOf(patterns);
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0);
}

/**
 * The one table of what work costs, in nanoseconds of processor time per unit (search-engine design 9).
 * `test/integration/search-index/operator-costs.test.ts` measures every operator beside what these say of it.
 */
const PRICE = {
  posting: 4,
  /** A posting whose positions are read. */
  positionPosting: 120,
  /** A dictionary entry that a scan for fuzzy terms or patterns looks at. */
  entry: 60,
  matchAndCount: 1.3,
  /** A bound of a range that is compared with the value of a match. */
  matchAndRange: 1.2,
  /** A distinct value with matches that may be an item of a facet. */
  facetValue: 70,
  matchAndSortKey: 20,
  /** A hit of the window that bonuses are given to. */
  windowHit: 8_000,
  /** Looking a value or an id up in one segment. */
  lookUp: 500,
  documentAndPredicate: 1.1,
  /** A value of a condition that is read as a number or date. */
  typedValue: 120,
  /** A number that is compared with the values of a condition, and once more per halving of them. */
  documentAndNumber: 6,
  documentAndHalving: 4,
  documentAndDistance: 40,
  /** A distinct value that facets number and sorts rank. */
  value: 150,
  /** A distinct value that is read as a text, and each byte of it, decoded and in lower case. */
  text: 900,
  textByte: 0.6,
  /** A byte of a text, per pattern that is looked for on its own, and for any number of them in an automaton. */
  textByteAndPattern: 0.35,
  textByteInAutomaton: 2.2,
  /** A byte of the patterns of an automaton. */
  patternByte: 60,
  /** A distinct value whose beginning is looked at, and one that is compared with another text. */
  valueAndPrefix: 20,
  valueAndOrder: 25,
  /** A distinct value that is marked for a predicate. */
  valueAndPredicate: 5,
  /** Counting the few matches of one item of the facet above, in one segment. */
  itemAndSegment: 2_000,
  /** A hit whose id is read and that is put in order. */
  hit: 1_000,
  /** A hit whose document is read and written as JSON, and each byte of it; the same for what is marked in it. */
  document: 20_000,
  documentByte: 12,
  highlightByte: 20,
} as const;

/** Bytes of a token of body text with the blank behind it, and of what a document has beside body text. */
const BYTES_PER_TOKEN = 7;
const BYTES_BESIDE_TEXT = 1_000;

import { PHRASE_FACTOR, weightedSaturation } from '../../relevance.ts';
import { countBits, fullBits, listBits } from '../bytes/bitset.ts';
import { PositionReader } from '../positions/coder.ts';
import { HIDDEN_CLASS, RUN_GAP, RunReader } from '../positions/runs.ts';
import type { Segment } from '../segment/segment.ts';
import { checkStop } from '../stop-point.ts';
import type { Leaf, TermsOfWord, WeightedList, WordLists } from './compile.ts';
import { forEachDocument, matchesOfTerms, TermSaturation } from './evaluate-terms.ts';
import { matchesOfExpansion } from './expand-pattern.ts';
import { type Intersection, intersectWords } from './intersect.ts';
import type { WordPostings } from './postings-of.ts';
import type { GroupMatches } from './word-source.ts';

/** Documents that a leaf matches, ascending, each with what the leaf adds to its score. */
export type LeafMatches = { readonly count: number; readonly documents: Uint32Array; readonly scores: Float32Array };

/** One segment under one scoring table; `segmentIndex` picks its lists out of a word's. */
export type LeafScope = {
  readonly segment: Segment;
  readonly segmentIndex: number;
  readonly table: Float32Array;
  /** Documents worth looking at; undefined = all. */
  readonly accept: Uint32Array | undefined;
  /** Groups of this query evaluated so far in this segment; they may hold documents that are not accepted. */
  readonly groups: Map<WordLists, GroupMatches>;
};

/** Evaluates one word, phrase or filter on its own. O(Σ df), for fields and phrases plus the positions of the candidates. */
export function evaluateLeaf(scope: LeafScope, leaf: Exclude<Leaf, { kind: 'all' }>): LeafMatches {
  checkStop();
  if (leaf.kind === 'phrase') return evaluatePhrase(scope, leaf);
  if (leaf.kind === 'filter') return evaluateFilter(scope, leaf);
  const { word, field } = leaf;
  const group = (field === undefined ? groupIn(scope, word) : undefined) ?? evaluateGroup(scope, word, field);
  const { count, documents, saturations } = group;
  const scores = new Float32Array(count);
  for (let i = 0; i < count; i++) scores[i] = word.weight * saturations[i]!;
  return { count, documents, scores };
}

function evaluateFilter({ segment, segmentIndex }: LeafScope, leaf: Extract<Leaf, { kind: 'filter' }>): LeafMatches {
  const bits = leaf.bitsIn(segmentIndex) ?? fullBits(segment.documents);
  const count = countBits(bits);
  const documents = new Uint32Array(count);
  listBits(bits, documents);
  return { count, documents, scores: new Float32Array(count).fill(leaf.boost) };
}

function evaluatePhrase(scope: LeafScope, leaf: Extract<Leaf, { kind: 'phrase' }>): LeafMatches {
  const documents: number[] = [];
  const scores: number[] = [];
  forEachPhrase(scope, leaf, (document, saturations) => {
    let sum = 0;
    for (let i = 0; i < saturations.length; i++) {
      sum = Math.fround(sum + Math.fround(leaf.words[i]!.weight * saturations[i]!.of(document)));
    }
    documents.push(document);
    scores.push(Math.fround(PHRASE_FACTOR * sum));
  });
  return { count: documents.length, documents: Uint32Array.from(documents), scores: Float32Array.from(scores) };
}

type PhraseOfTerms = {
  readonly words: readonly TermsOfWord[];
  readonly slop: number;
  /** Undefined = searched text, -1 = a field that no document has. */
  readonly field: number | undefined;
};

/** Visits the documents with a phrase, ascending, each with the Ts of its words. O(rarest df + its positions). */
function forEachPhrase(
  scope: LeafScope,
  phrase: PhraseOfTerms,
  visit: (document: number, saturations: readonly TermSaturation[]) => void,
): void {
  const { words, field } = phrase;
  if (words.length === 0 || field === -1) return;
  const saturations = words.map((terms) => new TermSaturation(scope, terms));
  const { segment, segmentIndex, accept } = scope;
  const candidates = (lists: (terms: TermsOfWord) => TermsOfWord['plain']): Intersection => {
    const sources = words.map((terms) => ({ lists: lists(terms)[segmentIndex]!, group: undefined }));
    return intersectWords(segment, sources, accept);
  };
  const inPlain = matchesPhrase(segment, phrase, false);
  if (field === undefined) {
    const { count, documents, postings } = candidates((terms) => terms.plain);
    for (let i = 0; i < count; i++) {
      if (i % PHRASES_BETWEEN_STOPS === 0) checkStop();
      if (inPlain(documents[i]!, postings, i)) visit(documents[i]!, saturations);
    }
    return;
  }
  const plain = copyOf(candidates((terms) => terms.plain));
  const hidden = candidates((terms) => terms.hidden);
  const inHidden = matchesPhrase(segment, phrase, true);
  forEachDocument(rowsOf(plain), rowsOf(hidden), (document, i, j) => {
    const matches =
      (i >= 0 && inPlain(document, plain.postings, i)) || (j >= 0 && inHidden(document, hidden.postings, j));
    if (matches) visit(document, saturations);
  });
}

const PHRASES_BETWEEN_STOPS = 1_024;

/** An intersection that another one does not change. */
function copyOf({ count, documents, postings }: Intersection): Intersection {
  return { count, documents: documents.slice(0, count), postings: postings.map((own) => own.slice(0, count)) };
}

/** Documents with their places in the intersection. */
function rowsOf({ count, documents }: Intersection): WordPostings {
  const postings = new Uint32Array(count);
  for (let i = 0; i < count; i++) postings[i] = i;
  return { count, documents, postings };
}

const SEARCHED_CLASSES = [0, 1, 2] as const;

/** Decides a phrase on one document, given the postings of its words (`postings[word][row]`). */
type PhraseTest = (document: number, postings: readonly Int32Array[], row: number) => boolean;

/**
 * In one value, in order, with at most `slop` further positions in all. `hidden` looks at the fields that plain words
 * skip. O(positions of the words).
 */
function matchesPhrase(segment: Segment, phrase: PhraseOfTerms, hidden: boolean): PhraseTest {
  const readers = phrase.words.map(() => {
    const reader = new PositionReader();
    reader.open(segment.positions(), segment.tfBytes);
    return reader;
  });
  // Runs lie RUN_GAP apart, so that only a larger slop could reach from one value into the next.
  const usesRuns = phrase.field !== undefined || phrase.slop >= RUN_GAP;
  const stands = usesRuns ? inRuns(segment, readers, { ...phrase, hidden }) : inClasses(readers, phrase.slop);
  return (document, postings, row) => {
    for (let i = 0; i < readers.length; i++) readers[i]!.read(postings[i]![row]!);
    return stands(document);
  };
}

function inClasses(readers: readonly PositionReader[], slop: number): (document: number) => boolean {
  const anywhere = { start: 0, end: Number.POSITIVE_INFINITY, slop };
  return () => {
    for (const textClass of SEARCHED_CLASSES) if (standsIn(readers, textClass, anywhere)) return true;
    return false;
  };
}

function inRuns(
  segment: Segment,
  readers: readonly PositionReader[],
  { field, slop, hidden }: PhraseOfTerms & { readonly hidden: boolean },
): (document: number) => boolean {
  const sections = segment.positions();
  const runReader = new RunReader(sections.runStart, sections.runs);
  return (document) => {
    runReader.load(document);
    for (let i = 0; i < runReader.count; i++) {
      const textClass = runReader.classes[i]!;
      if ((field !== undefined && runReader.fields[i] !== field) || (textClass === HIDDEN_CLASS) !== hidden) continue;
      const bounds = { start: runReader.starts[i]!, end: runReader.ends[i]!, slop };
      if (standsIn(readers, textClass, bounds)) return true;
    }
    return false;
  };
}

type Bounds = { readonly start: number; readonly end: number; readonly slop: number };

/** Tries every place of the first word; the nearest next place of each further word leaves most room for the rest. */
function standsIn(readers: readonly PositionReader[], textClass: number, bounds: Bounds): boolean {
  const first = readers[0]!;
  const { from, to } = first.rangeOfClass(textClass);
  for (let i = from; i < to; i++) {
    const position = first.positions[i]!;
    if (position < bounds.start) continue;
    if (position >= bounds.end) return false;
    let last = position;
    for (let w = 1; w < readers.length && last >= 0; w++) last = nextAfter(readers[w]!, textClass, last, bounds.end);
    if (last >= 0 && last - position - (readers.length - 1) <= bounds.slop) return true;
  }
  return false;
}

/** The first position after `position` and below `end`, -1 when there is none. */
function nextAfter(reader: PositionReader, textClass: number, position: number, end: number): number {
  const { from, to } = reader.rangeOfClass(textClass);
  for (let i = from; i < to; i++) {
    const next = reader.positions[i]!;
    if (next >= end) return -1;
    if (next > position) return next;
  }
  return -1;
}

/**
 * The word with its alternatives in a segment, evaluated once per query; undefined when only its own lists have
 * postings there, which every path reads faster as they are. A pattern always is a group.
 */
export function groupIn(scope: LeafScope, word: WordLists): GroupMatches | undefined {
  const { segmentIndex, groups } = scope;
  const { pattern } = word;
  if (pattern === undefined && !word.also.some((list) => occursIn(list, segmentIndex))) return undefined;
  let group = groups.get(word);
  if (group === undefined) {
    group = pattern === undefined ? evaluateGroup(scope, word, undefined) : matchesOfExpansion(scope, pattern);
    groups.set(word, group);
  }
  return group;
}

/**
 * Best list per document, in one field or in searched text. O(Σ df · log lists); for fields and several words plus
 * their positions.
 */
export function evaluateGroup(scope: LeafScope, word: WordLists, field: number | undefined): GroupMatches {
  const lists = [matchesOfTerms(scope, word, field), ...word.also.map((list) => matchesOfList(scope, list, field))];
  let best: GroupMatches = { count: 0, documents: new Uint32Array(0), saturations: new Float32Array(0) };
  // The shortest first: what they make together is walked again for every list behind them.
  for (const list of lists.sort((a, b) => a.count - b.count)) best = uniteBest(best, list);
  return best;
}

function occursIn({ words }: WeightedList, segmentIndex: number): boolean {
  return words.length > 0 && words.every(({ plain }) => plain[segmentIndex]!.length > 0);
}

function matchesOfList(scope: LeafScope, list: WeightedList, field: number | undefined): GroupMatches {
  const [only] = list.words;
  const found =
    list.words.length === 1 && only !== undefined
      ? matchesOfTerms(scope, only, field)
      : matchesOfPhrase(scope, list, field);
  const { count, saturations } = found;
  for (let i = 0; i < count; i++) saturations[i] = weightedSaturation(list.weight, saturations[i]!);
  return found;
}

/** Documents in which the words stand together, each with the least of their Ts. */
function matchesOfPhrase(scope: LeafScope, list: WeightedList, field: number | undefined): GroupMatches {
  const documents: number[] = [];
  const saturations: number[] = [];
  forEachPhrase(scope, { ...list, field }, (document, termsOf) => {
    let least = Number.POSITIVE_INFINITY;
    for (const saturation of termsOf) least = Math.min(least, saturation.of(document));
    documents.push(document);
    saturations.push(least);
  });
  return {
    count: documents.length,
    documents: Uint32Array.from(documents),
    saturations: Float32Array.from(saturations),
  };
}

/** Union of two lists, ascending, with the higher saturation where a document is in both. */
function uniteBest(a: GroupMatches, b: GroupMatches): GroupMatches {
  if (a.count === 0) return b;
  if (b.count === 0) return a;
  const documents = new Uint32Array(a.count + b.count);
  const saturations = new Float32Array(a.count + b.count);
  let count = 0;
  let i = 0;
  let j = 0;
  while (i < a.count || j < b.count) {
    const x = i < a.count ? a.documents[i]! : Number.POSITIVE_INFINITY;
    const y = j < b.count ? b.documents[j]! : Number.POSITIVE_INFINITY;
    documents[count] = Math.min(x, y);
    const own = x <= y ? a.saturations[i++]! : 0;
    const other = y <= x ? b.saturations[j++]! : 0;
    saturations[count++] = Math.max(own, other);
  }
  return { count, documents, saturations };
}

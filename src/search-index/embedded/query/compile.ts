import { foldWord } from '../../../text/folding.ts';
import { stemTerm } from '../../../text/term-keys.ts';
import {
  type Alternative,
  isOfText,
  isPattern,
  type MatchNode,
  type PatternNode,
  type QueryPlan,
  type WordNode,
} from '../../query-plan.ts';
import { DISTANCE_WEIGHTS, groupFrequency, idf, MAX_FUZZY_TERMS, maxEditsOf } from '../../relevance.ts';
import type { FuzzyOptions, FuzzyTerm, MatchedAlternative, MatchedWord } from '../../search-index.ts';
import type { LiveCounts } from '../postings/live-counts.ts';
import type { Snapshot } from '../read/snapshot.ts';
import { HIDDEN_PREFIX } from '../segment/name-groups.ts';
import { type Expansion, entriesOfPattern, expandPattern, postingsOfPattern } from './expand-pattern.ts';
import type { FilterBits } from './filter.ts';

/** Mask of a list whose postings all count: no look at the document's language is needed. */
export const EVERY_LANGUAGE = -1;

/** One posting list of a word in one segment; a posting counts when its document's language is in the mask. */
export type TermList = { readonly term: number; readonly mask: number };

/** The terms of one word: per segment its lists in searched text and in fields that plain words skip. */
export type TermsOfWord = {
  readonly plain: readonly (readonly TermList[])[];
  /** Looked up for field words only. */
  readonly hidden: readonly (readonly TermList[])[];
  /** Live documents that have it in searched text. */
  readonly documents: number;
  /** Postings over all segments, dead ones included: the cost of a scan. */
  readonly postings: number;
};

/** A further list of a word group: one word, or several that stand together in one value within `slop`. */
export type WeightedList = {
  readonly source: Alternative['source'];
  readonly words: readonly TermsOfWord[];
  readonly slop: number;
  readonly weight: number;
};

/** A query word: its own terms, worth 1, and what satisfies it too. A document counts with the best of them. */
export type WordLists = TermsOfWord & {
  readonly text: string;
  readonly idf: number;
  /** idf × boost. */
  readonly weight: number;
  readonly also: readonly WeightedList[];
  /** Set of a pattern, which has no terms. */
  readonly pattern?: Expansion;
};

/** What adds score and selects. `field`: undefined = every searched one, -1 = one that no document has. */
export type Leaf =
  | { readonly kind: 'all' }
  | { readonly kind: 'word'; readonly word: WordLists; readonly field: number | undefined }
  | {
      readonly kind: 'phrase';
      readonly words: readonly WordLists[];
      readonly slop: number;
      readonly field: number | undefined;
    }
  /** `bitsIn` a segment: the documents that pass, undefined = all. */
  | {
      readonly kind: 'filter';
      readonly bitsIn: (segmentIndex: number) => Uint32Array | undefined;
      readonly boost: number;
    };

type LeafNode = Exclude<MatchNode, { kind: 'none' | 'and' | 'or' | 'some' | 'not' }>;

export type CompiledNode =
  | { readonly kind: 'none' }
  | { readonly kind: 'leaf'; readonly leaf: Leaf }
  | { readonly kind: 'and' | 'or'; readonly of: readonly CompiledNode[] }
  | { readonly kind: 'some'; readonly must: readonly CompiledNode[]; readonly should: readonly CompiledNode[] }
  | { readonly kind: 'not'; readonly of: readonly CompiledNode[] };

export type CompiledMatch = {
  readonly root: CompiledNode;
  /** Leaves outside `not`, in order of the tree: their scores are added in this order. */
  readonly leaves: readonly Leaf[];
  readonly matched: readonly MatchedWord[];
  /** Dictionary entries that patterns, which then match nothing, and fuzzy terms would have looked at. */
  readonly entriesLeftOut: number;
};

export type CompileDeps = {
  readonly counts: LiveCounts;
  readonly filters: FilterBits;
  /** Whether dictionaries are scanned for patterns; else only what that and fuzzy terms would cost is known. */
  readonly scans: boolean;
};

type Compiler = CompileDeps & {
  readonly snapshot: Snapshot;
  readonly leaves: Leaf[];
  readonly matched: MatchedWord[];
};

/**
 * Looks the words of a query up in a snapshot. About 1 µs per word, language and segment; patterns cost a scan. What
 * absent words take must be in the tree: `withFuzzyTerms`.
 */
export function compileMatch(snapshot: Snapshot, match: QueryPlan['match'], deps: CompileDeps): CompiledMatch {
  const { counts, scans } = deps;
  const compiler: Compiler = { ...deps, snapshot, leaves: [], matched: [] };
  const root = compileNode(compiler, match, true);
  const documentsOf = (text: string) => documentFrequency(snapshot, counts, text);
  const absent = scans ? 0 : absentWords(match, documentsOf).size;
  const entriesLeftOut = absent * countEntries(snapshot) + (scans ? 0 : entriesOfPatterns(snapshot, match));
  return { root, leaves: compiler.leaves, matched: compiler.matched, entriesLeftOut };
}

/** A word of searched text that is no leaf of its own. */
export function compileLooseWord(
  snapshot: Snapshot,
  word: Pick<WordNode, 'text' | 'also'>,
  counts: LiveCounts,
): WordLists {
  return compileWord({ snapshot, counts }, { text: word.text, boost: 1 }, word.also);
}

function compileNode(compiler: Compiler, node: MatchNode, scores: boolean): CompiledNode {
  switch (node.kind) {
    case 'none':
      return node;
    case 'and':
    case 'or':
      return { kind: node.kind, of: node.of.map((part) => compileNode(compiler, part, scores)) };
    case 'some':
      return {
        kind: 'some',
        must: node.must.map((part) => compileNode(compiler, part, scores)),
        should: node.should.map((part) => compileNode(compiler, part, scores)),
      };
    case 'not':
      return { kind: 'not', of: node.of.map((part) => compileNode(compiler, part, false)) };
    default:
      return compileLeaf(compiler, node, scores);
  }
}

function compileLeaf(compiler: Compiler, node: LeafNode, scores: boolean): CompiledNode {
  const leaf = leafOf(compiler, node);
  if (scores) {
    compiler.leaves.push(leaf);
    compiler.matched.push(...matchedBy(compiler, node, leaf));
  }
  return { kind: 'leaf', leaf };
}

function leafOf(compiler: Compiler, node: LeafNode): Leaf {
  if (node.kind === 'all') return node;
  const { fieldNumbers, segments } = compiler.snapshot;
  if (node.kind === 'filter') {
    const { filters, snapshot } = compiler;
    return { ...node, bitsIn: (segment) => filters.of(snapshot, segments[segment]!, node.filter) };
  }
  if (isPattern(node)) return { kind: 'word', word: compilePattern(compiler, node), field: undefined };
  const field = node.field === undefined ? undefined : (fieldNumbers.get(node.field) ?? -1);
  if (node.kind === 'word') {
    const word = compileWord(compiler, node, node.also);
    return { kind: 'word', word: node.role === 'name' ? asName(compiler, word, node.boost) : word, field };
  }
  const words = node.words.map((text) => compileWord(compiler, { ...node, text }, []));
  return { kind: 'phrase', words, slop: node.slop, field };
}

/** A name is as rare as the words before it at most. */
function asName({ leaves }: Compiler, word: WordLists, boost: number): WordLists {
  const rarity = Math.min(word.idf, idfOfText(leaves));
  return { ...word, idf: rarity, weight: rarity * boost };
}

function idfOfText(leaves: readonly Leaf[]): number {
  let sum = 0;
  for (const leaf of leaves) {
    if (leaf.kind === 'phrase' && leaf.field === undefined) for (const word of leaf.words) sum += word.idf;
    if (leaf.kind === 'word' && leaf.field === undefined && leaf.word.pattern === undefined) sum += leaf.word.idf;
  }
  return sum;
}

function compilePattern({ snapshot, counts, scans }: Compiler, node: PatternNode): WordLists {
  const nowhere = snapshot.segments.map(() => []);
  const text = node.kind === 'fuzzy' ? node.text : node.pattern;
  const own = { text, plain: nowhere, hidden: nowhere, also: [] };
  if (!scans) return { ...own, idf: 0, weight: 0, documents: 0, postings: postingsOfPattern(snapshot, node) };
  const pattern = expandPattern(snapshot, counts, node);
  const { documents } = pattern;
  const rarity = idf(snapshot.live, documents);
  return { ...own, idf: rarity, weight: rarity * node.boost, documents, postings: documents, pattern };
}

function compileWord(
  compiler: Pick<Compiler, 'snapshot' | 'counts'>,
  { text, boost, field }: Pick<WordNode, 'text' | 'boost' | 'field'>,
  alternatives: readonly Alternative[],
): WordLists {
  const look = (word: string) => lookUp(compiler, word, field !== undefined);
  const own = look(text);
  const also = alternatives.map((list) => ({ ...list, words: list.words.map(look) }));
  const { live } = compiler.snapshot;
  const frequencies = also.map((list) => ({ weight: list.weight, documentFrequency: rarest(list.words) }));
  const df = groupFrequency(live, [{ weight: 1, documentFrequency: own.documents }, ...frequencies]);
  const postings = also.flatMap(({ words }) => words).reduce((sum, word) => sum + word.postings, own.postings);
  const rarity = idf(live, df);
  return { ...own, text, idf: rarity, weight: rarity * boost, postings, also };
}

/** Documents of the word that fewest have; an upper bound of those that have all. */
function rarest(words: readonly TermsOfWord[]): number {
  return words.length === 0 ? 0 : Math.min(...words.map(({ documents }) => documents));
}

function matchedBy({ snapshot }: Compiler, node: LeafNode, leaf: Leaf): readonly MatchedWord[] {
  if (node.kind === 'all' || node.kind === 'filter' || (node.kind === 'word' && node.role === 'name')) return [];
  if (isPattern(node)) {
    const { text, pattern } = (leaf as Extract<Leaf, { kind: 'word' }>).word;
    return [{ text, forms: new Set(), field: node.field, surfaces: new Set(pattern?.surfaces) }];
  }
  const formsOf = (text: string) => new Set(stemsOf(snapshot, text).keys());
  const { field } = node;
  if (node.kind === 'phrase') return node.words.map((text) => ({ text, forms: formsOf(text), field }));
  const lists = leaf.kind === 'word' ? leaf.word.also : [];
  const also = node.also.flatMap(({ words, slop, source }, i): readonly MatchedAlternative[] => {
    if (!isOfText(source) || rarest(lists[i]!.words) === 0) return [];
    return [{ words, slop, source, forms: words.map(formsOf) }];
  });
  return [{ text: node.text, forms: formsOf(node.text), field, ...(also.length === 0 ? {} : { also }) }];
}

/** Stem → languages of live documents in which the word has it, as bits. */
function stemsOf({ languages, liveLanguages }: Snapshot, text: string): Map<string, number> {
  const stems = new Map<string, number>();
  for (const [number, code] of languages.entries()) {
    if (((liveLanguages >>> number) & 1) === 0) continue;
    const stem = stemTerm(text, code);
    stems.set(stem, (stems.get(stem) ?? 0) | (1 << number));
  }
  return stems;
}

/** Live documents that have the stem of a word in searched text. */
export function documentFrequency(snapshot: Snapshot, counts: LiveCounts, word: string): number {
  return lookUp({ snapshot, counts }, word, false).documents;
}

function lookUp(
  { snapshot, counts }: Pick<Compiler, 'snapshot' | 'counts'>,
  text: string,
  withHidden: boolean,
): TermsOfWord {
  const stems = stemsOf(snapshot, text);
  const plain = listsIn(snapshot, stems, '');
  let documents = 0;
  let postings = 0;
  for (const [i, lists] of plain.entries()) {
    const view = snapshot.segments[i]!;
    for (const list of lists) {
      documents += counts.of(view, list);
      postings += view.segment.termDf[list.term]!;
    }
  }
  const hidden = withHidden ? listsIn(snapshot, stems, HIDDEN_PREFIX) : snapshot.segments.map(() => []);
  return { plain, hidden, documents, postings };
}

function listsIn({ segments }: Snapshot, stems: ReadonlyMap<string, number>, prefix: string): TermList[][] {
  return segments.map(({ segment }) => {
    const lists: TermList[] = [];
    for (const [stem, languages] of stems) {
      const mask = languages & segment.languageMask;
      if (mask === 0) continue;
      const term = segment.dictionary.findTerm(prefix + stem);
      if (term >= 0) lists.push({ term, mask: mask === segment.languageMask ? EVERY_LANGUAGE : mask });
    }
    return lists;
  });
}

/** Dictionary entries of all segments. */
export function countEntries({ segments }: Snapshot): number {
  return segments.reduce((sum, { segment }) => sum + segment.header.entries, 0);
}

function entriesOfPatterns(snapshot: Snapshot, node: MatchNode): number {
  switch (node.kind) {
    case 'and':
    case 'or':
    case 'not':
      return node.of.reduce((sum, part) => sum + entriesOfPatterns(snapshot, part), 0);
    case 'some':
      return [...node.must, ...node.should].reduce((sum, part) => sum + entriesOfPatterns(snapshot, part), 0);
    default:
      return isPattern(node) ? entriesOfPattern(snapshot, node) : 0;
  }
}

/** Best fuzzy terms of an absent word. */
type FindFuzzyTerms = (word: string, options: FuzzyOptions) => readonly FuzzyTerm[];

type ScoringNode = Extract<MatchNode, { kind: 'word' | 'phrase' }>;

/** Where words are looked for. */
export type WordSearch = {
  /** Live documents with a word in searched text. */
  readonly documentsOf: (word: string) => number;
  readonly findFuzzyTerms: FindFuzzyTerms;
};

/** The tree with fuzzy terms as alternatives of the words that are absent. A scan per such word. */
export function withFuzzyTerms(match: MatchNode, { documentsOf, findFuzzyTerms }: WordSearch): MatchNode {
  const absent = absentWords(match, documentsOf);
  return absent.size === 0 ? match : addFuzzyTerms(match, absent, findFuzzyTerms);
}

/**
 * Words that take fuzzy terms as alternatives: neither they nor their alternatives are in any document, while another
 * word or phrase is.
 */
function absentWords(match: MatchNode, documentsOf: WordSearch['documentsOf']): ReadonlySet<WordNode> {
  const nodes = scoringNodes(match);
  if (!nodes.some(mayHaveFuzzyTerms)) return new Set();
  const rarest = (words: readonly string[]) => (words.length === 0 ? 0 : Math.min(...words.map(documentsOf)));
  const present = nodes.some((node) => rarest(node.kind === 'word' ? [node.text] : node.words) > 0);
  if (!present) return new Set();
  const isAbsent = ({ text, also }: WordNode) =>
    documentsOf(text) === 0 && also.every(({ words }) => rarest(words) === 0);
  return new Set(nodes.filter(mayHaveFuzzyTerms).filter(isAbsent));
}

/** What stands under `not` stays as it is. */
function addFuzzyTerms(node: MatchNode, absent: ReadonlySet<WordNode>, findFuzzyTerms: FindFuzzyTerms): MatchNode {
  const all = (nodes: readonly MatchNode[]) => nodes.map((part) => addFuzzyTerms(part, absent, findFuzzyTerms));
  switch (node.kind) {
    case 'word':
      return absent.has(node) ? { ...node, also: [...node.also, ...fuzzyAlternatives(node, findFuzzyTerms)] } : node;
    case 'and':
    case 'or':
      return { kind: node.kind, of: all(node.of) };
    case 'some':
      return { kind: 'some', must: all(node.must), should: all(node.should) };
    default:
      return node;
  }
}

function fuzzyAlternatives({ text }: WordNode, findFuzzyTerms: FindFuzzyTerms): readonly Alternative[] {
  const maxDistance = maxEditsOf(foldWord(text));
  if (maxDistance === 0) return [];
  return findFuzzyTerms(text, { maxDistance, limit: MAX_FUZZY_TERMS }).map((fuzzy) => {
    return { words: [fuzzy.text], slop: 0, weight: DISTANCE_WEIGHTS[fuzzy.distance] ?? 0, source: 'fuzzy' };
  });
}

function mayHaveFuzzyTerms(node: ScoringNode): node is WordNode {
  return node.kind === 'word' && node.fuzzy === 'when-absent';
}

/** Words and phrases outside `not`. */
function scoringNodes(node: MatchNode): readonly ScoringNode[] {
  switch (node.kind) {
    case 'word':
      return node.role === 'name' ? [] : [node];
    case 'phrase':
      return [node];
    case 'and':
    case 'or':
      return node.of.flatMap(scoringNodes);
    case 'some':
      return [...node.must, ...node.should].flatMap(scoringNodes);
    default:
      return [];
  }
}

import { stemWord } from '../../../text/stemming.ts';
import type { MatchNode, QueryPlan } from '../../query-plan.ts';
import { idf } from '../../relevance.ts';
import type { MatchedWord } from '../../search-index.ts';
import type { LiveCounts } from '../postings/live-counts.ts';
import type { Snapshot } from '../read/snapshot.ts';
import { HIDDEN_PREFIX } from '../segment/builder.ts';

/** Mask of a list whose postings all count: no look at the document's language is needed. */
export const EVERY_LANGUAGE = -1;

/** One posting list of a word in one segment; a posting counts when its document's language is in the mask. */
export type TermList = { readonly term: number; readonly mask: number };

/** A query word over all segments: per segment its lists in searched text and in fields that plain words skip. */
export type WordLists = {
  readonly text: string;
  readonly idf: number;
  /** idf × boost. */
  readonly weight: number;
  /** Postings over all segments, dead ones included: the cost of a scan. */
  readonly postings: number;
  readonly plain: readonly (readonly TermList[])[];
  readonly hidden: readonly (readonly TermList[])[];
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
    };

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
};

type Compiler = {
  readonly snapshot: Snapshot;
  readonly counts: LiveCounts;
  readonly leaves: Leaf[];
  readonly matched: MatchedWord[];
};

/** Looks the words of a query up in a snapshot. About 1 µs per word, language and segment. */
export function compileMatch(snapshot: Snapshot, match: QueryPlan['match'], counts: LiveCounts): CompiledMatch {
  const compiler: Compiler = { snapshot, counts, leaves: [], matched: [] };
  const root = compileNode(compiler, match, true);
  return { root, leaves: compiler.leaves, matched: compiler.matched };
}

/** A word of searched text that is no leaf of its own. */
export function compileWord(snapshot: Snapshot, text: string, counts: LiveCounts): WordLists {
  return wordLists({ snapshot, counts, leaves: [], matched: [] }, text, 1, false);
}

function compileNode(compiler: Compiler, node: MatchNode, scores: boolean): CompiledNode {
  switch (node.kind) {
    case 'none':
      return node;
    case 'prefix':
    case 'wildcard':
    case 'fuzzy':
    case 'filter':
      return { kind: 'none' };
    case 'all':
    case 'word':
    case 'phrase':
      return compileLeaf(compiler, node, scores);
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
  }
}

function compileLeaf(
  compiler: Compiler,
  node: Extract<MatchNode, { kind: 'all' | 'word' | 'phrase' }>,
  scores: boolean,
): CompiledNode {
  const leaf = leafOf(compiler, node);
  if (scores) {
    compiler.leaves.push(leaf);
    const texts = node.kind === 'all' ? [] : node.kind === 'word' ? [node.text] : node.words;
    const field = node.kind === 'all' ? undefined : node.field;
    for (const text of texts) {
      compiler.matched.push({ text, forms: new Set(stemsOf(compiler.snapshot, text).keys()), field });
    }
  }
  return { kind: 'leaf', leaf };
}

function leafOf(compiler: Compiler, node: Extract<MatchNode, { kind: 'all' | 'word' | 'phrase' }>): Leaf {
  if (node.kind === 'all') return node;
  const { fieldNumbers } = compiler.snapshot;
  const field = node.field === undefined ? undefined : (fieldNumbers.get(node.field) ?? -1);
  const lists = (text: string) => wordLists(compiler, text, node.boost, field !== undefined);
  if (node.kind === 'word') return { kind: 'word', word: lists(node.text), field };
  return { kind: 'phrase', words: node.words.map(lists), slop: node.slop, field };
}

/** Stem → languages of live documents in which the word has it, as bits. */
function stemsOf({ languages, liveLanguages }: Snapshot, text: string): Map<string, number> {
  const stems = new Map<string, number>();
  for (const [number, code] of languages.entries()) {
    if (((liveLanguages >>> number) & 1) === 0) continue;
    const stem = stemWord(text, code);
    stems.set(stem, (stems.get(stem) ?? 0) | (1 << number));
  }
  return stems;
}

function wordLists({ snapshot, counts }: Compiler, text: string, boost: number, withHidden: boolean): WordLists {
  const stems = stemsOf(snapshot, text);
  const plain = listsIn(snapshot, stems, '');
  let df = 0;
  let postings = 0;
  for (const [i, lists] of plain.entries()) {
    const view = snapshot.segments[i]!;
    for (const list of lists) {
      df += counts.of(view, list);
      postings += view.segment.termDf[list.term]!;
    }
  }
  const hidden = withHidden ? listsIn(snapshot, stems, HIDDEN_PREFIX) : snapshot.segments.map(() => []);
  const rarity = idf(snapshot.live, df);
  return { text, idf: rarity, weight: rarity * boost, postings, plain, hidden };
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

import { foldWord } from '../../../text/folding.ts';
import type { Alternative, MatchNode, WordNode } from '../../query-plan.ts';
import { DISTANCE_WEIGHTS, MAX_FUZZY_TERMS, maxEditsOf } from '../../relevance-words.ts';
import type { FuzzyOptions, FuzzyTerm } from '../../search-index.ts';

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
export function absentWords(match: MatchNode, documentsOf: WordSearch['documentsOf']): ReadonlySet<WordNode> {
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

import { foldWord } from '../../../text/folding.ts';
import type { Alternative, MatchNode, WordNode } from '../../query-plan.ts';
import { DISTANCE_WEIGHTS, MAX_NEAR_WORDS, nearDistance } from '../../relevance-words.ts';
import type { NearOptions, NearWord } from '../../search-index.ts';

/** Best near words of an absent word. */
type FindNear = (word: string, options: NearOptions) => readonly NearWord[];

type ScoringNode = Extract<MatchNode, { kind: 'word' | 'phrase' }>;

/** Where words are looked for. */
export type WordSearch = {
  /** Live documents with a word in searched text. */
  readonly documentsOf: (word: string) => number;
  readonly findNear: FindNear;
};

/** The tree with near words as alternatives of the words that are absent. A scan per such word. */
export function withNearWords(match: MatchNode, { documentsOf, findNear }: WordSearch): MatchNode {
  const absent = absentWords(match, documentsOf);
  return absent.size === 0 ? match : addNear(match, absent, findNear);
}

/**
 * Words that take near words as alternatives: neither they nor their alternatives are in any document, while another
 * word or phrase is.
 */
export function absentWords(match: MatchNode, documentsOf: WordSearch['documentsOf']): ReadonlySet<WordNode> {
  const nodes = scoringNodes(match);
  if (!nodes.some(mayBeNear)) return new Set();
  const rarest = (words: readonly string[]) => (words.length === 0 ? 0 : Math.min(...words.map(documentsOf)));
  const present = nodes.some((node) => rarest(node.kind === 'word' ? [node.text] : node.words) > 0);
  if (!present) return new Set();
  const isAbsent = ({ text, also }: WordNode) =>
    documentsOf(text) === 0 && also.every(({ words }) => rarest(words) === 0);
  return new Set(nodes.filter(mayBeNear).filter(isAbsent));
}

/** What stands under `not` stays as it is. */
function addNear(node: MatchNode, absent: ReadonlySet<WordNode>, findNear: FindNear): MatchNode {
  const all = (nodes: readonly MatchNode[]) => nodes.map((part) => addNear(part, absent, findNear));
  switch (node.kind) {
    case 'word':
      return absent.has(node) ? { ...node, also: [...node.also, ...alternativesNear(node, findNear)] } : node;
    case 'and':
    case 'or':
      return { kind: node.kind, of: all(node.of) };
    case 'some':
      return { kind: 'some', must: all(node.must), should: all(node.should) };
    default:
      return node;
  }
}

function alternativesNear({ text }: WordNode, findNear: FindNear): readonly Alternative[] {
  const maxDistance = nearDistance(foldWord(text));
  if (maxDistance === 0) return [];
  return findNear(text, { maxDistance, limit: MAX_NEAR_WORDS }).map((near) => {
    return { words: [near.text], slop: 0, weight: DISTANCE_WEIGHTS[near.distance] ?? 0, source: 'near' };
  });
}

function mayBeNear(node: ScoringNode): node is WordNode {
  return node.kind === 'word' && node.near === 'when-absent';
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

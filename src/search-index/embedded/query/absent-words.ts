import { foldWord } from '../../../text/folding.ts';
import type { Alternative, MatchNode, WordNode } from '../../query-plan.ts';
import { DISTANCE_WEIGHTS, MAX_NEAR_WORDS, nearDistance } from '../../relevance-words.ts';
import type { NearOptions, NearWord } from '../../search-index.ts';

/** Best near words of an absent word. */
type FindNear = (word: string, options: NearOptions) => readonly NearWord[];

type ScoringNode = Extract<MatchNode, { kind: 'word' | 'phrase' }>;

/**
 * Words that take near words as alternatives: neither they nor their alternatives are in any document, while another
 * word or phrase is. `documentsOf` = live documents with a word in searched text.
 */
export function absentWords(match: MatchNode, documentsOf: (word: string) => number): readonly WordNode[] {
  const nodes = scoringNodes(match);
  if (!nodes.some(mayBeNear)) return [];
  const rarest = (words: readonly string[]) => (words.length === 0 ? 0 : Math.min(...words.map(documentsOf)));
  const present = nodes.some((node) => rarest(node.kind === 'word' ? [node.text] : node.words) > 0);
  if (!present) return [];
  return nodes.filter(mayBeNear).filter((node) => {
    return documentsOf(node.text) === 0 && node.also.every(({ words }) => rarest(words) === 0);
  });
}

export function alternativesNear({ text }: WordNode, findNear: FindNear): readonly Alternative[] {
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

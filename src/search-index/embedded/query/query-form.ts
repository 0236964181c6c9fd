import type { CompiledMatch, CompiledNode, Leaf, WordLists } from './compile.ts';

/** Ways to find the matches of a query; all give the same documents and scores. */
export type EvaluationStrategy = 'all' | 'scan' | 'and' | 'or-windows' | 'or-by-filter' | 'tree';

/** A query as one flat list of words of searched text, as far as it is one; else a tree. */
export type QueryForm =
  | { readonly kind: 'all' }
  /** Every one of `required`; `optional` only add score. `words` = both in order of the tree. */
  | {
      readonly kind: 'required';
      readonly words: readonly WordLists[];
      readonly requiredCount: number;
      readonly excluded: readonly CompiledNode[];
    }
  | { readonly kind: 'any'; readonly words: readonly WordLists[] }
  | { readonly kind: 'tree' };

/** Weights below could round a contribution to nothing, which windows take for no match. */
const LEAST_WINDOW_WEIGHT = 1e-12;

export function queryFormOf({ root, leaves }: CompiledMatch): QueryForm {
  if (root.kind === 'leaf' && root.leaf.kind === 'all') return { kind: 'all' };
  const words = leaves.map(plainWord);
  if (words.length === 0 || words.includes(undefined)) return { kind: 'tree' };
  return flatForm(root, words as WordLists[]) ?? { kind: 'tree' };
}

/** Whether the windows of `or` can tell a match from its score. */
export function fitsWindows(words: readonly WordLists[], classWeights: { a: number; b: number; c: number }): boolean {
  const { a, b, c } = classWeights;
  return Math.min(a, b, c) > 0 && words.every(isHeavyEnough);
}

function isHeavyEnough({ weight, also }: WordLists): boolean {
  const least = also.reduce((lowest, list) => Math.min(lowest, list.weight), 1);
  return weight * least > LEAST_WINDOW_WEIGHT;
}

function flatForm(root: CompiledNode, words: readonly WordLists[]): QueryForm | undefined {
  switch (root.kind) {
    case 'leaf':
      return { kind: 'required', words, requiredCount: 1, excluded: [] };
    case 'or':
      return root.of.every(isLeaf) ? { kind: 'any', words } : undefined;
    case 'and': {
      const excluded = root.of.flatMap((part) => (part.kind === 'not' ? part.of : []));
      const flat = root.of.every((part) => part.kind === 'not' || isLeaf(part));
      return flat ? { kind: 'required', words, requiredCount: words.length, excluded } : undefined;
    }
    case 'some': {
      if (!root.must.every(isLeaf) || !root.should.every(isLeaf)) return undefined;
      if (root.must.length === 0) return { kind: 'any', words };
      return { kind: 'required', words, requiredCount: root.must.length, excluded: [] };
    }
    default:
      return undefined;
  }
}

function isLeaf(node: CompiledNode): boolean {
  return node.kind === 'leaf';
}

function plainWord(leaf: Leaf): WordLists | undefined {
  return leaf.kind === 'word' && leaf.field === undefined ? leaf.word : undefined;
}

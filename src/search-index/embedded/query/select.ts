import { bitWords, clearBeyond } from '../bytes/bitset.ts';
import type { CompiledNode, Leaf } from './compile.ts';
import { evaluateLeaf, type LeafMatches, type LeafScope } from './evaluate-leaf.ts';

/** Leaves evaluated so far in one segment: a leaf is asked for its selection and again for its scores. */
export type LeafResults = Map<Leaf, LeafMatches>;

export function leafMatches(scope: LeafScope, leaf: Exclude<Leaf, { kind: 'all' }>, results: LeafResults): LeafMatches {
  let matches = results.get(leaf);
  if (matches === undefined) {
    matches = evaluateLeaf(scope, leaf);
    results.set(leaf, matches);
  }
  return matches;
}

/**
 * Documents that a node matches, as bits over all documents of the segment. Any tree; O(Σ df of its words +
 * documents / 32 per node).
 */
export function selectBits(scope: LeafScope, node: CompiledNode, results: LeafResults): Uint32Array {
  const { documents } = scope.segment;
  switch (node.kind) {
    case 'none':
      return new Uint32Array(bitWords(documents));
    case 'leaf':
      return node.leaf.kind === 'all' ? allBits(documents) : bitsOf(leafMatches(scope, node.leaf, results), documents);
    case 'and':
      return intersect(scope, node.of, results);
    case 'or':
      return unite(scope, node.of, results);
    case 'some':
      return node.must.length === 0 ? unite(scope, node.should, results) : intersect(scope, node.must, results);
    case 'not': {
      const bits = unite(scope, node.of, results);
      for (let i = 0; i < bits.length; i++) bits[i] = ~bits[i]!;
      clearBeyond(bits, documents);
      return bits;
    }
  }
}

/** Stops where nothing is left. */
function intersect(scope: LeafScope, nodes: readonly CompiledNode[], results: LeafResults): Uint32Array {
  const bits = allBits(scope.segment.documents);
  for (const node of nodes) {
    const next = selectBits(scope, node, results);
    let some = 0;
    for (let i = 0; i < bits.length; i++) {
      bits[i] = bits[i]! & next[i]!;
      some |= bits[i]!;
    }
    if (some === 0) break;
  }
  return bits;
}

function unite(scope: LeafScope, nodes: readonly CompiledNode[], results: LeafResults): Uint32Array {
  const bits = new Uint32Array(bitWords(scope.segment.documents));
  for (const node of nodes) {
    const next = selectBits(scope, node, results);
    for (let i = 0; i < bits.length; i++) bits[i] = bits[i]! | next[i]!;
  }
  return bits;
}

function allBits(documents: number): Uint32Array {
  const bits = new Uint32Array(bitWords(documents)).fill(0xffffffff);
  clearBeyond(bits, documents);
  return bits;
}

function bitsOf({ count, documents }: LeafMatches, documentCount: number): Uint32Array {
  const bits = new Uint32Array(bitWords(documentCount));
  for (let i = 0; i < count; i++) bits[documents[i]! >>> 5]! |= 1 << (documents[i]! & 31);
  return bits;
}

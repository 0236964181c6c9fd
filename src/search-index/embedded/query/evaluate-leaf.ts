import { PHRASE_FACTOR } from '../../relevance.ts';
import { countBits, fullBits, listBits } from '../bytes/bitset.ts';
import type { Segment } from '../segment/segment.ts';
import { checkStop } from '../stop-point.ts';
import type { Leaf, WordLists } from './compile.ts';
import { forEachPhrase } from './phrase-matches.ts';
import { evaluateGroup, groupIn } from './word-group.ts';
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

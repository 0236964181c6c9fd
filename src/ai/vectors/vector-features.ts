import type { CosineScale } from '../../search/cosine-scale.ts';
import { BLOCK_KINDS } from '../blocks/answer-blocks.ts';
import { BLOCK_FEATURES, type BlockRows, readBlockFeatures } from '../blocks/block-features.ts';
import type { RankedBlock, RankedPassage, Ranking } from '../ranking.ts';

/** Passages of which the blocks are ranked: the best by their words, and as many that are nearest to the question. */
const RERANKED = { byWords: 12, byVectors: 12 } as const;

/** What vectors tell of the passage of a block, one column each; cosines are on the scale of their model. */
const PASSAGE_FEATURES = ['cosine', 'behindNearest', 'cosinePlace', 'isVectorCandidate', 'nearest'] as const;
export const VECTOR_FEATURES = [...BLOCK_FEATURES, ...PASSAGE_FEATURES] as const;

/** What the vector of a block tells beside those of others that are compared with it. */
export const COMPARISON_FEATURES = [
  ...['score', 'behindBest', 'place', 'blockCosine', 'behindNearestBlock', 'cosinePlace', 'beyondPassage'],
  ...['kind', 'chars', 'ownCoverage', 'passageCosine', 'nearest'],
] as const;

/** A ranking whose cosines can be compared with those of other models. */
export type VectorRanking = Ranking & { readonly scale: CosineScale };

/** Of the passages that are ranked anew, in the order of the ranking. */
export type VectorRows = BlockRows & { readonly passages: readonly RankedPassage[] };

/** Rows of `VECTOR_FEATURES`. O(blocks × terms of the question), some 10 µs a block. */
export function readVectorFeatures(ranking: VectorRanking): VectorRows {
  const nearest = ranking.passages
    .filter(({ cosine }) => cosine !== undefined)
    .toSorted((a, b) => (b.cosine ?? 0) - (a.cosine ?? 0));
  const worded = ranking.passages.filter(({ isVectorCandidate }) => isVectorCandidate !== true);
  const chosen = new Set([...worded.slice(0, RERANKED.byWords), ...nearest.slice(0, RERANKED.byVectors)]);
  const passages = ranking.passages.filter((ranked) => chosen.has(ranked));
  const { rows: known, blocks } = readBlockFeatures(ranking, passages);
  const highest = levelOf(ranking, nearest[0]?.cosine);
  const [width, knownWidth] = [VECTOR_FEATURES.length, BLOCK_FEATURES.length];
  const rows = new Float32Array((known.length / knownWidth) * width);
  let row = 0;
  for (const [position, ranked] of passages.entries()) {
    const cosine = levelOf(ranking, ranked.cosine);
    const place = ranked.cosine === undefined ? nearest.length : nearest.indexOf(ranked);
    const own = [cosine, highest - cosine, place, ranked.isVectorCandidate === true ? 1 : 0, highest];
    for (const _ of blocks[position] ?? []) {
      rows.set(known.subarray(row * knownWidth, (row + 1) * knownWidth), row * width);
      rows.set(own, row * width + knownWidth);
      row++;
    }
  }
  return { passages, rows, blocks };
}

/** A cosine on the scale of its model: 0 = as of unrelated texts, 1 = as of a question and its answer. */
export function levelOf({ scale: { unrelated, related } }: VectorRanking, cosine = unrelated): number {
  return (cosine - unrelated) / (related - unrelated);
}

/** A block that is compared with others by its vector. */
export type ComparedBlock = {
  readonly ranked: RankedPassage;
  readonly block: RankedBlock;
  readonly cosine: number;
};

/** Rows of `COMPARISON_FEATURES`, the blocks being in the order of their scores. */
export function comparisonRows(ranking: VectorRanking, compared: readonly ComparedBlock[]): Float32Array {
  const best = compared[0]?.block.score ?? 0;
  const cosines = compared.map(({ cosine }) => cosine).sort((a, b) => b - a);
  const nearest = Math.max(...ranking.passages.map(({ cosine }) => levelOf(ranking, cosine)));
  return Float32Array.from(
    compared.flatMap(({ ranked, block, cosine }, place) => [
      ...[block.score, best - block.score, place],
      ...[levelOf(ranking, cosine), levelOf(ranking, cosines[0]) - levelOf(ranking, cosine)],
      ...[cosines.indexOf(cosine), levelOf(ranking, cosine) - levelOf(ranking, ranked.cosine)],
      ...[BLOCK_KINDS.indexOf(block.kind), textOf(ranked, block).length, block.ownCoverage],
      ...[levelOf(ranking, ranked.cosine), nearest],
    ]),
  );
}

/** What is embedded of a block: all that is quoted with it. */
export function textOf({ passage }: RankedPassage, { sentences }: Pick<RankedBlock, 'sentences'>): string {
  return sentences.map((at) => passage.sentences[at]?.text ?? '').join('\n');
}

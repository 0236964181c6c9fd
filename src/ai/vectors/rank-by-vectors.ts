import { type BlockModel, orderByBlocks } from '../blocks/rank-blocks.ts';
import type { RankedBlock, RankedPassage } from '../ranking.ts';
import {
  COMPARISON_FEATURES,
  type ComparedBlock,
  comparisonRows,
  readVectorFeatures,
  textOf,
  VECTOR_FEATURES,
  type VectorRanking,
} from './vector-features.ts';
import type { VectorModel } from './vector-model.ts';

/** Blocks of a question whose vectors are compared: the best of what is known without them. */
export const COMPARED_BLOCKS = 10;

/** Cosines of texts with the question, in their order; undefined when nobody tells in time. */
export type CosinesOf = (texts: readonly string[]) => Promise<readonly number[] | undefined>;

/**
 * Ranks the blocks of the passages that are best by words and nearest by vectors, and the passages by their best block,
 * as `rankBlocks` does by words alone. Costs some 5 ms, and the vectors of `COMPARED_BLOCKS` texts that were not asked
 * for lately; without them what is known of their passages orders the blocks.
 */
export async function rankByVectors(
  ranking: VectorRanking,
  models: Pick<VectorModel, 'blocks' | 'comparison'>,
  cosinesOf: CosinesOf,
): Promise<VectorRanking> {
  const passages = scoredPassages(ranking, models.blocks);
  const best = bestBlocks(passages);
  const cosines = await cosinesOf(best.map(({ ranked, block }) => textOf(ranked, block)));
  if (cosines === undefined || best.length === 0) return orderByBlocks(ranking, passages);
  const compared = best.map((each, at): ComparedBlock => ({ ...each, cosine: cosines[at] ?? 0 }));
  const rows = comparisonRows(ranking, compared);
  const changes = new Map(
    compared.map(({ block }, at) => [block, models.comparison(rows, at * COMPARISON_FEATURES.length)]),
  );
  // What was not compared is no better than the least of those that were.
  const least = Math.min(0, ...changes.values());
  const known = new Map(compared.map(({ block, cosine }) => [block, cosine]));
  const changed = passages.map((ranked): RankedPassage => {
    const blocks = ranked.blocks.map((block) => ({
      ...block,
      score: block.score + (changes.get(block) ?? least),
      ...(known.has(block) && { cosine: known.get(block) }),
    }));
    return { ...ranked, blocks };
  });
  return orderByBlocks(ranking, changed);
}

/** The reranked passages with the scores of their blocks by all that is known without the vectors of blocks. */
export function scoredPassages(ranking: VectorRanking, model: BlockModel): readonly RankedPassage[] {
  const { passages, rows, blocks } = readVectorFeatures(ranking);
  let row = 0;
  return passages.map((ranked, position) => {
    const scored = (blocks[position] ?? []).map((block): RankedBlock => {
      return { ...block, score: model(rows, VECTOR_FEATURES.length * row++) };
    });
    return { ...ranked, blocks: scored };
  });
}

/** Best first. */
export function bestBlocks(passages: readonly RankedPassage[]): readonly Omit<ComparedBlock, 'cosine'>[] {
  return passages
    .flatMap((ranked) => ranked.blocks.map((block) => ({ ranked, block })))
    .toSorted((a, b) => b.block.score - a.block.score)
    .slice(0, COMPARED_BLOCKS);
}

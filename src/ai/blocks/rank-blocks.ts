import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { flattenTrees, probabilityOf, treeOf } from '../../core/boosted-trees.ts';
import type { RankedBlock, RankedPassage, Ranking } from '../ranking.ts';
import { BLOCK_FEATURES, readBlockFeatures } from './block-features.ts';

/** Passages of which the blocks are ranked, and as many that only vectors found: 24 order no better. */
export const RERANKED_PASSAGES = 16;

/**
 * Scores of the model are divided by this before they become shares: at 1 the best passage stands so far before the
 * others that near ones pass it too seldom (decision 89).
 */
const TEMPERATURE = 4;

/**
 * Ranks the blocks of the best passages: a model that was trained on questions weighs all that is known of each, and
 * the passages stand by their best block; all others stay behind them, in their order. Pure; 3 to 5 ms on a busy
 * machine.
 */
export function rankBlocks(ranking: Ranking, model: BlockModel = defaultBlockModel()): Ranking {
  const reranked = rerankedPassages(ranking);
  const { rows, blocks } = readBlockFeatures(ranking, reranked);
  let row = 0;
  const passages = reranked.map((ranked, position): RankedPassage => {
    const own = (blocks[position] ?? []).map((block): RankedBlock => {
      return { ...block, score: model(rows, BLOCK_FEATURES.length * row++) };
    });
    return { ...ranked, blocks: own };
  });
  return orderByBlocks(ranking, passages);
}

/** The ranking with these of its passages first, by their best block. */
export function orderByBlocks<R extends Ranking>(ranking: R, reranked: readonly RankedPassage[]): R {
  const passages = reranked.map((ranked): RankedPassage => {
    const best = Math.max(...ranked.blocks.map(({ score }) => score));
    return { ...ranked, score: ranked.factor * shareOf(best) };
  });
  passages.sort((a, b) => b.score - a.score || a.passage.rid - b.passage.rid || a.passage.ordinal - b.passage.ordinal);
  const first = new Set(reranked.map(({ passage }) => passage));
  const others = ranking.passages.filter(({ passage }) => !first.has(passage));
  return { ...ranking, passages: [...passages, ...behind(others, passages.at(-1)?.score ?? 0)] };
}

/** In the order of the ranking: the first by their words, and the first that were found by their vectors alone. */
export function rerankedPassages({ passages }: Pick<Ranking, 'passages'>): readonly RankedPassage[] {
  const neighbours = passages.filter(({ isVectorCandidate }) => isVectorCandidate === true);
  const worded = passages.filter(({ isVectorCandidate }) => isVectorCandidate !== true);
  const chosen = new Set([...neighbours.slice(0, RERANKED_PASSAGES), ...worded.slice(0, RERANKED_PASSAGES)]);
  return passages.filter((ranked) => chosen.has(ranked));
}

/** What candidate scoring found of the others, below the least score of the reranked ones. */
function behind(others: readonly RankedPassage[], least: number): readonly RankedPassage[] {
  const highest = others[0]?.score ?? 0;
  return others.map((ranked) => ({ ...ranked, score: highest > 0 ? (least * ranked.score) / (2 * highest) : 0 }));
}

/** Any number as one between 0 and 1, so that factors lower it. */
function shareOf(score: number): number {
  return probabilityOf(score / TEMPERATURE);
}

/** `block-model.json`: written by `scripts/train/block-model.ts` alone. */
export const BLOCK_MODEL_FILE = z.strictObject({
  version: z.literal(1),
  trainedOn: z.string(),
  features: z
    .array(z.string())
    .refine((names) => names.join() === BLOCK_FEATURES.join(), 'trained with other features: train it anew'),
  trees: z.array(treeOf(BLOCK_FEATURES)),
});
export type BlockModelFile = z.infer<typeof BLOCK_MODEL_FILE>;

/** How far the row of `BLOCK_FEATURES` that begins at `from` answers, beside others of its question. O(trees × depth). */
export type BlockModel = (rows: Float32Array, from: number) => number;

export function blockModelOf({ trees }: Pick<BlockModelFile, 'trees'>): BlockModel {
  return flattenTrees({ base: 0, trees }).odds;
}

export const BLOCK_MODEL_URL = new URL('block-model.json', import.meta.url);
let builtIn: BlockModel | undefined;

/** The weights of the product, read when the first question is asked. */
export function defaultBlockModel(): BlockModel {
  builtIn ??= blockModelOf(BLOCK_MODEL_FILE.parse(JSON.parse(readFileSync(BLOCK_MODEL_URL, 'utf8'))));
  return builtIn;
}

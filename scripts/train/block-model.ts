import { writeFileSync } from 'node:fs';
import { BLOCK_FEATURES } from '../../src/ai/blocks/block-features.ts';
import {
  BLOCK_MODEL_URL,
  type BlockModel,
  type BlockModelFile,
  blockModelOf,
} from '../../src/ai/blocks/rank-blocks.ts';
import type { TrainOptions } from './boosted-trees.ts';
import { type RankedGroup, trainRanking } from './rank-trees.ts';

/** The ranked blocks of one question: rows of `BLOCK_FEATURES`. */
export type BlockExample = RankedGroup & {
  /** That the question is asked of. */
  readonly site: string;
};

/** Found by folds of whole sites of the tuning halves (docs/answers.md). */
const OPTIONS: TrainOptions = {
  trees: 160,
  learningRate: 0.05,
  leaves: 10,
  minRowsPerLeaf: 80,
  l2: 5,
  columnShare: 0.4,
};
/** Parts of the sites, so that those of one kind are in several. */
const FOLDS = 7;
/** Digits that thresholds and values keep in the file. */
const DIGITS = 4;

/** Weights from all examples. The same examples in the same order give the same file. */
export function trainBlocks(examples: readonly BlockExample[], trainedOn: string): BlockModelFile {
  const trees = treesOf(examples).map(({ t, v, ...tree }) => ({ ...tree, t: t.map(rounded), v: v.map(rounded) }));
  return { version: 1, trainedOn, features: [...BLOCK_FEATURES], trees };
}

/** For each site a model that knows no question of it: one that the sites of the other folds trained. */
export function blockModelsOutOfSite(examples: readonly BlockExample[]): ReadonlyMap<string, BlockModel> {
  const sites = [...new Set(examples.map(({ site }) => site))];
  const models = new Map<string, BlockModel>();
  for (let fold = 0; fold < FOLDS; fold++) {
    const held = new Set(sites.filter((_, at) => at % FOLDS === fold));
    const model = blockModelOf({ trees: treesOf(examples.filter(({ site }) => !held.has(site))) });
    for (const site of held) models.set(site, model);
  }
  return models;
}

export function writeBlockModel(file: BlockModelFile): void {
  writeFileSync(BLOCK_MODEL_URL, `${JSON.stringify(file)}\n`);
}

function treesOf(examples: readonly BlockExample[]): BlockModelFile['trees'] {
  return [...trainRanking(examples, BLOCK_FEATURES.length, OPTIONS)];
}

function rounded(value: number): number {
  return Number(value.toPrecision(DIGITS));
}

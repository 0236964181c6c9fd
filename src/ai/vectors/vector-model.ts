import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { treeOf } from '../../core/boosted-trees.ts';
import { type BlockModel, blockModelOf } from '../blocks/rank-blocks.ts';
import { VECTOR_GATE, type VectorGate } from './vector-answerability.ts';
import { COMPARISON_FEATURES, VECTOR_FEATURES } from './vector-features.ts';

/** How far blocks answer: by all but their vectors, and what the vectors of the best of them change. */
export type VectorModel = {
  readonly blocks: BlockModel;
  readonly comparison: BlockModel;
  readonly gate: VectorGate;
  /** Of questions; those of others are judged by words. */
  readonly languages: readonly string[];
};

const treesOf = (features: readonly string[]) =>
  z.strictObject({
    features: z
      .array(z.string())
      .refine((names) => names.join() === features.join(), 'trained with other features: train it anew'),
    trees: z.array(treeOf(features)),
  });

/** `vector-model.json`: written by `scripts/train/vector-model.ts` alone. */
export const VECTOR_MODEL_FILE = z.strictObject({
  version: z.literal(1),
  trainedOn: z.string(),
  /** Whose vectors it was trained with; it reads those of others, too. */
  embedder: z.string(),
  languages: z.array(z.string()),
  blocks: treesOf(VECTOR_FEATURES),
  comparison: treesOf(COMPARISON_FEATURES),
  gate: VECTOR_GATE,
});
export type VectorModelFile = z.infer<typeof VECTOR_MODEL_FILE>;

export const VECTOR_MODEL_URL = new URL('vector-model.json', import.meta.url);
let builtIn: VectorModel | undefined;

/** The weights of the product, read when the first question with a vector is asked. */
export function defaultVectorModel(): VectorModel {
  builtIn ??= vectorModelOf(VECTOR_MODEL_FILE.parse(JSON.parse(readFileSync(VECTOR_MODEL_URL, 'utf8'))));
  return builtIn;
}

export function vectorModelOf({ blocks, comparison, ...file }: Omit<VectorModelFile, 'version'>): VectorModel {
  return { ...file, blocks: blockModelOf(blocks), comparison: blockModelOf(comparison) };
}

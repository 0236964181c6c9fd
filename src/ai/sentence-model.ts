import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { flattenTrees, treeOf } from '../core/boosted-trees.ts';
import { SENTENCE_FEATURES } from './sentence-features.ts';

/** `sentence-model.json`: written by `scripts/train/sentence-model.ts` alone. */
export const SENTENCE_MODEL_FILE = z.strictObject({
  version: z.literal(1),
  trainedOn: z.string(),
  features: z
    .array(z.string())
    .refine((names) => names.join() === SENTENCE_FEATURES.join(), 'trained with other features: train it anew'),
  trees: z.array(treeOf(SENTENCE_FEATURES)),
});
export type SentenceModelFile = z.infer<typeof SENTENCE_MODEL_FILE>;

/** How far the row of `SENTENCE_FEATURES` that begins at `from` answers, beside others of its question. O(trees × depth). */
export type SentenceModel = (rows: Float32Array, from: number) => number;

export function sentenceModelOf({ trees }: Pick<SentenceModelFile, 'trees'>): SentenceModel {
  return flattenTrees({ base: 0, trees }).odds;
}

export const SENTENCE_MODEL_URL = new URL('sentence-model.json', import.meta.url);
let builtIn: SentenceModel | undefined;

/** The weights of the product, read when the first question is asked. */
export function defaultSentenceModel(): SentenceModel {
  builtIn ??= sentenceModelOf(SENTENCE_MODEL_FILE.parse(JSON.parse(readFileSync(SENTENCE_MODEL_URL, 'utf8'))));
  return builtIn;
}

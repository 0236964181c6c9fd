import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { flattenTrees, treeOf } from '../../core/boosted-trees.ts';
import { FEATURES } from './features.ts';
import { SELECTION_FEATURES } from './selection-features.ts';

const VERSION = 2;
const MODEL_FILE = z.object({
  version: z.literal(VERSION),
  features: z.array(z.string()),
  /** Log odds before any tree. */
  base: z.number(),
  /** Probability of each block. */
  trees: z.array(treeOf(FEATURES)),
  /** Of selection: what the probabilities of the page change. */
  worth: z.object({ features: z.array(z.string()), trees: z.array(treeOf(SELECTION_FEATURES)) }),
  trainedOn: z.string(),
  report: z.unknown(),
});
const HEADER = MODEL_FILE.pick({ version: true, features: true }).extend({
  worth: z.object({ features: z.array(z.string()) }),
});

export type ModelFile = z.infer<typeof MODEL_FILE>;

/** What a model says of the blocks of a page, in two looks. Scoring allocates nothing. */
export type ContentModel = {
  /** Probability that the row of `FEATURES` that begins at `from` is a block of main text. O(trees × depth). */
  readonly score: (rows: Float32Array, from: number) => number;
  /** Log odds that the row of `SELECTION_FEATURES` that begins at `from` adds. O(trees × depth). */
  readonly correct: (rows: Float32Array, from: number) => number;
};

/**
 * Reads a model as `npm run train:extract` writes it.
 * @throws TypeError with a sentence for the operator when the file is no model, or one of other features
 */
export function readContentModel(path: string | URL): ContentModel {
  const json: unknown = JSON.parse(readFileSync(path, 'utf8'));
  const header = HEADER.safeParse(json);
  if (header.success) {
    checkFeatures(path, FEATURES, header.data.features);
    checkFeatures(path, SELECTION_FEATURES, header.data.worth.features);
  }
  const file = MODEL_FILE.safeParse(json);
  if (!file.success) {
    throw new TypeError(`${path} is no content model of version ${VERSION}: ${z.prettifyError(file.error)}`);
  }
  return modelOf(file.data);
}

/** Both looks of a model. */
export function modelOf({ base, trees, worth }: Pick<ModelFile, 'base' | 'trees'> & SelectionTrees): ContentModel {
  return { score: flattenTrees({ base, trees }).score, correct: flattenTrees({ base: 0, trees: worth.trees }).odds };
}

type SelectionTrees = { readonly worth: Pick<ModelFile['worth'], 'trees'> };

function checkFeatures(path: string | URL, wanted: readonly string[], features: readonly string[]): void {
  const other = wanted.findIndex((name, at) => features[at] !== name);
  if (other < 0 && features.length === wanted.length) return;
  const mismatch = other < 0 ? `${features.length} columns` : `column ${other} is ${features[other] ?? 'missing'}`;
  throw new TypeError(`${path} was trained with other features (${mismatch}): train it anew`);
}

/** The weights of the product. */
export const BUILT_IN_MODEL = new URL('./content-model.json', import.meta.url);
let builtIn: ContentModel | undefined;

/** The product's own model, read when it is needed first. */
export function builtInModel(): ContentModel {
  builtIn ??= readContentModel(BUILT_IN_MODEL);
  return builtIn;
}

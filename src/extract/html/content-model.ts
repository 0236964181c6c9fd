import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { FEATURES } from './features.ts';
import { WORTH_FEATURES } from './worth-features.ts';

/** One tree, nodes in parallel lists; node 0 is the root, children come after their parent. */
const treeOf = (columns: readonly string[]) =>
  z
    .object({
      /** Column that a node asks, -1 for a leaf. */
      f: z
        .array(
          z
            .int()
            .min(-1)
            .max(columns.length - 1),
        )
        .min(1),
      /** A value goes left when it is at most this, in 32-bit floats. */
      t: z.array(z.number()),
      l: z.array(z.int()),
      r: z.array(z.int()),
      /** Of a leaf. */
      v: z.array(z.number()),
    })
    .refine(
      ({ f, t, l, r, v }) =>
        [t, l, r, v].every(({ length }) => length === f.length) &&
        f.every((column, node) => column < 0 || [l[node] ?? 0, r[node] ?? 0].every((to) => to > node && to < f.length)),
      'lists differ in length, or a child is none of the later nodes',
    );
const VERSION = 2;
const MODEL_FILE = z.object({
  version: z.literal(VERSION),
  features: z.array(z.string()),
  /** Log odds before any tree. */
  base: z.number(),
  /** Probability of each block. */
  trees: z.array(treeOf(FEATURES)),
  /** Of the second look: what the probabilities of the page change. */
  worth: z.object({ features: z.array(z.string()), trees: z.array(treeOf(WORTH_FEATURES)) }),
  trainedOn: z.string(),
  report: z.unknown(),
});
const HEADER = MODEL_FILE.pick({ version: true, features: true }).extend({
  worth: z.object({ features: z.array(z.string()) }),
});

export type Tree = z.infer<ReturnType<typeof treeOf>>;
export type ModelFile = z.infer<typeof MODEL_FILE>;

/** What a model says of the blocks of a page, in two looks. Scoring allocates nothing. */
export type ContentModel = {
  /** Probability that the row of `FEATURES` that begins at `from` is a block of main text. O(trees × depth). */
  readonly score: (rows: Float32Array, from: number) => number;
  /** Log odds that the row of `WORTH_FEATURES` that begins at `from` adds. O(trees × depth). */
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
    checkFeatures(path, WORTH_FEATURES, header.data.worth.features);
  }
  const file = MODEL_FILE.safeParse(json);
  if (!file.success) {
    throw new TypeError(`${path} is no content model of version ${VERSION}: ${z.prettifyError(file.error)}`);
  }
  return modelOf(file.data);
}

/** Both looks of a model. */
export function modelOf({ base, trees, worth }: Pick<ModelFile, 'base' | 'trees'> & WorthTrees): ContentModel {
  return { score: flattenTrees({ base, trees }).score, correct: flattenTrees({ base: 0, trees: worth.trees }).odds };
}

type WorthTrees = { readonly worth: Pick<ModelFile['worth'], 'trees'> };

function checkFeatures(path: string | URL, wanted: readonly string[], features: readonly string[]): void {
  const other = wanted.findIndex((name, at) => features[at] !== name);
  if (other < 0 && features.length === wanted.length) return;
  const place = other < 0 ? `${features.length} columns` : `column ${other} is ${features[other] ?? 'missing'}`;
  throw new TypeError(`${path} was trained with other features (${place}): train it anew`);
}

/** The weights of the product. */
export const BUILT_IN_MODEL = new URL('./content-model.json', import.meta.url);
let builtIn: ContentModel | undefined;

/** The product's own model, read when it is needed first. */
export function builtInModel(): ContentModel {
  builtIn ??= readContentModel(BUILT_IN_MODEL);
  return builtIn;
}

/** Gradient-boosted trees, flattened: walking them allocates nothing. */
export type FlatTrees = {
  readonly odds: (rows: Float32Array, from: number) => number;
  /** Probability of these log odds. */
  readonly score: (rows: Float32Array, from: number) => number;
};

/** Puts all trees into one list of nodes. */
export function flattenTrees({ base, trees }: Pick<ModelFile, 'base' | 'trees'>): FlatTrees {
  const size = trees.reduce((sum, { f }) => sum + f.length, 0);
  const nodes = {
    feature: new Int16Array(size),
    threshold: new Float32Array(size),
    left: new Int32Array(size),
    right: new Int32Array(size),
    value: new Float32Array(size),
  };
  const roots = new Int32Array(trees.length);
  let from = 0;
  for (const [at, { f, t, l, r, v }] of trees.entries()) {
    roots[at] = from;
    nodes.feature.set(f, from);
    nodes.threshold.set(t, from);
    nodes.value.set(v, from);
    for (let node = 0; node < f.length; node++) {
      nodes.left[from + node] = from + (l[node] ?? 0);
      nodes.right[from + node] = from + (r[node] ?? 0);
    }
    from += f.length;
  }
  const odds: FlatTrees['odds'] = (rows, at) => base + sumOfLeaves(nodes, { roots, rows, from: at });
  return { odds, score: (rows, at) => probabilityOf(odds(rows, at)) };
}

type Nodes = {
  readonly feature: Int16Array;
  readonly threshold: Float32Array;
  readonly left: Int32Array;
  readonly right: Int32Array;
  readonly value: Float32Array;
};
type Walk = { readonly roots: Int32Array; readonly rows: Float32Array; readonly from: number };

function sumOfLeaves({ feature, threshold, left, right, value }: Nodes, { roots, rows, from }: Walk): number {
  let sum = 0;
  for (let tree = 0; tree < roots.length; tree++) {
    let node = roots[tree] ?? 0;
    let column = feature[node] ?? -1;
    while (column >= 0) {
      const isLeft = (rows[from + column] ?? 0) <= (threshold[node] ?? 0);
      node = (isLeft ? left[node] : right[node]) ?? 0;
      column = feature[node] ?? -1;
    }
    sum += value[node] ?? 0;
  }
  return sum;
}

export function probabilityOf(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}

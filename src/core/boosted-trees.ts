import { z } from 'zod';

/** One tree over rows of these columns, nodes in parallel lists; node 0 is the root, children come after their parent. */
export const treeOf = (columns: readonly string[]) =>
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

export type Tree = z.infer<ReturnType<typeof treeOf>>;

/** `base`: score before any tree. */
export type BoostedTrees = { readonly base: number; readonly trees: readonly Tree[] };

/** Gradient-boosted trees, flattened: walking them allocates nothing. */
export type FlatTrees = {
  readonly odds: (rows: Float32Array, from: number) => number;
  /** Probability of these log odds. */
  readonly score: (rows: Float32Array, from: number) => number;
};

/** Puts all trees into one list of nodes. */
export function flattenTrees({ base, trees }: BoostedTrees): FlatTrees {
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

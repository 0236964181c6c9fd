import { probabilityOf, type Tree } from '../../src/core/boosted-trees.ts';

export type TrainOptions = {
  readonly trees: number;
  readonly learningRate: number;
  readonly leaves: number;
  readonly minRowsPerLeaf: number;
  readonly l2: number;
  /** Share of the columns that a tree looks at; which ones follows from the numbers of tree and column alone. */
  readonly columnShare: number;
};

/** Columns as bin numbers, with the upper edges of the bins but the last. */
export type BinnedColumns = { readonly bins: readonly Uint8Array[]; readonly edges: readonly Float32Array[] };

export type Matrix = { readonly values: Float32Array; readonly columns: number };

export type LabelledRows = {
  readonly data: BinnedColumns;
  /** 0 or 1 for each row of `data`. */
  readonly labels: Uint8Array;
  readonly weights: Float64Array;
};

const BINS = 64;
/** Rows that the edges of bins are taken from. */
const MAX_SAMPLED_ROWS = 200_000;

/** Quantile bins of the chosen rows; a row of the result is a place in `rows`. */
export function binColumns({ values, columns }: Matrix, rows: Int32Array): BinnedColumns {
  const stride = Math.max(1, Math.floor(rows.length / MAX_SAMPLED_ROWS));
  const sample = new Float32Array(Math.ceil(rows.length / stride));
  const bins: Uint8Array[] = [];
  const edges: Float32Array[] = [];
  for (let column = 0; column < columns; column++) {
    for (let at = 0; at < sample.length; at++) sample[at] = values[rows[at * stride]! * columns + column]!;
    const edge = edgesOf(sample.sort());
    const own = new Uint8Array(rows.length);
    for (let at = 0; at < rows.length; at++) own[at] = binOf(edge, values[rows[at]! * columns + column]!);
    bins.push(own);
    edges.push(edge);
  }
  return { bins, edges };
}

/** Midpoints between neighbours, so that equal values share a bin. */
function edgesOf(sorted: Float32Array): Float32Array {
  const distinct = sorted.filter((value, at) => at === 0 || value !== sorted[at - 1]);
  const edges: number[] = [];
  if (distinct.length <= BINS) {
    for (let at = 0; at + 1 < distinct.length; at++) edges.push((distinct[at]! + distinct[at + 1]!) / 2);
    return Float32Array.from(edges);
  }
  for (let bin = 1; bin < BINS; bin++) {
    const at = Math.floor((bin * sorted.length) / BINS);
    const below = sorted.subarray(0, at).findLast((value) => value < sorted[at]!);
    if (below === undefined) continue;
    const edge = Math.fround((below + sorted[at]!) / 2);
    if (edges.length === 0 || edge > edges.at(-1)!) edges.push(edge);
  }
  return Float32Array.from(edges);
}

function binOf(edges: Float32Array, value: number): number {
  let low = 0;
  let high = edges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value <= edges[middle]!) high = middle;
    else low = middle + 1;
  }
  return low;
}

type Leaf = {
  /** Its rows are `order[start]` to `order[end - 1]`. */
  readonly start: number;
  readonly end: number;
  readonly node: number;
  readonly gradient: number;
  readonly hessian: number;
  readonly histogram: Float64Array;
  readonly split: Split | undefined;
};
type Split = { readonly gain: number; readonly column: number; readonly bin: number };

/** Gradient boosting on the weighted logistic loss. */
export function trainTrees({ data, labels, weights }: LabelledRows, options: TrainOptions) {
  let total = 0;
  let positive = 0;
  for (let row = 0; row < labels.length; row++) {
    total += weights[row]!;
    positive += weights[row]! * labels[row]!;
  }
  const base = Math.log(positive / (total - positive));
  const start = new Float64Array(labels.length).fill(base);
  const setSlopes: SetSlopes = (scores, gradients, hessians) => {
    for (let row = 0; row < labels.length; row++) {
      const p = probabilityOf(scores[row]!);
      gradients[row] = weights[row]! * (p - labels[row]!);
      hessians[row] = weights[row]! * p * (1 - p);
    }
  };
  return { base, trees: boostTrees({ data, start, setSlopes }, options) };
}

/** Writes how the loss changes with the score of each row, and how fast that changes; the latter is never negative. */
export type SetSlopes = (scores: Float64Array, gradients: Float64Array, hessians: Float64Array) => void;
export type Boosting = {
  readonly data: BinnedColumns;
  /** Scores before any tree. */
  readonly start: Float64Array;
  readonly setSlopes: SetSlopes;
};

/**
 * Gradient boosting with leaf-wise growth. The same input gives the same trees: nothing depends on chance or time.
 * O(trees × rows × columns × log leaves).
 */
export function boostTrees(boosting: Boosting, options: TrainOptions): Tree[] {
  const scores = Float64Array.from(boosting.start);
  const grower = createGrower(boosting, options);
  return Array.from({ length: options.trees }, (_, tree) => grower(scores, tree));
}

type Grow = (scores: Float64Array, tree: number) => Tree;

/** Keeps its working memory from tree to tree. A grown tree is added to `scores`. */
function createGrower({ data, start, setSlopes }: Boosting, options: TrainOptions): Grow {
  const size = start.length;
  const gradients = new Float64Array(size);
  const hessians = new Float64Array(size);
  const order = new Int32Array(size);
  const spare = new Int32Array(size);
  const pool: Float64Array[] = [];
  return (scores, number) => {
    const columns = columnsOf(data.bins.length, number, options.columnShare);
    const histogram = () => pool.pop() ?? new Float64Array(data.bins.length * BINS * 3);
    setSlopes(scores, gradients, hessians);
    for (let row = 0; row < size; row++) order[row] = row;
    const fill = (from: number, end: number) =>
      fillHistogram(histogram(), { data, columns, order, gradients, hessians, start: from, end });
    const leafOf = (from: number, end: number, node: number, own: Float64Array): Leaf => {
      let [gradient, hessian] = [0, 0];
      for (let at = from; at < end; at++) {
        gradient += gradients[order[at]!]!;
        hessian += hessians[order[at]!]!;
      }
      const leaf = { start: from, end, node, gradient, hessian, histogram: own };
      return { ...leaf, split: findSplit(leaf, { data, columns, options }) };
    };
    const tree: Tree = { f: [-1], t: [0], l: [0], r: [0], v: [0] };
    const leaves: Leaf[] = [leafOf(0, size, 0, fill(0, size))];
    while (leaves.length < options.leaves) {
      const best = leaves.reduce((most, leaf) => ((leaf.split?.gain ?? 0) > (most.split?.gain ?? 0) ? leaf : most));
      if (best.split === undefined) break;
      const { column, bin } = best.split;
      const middle = partition(order, spare, { start: best.start, end: best.end, bins: data.bins[column]!, bin });
      const [left, right] = addSplit(tree, best.node, { column, threshold: data.edges[column]![bin]! });
      const isLeftSmaller = middle - best.start <= best.end - middle;
      const smaller = isLeftSmaller ? fill(best.start, middle) : fill(middle, best.end);
      const larger = subtract(best.histogram, smaller, columns);
      leaves.splice(
        leaves.indexOf(best),
        1,
        leafOf(best.start, middle, left, isLeftSmaller ? smaller : larger),
        leafOf(middle, best.end, right, isLeftSmaller ? larger : smaller),
      );
    }
    for (const { node, gradient, hessian, start: from, end, histogram: own } of leaves) {
      const value = (-gradient / (hessian + options.l2)) * options.learningRate;
      tree.v[node] = value;
      for (let at = from; at < end; at++) scores[order[at]!]! += value;
      pool.push(own);
    }
    return tree;
  };
}

/** A share of the columns, another one for every tree, by a fixed scramble of both numbers. */
function columnsOf(count: number, tree: number, share: number): Int32Array {
  const limit = share * 2 ** 32;
  const columns: number[] = [];
  for (let column = 0; column < count; column++) {
    if (scramble(tree * 65_537 + column) < limit) columns.push(column);
  }
  return Int32Array.from(columns);
}

/** Mixes the bits of a number (murmur3 finalizer). */
function scramble(number: number): number {
  let bits = Math.imul(number ^ (number >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

type Filling = {
  readonly data: BinnedColumns;
  readonly columns: Int32Array;
  readonly order: Int32Array;
  readonly gradients: Float64Array;
  readonly hessians: Float64Array;
  readonly start: number;
  readonly end: number;
};

/** Per bin of each column: gradient, hessian, rows. */
function fillHistogram(histogram: Float64Array, of: Filling): Float64Array {
  const { data, columns, order, gradients, hessians, start, end } = of;
  const size = end - start;
  const rows = order.subarray(start, end);
  const own = new Float64Array(size * 2);
  for (let at = 0; at < size; at++) {
    own[2 * at] = gradients[rows[at]!]!;
    own[2 * at + 1] = hessians[rows[at]!]!;
  }
  for (const column of columns) {
    const from = column * BINS * 3;
    const bins = data.bins[column]!;
    histogram.fill(0, from, from + BINS * 3);
    for (let at = 0; at < size; at++) {
      const bin = from + 3 * bins[rows[at]!]!;
      histogram[bin]! += own[2 * at]!;
      histogram[bin + 1]! += own[2 * at + 1]!;
      histogram[bin + 2]! += 1;
    }
  }
  return histogram;
}

function subtract(whole: Float64Array, part: Float64Array, columns: Int32Array): Float64Array {
  for (const column of columns) {
    const end = (column + 1) * BINS * 3;
    for (let at = column * BINS * 3; at < end; at++) whole[at]! -= part[at]!;
  }
  return whole;
}

type SplitSearch = {
  readonly data: BinnedColumns;
  readonly columns: Int32Array;
  readonly options: TrainOptions;
};

function findSplit(leaf: Omit<Leaf, 'split'>, { data, columns, options }: SplitSearch): Split | undefined {
  const { minRowsPerLeaf, l2 } = options;
  const rows = leaf.end - leaf.start;
  if (rows < 2 * minRowsPerLeaf) return undefined;
  const whole = leaf.gradient ** 2 / (leaf.hessian + l2);
  let best: Split | undefined;
  for (const column of columns) {
    let [gradient, hessian, count] = [0, 0, 0];
    for (let bin = 0; bin < data.edges[column]!.length; bin++) {
      const at = (column * BINS + bin) * 3;
      gradient += leaf.histogram[at]!;
      hessian += leaf.histogram[at + 1]!;
      count += leaf.histogram[at + 2]!;
      if (count < minRowsPerLeaf) continue;
      if (rows - count < minRowsPerLeaf) break;
      const other = leaf.gradient - gradient;
      const gain = gradient ** 2 / (hessian + l2) + other ** 2 / (leaf.hessian - hessian + l2) - whole;
      if (gain > (best?.gain ?? 0) + 1e-9) best = { gain, column, bin };
    }
  }
  return best;
}

type Partition = { readonly start: number; readonly end: number; readonly bins: Uint8Array; readonly bin: number };

/** Puts rows that go left first, both sides in their order; where the right ones begin. */
function partition(order: Int32Array, spare: Int32Array, { start, end, bins, bin }: Partition): number {
  let left = start;
  let right = 0;
  for (let at = start; at < end; at++) {
    const row = order[at]!;
    if (bins[row]! <= bin) order[left++] = row;
    else spare[right++] = row;
  }
  order.set(spare.subarray(0, right), left);
  return left;
}

function addSplit(tree: Tree, node: number, { column, threshold }: { column: number; threshold: number }) {
  const left = tree.f.length;
  for (let child = 0; child < 2; child++) {
    tree.f.push(-1);
    tree.t.push(0);
    tree.l.push(0);
    tree.r.push(0);
    tree.v.push(0);
  }
  tree.f[node] = column;
  tree.t[node] = threshold;
  tree.l[node] = left;
  tree.r[node] = left + 1;
  return [left, left + 1] as const;
}

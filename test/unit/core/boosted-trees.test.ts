import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BoostedTrees, flattenTrees, probabilityOf, type Tree, treeOf } from '../../../src/core/boosted-trees.ts';

const COLUMNS = ['size', 'links', 'depth'];
const STUMP: Tree = { f: [0, -1, -1], t: [0.1, 0, 0], l: [1, 0, 0], r: [2, 0, 0], v: [0, -4, 4] };

/** What trees say of a row, read literally. */
function naiveOdds({ base, trees }: BoostedTrees, row: Float32Array): number {
  const leafOf = ({ f, t, l, r, v }: Tree, node: number): number => {
    const column = f[node]!;
    if (column < 0) return v[node]!;
    return leafOf({ f, t, l, r, v }, row[column]! <= Math.fround(t[node]!) ? l[node]! : r[node]!);
  };
  return trees.reduce((sum, tree) => sum + Math.fround(leafOf(tree, 0)), base);
}

/** A tree that grew by splitting leaves: which one, by which column, where. */
function grownTree(splits: readonly (readonly [leaf: number, column: number, threshold: number])[]): Tree {
  const tree: Tree = { f: [-1], t: [0], l: [0], r: [0], v: [1] };
  for (const [leaf, column, threshold] of splits) {
    const leaves = tree.f.flatMap((own, node) => (own < 0 ? [node] : []));
    const node = leaves[leaf % leaves.length]!;
    for (const child of [tree.f.length, tree.f.length + 1]) {
      tree.f.push(-1);
      for (const list of [tree.t, tree.l, tree.r]) list.push(0);
      tree.v.push(child / 7);
    }
    [tree.f[node], tree.t[node]] = [column, threshold];
    [tree.l[node], tree.r[node]] = [tree.f.length - 2, tree.f.length - 1];
  }
  return tree;
}

/** JSON, which trees are kept as, has no negative zero. */
const value = fc
  .oneof(fc.integer({ min: -3, max: 3 }), fc.double({ min: -3, max: 3, noNaN: true }))
  .map((number) => number + 0);
const split = fc.tuple(fc.nat(20), fc.nat(COLUMNS.length - 1), value);
const tree = fc.array(split, { maxLength: 12 }).map(grownTree);

test('flat trees say what the lists say, of any row', () => {
  const rows = fc.array(fc.tuple(value, value, value), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(fc.array(tree, { maxLength: 5 }), value, rows, (trees, base, values) => {
      const { odds, score } = flattenTrees({ base, trees });
      const all = Float32Array.from(values.flat());
      for (let from = 0; from < all.length; from += COLUMNS.length) {
        const wanted = naiveOdds({ base, trees }, all.subarray(from));
        expect(odds(all, from)).toBeCloseTo(wanted, 9);
        expect(score(all, from)).toBe(probabilityOf(odds(all, from)));
      }
    }),
  );
});

test('a value that equals the threshold as a 32-bit float goes left', () => {
  const { odds } = flattenTrees({ base: 0, trees: [STUMP] });
  expect(odds(Float32Array.of(0.1), 0)).toBe(-4);
  expect(odds(Float32Array.of(0.1000001), 0)).toBe(4);
});

test('log odds of 0 are a half; any others stay within 0 and 1', () => {
  expect(probabilityOf(0)).toBe(0.5);
  expect([-1_000, 1_000].map(probabilityOf)).toEqual([0, 1]);
});

describe('a tree that is read', () => {
  test('is what was written', () => {
    fc.assert(
      fc.property(tree, (written) => {
        expect(treeOf(COLUMNS).parse(JSON.parse(JSON.stringify(written)))).toEqual(written);
      }),
    );
  });

  test.each<[string, Partial<Tree>]>([
    ['has no node', { f: [], t: [], l: [], r: [], v: [] }],
    ['asks a column that is not there', { f: [COLUMNS.length, -1, -1] }],
    ['has lists of different lengths', { v: [0, -4] }],
    ['has a child that is its parent', { l: [0, 0, 0] }],
    ['has a child that is no node', { r: [3, 0, 0] }],
    ['has a node that is no whole number', { l: [1.5, 0, 0] }],
  ])('is refused when it %s', (_name, change) => {
    expect(treeOf(COLUMNS).safeParse(STUMP).success).toBe(true);
    expect(treeOf(COLUMNS).safeParse({ ...STUMP, ...change }).success).toBe(false);
  });
});

import type { ContentHashes } from '../../storage/duplicate-store.ts';

/** Bits of 64 in which near-duplicates may differ (crawling 16). */
const SIMILAR_BITS = 3;
/** Four bands of 16 bits: two hashes that differ in 3 bits agree in one of them. */
const BANDS = 4;
const BAND_VALUES = 2 ** 16;
/** Neighbours of a band that a hash is compared with; texts made of one template are linked by those all the same. */
const NEIGHBOURS = 64;

/** Similarity hashes of many pages in typed arrays: 16 bytes a page. */
export type SimilarityList = {
  readonly ids: number[];
  readonly high: number[];
  readonly low: number[];
};

export function addHashes(list: SimilarityList, rows: readonly ContentHashes[]): void {
  for (const { id, similarity } of rows) {
    list.ids.push(id);
    list.high.push(similarity[0]);
    list.low.push(similarity[1]);
  }
}

/** Groups of ids whose texts are nearly equal, each with its neighbours, the largest first. O(pages). */
export function nearDuplicateGroups(list: SimilarityList): readonly (readonly number[])[] {
  const high = Uint32Array.from(list.high);
  const low = Uint32Array.from(list.low);
  const parents = Uint32Array.from(list.ids.keys());
  for (let band = 0; band < BANDS; band++) linkBand({ high, low, parents }, band);
  const groups = new Map<number, number[]>();
  for (const [at, id] of list.ids.entries()) {
    const root = rootOf(parents, at);
    const group = groups.get(root);
    if (group === undefined) groups.set(root, [id]);
    else group.push(id);
  }
  return [...groups.values()].filter((group) => group.length > 1).sort((a, b) => b.length - a.length);
}

type Hashes = { readonly high: Uint32Array; readonly low: Uint32Array; readonly parents: Uint32Array };

function linkBand({ high, low, parents }: Hashes, band: number): void {
  const order = byBand(band < 2 ? high : low, band % 2 === 0 ? 16 : 0);
  for (let position = 0; position < order.length; position++) {
    const at = order[position] ?? 0;
    const last = Math.min(position + NEIGHBOURS, order.length - 1);
    for (let next = position + 1; next <= last; next++) {
      const other = order[next] ?? 0;
      if (bitsOf((high[at] ?? 0) ^ (high[other] ?? 0)) + bitsOf((low[at] ?? 0) ^ (low[other] ?? 0)) > SIMILAR_BITS)
        continue;
      parents[rootOf(parents, at)] = rootOf(parents, other);
    }
  }
}

/** Places sorted by 16 bits of their word (counting sort), so that equal ones lie together. */
function byBand(words: Uint32Array, shift: number): Uint32Array {
  const starts = new Uint32Array(BAND_VALUES + 1);
  const bandOf = (at: number) => ((words[at] ?? 0) >>> shift) & (BAND_VALUES - 1);
  for (let at = 0; at < words.length; at++) starts[bandOf(at) + 1] = (starts[bandOf(at) + 1] ?? 0) + 1;
  for (let value = 0; value < BAND_VALUES; value++) starts[value + 1] = (starts[value + 1] ?? 0) + (starts[value] ?? 0);
  const order = new Uint32Array(words.length);
  for (let at = 0; at < words.length; at++) {
    const value = bandOf(at);
    order[starts[value] ?? 0] = at;
    starts[value] = (starts[value] ?? 0) + 1;
  }
  return order;
}

function rootOf(parents: Uint32Array, at: number): number {
  let root = at;
  while (parents[root] !== root) {
    parents[root] = parents[parents[root] ?? 0] ?? 0;
    root = parents[root] ?? 0;
  }
  return root;
}

/** Bits set in 32 (Hacker's Delight 5-1). */
function bitsOf(value: number): number {
  let bits = value - ((value >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

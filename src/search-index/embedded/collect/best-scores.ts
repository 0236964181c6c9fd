/** Matches of a segment, with the place of each document in the order of ids. */
export type RankedMatches = {
  readonly count: number;
  readonly documents: Uint32Array;
  /** Not below 0. */
  readonly scores: Float32Array;
  readonly idRank: Uint32Array;
};

/** Matches up to which they are parted by score before the best are looked for. */
const PARTED_MATCHES = 8_192;
/** Parts of the range of scores. */
const PARTS = 256;

/**
 * The best `size` matches of a segment, ties by id, in no order; of many none below `floor`. Of many matches one
 * that cannot come in costs one look at its score; few are parted by score first, 4 ns each, so that only those around
 * the worst that comes in are compared. O(matches + size · log size · log(matches / size)).
 */
export function bestByScore(matches: RankedMatches, size: number, floor: number): Int32Array {
  const { count, scores } = matches;
  if (count > size && count <= PARTED_MATCHES && floor <= 0) return bestOfParts(matches, size);
  const heap = new MatchHeap(matches, size);
  let least = floor;
  for (let i = 0; i < count; i++) {
    if (scores[i]! < least) continue;
    if (heap.offer(i)) least = Math.max(floor, heap.leastScore);
  }
  return heap.items.subarray(0, heap.count);
}

const partCounts = new Uint32Array(PARTS);

function bestOfParts(matches: RankedMatches, size: number): Int32Array {
  const { count, scores } = matches;
  let highest = 0;
  for (let i = 0; i < count; i++) highest = Math.max(highest, scores[i]!);
  // Higher scores are never in lower parts.
  const scale = highest > 0 ? (PARTS - 1) / highest : 0;
  partCounts.fill(0);
  for (let i = 0; i < count; i++) partCounts[(scores[i]! * scale) | 0]!++;
  let part = PARTS - 1;
  let above = 0;
  while (above + partCounts[part]! < size) above += partCounts[part--]!;
  const best = new Int32Array(size);
  const rest = new MatchHeap(matches, size - above);
  let taken = 0;
  for (let i = 0; i < count; i++) {
    const own = (scores[i]! * scale) | 0;
    if (own < part) continue;
    if (own > part) best[taken++] = i;
    else rest.offer(i);
  }
  best.set(rest.items, taken);
  return best;
}

/** Keeps the best matches; the worst stands at the root. Hot: its order is fixed, so that no comparison is a call. */
class MatchHeap {
  readonly items: Int32Array;
  count = 0;
  private readonly scores: Float32Array;
  private readonly documents: Uint32Array;
  private readonly idRank: Uint32Array;

  constructor({ scores, documents, idRank }: RankedMatches, size: number) {
    this.items = new Int32Array(size);
    this.scores = scores;
    this.documents = documents;
    this.idRank = idRank;
  }

  /** Score below which nothing comes in. */
  get leastScore(): number {
    return this.count < this.items.length ? Number.NEGATIVE_INFINITY : this.scores[this.items[0]!]!;
  }

  /** Whether the match came in. */
  offer(match: number): boolean {
    const { items } = this;
    if (this.count < items.length) this.rise(match, this.count++);
    else if (this.isBetter(match, items[0]!)) this.sink(match);
    else return false;
    return true;
  }

  private isBetter(a: number, b: number): boolean {
    const difference = this.scores[a]! - this.scores[b]!;
    if (difference !== 0) return difference > 0;
    return this.idRank[this.documents[a]!]! < this.idRank[this.documents[b]!]!;
  }

  private rise(match: number, from: number): void {
    const { items } = this;
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      if (!this.isBetter(items[parent]!, match)) break;
      items[at] = items[parent]!;
      at = parent;
    }
    items[at] = match;
  }

  /** Puts a match in the place of the worst. */
  private sink(match: number): void {
    const { items, count } = this;
    let at = 0;
    for (let child = 1; child < count; child = 2 * at + 1) {
      const right = child + 1;
      const worse = right < count && this.isBetter(items[child]!, items[right]!) ? right : child;
      if (!this.isBetter(match, items[worse]!)) break;
      items[at] = items[worse]!;
      at = worse;
    }
    items[at] = match;
  }
}

/** Segments of a tier that are merged into one. */
const MERGE_WIDTH = 8;
/** Documents up to which a segment is of the lowest tier. */
const SMALLEST_TIER = 64;
/** Share of dead documents from which a segment is written anew. */
const DEAD_RATIO = 0.2;

export type MergeCandidate = {
  readonly documents: number;
  readonly liveCount: number;
  readonly bytes: number;
  /** Number of the vocabulary that split its compounds. */
  readonly vocabulary: number;
};

/**
 * The segments to be merged next, in order, or undefined. Eight of one tier (each tier eight times the one below),
 * else one with more than a fifth of its documents dead.
 */
export function chooseMerge<T extends MergeCandidate>(segments: readonly T[]): readonly T[] | undefined {
  const tiers = Map.groupBy(segments, ({ liveCount }) => tierOf(liveCount));
  for (const tier of tiers.values()) {
    const chosen = tier.slice(0, MERGE_WIDTH);
    if (chosen.length === MERGE_WIDTH && fitsBounds(chosen)) return chosen;
  }
  const dead = segments.find(({ documents, liveCount }) => documents - liveCount > documents * DEAD_RATIO);
  return dead === undefined ? undefined : [dead];
}

/**
 * Segments that were split by another vocabulary than the present one, the smallest first, with together so many live
 * documents at most; undefined when there is none.
 */
export function chooseSplitAnew<T extends MergeCandidate>(
  segments: readonly T[],
  present: { readonly vocabulary: number; readonly documents: number },
): readonly T[] | undefined {
  const stale = segments.filter(({ vocabulary }) => vocabulary !== present.vocabulary);
  const chosen = new Set<T>();
  let documents = 0;
  for (const segment of stale.toSorted((a, b) => a.liveCount - b.liveCount)) {
    documents += segment.liveCount;
    if (documents <= present.documents) chosen.add(segment);
  }
  return chosen.size === 0 ? undefined : segments.filter((segment) => chosen.has(segment));
}

/** Live documents up to which an engine at rest becomes one segment; above, a few. */
const ONE_SEGMENT_DOCUMENTS = 200_000;
const SEGMENTS_AT_REST = 4;

/**
 * What to merge of an engine that is not written to: the smallest segments, so that few are left, then one that was
 * split by another vocabulary than the present one; undefined when nothing is to be done.
 */
export function chooseIdleMerge<T extends MergeCandidate>(
  segments: readonly T[],
  vocabulary: number,
): readonly T[] | undefined {
  const few = chooseSmallest(segments);
  if (few !== undefined) return few;
  const stale = segments.find((segment) => segment.vocabulary !== vocabulary);
  return stale === undefined ? undefined : [stale];
}

function chooseSmallest<T extends MergeCandidate>(segments: readonly T[]): readonly T[] | undefined {
  const live = segments.reduce((sum, { liveCount }) => sum + liveCount, 0);
  const wanted = live <= ONE_SEGMENT_DOCUMENTS ? 1 : SEGMENTS_AT_REST;
  if (segments.length <= wanted) return undefined;
  const smallest = [...segments].sort((a, b) => a.liveCount - b.liveCount).slice(0, segments.length - wanted + 1);
  return fitsBounds(smallest) ? segments.filter((segment) => smallest.includes(segment)) : undefined;
}

function fitsBounds(segments: readonly MergeCandidate[]): boolean {
  const documents = segments.reduce((sum, { liveCount }) => sum + liveCount, 0);
  const bytes = segments.reduce((sum, segment) => sum + segment.bytes, 0);
  return documents <= SEGMENT_BOUNDS.documents && bytes <= SEGMENT_BOUNDS.bytes;
}

function tierOf(liveCount: number): number {
  return Math.floor(Math.log2(Math.max(SMALLEST_TIER, liveCount) / SMALLEST_TIER) / 3);
}

/**
 * What a merge may put together (search-engine design 7.2): a file of 1.5 GiB keeps every offset of its postings below
 * the 2^30 that a block can name.
 */
const SEGMENT_BOUNDS = { documents: 2_000_000, bytes: 1.5 * 2 ** 30 } as const;

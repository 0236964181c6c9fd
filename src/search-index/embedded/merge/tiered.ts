import { SEGMENT_BOUNDS } from './bounds.ts';

/** Segments of a tier that are merged into one. */
const MERGE_WIDTH = 8;
/** Documents up to which a segment is of the lowest tier. */
const SMALLEST_TIER = 64;
/** Share of dead documents from which a segment is written anew. */
const DEAD_RATIO = 0.2;

export type MergeCandidate = { readonly documents: number; readonly liveCount: number; readonly bytes: number };

/**
 * The segments to be merged next, in order, or undefined. Eight of one tier (each tier eight times the one below),
 * else one with more than a fifth of its documents dead.
 */
export function chooseMerge<T extends MergeCandidate>(segments: readonly T[]): readonly T[] | undefined {
  const tiers = Map.groupBy(segments, ({ liveCount }) => tierOf(liveCount));
  for (const tier of tiers.values()) {
    const chosen = tier.slice(0, MERGE_WIDTH);
    const documents = chosen.reduce((sum, { liveCount }) => sum + liveCount, 0);
    const bytes = chosen.reduce((sum, segment) => sum + segment.bytes, 0);
    const fits = documents <= SEGMENT_BOUNDS.documents && bytes <= SEGMENT_BOUNDS.bytes;
    if (chosen.length === MERGE_WIDTH && fits) return chosen;
  }
  const dead = segments.find(({ documents, liveCount }) => documents - liveCount > documents * DEAD_RATIO);
  return dead === undefined ? undefined : [dead];
}

function tierOf(liveCount: number): number {
  return Math.floor(Math.log2(Math.max(SMALLEST_TIER, liveCount) / SMALLEST_TIER) / 3);
}

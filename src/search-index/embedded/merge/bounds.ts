/** What one segment may hold at most (search-engine design 7.2). */
export const SEGMENT_BOUNDS = { documents: 2_000_000 } as const;

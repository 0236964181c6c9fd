/**
 * What a merge may put together (search-engine design 7.2): a file of 1.5 GiB keeps every offset of its postings below
 * the 2^30 that a block can name.
 */
export const SEGMENT_BOUNDS = { documents: 2_000_000, bytes: 1.5 * 2 ** 30 } as const;

/**
 * Version of every file in an index folder. Readers accept the current and the previous one; the writer rebuilds
 * an index of any other. History:
 * 1 = segments of typed arrays, `.del` tombstones, `MANIFEST` as JSON with a CRC-32.
 */
export const INDEX_FORMAT_VERSION = 1;

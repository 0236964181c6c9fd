/**
 * Version of every file in an index folder. The writer makes an index of any other version anew; meanwhile readers
 * answer from segments of `READABLE_FORMATS`. History:
 * 1 = segments of typed arrays, `.del` tombstones, `MANIFEST` as JSON with a CRC-32;
 * 2 = document lists, title lists and written forms of surface words (sections 60 to 65);
 * 3 = words beside the main text: terms of a prefix of their own, without positions;
 * 4 = words of link texts and whole names: the same, of two more prefixes; codes of lengths up to a million tokens.
 */
export const INDEX_FORMAT_VERSION = 4;

/** Versions whose segments this program can search: the present one, and the one before when nothing prevents it. */
export const READABLE_FORMATS: readonly number[] = [1, 2, 3, 4];

import { hash } from 'node:crypto';

/** UTF-8 bytes from which a value's text is not kept in its column. */
const LONG_VALUE_BYTES = 200;
const PREFIX_CHARS = 24;
/** A noncharacter: opens the fingerprint of a long value; short values that hold it are kept as fingerprints too. */
const MARK = '\u{10ffff}';

/**
 * The text under which a column knows a value: the value itself, or for a long one a few first characters (none for
 * body text, where they would repeat the title) and a 128-bit fingerprint with its length. Equal keys = equal values.
 */
export function valueKey(value: string, keepsPrefix: boolean): string {
  if (value.length <= LONG_VALUE_BYTES / 3 && !value.includes(MARK)) return value;
  if (Buffer.byteLength(value) <= LONG_VALUE_BYTES && !value.includes(MARK)) return value;
  const prefix = keepsPrefix ? value.slice(0, PREFIX_CHARS).toWellFormed() : '';
  return `${prefix}${MARK}${hash('md5', value, 'base64url')}.${value.length}`;
}

/** Whether a key stands for a value whose text the column does not have. */
export function isLongValue(key: string): boolean {
  return key.includes(MARK);
}

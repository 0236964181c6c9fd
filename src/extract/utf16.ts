/** Bytes that are looked at. */
const HEAD_BYTES = 4_096;
const MIN_NUL_SHARE = 0.3;
/** Blanks and a tag, its first letters or `!doctype`, one character per byte. */
const TAG_START = /^\s*<[!?a-z]/i;
const TAG_BYTES = 64;

export type Utf16 = 'utf-16be' | 'utf-16le';

const MARKS: ReadonlyMap<number, Utf16> = new Map([
  [0xfeff, 'utf-16be'],
  [0xfffe, 'utf-16le'],
]);

/**
 * A byte order mark before what decodes strictly, else zero bytes: `utf-16be` has them on even places, `utf-16le` on
 * odd ones, at least 30 % of the bytes there. Of scripts beyond U+00FF few units have a zero byte: a tag in front, every
 * other byte of it zero, tells as much.
 */
export function utf16Of(head: Uint8Array): Utf16 | undefined {
  const positions = Math.floor(Math.min(head.length, HEAD_BYTES) / 2);
  if (positions < 4) return undefined;
  const marked = MARKS.get(((head[0] ?? 0) << 8) | (head[1] ?? 0));
  if (marked !== undefined && isStrictly(head.subarray(0, positions * 2), marked)) return marked;
  const even = zerosAt(head, 0, positions);
  const odd = zerosAt(head, 1, positions);
  if (even / positions >= MIN_NUL_SHARE && odd / positions < 0.1) return 'utf-16be';
  if (odd / positions >= MIN_NUL_SHARE && even / positions < 0.1) return 'utf-16le';
  if (even + odd === 0) return undefined;
  return startsWithTag(head, 0) ? 'utf-16be' : startsWithTag(head, 1) ? 'utf-16le' : undefined;
}

function zerosAt(head: Uint8Array, offset: 0 | 1, positions: number): number {
  let zeros = 0;
  for (let i = 0; i < positions; i++) if (head[i * 2 + offset] === 0) zeros++;
  return zeros;
}

/** Half a pair of surrogates at the end is none of its faults. */
function isStrictly(head: Uint8Array, charset: Utf16): boolean {
  try {
    new TextDecoder(charset, { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** `high` is the place of the zero in each pair of bytes. */
function startsWithTag(head: Uint8Array, high: 0 | 1): boolean {
  let text = '';
  for (let at = 0; at + 1 < Math.min(head.length, TAG_BYTES) && head[at + high] === 0; at += 2) {
    text += String.fromCharCode(head[at + 1 - high] ?? 0);
  }
  return TAG_START.test(text);
}

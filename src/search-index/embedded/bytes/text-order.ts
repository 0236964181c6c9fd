import { compareCodePoints } from '../../../core/compare-text.ts';

const encoder = new TextEncoder();
const ABOVE_SURROGATES = /[\ud800-\uffff]/;

export function encodeText(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Writes the UTF-8 bytes of a text (at most 3 per code unit) into `out`; returns how many. Fast for ASCII. */
export function encodeInto(text: string, out: Uint8Array): number {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 127) return encoder.encodeInto(text, out).written;
    out[i] = unit;
  }
  return text.length;
}

/** Writes the UTF-16 code units of valid UTF-8 (at most one per byte) into `out`; returns how many. */
export function decodeUnits(bytes: Uint8Array, length: number, out: Uint16Array): number {
  let size = 0;
  for (let i = 0; i < length; ) {
    const first = bytes[i++]!;
    if (first < 0x80) {
      out[size++] = first;
    } else if (first < 0xe0) {
      out[size++] = ((first & 0x1f) << 6) | (bytes[i++]! & 0x3f);
    } else if (first < 0xf0) {
      out[size++] = ((first & 0x0f) << 12) | ((bytes[i++]! & 0x3f) << 6) | (bytes[i++]! & 0x3f);
    } else {
      const high = ((first & 0x07) << 18) | ((bytes[i++]! & 0x3f) << 12);
      const point = (high | ((bytes[i++]! & 0x3f) << 6) | (bytes[i++]! & 0x3f)) - 0x10000;
      out[size++] = 0xd800 + (point >>> 10);
      out[size++] = 0xdc00 + (point & 0x3ff);
    }
  }
  return size;
}

/** Below this many texts the platform's sort is as fast. */
const MIN_PACKED = 64;
/** Texts whose number fits beside four units in the 53 bits of a float. */
const MAX_PACKED = 1 << 21;
const PACKED_UNITS = 4;

/**
 * Sorts in place by code point. Texts whose next four units behind what all of them begin with are below 256 are sorted
 * as numbers of these, and by comparison only where these are the same: O(n log n) on floats.
 */
export function sortByCodePoint(texts: string[]): string[] {
  const canPack = texts.length >= MIN_PACKED && texts.length < MAX_PACKED;
  const keys = canPack ? packHeads(texts, commonLength(texts)) : undefined;
  if (keys === undefined) return sortByComparing(texts);
  keys.sort();
  const unsorted = texts.slice();
  for (let from = 0; from < keys.length; ) {
    const head = Math.floor(keys[from]! / MAX_PACKED);
    let to = from;
    while (to < keys.length && Math.floor(keys[to]! / MAX_PACKED) === head) {
      texts[to] = unsorted[keys[to]! % MAX_PACKED]!;
      to++;
    }
    if (to - from > 1) sortPart(texts, from, to);
    from = to;
  }
  return texts;
}

/** Units that all texts begin with. */
function commonLength(texts: readonly string[]): number {
  const first = texts[0]!;
  let common = first.length;
  for (const text of texts) {
    let same = 0;
    while (same < common && text.charCodeAt(same) === first.charCodeAt(same)) same++;
    common = same;
  }
  return common;
}

/** Per text the units from `from` on and its place; undefined when one of these is 256 or more. */
function packHeads(texts: readonly string[], from: number): Float64Array | undefined {
  const keys = new Float64Array(texts.length);
  for (let i = 0; i < texts.length; i++) {
    const text = texts[i]!;
    let head = 0;
    for (let k = from; k < from + PACKED_UNITS; k++) {
      const unit = k < text.length ? text.charCodeAt(k) : 0;
      if (unit > 255) return undefined;
      head = head * 256 + unit;
    }
    keys[i] = head * MAX_PACKED + i;
  }
  return keys;
}

function sortPart(texts: string[], from: number, to: number): void {
  if (to - from === 2) {
    if (compareCodePoints(texts[from]!, texts[from + 1]!) <= 0) return;
    [texts[from], texts[from + 1]] = [texts[from + 1]!, texts[from]!];
    return;
  }
  const part = sortByComparing(texts.slice(from, to));
  for (let i = 0; i < part.length; i++) texts[from + i] = part[i]!;
}

/** The platform's order of code units is used where it is that of code points. */
function sortByComparing(texts: string[]): string[] {
  return texts.some((text) => ABOVE_SURROGATES.test(text)) ? texts.sort(compareCodePoints) : texts.sort();
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const ABOVE_SURROGATES = /[\ud800-\uffff]/;

export function encodeText(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Text of UTF-8 bytes; copies first, as shared memory cannot be decoded in place. */
export function decodeText(bytes: Uint8Array, from: number, to: number): string {
  return decoder.decode(bytes.slice(from, to));
}

/** Order by code point, which is the order of UTF-8 bytes (code units differ above U+D7FF). */
export function compareCodePoints(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return rankOfUnit(x) - rankOfUnit(y);
  }
  return a.length - b.length;
}

/** Sorts in place by code point; the platform's order of code units is used where it is the same. */
export function sortByCodePoint(texts: string[]): string[] {
  return texts.some((text) => ABOVE_SURROGATES.test(text)) ? texts.sort(compareCodePoints) : texts.sort();
}

/** Moves surrogates above U+FFFF, where the characters they make belong. */
function rankOfUnit(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit;
}

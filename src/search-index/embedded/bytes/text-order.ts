import { compareCodePoints } from '../../../core/compare-text.ts';

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

/** Sorts in place by code point; the platform's order of code units is used where it is the same. */
export function sortByCodePoint(texts: string[]): string[] {
  return texts.some((text) => ABOVE_SURROGATES.test(text)) ? texts.sort(compareCodePoints) : texts.sort();
}

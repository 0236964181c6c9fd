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

/** Sorts in place by code point; the platform's order of code units is used where it is the same. */
export function sortByCodePoint(texts: string[]): string[] {
  return texts.some((text) => ABOVE_SURROGATES.test(text)) ? texts.sort(compareCodePoints) : texts.sort();
}

import { tokenizeSpans } from './tokenizer.ts';

/** Positions `[from, to)` of words. */
export type NameRange = { readonly from: number; readonly to: number };

/** `23.6. ` or `F.28. ` before a heading. */
const SECTION_NUMBER = /^(?:[A-Z]|\d{1,3})(?:\.\d{1,3})*\.\s+/;
/** A dash, bar or bracket behind a blank, or a colon before one. */
const SEPARATOR = /\s(?:[-–—|·»]\s|\()|:\s/;
/** Positions are kept in a byte. */
const MAX_POSITION = 255;

/** A title or heading without the number of its section: `Tablespaces` of `23.6. Tablespaces`. */
export function withoutSectionNumber(title: string): string {
  return title.slice(SECTION_NUMBER.exec(title)?.[0].length ?? 0);
}

/**
 * What a title calls its page: `Tablespaces` in `23.6. Tablespaces`, `json` in `json — JSON encoder and decoder`,
 * `Contact` in `Contact | Town of Lyngby`. Undefined when that is the whole title, no word, or beyond position 255.
 */
export function titleName(title: string): NameRange | undefined {
  const { start, end } = nameSpan(title);
  if (start === 0 && end === title.length) return undefined;
  let from = MAX_POSITION;
  let to = 0;
  tokenizeSpans(title, {
    token(_units, _length, position, _hash, tokenStart, tokenEnd) {
      if (tokenStart < start || tokenEnd > end) return;
      from = Math.min(from, position);
      to = Math.max(to, position + 1);
    },
  });
  return from < to && to <= MAX_POSITION ? { from, to } : undefined;
}

/** The text of the name in a title: the whole title when it is nothing else. */
export function nameInTitle(title: string): string {
  const { start, end } = nameSpan(title);
  return title.slice(start, end);
}

function nameSpan(title: string): { readonly start: number; readonly end: number } {
  const start = SECTION_NUMBER.exec(title)?.[0].length ?? 0;
  const separator = title.slice(start).search(SEPARATOR);
  return { start, end: separator < 0 ? title.length : start + separator };
}

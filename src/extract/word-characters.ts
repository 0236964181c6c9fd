const WORD_CHARACTER = /[\p{L}\p{N}]/u;
/** Bits of a character's kind. */
export const [WORD, PUNCTUATION, DIGIT, CAPITAL, SEPARATOR] = [1, 2, 4, 8, 16] as const;
/** `INVISIBLE`: never seen, or the first half of a pair that may be. */
export const [BLANK, INVISIBLE] = [32, 64] as const;
const NEVER_SEEN = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\udb40]/;
const KNOWN = 128;
/** By UTF-16 code unit, filled as texts need it: three times as fast as matching the expressions. */
const KINDS = new Uint8Array(0x10000);
const LOWER = new Uint16Array(0x10000);

/**
 * Calls `word` with the borders of each run of letters and digits, in order; the same runs as those of
 * `/[\p{L}\p{N}]+/gu`. O(text), allocates nothing.
 */
export function scanWords(text: string, word: (start: number, end: number) => void): void {
  let start = -1;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const isPair = isSurrogate(unit) && isPairAt(text, at);
    const isWord = isPair ? isWordPair(text, at) : (kindOf(unit) & WORD) !== 0;
    if (isWord && start < 0) start = at;
    if (!isWord && start >= 0) {
      word(start, at);
      start = -1;
    }
    if (isPair) at++;
  }
  if (start >= 0) word(start, text.length);
}

export function countWords(text: string): number {
  let count = 0;
  let wasWord = false;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const isPair = isSurrogate(unit) && isPairAt(text, at);
    const isWord = isPair ? isWordPair(text, at) : (kindOf(unit) & WORD) !== 0;
    if (isWord && !wasWord) count++;
    wasWord = isWord;
    if (isPair) at++;
  }
  return count;
}

/** Bits of a UTF-16 code unit; a surrogate is no word by itself. */
export function kindOf(unit: number): number {
  const known = KINDS[unit] ?? 0;
  return known === 0 ? classify(unit) : known;
}

/** The unit in lower case, where that is one unit. */
export function lowerUnit(unit: number): number {
  const known = LOWER[unit] ?? 0;
  if (known !== 0) return known;
  const lower = String.fromCharCode(unit).toLowerCase().charCodeAt(0);
  LOWER[unit] = lower;
  return lower;
}

/** The first or second half of a character beyond the first plane. */
export function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

export function isPairAt(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (unit < 0xd800 || unit > 0xdbff) return false;
  const next = text.charCodeAt(at + 1);
  return next >= 0xdc00 && next <= 0xdfff;
}

/** Whether the two units from `at` on are a letter or digit. */
export function isWordPair(text: string, at: number): boolean {
  return WORD_CHARACTER.test(text.slice(at, at + 2));
}

function classify(unit: number): number {
  const text = String.fromCharCode(unit);
  let kind = KNOWN;
  if (WORD_CHARACTER.test(text)) kind |= WORD;
  if (/[.,;:!?。，、；：！？…]/.test(text)) kind |= PUNCTUATION;
  else if (/\d/.test(text)) kind |= DIGIT;
  else if (/\p{Lu}/u.test(text)) kind |= CAPITAL;
  if (/[|·•»›→]/.test(text)) kind |= SEPARATOR;
  if (/\s/.test(text)) kind |= BLANK;
  if (NEVER_SEEN.test(text) || /(?!\s)\p{Cc}/u.test(text)) kind |= INVISIBLE;
  KINDS[unit] = kind;
  return kind;
}

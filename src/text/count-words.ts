/** Two characters of Han and kana count as a word (answers design 3). */
const HAN_WORDS = 0.5;
/** Words of Thai, Lao, Khmer and Myanmar have some five characters; a dictionary would cost more than the rest. */
const PHRASED_WORDS = 0.2;
const FIRST_WITHOUT_BLANKS = 0x0e00;

/** Length of a text in words, whether its script sets blanks between them or not. O(length). */
export function countWords(text: string): number {
  let words = 0;
  let isInside = false;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (isBlank(unit)) {
      isInside = false;
      continue;
    }
    const share = unit < FIRST_WITHOUT_BLANKS ? 0 : shareOfWord(unit);
    if (share > 0) words += share;
    else if (!isInside) words++;
    isInside = share === 0;
  }
  return words;
}

/** Index behind the longest beginning of at most `words` words, at a blank when the script has them; at least 1. */
export function endOfWords(text: string, words: number): number {
  let counted = 0;
  let isInside = false;
  let lastBlank = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (isBlank(unit)) {
      isInside = false;
      lastBlank = i;
      continue;
    }
    const share = unit < FIRST_WITHOUT_BLANKS ? 0 : shareOfWord(unit);
    if (share > 0) counted += share;
    else if (!isInside) counted++;
    isInside = share === 0;
    if (counted > words) return lastBlank > i / 2 ? lastBlank : Math.max(1, i);
  }
  return text.length;
}

function isBlank(unit: number): boolean {
  return unit <= 0x20 || unit === 0xa0 || unit === 0x3000;
}

/** 0 for a unit of a word between blanks. */
function shareOfWord(unit: number): number {
  if (unit >= 0x2e80) return unit <= 0x9fff || (unit >= 0xf900 && unit <= 0xfaff) ? HAN_WORDS : 0;
  const isPhrased = unit <= 0x0eff || (unit >= 0x1000 && unit <= 0x109f) || (unit >= 0x1780 && unit <= 0x17ff);
  return isPhrased ? PHRASED_WORDS : 0;
}

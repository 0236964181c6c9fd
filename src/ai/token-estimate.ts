const CHARS_PER_TOKEN = 4;
/** Of scripts that models cut into one or two characters. */
const DENSE_CHARS_PER_TOKEN = 1.5;
const DENSE =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/gu;

/** About what a language model counts; none tells before it is asked (answers design 7.2). */
export function estimateTokens(text: string): number {
  const dense = text.match(DENSE)?.length ?? 0;
  return Math.ceil((text.length - dense) / CHARS_PER_TOKEN + dense / DENSE_CHARS_PER_TOKEN);
}

/**
 * Characters that no reader sees: controls but tab and line feed, soft hyphens, joiners, marks of direction, tags.
 * Text is hidden with them, and words are cut with them so that no pattern matches.
 */
const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for.
  /[\0-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu;

/** The text without invisible characters; lone surrogates become U+FFFD. Idempotent. */
export function withoutInvisible(text: string): string {
  return text.toWellFormed().replace(INVISIBLE, '');
}

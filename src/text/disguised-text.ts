/**
 * Characters that no reader sees: controls but tab and line feed, soft hyphens, joiners, fillers, marks of direction,
 * tags, and selectors of variants behind letters, which have none. Text is hidden with them, and words are cut with them
 * so that no pattern matches. What a selector stands behind is looked at last: asked first, it costs every character.
 */
const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for.
  /[\0-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u115f\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\u{e0000}-\u{e007f}]|[\u034f\u180b-\u180d\u180f]|\u1160|[\ufe00-\ufe0f](?<=\p{L}.)/gu;

/** The text without invisible characters; lone surrogates become U+FFFD. Idempotent. */
export function withoutInvisible(text: string): string {
  return text.toWellFormed().replace(INVISIBLE, '');
}

/** Those that no software puts between Latin letters; soft hyphens and zero-width blanks say where a line may end. */
const PLANTED_MARK =
  /(?:[\u034f\u180b-\u180d\u180f\ufe00-\ufe0f]|\u1160|[\u115f\u2061-\u2064\u3164\uffa0\u{e0000}-\u{e007f}])(?<=\p{sc=Latin}.)(?=\p{sc=Latin})/gu;
/** What turns letters around that have a direction of their own (CVE-2021-42574). */
const OVERRIDE = /[\u202d\u202e]/;
/** One may be the mistake of a program. */
const LEAST_DISGUISED = 2;

/** Cyrillic and Greek letters that look like Latin ones (Unicode TR39, confusables), in lower case. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  ...{ а: 'a', с: 'c', ԁ: 'd', е: 'e', һ: 'h', і: 'i', ј: 'j', к: 'k', ӏ: 'l', м: 'm', о: 'o', р: 'p', ԛ: 'q' },
  ...{ ѕ: 's', т: 't', υ: 'u', ѵ: 'v', ԝ: 'w', х: 'x', у: 'y', α: 'a', ε: 'e', ι: 'i', κ: 'k', ν: 'v', ο: 'o' },
  ...{ ρ: 'p', τ: 't', χ: 'x', γ: 'y', в: 'b', н: 'h', г: 'r', п: 'n' },
};
const FOREIGN_LETTER = /[\p{sc=Cyrillic}\p{sc=Greek}]/u;
const FOREIGN_LETTERS = /[\p{sc=Cyrillic}\p{sc=Greek}]/gu;
const MIXED_WORD =
  /(?<!\p{L})(?=\p{L}*\p{sc=Latin})(?=\p{L}*[\p{sc=Cyrillic}\p{sc=Greek}])[\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Greek}]{3,}(?!\p{L})/gu;

/**
 * Whether the letters of a text are set so that a reader sees words which a program does not: another direction than
 * theirs, or, more than once, marks between the letters of a word or letters of two scripts in one word. Linear.
 */
export function isDisguised(text: string): boolean {
  if (OVERRIDE.test(text)) return true;
  const marks = text.match(PLANTED_MARK)?.length ?? 0;
  if (marks >= LEAST_DISGUISED) return true;
  return FOREIGN_LETTER.test(text) && mixedWords(text).length >= LEAST_DISGUISED;
}

/** The text, in lower case, with Latin letters for those that only look like them, where a word has letters of both. */
export function inOneScript(text: string): string {
  if (!FOREIGN_LETTER.test(text) || mixedWords(text).length === 0) return text;
  return text.replace(FOREIGN_LETTERS, (letter) => LOOKALIKES[letter] ?? letter);
}

/** Words of letters that look alike in both scripts; `α-helix` and `kΩ` have others. */
function mixedWords(text: string): readonly string[] {
  const words = text.toLowerCase().match(MIXED_WORD) ?? [];
  return words.filter((word) => (word.match(FOREIGN_LETTERS) ?? []).every((letter) => letter in LOOKALIKES));
}

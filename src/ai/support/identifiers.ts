import type { Check, Comparison } from './check.ts';
import { plainText, type ReadWord } from './read-text.ts';

/**
 * Code spans; options; paths; dotted, snake, camel and upper-case words; words of letters and digits; addresses. Each
 * alternative is bounded.
 */
const IDENTIFIER =
  /`[^`\n]{1,200}`|(?<![\p{L}\p{N}-])--?[a-z][\w-]{1,60}|[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,4}|(?<![\p{L}\p{N}])(?:~|\.{1,2})?\/[\w.-]{2,80}(?:\/[\w.*-]{1,80}){0,20}|(?<![\p{L}\p{N}_])[\p{L}_][\p{L}\p{N}_]{1,60}(?:(?:[_/]|::)[\p{L}\p{N}_]{1,60}){2,12}|(?<![\p{L}\p{N}_])[\p{L}\p{N}]{1,60}(?:_[\p{L}\p{N}]{1,60}){1,12}|(?<![\p{L}\p{N}_])[\p{L}_][\p{L}\p{N}_]{1,60}(?:\.[\p{L}_][\p{L}\p{N}_]{1,60}){1,8}|(?<![\p{L}\p{N}_])\p{Ll}{1,40}\p{Lu}[\p{L}\p{N}]{0,60}|(?<![\p{L}\p{N}_])\p{Lu}{2,40}[\p{Lu}\p{N}]{0,20}(?![\p{L}])|(?<![\p{L}\p{N}_])(?=\p{sc=Latin}{1,40}\p{N})\p{sc=Latin}[\p{sc=Latin}\p{N}]{1,60}/gu;

/**
 * Names of code of the claim stand literally, in any case, in the window or the frame; words with a digit in a sentence
 * that bears their part, or in the frame: `uuid1` and `uuid3` stand side by side.
 */
export const identifiersCheck: Check = (comparison) => {
  const { claim, window } = comparison;
  const headings = window.source.headings.plain;
  const numbered = claim.words.filter((word) => hasDigit(word) && !hasWhole(headings, plainText(word.raw)));
  if (!numbered.every((word) => isBorne(word, comparison))) return false;
  const identifiers = identifiersOf(claim.text);
  if (identifiers.length === 0) return true;
  const texts = [...window.sentences.map(({ read }) => read.plain), headings];
  return identifiers.every((identifier) => texts.some((text) => hasWhole(text, identifier)));
};

/** Numbers have a check of their own. */
function hasDigit({ raw, numbers }: ReadWord): boolean {
  return numbers.length === 0 && /\d/.test(raw);
}

function isBorne(word: ReadWord, { spans }: Comparison): boolean {
  const own = spans.filter(({ words }) => words.includes(word));
  return own.every(({ sentences }) => sentences.some(({ plain }) => hasWhole(plain, plainText(word.raw))));
}

/** Identifiers of a text in plain form. Linear. */
export function identifiersOf(text: string): readonly string[] {
  const found = text.match(IDENTIFIER) ?? [];
  return [...new Set(found.map((identifier) => plainText(identifier.replaceAll('`', '')).trim()))].filter(
    (x) => x !== '',
  );
}

/** Whether `part` occurs with no letter or digit on either side that would make it another word. */
export function hasWhole(text: string, part: string): boolean {
  const startsWord = WORD_CHARACTER.test(part[0] ?? '');
  const endsWord = WORD_CHARACTER.test(part.at(-1) ?? '');
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) {
    const before = text[at - 1] ?? ' ';
    const behind = text[at + part.length] ?? ' ';
    if (!(startsWord && WORD_CHARACTER.test(before)) && !(endsWord && WORD_CHARACTER.test(behind))) return true;
  }
  return false;
}

const WORD_CHARACTER = /[\p{L}\p{N}]/u;

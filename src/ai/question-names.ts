import type { Passage } from '../search/passage.ts';
import { foldWord } from '../text/folding.ts';
import { isAsciiText } from '../text/script-pattern.ts';
import { isStopWord } from '../text/stop-words.ts';

/**
 * A name that cannot be told in other words: what has it not is about something else. Folded words that stand side by
 * side, such as `cabin` and `5`; one word with digits or of code.
 */
export type QuestionName = readonly [string, string?];

/** Letters with digits, inner capitals, or joined by `_`: `KX-4711`, `v1.2`, `SQLITE_BUSY`, `maxAge`. */
const CODE_WORD =
  /(?:\p{L}[\p{L}\p{N}]*[-._]?\p{N}|\p{N}+[-._]?\p{L})[\p{L}\p{N}._-]*|\p{L}+_[\p{L}\p{N}_]+|\p{Ll}+\p{Lu}\p{L}*/gu;
/** What is told apart from others of its name by a number; a price or a share is none. */
const NUMBERED = /(\p{L}[\p{L}'’-]{2,}) (\p{N}{1,4})(?![\p{N}.,:]*\p{N}|\s?[%€$£¥])/gu;
const TOKEN = /[\p{L}\p{N}_]+(?:[-.][\p{L}\p{N}_]+)*/gu;

/** The names in a question in a language, each once. Linear. */
export function namesIn(question: string, language: string): readonly QuestionName[] {
  const codes = [...question.matchAll(CODE_WORD)].map(([word]): QuestionName => [trimmed(word)]);
  const numbered = [...question.matchAll(NUMBERED)].flatMap(([, word = '', number = '']): QuestionName[] =>
    isStopWord(word.toLowerCase(), language) ? [] : [[fold(word), number]],
  );
  return [...new Map([...codes, ...numbered].map((name) => [name.join(' '), name])).values()];
}

/** Those of the names that a passage, its headings or its title have as a whole. O(characters of the passage). */
export function namesOf(passage: Passage, names: readonly QuestionName[]): readonly QuestionName[] {
  if (names.length === 0) return names;
  const text = [passage.title, ...passage.headings, passage.text].join('\n');
  if (isAsciiText(text)) {
    const lower = text.toLowerCase();
    return names.filter((name) => hasName(lower, name));
  }
  const tokens = (text.match(TOKEN) ?? []).map(fold);
  return names.filter(([first, second]) =>
    tokens.some((token, at) => token === first && (second === undefined || tokens[at + 1] === second)),
  );
}

/** Whether a text of lower-case ASCII has a name, as `TOKEN` would cut its words: without cutting any. */
function hasName(text: string, [first, second]: QuestionName): boolean {
  for (let at = text.indexOf(first); at >= 0; at = text.indexOf(first, at + 1)) {
    const end = at + first.length;
    if (!isToken(text, at, end)) continue;
    if (second === undefined) return true;
    BETWEEN_TOKENS.lastIndex = end;
    BETWEEN_TOKENS.test(text);
    const next = BETWEEN_TOKENS.lastIndex;
    if (text.startsWith(second, next) && isToken(text, next, next + second.length)) return true;
  }
  return false;
}

/** Signs that belong to no token; at the end of the text there are none. */
const BETWEEN_TOKENS = /[^a-z0-9_]*/y;
const BEFORE_IN_TOKEN = /\w[-.]?$/;
const BEHIND_IN_TOKEN = /^[-.]?\w/;

/** Whether a part of a text that begins and ends with a letter or digit is a token, and not a part of one. */
function isToken(text: string, at: number, end: number): boolean {
  return !BEFORE_IN_TOKEN.test(text.slice(Math.max(0, at - 2), at)) && !BEHIND_IN_TOKEN.test(text.slice(end, end + 2));
}

function trimmed(word: string): string {
  return fold(word.replace(/[._-]+$/u, ''));
}

function fold(word: string): string {
  return foldWord(word.toLowerCase());
}

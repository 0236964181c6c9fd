import type { Passage } from '../search/passage.ts';
import { foldWord } from '../text/folding.ts';
import { isAsciiText } from '../text/script-pattern.ts';
import { isStopWord } from '../text/stop-words.ts';

/** A name that cannot be told in other words: what has it not is about something else. */
export type QuestionName = {
  /** Folded words that stand side by side, such as `cabin` and `5`; one word with digits or of code. */
  readonly words: readonly string[];
  /** Finds them as whole words in ASCII texts; in others they are looked for word by word. */
  readonly ascii: RegExp;
};

/** Letters with digits, inner capitals, or joined by `_`: `KX-4711`, `v1.2`, `SQLITE_BUSY`, `maxAge`. */
const CODE_WORD =
  /(?:\p{L}[\p{L}\p{N}]*[-._]?\p{N}|\p{N}+[-._]?\p{L})[\p{L}\p{N}._-]*|\p{L}+_[\p{L}\p{N}_]+|\p{Ll}+\p{Lu}\p{L}*/gu;
/** What is told apart from others of its name by a number; a price or a share is none. */
const NUMBERED = /(\p{L}[\p{L}'’-]{2,}) (\p{N}{1,4})(?![\p{N}.,:]*\p{N}|\s?[%€$£¥])/gu;
const TOKEN = /[\p{L}\p{N}_]+(?:[-.][\p{L}\p{N}_]+)*/gu;

/** The names in a question in a language, each once. Linear. */
export function namesIn(question: string, language: string): readonly QuestionName[] {
  const codes = [...question.matchAll(CODE_WORD)].map(([word]) => [trimmed(word)]);
  const numbered = [...question.matchAll(NUMBERED)].flatMap(([, word = '', number = '']) =>
    isStopWord(word.toLowerCase(), language) ? [] : [[fold(word), number]],
  );
  const names = new Map([...codes, ...numbered].map((words) => [words.join(' '), words]));
  return [...names.values()].map((words) => ({ words, ascii: asciiPattern(words) }));
}

/** Nothing where a word is none to `TOKEN`. */
function asciiPattern(words: readonly string[]): RegExp {
  if (!words.every((word) => word.match(TOKEN)?.[0] === word)) return /(?!)/;
  const whole = words.map((word) => String.raw`(?<!\w|\w[-.])${RegExp.escape(word)}(?!\w|[-.]\w)`);
  return new RegExp(whole.join(String.raw`\W+`), 'i');
}

/** Those of the names that a passage, its headings or its title have as a whole. O(characters of the passage). */
export function namesOf(passage: Passage, names: readonly QuestionName[]): readonly QuestionName[] {
  if (names.length === 0) return names;
  const text = [passage.title, ...passage.headings, passage.text].join('\n');
  if (isAsciiText(text)) return names.filter(({ ascii }) => ascii.test(text));
  const tokens = (text.match(TOKEN) ?? []).map(fold);
  return names.filter(({ words: [first = '', second] }) =>
    tokens.some((token, at) => token === first && (second === undefined || tokens[at + 1] === second)),
  );
}

function trimmed(word: string): string {
  return fold(word.replace(/[._-]+$/u, ''));
}

function fold(word: string): string {
  return foldWord(word.toLowerCase());
}

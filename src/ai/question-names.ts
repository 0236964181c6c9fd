import type { Passage } from '../search/passage.ts';
import { foldWord } from '../text/folding.ts';
import { isAsciiText } from '../text/script-pattern.ts';
import { isStopWord } from '../text/stop-words.ts';

/** A name that cannot be told in other words: what has it not is about something else. */
export type QuestionName = {
  /** Folded words that stand side by side, such as `cabin` and `5`; one word with digits or of code. */
  readonly words: readonly string[];
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
  const names = new Map([...codes, ...numbered].map((words) => [words.join(' '), { words }]));
  return [...names.values()];
}

/**
 * Those of the names that one of the passages has, in its text, its headings or its title: a name that nobody writes
 * parts no passage from the others. O(characters of the passages) for a question with names, nothing for others.
 */
export function knownNames(names: readonly QuestionName[], passages: readonly Passage[]): readonly QuestionName[] {
  return names.filter((name) => passages.some((passage) => hasName(passage, name)));
}

/** Whether a passage, its headings or its title have a name as a whole. */
export function hasName(passage: Passage, { words }: QuestionName): boolean {
  if (!mayHave(passage, words)) return false;
  const tokens = tokensOf(passage);
  const [first = '', second] = words;
  return second === undefined
    ? tokens.some((token) => token === first)
    : tokens.some((token, at) => token === first && tokens[at + 1] === second);
}

/** Whether the letters of all words stand in an ASCII text; others are read word by word. */
function mayHave({ title, headings, text }: Passage, words: readonly string[]): boolean {
  const all = [title, ...headings, text].join('\n');
  if (!isAsciiText(all)) return true;
  const plain = all.toLowerCase();
  return words.every((word) => plain.includes(word));
}

const tokens = new WeakMap<Passage, readonly string[]>();

function tokensOf(passage: Passage): readonly string[] {
  const known = tokens.get(passage);
  if (known !== undefined) return known;
  const text = [passage.title, ...passage.headings, passage.text].join('\n');
  const read = (text.match(TOKEN) ?? []).map(fold);
  tokens.set(passage, read);
  return read;
}

function trimmed(word: string): string {
  return fold(word.replace(/[._-]+$/u, ''));
}

function fold(word: string): string {
  return foldWord(word.toLowerCase());
}

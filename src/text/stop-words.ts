import { tableOf } from './languages/packs.ts';

/**
 * Core stop words per language, as the tokenizer writes them: articles, pronouns, prepositions, conjunctions,
 * auxiliaries and question words, at most 150 each. Words with a meaning of their own are left out on purpose.
 */
export const STOP_WORD_LISTS = tableOf('stopWords');

/** Both written forms of Norwegian share one list. */
const LISTED_AS: Readonly<Record<string, string>> = { nb: 'no', nn: 'no' };

const WORDS_BY_LANGUAGE = new Map(
  Object.entries(STOP_WORD_LISTS).map(([language, list]) => [
    LISTED_AS[language] ?? language,
    new Set(list.split(/\s+/)),
  ]),
);

/** Fewer words of another list than this may just look like its words. */
const MIN_FITTING_WORDS = 2;

/** Whether a normalised word carries no content in a language. False for languages without a list. */
export function isStopWord(word: string, language: string): boolean {
  return WORDS_BY_LANGUAGE.get(LISTED_AS[language] ?? language)?.has(word) ?? false;
}

/** The stop words of a language as the tokenizer writes them; none for languages without a list. */
export function stopWordsOf(language: string): Iterable<string> {
  return WORDS_BY_LANGUAGE.get(LISTED_AS[language] ?? language) ?? [];
}

/** A single Latin letter is a stop word of some language, and as often a name: it tells no language. */
const ONE_LETTER = /^[a-z]$/;

/** The language whose stop words most of the words are; `expected` unless another fits at least two, and more. */
export function stopWordLanguage(words: readonly string[], expected: string): string {
  const distinctive = words.filter((word) => !ONE_LETTER.test(word));
  const fitting = (language: string) => distinctive.filter((word) => isStopWord(word, language)).length;
  let best = expected;
  let most = Math.max(fitting(expected), MIN_FITTING_WORDS - 1);
  for (const language of WORDS_BY_LANGUAGE.keys()) {
    const count = fitting(language);
    if (count > most) {
      best = language;
      most = count;
    }
  }
  return best;
}

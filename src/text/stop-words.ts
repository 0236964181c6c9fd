import { STOP_WORD_LISTS } from './stop-word-lists.ts';

const WORDS_BY_LANGUAGE = new Map(
  Object.entries(STOP_WORD_LISTS).map(([language, list]) => [language, new Set(list.split(/\s+/))]),
);

/** Both written forms of Norwegian share one list. */
const LISTED_AS: Readonly<Record<string, string>> = { nb: 'no', nn: 'no' };

/** Whether a normalised word carries no content in a language. False for languages without a list. */
export function isStopWord(word: string, language: string): boolean {
  return WORDS_BY_LANGUAGE.get(LISTED_AS[language] ?? language)?.has(word) ?? false;
}

/** The languages that have a list of stop words. */
export function stopWordLanguages(): readonly string[] {
  return [...WORDS_BY_LANGUAGE.keys()];
}

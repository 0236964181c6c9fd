import { stemWord } from './stemming.ts';

/**
 * Prefixes of index terms that are no words. They are separators to the tokenizer, so no text and no query can hold
 * such a term (search-engine design 7.3).
 */
export const PART_PREFIX = '\u0001';
const BIGRAM_PREFIX = '\u0003';
export const SECONDARY_PREFIX = '\u0005';

/** Term of documents that have a compound with this part, in this language. */
export function partTerm(partStem: string, language: string): string {
  return `${PART_PREFIX}${language}${PART_PREFIX}${partStem}`;
}

/** Term of documents that have two characters side by side. */
export function bigramTerm(characters: string): string {
  return BIGRAM_PREFIX + characters;
}

/** Term of documents that have the word beside their main text only. It takes the stems of the word: `stemTerm`. */
export function secondaryTerm(word: string): string {
  return SECONDARY_PREFIX + word;
}

/** `stemWord` of a word or term. */
export function stemTerm(term: string, language: string): string {
  const isBeside = term.startsWith(SECONDARY_PREFIX);
  return isBeside ? SECONDARY_PREFIX + stemWord(term.slice(1), language) : stemWord(term, language);
}

/** Whether a term is a word, as it may stand in a text. */
export function isWordTerm(term: string): boolean {
  return term.charCodeAt(0) > LAST_PREFIX;
}

/** Of the prefixes, those of fields that plain words do not search and of secondary text included. */
const LAST_PREFIX = 0x05;

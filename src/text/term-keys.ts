import { foldWord } from './folding.ts';
import { stemWord } from './stemming.ts';

/**
 * Prefixes of index terms that are no words. They are separators to the tokenizer, so no text and no query can hold
 * such a term (search-engine design 7.3).
 */
export const PART_PREFIX = '\u0001';
const BIGRAM_PREFIX = '\u0003';
export const SECONDARY_PREFIX = '\u0005';
export const LINK_TEXT_PREFIX = '\u0006';
export const NAME_PREFIX = '\u0007';

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

/** Term of documents that links lead to by a text with the word. It takes the stems of the word: `stemTerm`. */
export function linkTextTerm(word: string): string {
  return LINK_TEXT_PREFIX + word;
}

/** Longer texts are no names. */
export const MAX_NAME_UNITS = 64;

/**
 * Term of documents with this name, whatever stands between its letters and digits: `data type`, `DataType` and
 * `data_type` are one. It has no stem. Undefined for what has neither letter nor digit or is too long for a name.
 */
export function nameTerm(name: string): string | undefined {
  if (name.length > 4 * MAX_NAME_UNITS) return undefined;
  const letters = name.normalize('NFKC').toLowerCase().replace(SEPARATORS, '');
  const folded = foldWord(letters);
  return folded === '' || folded.length > MAX_NAME_UNITS ? undefined : NAME_PREFIX + folded;
}

/** Whether a term is a `nameTerm`. */
export function isNameTerm(term: string): boolean {
  return term.startsWith(NAME_PREFIX);
}

const SEPARATORS = /[^\p{L}\p{M}\p{N}]+/gu;

/** `stemWord` of a word or term. */
export function stemTerm(term: string, language: string): string {
  switch (term.charAt(0)) {
    case NAME_PREFIX:
      return term;
    case SECONDARY_PREFIX:
    case LINK_TEXT_PREFIX:
      return term.charAt(0) + stemWord(term.slice(1), language);
    default:
      return stemWord(term, language);
  }
}

/** Whether a term is a word, as it may stand in a text. */
export function isWordTerm(term: string): boolean {
  return term.charCodeAt(0) > LAST_PREFIX;
}

/** Of the prefixes, that of fields which plain words do not search included. */
const LAST_PREFIX = 0x07;

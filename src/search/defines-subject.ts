import { definedTerm } from '../text/definitions.ts';
import { contentHashes, stemHash } from '../text/stem-hashes.ts';
import type { Terms } from './retrieved-passages.ts';

/** A name with more words than the subject and this many is another thing. */
const SPARE_WORDS = 1;

export type SubjectSentence = { readonly text: string; readonly terms: Terms; readonly language: string };

/**
 * Whether a sentence says what the subject is: its name, of nearly no other words, before a verb of defining. The
 * words of the subject are looked for first, which settles nearly all sentences.
 */
export function definesSubject(subject: readonly string[], { text, terms, language }: SubjectSentence): boolean {
  if (subject.length === 0) return false;
  const wanted = [...new Set(subject.map((word) => stemHash(word, language)))];
  if (!wanted.every((hash) => terms.includes(hash))) return false;
  const name = definedTerm(text, language);
  if (name === undefined) return false;
  const named = contentHashes(name, language);
  return named.length <= wanted.length + SPARE_WORDS && wanted.every((hash) => named.includes(hash));
}

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
  const wanted = hashesOf(subject, language);
  if (!wanted.every((hash) => terms.includes(hash))) return false;
  const name = definedTerm(text, language);
  if (name === undefined) return false;
  const named = contentHashes(name, language);
  return named.length <= wanted.length + SPARE_WORDS && wanted.every((hash) => named.includes(hash));
}

/** Kept with the subject: it is compared with hundreds of sentences. */
const hashesBySubject = new WeakMap<readonly string[], Map<string, readonly number[]>>();

function hashesOf(subject: readonly string[], language: string): readonly number[] {
  const byLanguage = hashesBySubject.get(subject) ?? new Map<string, readonly number[]>();
  hashesBySubject.set(subject, byLanguage);
  const hashes = byLanguage.get(language) ?? [...new Set(subject.map((word) => stemHash(word, language)))];
  byLanguage.set(language, hashes);
  return hashes;
}

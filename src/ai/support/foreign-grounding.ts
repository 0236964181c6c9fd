import type { SourceSentence, SourceText } from './check.ts';
import { CAPITALISES_NOUNS } from './names.ts';
import { areSameNumber, identifiersOf } from './numbers.ts';
import { plainText, type ReadText, type ReadWord } from './read-text.ts';

/** Fewer words are found in any text. */
const MIN_WORDS = 4;
/** Sentences on each side of the quoted words whose numbers and names the claim may use. */
const AROUND = 1;

/** A claim of an answer, read in the language of the answer. */
export type ForeignClaim = { readonly claimText: ReadText; readonly language: string };

/**
 * The sentences of a source in another language than the claim's that the writer quoted as grounding: the words occur
 * there literally, and each number, identifier and name of the claim that its script can show stands around them.
 * Undefined when any of that fails. What the claim says of them in its own words, words cannot tell.
 */
export function foreignGrounding(
  said: ForeignClaim,
  words: string,
  source: SourceText,
): readonly SourceSentence[] | undefined {
  const quoted = plainText(words.replace(/^[\s"'“”„«»]+|[\s"'“”„«».…]+$/g, ''));
  if (quoted.split(' ').length < MIN_WORDS && !isUnspaced(quoted)) return undefined;
  const at = source.sentences.findIndex(({ read }) => read.plain.includes(quoted));
  if (at < 0) return undefined;
  const around = source.sentences.slice(Math.max(0, at - AROUND), at + AROUND + 1);
  return standsAround(said, [...around.map(({ read }) => read), source.headings])
    ? source.sentences.slice(at, at + 1)
    : undefined;
}

/** Eight characters of a script without blanks are as rare as four words. */
const UNSPACED_CHARS = 8;

function isUnspaced(text: string): boolean {
  return text.length >= UNSPACED_CHARS && /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u.test(text);
}

function standsAround({ claimText, language }: ForeignClaim, texts: readonly ReadText[]): boolean {
  const words = texts.flatMap((text) => text.words);
  const hasNumbers = claimText.words.every(
    (word) => word.numbers.length === 0 || words.some((other) => areSameNumber(other, word)),
  );
  const hasIdentifiers = identifiersOf(claimText.text).every((identifier) =>
    texts.some(({ plain }) => plain.includes(identifier)),
  );
  const isLatin = words.some(({ word }) => /\p{sc=Latin}/u.test(word));
  const names = CAPITALISES_NOUNS.has(language)
    ? namesAmongNouns(claimText)
    : claimText.words.filter(({ isName }) => isName);
  return (
    hasNumbers &&
    hasIdentifiers &&
    (!isLatin || names.every(({ word }) => words.some((other) => isSameName(other.word, word))))
  );
}

/** Where every noun has a capital, two in a row are the names of one: nouns stand apart, or are one word. */
function namesAmongNouns({ words }: ReadText): readonly ReadWord[] {
  const isNoun = (word: ReadWord | undefined) => word?.isCapitalised === true && word.weight > 0;
  return words.filter((word, at) => isNoun(word) && (isNoun(words[at - 1]) || isNoun(words[at + 1])));
}

/** Names are written alike up to their ending. */
function isSameName(a: string, b: string): boolean {
  const shared = Math.min(a.length, b.length) - 1;
  return a === b || (shared >= 3 && a.slice(0, shared) === b.slice(0, shared));
}

import { identifiersOf } from './support/identifiers.ts';
import { areSameNumber } from './support/numbers.ts';
import { plainText, type ReadText } from './support/read-text.ts';
import type { SourceSentence, SourceText } from './support/source-text.ts';

/** Fewer words are found in any text. */
const MIN_WORDS = 4;
/** Sentences on each side of the quoted words whose numbers and names the unit may use. */
const AROUND = 1;

/**
 * The sentences of a source in another language than the unit's that the writer quoted as evidence: the words occur
 * there literally, and each number, identifier and name of the unit that its script can show stands around them.
 * Undefined when any of that fails. What the unit says of them in its own words, words cannot tell.
 */
export function foreignEvidence(
  unit: ReadText,
  words: string,
  source: SourceText,
): readonly SourceSentence[] | undefined {
  const quoted = plainText(words.replace(/^[\s"'“”„«»]+|[\s"'“”„«».…]+$/g, ''));
  if (quoted.split(' ').length < MIN_WORDS && !isUnspaced(quoted)) return undefined;
  const at = source.sentences.findIndex(({ read }) => read.plain.includes(quoted));
  if (at < 0) return undefined;
  const around = source.sentences.slice(Math.max(0, at - AROUND), at + AROUND + 1);
  return standsAround(unit, [...around.map(({ read }) => read), source.frame])
    ? source.sentences.slice(at, at + 1)
    : undefined;
}

/** Eight characters of a script without blanks are as rare as four words. */
const UNSPACED_CHARS = 8;

function isUnspaced(text: string): boolean {
  return text.length >= UNSPACED_CHARS && /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u.test(text);
}

function standsAround(unit: ReadText, texts: readonly ReadText[]): boolean {
  const words = texts.flatMap((text) => text.words);
  const hasNumbers = unit.words.every(
    (word) => word.numbers.length === 0 || words.some((other) => areSameNumber(other, word)),
  );
  const hasIdentifiers = identifiersOf(unit.text).every((identifier) =>
    texts.some(({ plain }) => plain.includes(identifier)),
  );
  const isLatin = words.some(({ word }) => /\p{sc=Latin}/u.test(word));
  const names = unit.words.filter(({ isName }) => isName);
  return (
    hasNumbers &&
    hasIdentifiers &&
    (!isLatin || names.every(({ word }) => words.some((other) => isSameName(other.word, word))))
  );
}

/** Names are written alike up to their ending. */
function isSameName(a: string, b: string): boolean {
  const shared = Math.min(a.length, b.length) - 1;
  return a === b || (shared >= 3 && a.slice(0, shared) === b.slice(0, shared));
}

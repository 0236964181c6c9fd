import type { Check } from './check.ts';
import type { ReadText, ReadWord } from './read-text.ts';

/** Beginnings that turn a word around. */
const REVERSALS: Readonly<Record<string, readonly string[]>> = {
  en: ['un', 'in', 'im', 'ir', 'il', 'non', 'dis'],
  de: ['un', 'nicht'],
  fr: ['in', 'im', 'ir', 'il', 'non', 'dé', 'dés', 'mal'],
  es: ['in', 'im', 'ir', 'i', 'des'],
  it: ['in', 'im', 'ir', 'il', 's', 'dis'],
  nl: ['on', 'niet'],
  pt: ['in', 'im', 'ir', 'i', 'des'],
  da: ['u', 'ikke'],
  sv: ['o', 'icke'],
  nb: ['u', 'ikke'],
  fi: ['epä'],
  pl: ['nie', 'bez'],
};
const REVERSED_LETTERS = 4;

/**
 * A word of a group of which one only can be true (enable and disable, days and weeks) does not stand where the bearing
 * sentences have another one of the group instead; nor does a word with its reversed form there.
 */
export const oppositesCheck: Check = ({ spans, window, language }) => {
  const { headings } = window.source;
  return spans.every(({ words, sentences }) =>
    words.every((word) => {
      const texts = [...sentences, headings];
      return !isExchanged(word, { words, texts }) && !isReversed(word, { words, texts, language });
    }),
  );
};

type Antonym = { readonly words: readonly ReadWord[]; readonly texts: readonly ReadText[] };

function isExchanged(word: ReadWord, { words, texts }: Antonym): boolean {
  return word.exclusive.some(({ group, member }) => {
    const there = texts.flatMap((text) => membersOf(text.words, group));
    if (there.length === 0 || there.includes(member)) return false;
    const mine = membersOf(words, group);
    return there.some((other) => !mine.includes(other));
  });
}

function membersOf(words: readonly ReadWord[], group: number): readonly number[] {
  return words.flatMap(({ exclusive }) =>
    exclusive.filter((position) => position.group === group).map(({ member }) => member),
  );
}

function isReversed(word: ReadWord, { texts, language }: Antonym & { readonly language: string }): boolean {
  const reversals = REVERSALS[language];
  if (reversals === undefined || word.weight === 0 || word.word.length < REVERSED_LETTERS) return false;
  const there = texts.flatMap(({ words }) => words);
  if (there.some(({ stem }) => stem === word.stem)) return false;
  return there.some(
    (other) =>
      other.weight > 0 &&
      reversals.some((prefix) => isPrefixed(other, word, prefix) || isPrefixed(word, other, prefix)),
  );
}

function isPrefixed(long: ReadWord, short: ReadWord, prefix: string): boolean {
  if (short.word.length < REVERSED_LETTERS || !long.word.startsWith(prefix)) return false;
  return long.word.slice(prefix.length) === short.word || long.stem === prefix + short.stem;
}

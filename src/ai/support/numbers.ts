import type { AlignedSpan } from './aligned-spans.ts';
import type { Check } from './check.ts';
import type { ReadText, ReadWord } from './read-text.ts';
import { haveSameStem } from './same-stem.ts';

/** Words on each side that tell what a number counts. */
const WITHIN_WORDS = 4;
/** Words behind a number among which what it counts stands. */
const COUNTED_WITHIN = 2;

/**
 * Each number of the claim stands in a sentence that bears its part, beside a word that stands beside it in the claim; or
 * in another sentence of the window before the same word, when the bearing sentence counts nothing of the kind.
 */
export const numbersCheck: Check = ({ spans, window }) => {
  const headings = [window.source.headings];
  const others = window.sentences.map(({ read }) => read);
  return spans.every((span) =>
    span.words.every((word, i) => {
      if (word.numbers.length === 0) return true;
      const within = sameStems(span.words, i);
      const counted = countedStem(span.words, i);
      return (
        occursWithin([...span.sentences, ...headings], word, within) ||
        isCountedElsewhere({ word, counted, span, others })
      );
    }),
  );
};

function occursWithin(texts: readonly ReadText[], number: ReadWord, within: readonly string[]): boolean {
  return texts.some(({ words }) =>
    words.some((word, i) => {
      if (!areSameNumber(word, number)) return false;
      const there = sameStems(words, i);
      return (
        within.length === 0 ||
        there.length === 0 ||
        within.some((stem) => there.some((other) => haveSameStem(stem, other)))
      );
    }),
  );
}

type Counting = {
  readonly word: ReadWord;
  readonly counted: string | undefined;
  readonly span: AlignedSpan;
  readonly others: readonly ReadText[];
};

function isCountedElsewhere({ word, counted, span, others }: Counting): boolean {
  if (counted === undefined) return false;
  const countsOf = (texts: readonly ReadText[]) =>
    texts.flatMap(({ words }) =>
      words.filter(({ numbers }, i) => numbers.length > 0 && haveSameStem(countedStem(words, i) ?? '', counted)),
    );
  return countsOf(span.sentences).length === 0 && countsOf(others).some((other) => areSameNumber(other, word));
}

export function areSameNumber(a: ReadWord, b: ReadWord): boolean {
  return a.numbers.some((form) => b.numbers.includes(form));
}

function sameStems(words: readonly ReadWord[], index: number): readonly string[] {
  return words
    .slice(Math.max(0, index - WITHIN_WORDS), index + WITHIN_WORDS + 1)
    .filter(({ weight }) => weight > 0)
    .map(({ stem }) => stem);
}

function countedStem(words: readonly ReadWord[], index: number): string | undefined {
  return words.slice(index + 1, index + 1 + COUNTED_WITHIN).find(({ weight }) => weight > 0)?.stem;
}

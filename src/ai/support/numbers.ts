import type { Check } from './check.ts';
import { areNear } from './near-stem.ts';
import type { ReadText, ReadWord } from './read-text.ts';
import type { Segment } from './segments.ts';

/** Words on each side that tell what a number counts. */
const NEAR_WORDS = 4;
/** Words behind a number among which what it counts stands. */
const COUNTED_WITHIN = 2;

/**
 * Each number of the unit stands in a sentence that bears its part, beside a word that stands beside it in the unit; or
 * in another sentence of the window before the same word, when the bearing sentence counts nothing of the kind.
 */
export const numbersCheck: Check = ({ segments, window }) => {
  const frame = [window.source.frame];
  const others = window.sentences.map(({ read }) => read);
  return segments.every((segment) =>
    segment.words.every((word, i) => {
      if (word.numbers.length === 0) return true;
      const near = nearStems(segment.words, i);
      const counted = countedStem(segment.words, i);
      return (
        occursNear([...segment.sentences, ...frame], word, near) ||
        isCountedElsewhere({ word, counted, segment, others })
      );
    }),
  );
};

function occursNear(texts: readonly ReadText[], number: ReadWord, near: readonly string[]): boolean {
  return texts.some(({ words }) =>
    words.some((word, i) => {
      if (!areSameNumber(word, number)) return false;
      const there = nearStems(words, i);
      return (
        near.length === 0 || there.length === 0 || near.some((stem) => there.some((other) => areNear(stem, other)))
      );
    }),
  );
}

type Counting = {
  readonly word: ReadWord;
  readonly counted: string | undefined;
  readonly segment: Segment;
  readonly others: readonly ReadText[];
};

function isCountedElsewhere({ word, counted, segment, others }: Counting): boolean {
  if (counted === undefined) return false;
  const countsOf = (texts: readonly ReadText[]) =>
    texts.flatMap(({ words }) =>
      words.filter(({ numbers }, i) => numbers.length > 0 && areNear(countedStem(words, i) ?? '', counted)),
    );
  return countsOf(segment.sentences).length === 0 && countsOf(others).some((other) => areSameNumber(other, word));
}

export function areSameNumber(a: ReadWord, b: ReadWord): boolean {
  return a.numbers.some((form) => b.numbers.includes(form));
}

function nearStems(words: readonly ReadWord[], index: number): readonly string[] {
  return words
    .slice(Math.max(0, index - NEAR_WORDS), index + NEAR_WORDS + 1)
    .filter(({ weight }) => weight > 0)
    .map(({ stem }) => stem);
}

function countedStem(words: readonly ReadWord[], index: number): string | undefined {
  return words.slice(index + 1, index + 1 + COUNTED_WITHIN).find(({ weight }) => weight > 0)?.stem;
}

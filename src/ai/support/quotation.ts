import type { Check } from './check.ts';
import { hasNear } from './near-stem.ts';
import { areSameNumber } from './numbers.ts';
import type { ReadText } from './read-text.ts';

/** Of a sentence that the unit repeats, of the unit that repeats it, and of a whole repetition. */
const QUOTED = 0.6;
const QUOTING = 0.75;
const WHOLE = 0.85;
const MIN_STEMS = 3;

/** A unit that repeats sentences nearly word for word has their numbers, as often, and as many negations. */
export const quotationCheck: Check = ({ unit, window }) => {
  const quoted = window.sentences
    .map(({ read }) => read)
    .filter(({ stems }) => stems.size >= MIN_STEMS && sharedCount(stems, unit.stems) / stems.size >= QUOTED);
  const stems = new Set(quoted.flatMap((sentence) => [...sentence.stems]));
  if (stems.size === 0 || sharedCount(unit.stems, stems) / unit.stems.size < QUOTING) return true;
  const isWhole = sharedCount(stems, unit.stems) / stems.size >= WHOLE;
  return (
    numbersAreTheirs(unit, [...quoted, window.source.frame]) && (!isWhole || negations([unit]) === negations(quoted))
  );
};

function sharedCount(stems: ReadonlySet<string>, others: ReadonlySet<string>): number {
  return stems.values().reduce((count, stem) => count + (hasNear(others, stem) ? 1 : 0), 0);
}

function numbersAreTheirs(unit: ReadText, texts: readonly ReadText[]): boolean {
  const left = texts.flatMap(({ words }) => words.filter(({ numbers }) => numbers.length > 0));
  return unit.words.every((word) => {
    if (word.numbers.length === 0) return true;
    const at = left.findIndex((other) => areSameNumber(other, word));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

function negations(texts: readonly ReadText[]): number {
  return texts.reduce((sum, { words }) => sum + words.filter(({ negation }) => negation === 'negation').length, 0);
}

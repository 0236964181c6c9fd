import type { Check } from './check.ts';
import type { ReadWord } from './read-text.ts';
import type { SentenceWindow } from './sentence-window.ts';

/** Weight of the claim's words below which each of them is a claim. */
const FEW_WORDS = 3;
/** Then light words count in full, too. */
const FEW_COVERAGE = 0.6;
const SOME_WORDS = 6;
const SOME_COVERAGE = 0.7;
/** Words side by side that the window has not, from which they are an addition: at the end, and in between. */
const SHORT_FOREIGN = 2;
const LONG_FOREIGN = 3;
/** From here on the rest of the claim is the window's. */
const HIGH_COVERAGE = 0.75;

/**
 * The words of the claim occur in the window or in the frame: `minCoverage` of their weight, nearly all where they are
 * few, and never several side by side unfounded.
 */
export function coverageCheck(minCoverage: number): Check {
  return ({ claim, window }) => {
    const weight = weightOf(claim.words);
    const few = weight <= FEW_WORDS ? 1 : weight <= SOME_WORDS ? SOME_COVERAGE : 0;
    if (weight === 0) return claim.words.some(({ numbers }) => numbers.length > 0);
    return (
      window.coverage >= minCoverage - ROUNDING &&
      heavyShare(claim.words, window) >= few &&
      (few < 1 || shareOfAll(claim.words, window) >= FEW_COVERAGE) &&
      !hasForeignRun(claim.words, window)
    );
  };
}

const ROUNDING = 1e-9;

/** Share of the words that are not light. */
function heavyShare(words: readonly ReadWord[], window: SentenceWindow): number {
  const heavy = words.filter(({ weight }) => weight === 1);
  return heavy.length === 0 ? 1 : heavy.filter(window.isCovered).length / heavy.length;
}

/** Share of the words that are no stop words, light ones counted in full. */
function shareOfAll(words: readonly ReadWord[], { isCovered }: SentenceWindow): number {
  const all = words.filter(({ weight }) => weight > 0);
  return all.filter(isCovered).length / all.length;
}

function weightOf(words: readonly ReadWord[]): number {
  const weights = new Map(words.map(({ stem, weight }) => [stem, weight]));
  return [...weights.values()].reduce((sum, weight) => sum + (weight === 1 ? 1 : 0), 0);
}

function hasForeignRun(words: readonly ReadWord[], { isCovered, coverage }: SentenceWindow): boolean {
  const most = coverage >= HIGH_COVERAGE ? LONG_FOREIGN : SHORT_FOREIGN;
  let run = 0;
  for (const word of words) {
    if (word.weight === 0) continue;
    run = isCovered(word) ? 0 : run + (word.weight === 1 ? 1 : 0);
    if (run >= most) return true;
  }
  return run >= SHORT_FOREIGN;
}

import type { AlignedSpan } from './aligned-spans.ts';
import type { Check } from './check.ts';

/** Words of weight from which a claim can hold two claims. */
const LONG_WORDS = 8;
const RUN_WORDS = 6;
const RUN_COVERAGE = 0.5;
/** Of a part that claims something by itself, in the one sentence that bears it best. */
const SPAN_COVERAGE = 0.55;

/** No half of the claim lives on the other: every run of six words is founded, every part in one sentence. */
export const splitClaimCheck: Check = (comparison) => {
  const { claim, window, spans } = comparison;
  const words = claim.words.filter(({ weight }) => weight > 0);
  const covered = words.map((word) => (window.isCovered(word) ? 1 : 0));
  for (let start = 0; words.length >= LONG_WORDS && start + RUN_WORDS <= words.length; start++) {
    const found = covered.slice(start, start + RUN_WORDS).reduce<number>((sum, hit) => sum + hit, 0);
    if (found / RUN_WORDS < RUN_COVERAGE) return false;
  }
  return spans.every((span) => isShort(span) || span.coverage >= SPAN_COVERAGE);
};

/** Two words of weight are no claim by themselves. */
function isShort({ words }: AlignedSpan): boolean {
  return words.filter(({ weight }) => weight === 1).length < MIN_SPAN_WORDS;
}

const MIN_SPAN_WORDS = 3;

import type { Check } from './check.ts';
import type { Segment } from './segments.ts';

/** Words of weight from which a unit can hold two claims. */
const LONG_WORDS = 8;
const RUN_WORDS = 6;
const RUN_COVERAGE = 0.5;
/** Of a part that claims something by itself, in the one sentence that bears it best. */
const SEGMENT_COVERAGE = 0.55;

/** No half of the unit lives on the other: every run of six words is founded, every part in one sentence. */
export const halvesCheck: Check = (comparison) => {
  const { unit, window, segments } = comparison;
  const words = unit.words.filter(({ weight }) => weight > 0);
  const covered = words.map((word) => (window.isCovered(word) ? 1 : 0));
  for (let start = 0; words.length >= LONG_WORDS && start + RUN_WORDS <= words.length; start++) {
    const found = covered.slice(start, start + RUN_WORDS).reduce<number>((sum, hit) => sum + hit, 0);
    if (found / RUN_WORDS < RUN_COVERAGE) return false;
  }
  return segments.every((segment) => isShort(segment) || segment.coverage >= SEGMENT_COVERAGE);
};

/** Two words of weight are no claim by themselves. */
function isShort({ words }: Segment): boolean {
  return words.filter(({ weight }) => weight === 1).length < MIN_SEGMENT_WORDS;
}

const MIN_SEGMENT_WORDS = 3;

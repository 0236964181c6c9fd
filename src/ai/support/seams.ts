import type { ReadText, ReadWord } from './read-text.ts';
import type { SourceText } from './source-text.ts';

/** A stretch of a unit that the source has word for word: `[start, end)` in the unit, from `place` on in the source. */
type Run = { readonly start: number; readonly end: number; readonly places: readonly number[] };

/** Fewer words in a row are alike by chance. */
const MIN_RUN = 3;
/** Words without weight that may stand between two stretches which still meet. */
const MAX_JOINT = 2;

/**
 * Stretches taken word for word from different sentences may only meet where a clause of the source ends and another
 * one begins: two halves cut in the middle say what nobody said.
 */
export function seamsHold(unit: ReadText, source: SourceText): boolean {
  const runs = runsOf(unit, source);
  for (const [i, run] of runs.entries()) {
    const next = runs[i + 1];
    if (next === undefined) return true;
    const joint = unit.words.slice(run.end, next.start);
    if (joint.length > MAX_JOINT || joint.some(({ weight, numbers }) => weight > 0 || numbers.length > 0)) continue;
    if (!mayMeet(run, next, { joint, source })) return false;
  }
  return true;
}

function mayMeet(
  run: Run,
  next: Run,
  { joint, source }: { readonly joint: readonly ReadWord[]; readonly source: SourceText },
): boolean {
  const length = run.end - run.start;
  return run.places.some((place) =>
    next.places.some((nextPlace) => {
      const last = source.words[place + length - 1];
      const first = source.words[nextPlace];
      if (last === undefined || first === undefined) return false;
      if (last.sentence === first.sentence && nextPlace >= place + length) return true;
      if (joint.length > 0) return last.endsClause || first.startsClause;
      return last.endsClause && first.startsClause;
    }),
  );
}

/** Longest stretches from left to right. Words of the unit × their places in the source. */
function runsOf(unit: ReadText, source: SourceText): readonly Run[] {
  const runs: Run[] = [];
  for (let start = 0; start < unit.words.length; ) {
    const run = longestFrom(unit.words, start, source);
    if (run === undefined) start++;
    else {
      runs.push(run);
      start = run.end;
    }
  }
  return runs;
}

function longestFrom(words: readonly ReadWord[], start: number, source: SourceText): Run | undefined {
  let length = MIN_RUN - 1;
  let places: number[] = [];
  for (const place of source.places.get(words[start]?.word ?? '') ?? []) {
    const shared = sharedLength(words, start, { source, place });
    if (shared > length) {
      length = shared;
      places = [place];
    } else if (shared === length && length >= MIN_RUN) places.push(place);
  }
  return places.length === 0 ? undefined : { start, end: start + length, places };
}

function sharedLength(
  words: readonly ReadWord[],
  start: number,
  { source, place }: { readonly source: SourceText; readonly place: number },
): number {
  const sentence = source.words[place]?.sentence;
  let length = 0;
  while (start + length < words.length) {
    const there = source.words[place + length];
    if (there === undefined || there.sentence !== sentence || there.word !== words[start + length]?.word) break;
    length++;
  }
  return length;
}

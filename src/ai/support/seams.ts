import type { JoinedText } from './joined-text.ts';
import type { ReadText, ReadWord } from './read-text.ts';

/** A stretch of a unit that the source has word for word: `[start, end)` in the unit, from `place` on in the source. */
export type Run = { readonly start: number; readonly end: number; readonly places: readonly number[] };

export type WordPlaces = Pick<JoinedText, 'words' | 'places'>;

/** Fewer words in a row are alike by chance. */
const MIN_RUN = 3;
/** Words without weight that may stand between two stretches which still meet. */
const MAX_JOINT = 2;

/**
 * Stretches taken word for word from different sentences may only meet where one ends and the other one begins: two
 * halves cut in the middle say what nobody said.
 */
export function seamsHold(unit: ReadText, source: JoinedText): boolean {
  const runs = withoutInserts(runsOf(unit, source), { unit, source });
  return runs.every((run, i) => {
    const next = runs[i + 1];
    if (next === undefined || isEmpty(unit, run) || isEmpty(unit, next)) return true;
    const joint = unit.words.slice(run.end, next.start);
    if (joint.length > MAX_JOINT || joint.some(({ weight, numbers }) => weight > 0 || numbers.length > 0)) return true;
    return mayMeet(run, next, { unit, source });
  });
}

/** Three words without weight stand in any text. */
function isEmpty(unit: ReadText, run: Run): boolean {
  return run.end - run.start <= MIN_RUN && weightOf(unit, run) === 0;
}

/** What a pronoun stands for, written out. */
const MAX_INSERT_WEIGHT = 2;

function weightOf({ words }: ReadText, { start, end }: Run): number {
  return words.slice(start, end).reduce((sum, { weight, numbers }) => sum + (numbers.length > 0 ? 1 : weight), 0);
}

type Seam = { readonly unit: ReadText; readonly source: JoinedText };

/** Leaves out short stretches between two of one sentence: words put in from elsewhere. */
function withoutInserts(runs: readonly Run[], { unit, source }: Seam): readonly Run[] {
  return runs.filter((run, i) => {
    const [before, behind] = [runs[i - 1], runs[i + 1]];
    if (before === undefined || behind === undefined || weightOf(unit, run) > MAX_INSERT_WEIGHT) return true;
    return !sentencesOf(before, source).some((sentence) => sentencesOf(behind, source).includes(sentence));
  });
}

function sentencesOf({ places }: Run, source: JoinedText): readonly (number | undefined)[] {
  return places.map((place) => source.words[place]?.sentence);
}

/**
 * Side by side, the first has to end with a clause and the second to begin a sentence; behind a comma, or a word that
 * joins, it is enough that the second begins one, behind `and` also without its subject ("It gives").
 */
function mayMeet(run: Run, next: Run, { unit, source }: Seam): boolean {
  const isJoined = next.start > run.end;
  const hasComma = unit.words[run.end - 1]?.endsClause === true;
  const length = run.end - run.start;
  return run.places.some((place) =>
    next.places.some((nextPlace) => {
      const last = source.words[place + length - 1];
      if (last === undefined || last.sentence === source.words[nextPlace]?.sentence) return true;
      if (isJoined) return startsSentence(source, nextPlace, MAX_SUBJECT);
      return startsSentence(source, nextPlace, 0) && (hasComma || last.endsClause);
    }),
  );
}

/** Words without weight that may be a subject. */
const MAX_SUBJECT = 2;

/** Whether a sentence begins here, or so many words without weight before. */
function startsSentence({ words }: JoinedText, place: number, skipped: number): boolean {
  for (let at = place; at >= place - skipped; at--) {
    if (words[at]?.sentence !== words[at - 1]?.sentence) return true;
    if (!words[at - 1]?.isEmpty) return false;
  }
  return false;
}

/** Words of the longest stretch that the source has word for word. */
export function longestRun(unit: ReadText, source: WordPlaces): number {
  return Math.max(0, ...runsOf(unit, source).map(({ start, end }) => end - start));
}

/** Longest stretches from left to right. Words of the unit × their places in the source. */
export function runsOf(unit: ReadText, source: WordPlaces): readonly Run[] {
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

function longestFrom(words: readonly ReadWord[], start: number, source: WordPlaces): Run | undefined {
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
  { source, place }: { readonly source: WordPlaces; readonly place: number },
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

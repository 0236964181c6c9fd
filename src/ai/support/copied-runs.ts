import type { ConcatenatedSources } from './concatenated-sources.ts';
import type { ReadText, ReadWord } from './read-text.ts';

/** A stretch of a claim that the source has word for word: `[start, end)` in the claim, from `place` on in the source. */
export type Run = { readonly start: number; readonly end: number; readonly places: readonly number[] };

export type WordPositions = Pick<ConcatenatedSources, 'words' | 'places'>;

/** Fewer words in a row are alike by chance. */
const MIN_RUN = 3;
/** Words without weight that may stand between two stretches which still meet. */
const MAX_JOINT = 2;

/**
 * Stretches taken word for word from different sentences may only meet where one ends and the other one begins: two
 * halves cut in the middle say what nobody said.
 */
export function runsJoinAtClauses(claim: ReadText, source: ConcatenatedSources): boolean {
  const runs = withoutInserts(runsOf(claim, source), { claim, source });
  return runs.every((run, i) => {
    const next = runs[i + 1];
    if (next === undefined || isEmpty(claim, run) || isEmpty(claim, next)) return true;
    const joint = claim.words.slice(run.end, next.start);
    if (joint.length > MAX_JOINT || joint.some(({ weight, numbers }) => weight > 0 || numbers.length > 0)) return true;
    return mayMeet(run, next, { claim, source });
  });
}

/** Three words without weight stand in any text. */
function isEmpty(claim: ReadText, run: Run): boolean {
  return run.end - run.start <= MIN_RUN && weightOf(claim, run) === 0;
}

/** What a pronoun stands for, written out. */
const MAX_INSERT_WEIGHT = 2;

function weightOf({ words }: ReadText, { start, end }: Run): number {
  return words.slice(start, end).reduce((sum, { weight, numbers }) => sum + (numbers.length > 0 ? 1 : weight), 0);
}

type RunContext = { readonly claim: ReadText; readonly source: ConcatenatedSources };

/** Leaves out short stretches between two of one sentence: words put in from elsewhere. */
function withoutInserts(runs: readonly Run[], { claim, source }: RunContext): readonly Run[] {
  return runs.filter((run, i) => {
    const [before, behind] = [runs[i - 1], runs[i + 1]];
    if (before === undefined || behind === undefined || weightOf(claim, run) > MAX_INSERT_WEIGHT) return true;
    return !sentencesOf(before, source).some((sentence) => sentencesOf(behind, source).includes(sentence));
  });
}

function sentencesOf({ places: positions }: Run, source: ConcatenatedSources): readonly (number | undefined)[] {
  return positions.map((position) => source.words[position]?.sentence);
}

/**
 * Side by side, the first has to end with a clause and the second to begin a sentence; behind a comma, or a word that
 * joins, it is enough that the second begins one, behind `and` also without its subject ("It gives").
 */
function mayMeet(run: Run, next: Run, { claim, source }: RunContext): boolean {
  const isJoined = next.start > run.end;
  const hasComma = claim.words[run.end - 1]?.endsClause === true;
  const length = run.end - run.start;
  return run.places.some((position) =>
    next.places.some((nextPlace) => {
      const last = source.words[position + length - 1];
      if (last === undefined || last.sentence === source.words[nextPlace]?.sentence) return true;
      if (isJoined) return startsSentence(source, nextPlace, MAX_SUBJECT);
      return startsSentence(source, nextPlace, 0) && (hasComma || last.endsClause);
    }),
  );
}

/** Words without weight that may be a subject. */
const MAX_SUBJECT = 2;

/** Whether a sentence begins here, or so many words without weight before. */
function startsSentence({ words }: ConcatenatedSources, position: number, skipped: number): boolean {
  for (let at = position; at >= position - skipped; at--) {
    if (words[at]?.sentence !== words[at - 1]?.sentence) return true;
    if (!words[at - 1]?.isEmpty) return false;
  }
  return false;
}

/** Words of the longest stretch that the source has word for word. */
export function longestRun(claim: ReadText, source: WordPositions): number {
  return Math.max(0, ...runsOf(claim, source).map(({ start, end }) => end - start));
}

/** Longest stretches from left to right. Words of the claim × their places in the source. */
export function runsOf(claim: ReadText, source: WordPositions): readonly Run[] {
  const runs: Run[] = [];
  for (let start = 0; start < claim.words.length; ) {
    const run = longestFrom(claim.words, start, source);
    if (run === undefined) start++;
    else {
      runs.push(run);
      start = run.end;
    }
  }
  return runs;
}

function longestFrom(words: readonly ReadWord[], start: number, source: WordPositions): Run | undefined {
  let length = MIN_RUN - 1;
  let positions: number[] = [];
  for (const position of source.places.get(words[start]?.word ?? '') ?? []) {
    const shared = sharedLength(words, start, { source, place: position });
    if (shared > length) {
      length = shared;
      positions = [position];
    } else if (shared === length && length >= MIN_RUN) positions.push(position);
  }
  return positions.length === 0 ? undefined : { start, end: start + length, places: positions };
}

function sharedLength(
  words: readonly ReadWord[],
  start: number,
  { source, place: position }: { readonly source: WordPositions; readonly place: number },
): number {
  const sentence = source.words[position]?.sentence;
  let length = 0;
  while (start + length < words.length) {
    const there = source.words[position + length];
    if (there === undefined || there.sentence !== sentence || there.word !== words[start + length]?.word) break;
    length++;
  }
  return length;
}

import { type ConcatenatedSources, hasSameStem, type PlacedWord } from './check.ts';
import type { ReadText, ReadWord } from './read-text.ts';

/** Words in a row from which a stretch is repeated on purpose. */
const MIN_WORDS = 4;
/** Of the words of weight beside a stretch in its clause, those that the sentence of the stretch has. */
const BORNE = 0.5;
/** Of words without weight behind a stretch, those that its sentence has. */
const IDLE_KNOWN = 0.3;
/** A word that the writer exchanged for another one. */
const EXCHANGED = 1;
/** More words than these are no exchange, and no idle end. */
const FREE_WORDS = 3;

type CopiedRun = {
  readonly claim: ReadText;
  readonly source: ConcatenatedSources;
  readonly run: Run;
  readonly place: number;
};

/**
 * A clause that repeats a stretch of a sentence, and leaves it where that sentence goes on, stays with what that sentence
 * says: half of the words of weight before and behind the stretch are the sentence's.
 */
export function keepsClauseContext(claim: ReadText, source: ConcatenatedSources): boolean {
  return runsOf(claim, source)
    .filter((run) => run.end - run.start >= MIN_WORDS)
    .every((run) =>
      run.places.some(
        (position) =>
          keepsEnd({ claim, source, run, place: position }) && keepsStart({ claim, source, run, place: position }),
      ),
    );
}

function keepsEnd({ claim, source, run, place: position }: CopiedRun): boolean {
  const last = source.words[position + run.end - run.start - 1];
  const own = claim.words[run.end - 1];
  if (own === undefined || last === undefined || own.endsClause || last.endsClause) return true;
  const rest = claim.words.slice(run.end);
  const inClause = rest.filter(({ clause }) => clause === own.clause);
  if (isForeignIdle(inClause, source.sentences[last.sentence]?.read)) return false;
  return isBorne(inClause, { claim, source, run, place: position }, last);
}

function keepsStart({ claim, source, run, place: position }: CopiedRun): boolean {
  const first = source.words[position];
  const own = claim.words[run.start];
  if (own === undefined || first === undefined || first.startsClause) return true;
  const before = claim.words.slice(0, run.start);
  const inClause = before.filter(({ clause }) => clause === own.clause);
  return isBorne(inClause, { claim, source, run, place: position }, first);
}

/** Words that the stretch has itself bear nothing. */
function isBorne(rest: readonly ReadWord[], { claim, source, run }: CopiedRun, { sentence }: PlacedWord): boolean {
  const bearer = source.sentences[sentence];
  if (bearer === undefined) return false;
  const repeated = new Set(claim.words.slice(run.start, run.end).map(({ stem }) => stem));
  const heavy = rest.filter(({ weight, stem }) => weight === 1 && !repeated.has(stem));
  if (heavy.length === 0) return rest.length < FREE_WORDS || rest.some(({ word }) => hasWord(bearer.read, word));
  const borne = heavy.filter(
    ({ stem }) => hasSameStem(bearer.read.stems, stem) || hasSameStem(bearer.headings.stems, stem),
  );
  const isExchange = heavy.length - borne.length <= EXCHANGED && (borne.length > 0 || rest.length <= FREE_WORDS);
  return isExchange || borne.length >= heavy.length * BORNE;
}

/** Words without weight go on with another sentence when hardly one of them is of this one: "have been filled do it for you". */
function isForeignIdle(rest: readonly ReadWord[], bearer: ReadText | undefined): boolean {
  if (bearer === undefined || rest.length < FREE_WORDS || rest.some(({ weight }) => weight === 1)) return false;
  return rest.filter(({ word }) => hasWord(bearer, word)).length < rest.length * IDLE_KNOWN;
}

function hasWord({ words }: ReadText, word: string): boolean {
  return words.some((other) => other.word === word);
}

/** A stretch of a claim that the source has word for word: `[start, end)` in the claim, from `place` on in the source. */
type Run = { readonly start: number; readonly end: number; readonly places: readonly number[] };

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

/** Share of the words of a claim in stretches that the source has word for word. */
export function repeatedShare(claim: ReadText, source: WordPositions): number {
  const repeated = runsOf(claim, source).reduce((sum, { start, end }) => sum + end - start, 0);
  return claim.words.length === 0 ? 0 : repeated / claim.words.length;
}

/** Longest stretches from left to right. Words of the claim × their places in the source. */
function runsOf(claim: ReadText, source: WordPositions): readonly Run[] {
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

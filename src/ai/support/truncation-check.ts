import type { ConcatenatedSources } from './concatenated-sources.ts';
import { type Run, runsOf } from './copied-runs.ts';
import type { ReadText, ReadWord } from './read-text.ts';
import { hasSameStem } from './same-stem.ts';
import type { PlacedWord } from './source-text.ts';

/** Words in a row from which a stretch is repeated on purpose. */
const MIN_WORDS = 4;
/** Of the words of weight beside a stretch in its clause, those that the sentence of the stretch has. */
const BORNE = 0.5;
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

function hasWord({ words }: ReadText, word: string): boolean {
  return words.some((other) => other.word === word);
}

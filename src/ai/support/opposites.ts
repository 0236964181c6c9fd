import { answerTableOf } from '../../text/languages/packs.ts';
import { type Check, type ConcatenatedSources, haveSameStem, type PlacedWord, type SentenceWindow } from './check.ts';
import type { NegationKind } from './contradicting-words.ts';
import type { ReadText, ReadWord } from './read-text.ts';

/** Beginnings that turn a word around. */
const REVERSALS = answerTableOf('reversals');
const REVERSED_LETTERS = 4;

/**
 * A word of a group of which one only can be true (enable and disable, days and weeks) does not stand where the bearing
 * sentences have another one of the group instead; nor does a word with its reversed form there.
 */
export const oppositesCheck: Check = ({ spans, window, language }) => {
  const { headings } = window.source;
  return spans.every(({ words, sentences }) =>
    words.every((word) => {
      const texts = [...sentences, headings];
      return !isExchanged(word, { words, texts }) && !isReversed(word, { words, texts, language });
    }),
  );
};

type Antonym = { readonly words: readonly ReadWord[]; readonly texts: readonly ReadText[] };

function isExchanged(word: ReadWord, { words, texts }: Antonym): boolean {
  return word.exclusive.some(({ group, member }) => {
    const there = texts.flatMap((text) => membersOf(text.words, group));
    if (there.length === 0 || there.includes(member)) return false;
    const mine = membersOf(words, group);
    return there.some((other) => !mine.includes(other));
  });
}

function membersOf(words: readonly ReadWord[], group: number): readonly number[] {
  return words.flatMap(({ exclusive }) =>
    exclusive.filter((position) => position.group === group).map(({ member }) => member),
  );
}

function isReversed(word: ReadWord, { texts, language }: Antonym & { readonly language: string }): boolean {
  const reversals = REVERSALS[language];
  if (reversals === undefined || word.weight === 0 || word.word.length < REVERSED_LETTERS) return false;
  const there = texts.flatMap(({ words }) => words);
  if (there.some(({ stem }) => stem === word.stem)) return false;
  return there.some(
    (other) =>
      other.weight > 0 &&
      reversals.some((prefix) => isPrefixed(other, word, prefix) || isPrefixed(word, other, prefix)),
  );
}

function isPrefixed(long: ReadWord, short: ReadWord, prefix: string): boolean {
  if (short.word.length < REVERSED_LETTERS || !long.word.startsWith(prefix)) return false;
  return long.word.slice(prefix.length) === short.word || long.stem === prefix + short.stem;
}

/** Words that each half has at least. */
const MIN_WORDS = 2;

/**
 * Whether a claim is nothing but the beginning of one sentence's words and the end of another one's, cut where neither
 * pauses. Words of the claim × their places.
 */
export function isPrefixSuffixSplice(claim: ReadText, source: ConcatenatedSources): boolean {
  const { words } = claim;
  const heads = headsOf(
    words.map(({ word }) => word),
    source,
  );
  const tails = tailsOf(
    words.map(({ word }) => word),
    source,
  );
  const [head, tail] = [heads.length, tails.length];
  if (head >= words.length || tail >= words.length || head < MIN_WORDS || tail < MIN_WORDS) return false;
  if (head + tail < words.length) return false;
  for (let at = words.length - tail; at <= head; at++) {
    const ends = heads[at - 1] ?? [];
    const starts = tails[words.length - at - 1] ?? [];
    if (ends.some((end) => starts.some((start) => mayMeet(end, start, source)))) return false;
  }
  return true;
}

function mayMeet(end: number, start: number, { words }: ConcatenatedSources): boolean {
  const [last, first] = [words[end], words[start]];
  if (last === undefined || first === undefined) return false;
  if (last.sentence === first.sentence && start > end) return true;
  return (last.endsClause && words[start - 1]?.sentence !== first.sentence) || isSubject(last, first, words);
}

/** The first word of weight of a sentence: what ends with it may go on with what the sentence says of it. */
function isSubject({ word }: PlacedWord, { sentence }: PlacedWord, words: readonly PlacedWord[]): boolean {
  return words.find((other) => other.sentence === sentence && !other.isEmpty)?.word === word;
}

/** For each length of a beginning of the words, where its last word stands in the source. */
function headsOf(words: readonly string[], source: ConcatenatedSources): readonly (readonly number[])[] {
  const heads: (readonly number[])[] = [];
  let ends: readonly number[] = source.places.get(words[0] ?? '') ?? [];
  for (let length = 1; ends.length > 0; length++) {
    heads.push(ends);
    ends = ends.map((end) => end + 1).filter((at) => continues(at, at - 1, { word: words[length], source }));
  }
  return heads;
}

/** For each length of an end of the words, where its first word stands in the source. */
function tailsOf(words: readonly string[], source: ConcatenatedSources): readonly (readonly number[])[] {
  const tails: (readonly number[])[] = [];
  let starts: readonly number[] = source.places.get(words.at(-1) ?? '') ?? [];
  for (let length = 1; starts.length > 0; length++) {
    tails.push(starts);
    const word = words.at(-length - 1);
    starts = starts.map((start) => start - 1).filter((at) => continues(at, at + 1, { word, source }));
  }
  return tails;
}

type Step = { readonly word: string | undefined; readonly source: ConcatenatedSources };

function continues(at: number, from: number, { word, source }: Step): boolean {
  const there = source.words[at];
  return word !== undefined && there?.word === word && there.sentence === source.words[from]?.sentence;
}

/** Weight of the claim's words below which each of them is a claim. */
const FEW_WORDS = 3;
/** Of them: two of three, and both of two. */
const FEW_FOUND = 0.66;
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
    const few = weight <= FEW_WORDS ? FEW_FOUND : weight <= SOME_WORDS ? SOME_COVERAGE : 0;
    if (weight === 0) return claim.words.some(({ numbers }) => numbers.length > 0);
    return (
      window.coverage >= minCoverage - ROUNDING &&
      heavyShare(claim.words, window) >= few &&
      (weight > FEW_WORDS || shareOfAll(claim.words, window) >= FEW_COVERAGE) &&
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

/** Words with weight that a negation turns around: so many behind it, and before it. */
const REACH = 3;
/** Of what a negation of the source governs: a claim that repeats so much repeats the statement. */
const REPEATED = 0.66;

type Scope = {
  readonly kind: NegationKind;
  /** Stems of its clause, the nearest of them. */
  readonly behind: readonly string[];
  readonly before: readonly string[];
  /** It is part of a phrase that turns these words around, and no others: `not pay`, read for "free of charge". */
  readonly own: readonly string[];
  /** What stands behind says little by itself. */
  readonly isLight: boolean;
};

/** What the claim denies, a bearing sentence denies; what such a sentence denies and the claim repeats, the claim denies. */
export const polarityCheck: Check = ({ claim, spans }) => {
  const mine = scopesOf(claim.words);
  const sentences = new Set(spans.flatMap((span) => span.sentences));
  const theirs = [...sentences].flatMap(({ words }) => scopesOf(words));
  const added = mine
    .filter(({ kind }) => kind === 'negation')
    .some((scope) => !theirs.some((other) => doMeet(scope, other)));
  if (added) return false;
  const bearing = new Set(spans.flatMap((span) => span.sentences.slice(0, 1)));
  return bearing.values().every((sentence) => isRepeated(sentence, claim, mine));
};

function isRepeated(sentence: ReadText, claim: ReadText, mine: readonly Scope[]): boolean {
  return scopesOf(sentence.words)
    .filter(({ kind }) => kind === 'negation')
    .every((scope) => {
      const { isLight, behind, before } = scope;
      const isSaid = (!isLight && isSaidBy(claim, behind)) || isSaidBy(claim, [...before, ...behind]);
      return !isSaid || mine.some((other) => doMeet(scope, other));
    });
}

function isSaidBy({ stems }: ReadText, governed: readonly string[]): boolean {
  const said = governed.filter((stem) => stems.values().some((other) => haveSameStem(stem, other)));
  return governed.length > 0 && said.length / governed.length >= REPEATED;
}

function doMeet(a: Scope, b: Scope): boolean {
  const all = [...a.behind, ...a.before];
  const others = [...b.behind, ...b.before];
  if (all.length === 0 || others.length === 0) return true;
  return shareStem(a.own.length > 0 ? a.own : all, others) && shareStem(b.own.length > 0 ? b.own : others, all);
}

function shareStem(stems: readonly string[], others: readonly string[]): boolean {
  return stems.some((stem) => others.some((other) => haveSameStem(stem, other)));
}

/** The scopes of the negations of a text. */
function scopesOf(words: readonly ReadWord[]): readonly Scope[] {
  return words.flatMap((word, at) => {
    if (word.negation === undefined) return [];
    const isOwn = ({ isParaphrase, start }: ReadWord) => isParaphrase && word.isParaphrase && start === word.start;
    const reached = reachOf(words, at);
    const own = reached.behind.filter(isOwn);
    const behind = own.length > 0 ? own : reached.behind;
    return [
      {
        kind: word.negation,
        behind: stemsOf(behind.slice(0, REACH)),
        before: stemsOf(reached.before.slice(-REACH)),
        own: stemsOf(own),
        isLight: behind.every(({ weight }) => weight < 1),
      },
    ];
  });
}

function stemsOf(words: readonly ReadWord[]): readonly string[] {
  return words.map(({ stem }) => stem);
}

type Reach = { readonly before: readonly ReadWord[]; readonly behind: readonly ReadWord[] };

/** Words with weight on both sides of a word in its clause, and in what `and` or `or` joins to it with one word. */
function reachOf(words: readonly ReadWord[], at: number): Reach {
  const clauses = [...Map.groupBy(words, ({ clause }) => clause).values()];
  const own = clauses.findIndex(([first]) => first?.clause === words[at]?.clause);
  const left = at - words.findIndex(({ clause }) => clause === words[at]?.clause);
  const [previous = [], current = [], next = []] = [clauses[own - 1], clauses[own], clauses[own + 1]];
  const before = isOneWord(previous) && !isClosed(previous) ? previous : [];
  const behind = isOneWord(next) && !isClosed(current) ? next : [];
  const isWeighty = ({ weight }: ReadWord) => weight > 0;
  return {
    before: [...before, ...current.slice(0, left)].filter(isWeighty),
    behind: [...current.slice(left + 1), ...behind].filter(isWeighty),
  };
}

function isOneWord(clause: readonly ReadWord[]): boolean {
  return clause.filter(({ weight }) => weight === 1).length <= 1;
}

function isClosed(clause: readonly ReadWord[]): boolean {
  return clause.at(-1)?.endsClause ?? true;
}

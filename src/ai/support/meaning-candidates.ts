import { answerTableOf } from '../../text/languages/packs.ts';
import {
  alignedSpansOf,
  type Check,
  type Comparison,
  coveredShare,
  hasSameStem,
  type SentenceWindow,
  type SourceSentence,
  type SourceText,
} from './check.ts';
import { namesCheck } from './names.ts';
import { areSameNumber, hasWhole, identifiersOf, numbersCheck } from './numbers.ts';
import { oppositesCheck, polarityCheck } from './opposites.ts';
import { type ReadText, type ReadWord, readText } from './read-text.ts';

/** A text of a source that a claim may say in other words. */
export type MeaningCandidate = {
  readonly window: SentenceWindow;
  /** Whole, where the window has a part of one. */
  readonly sentences: readonly SourceSentence[];
  readonly text: string;
  /** Words of weight of the claim that stand neither there nor before it: a pronoun may stand for those. */
  readonly foreign: readonly ReadWord[];
};

/** Verbs that most clauses have one of, by language: a part of a sentence without one is no clause. */
const FINITE_VERBS = new Map(
  Object.entries(answerTableOf('finiteVerbs')).map(([language, words]) => [language, new Set(words.split(/\s+/))]),
);

/** Whether sentences of a language are compared by meaning: where its signs of disagreement are known. */
export function isComparedByMeaning(language: string): boolean {
  return FINITE_VERBS.has(language);
}

/** More words that the source has not are another subject. */
const MAX_FOREIGN = 4;

/**
 * Sentences of a source, parts of them that say something by themselves, and two that follow each other, with which a
 * claim disagrees in nothing that can be told for certain: numbers, identifiers, names, denials, limits, opposites, who
 * of two does what. Those that have most of its words first, or of its words as it is restated for the source; none
 * without one of them. Sentences × checks: 0.3 ms.
 */
export function meaningCandidates(
  claim: ReadText,
  source: SourceText,
  restated: ReadText = claim,
): readonly MeaningCandidate[] {
  return stretchesOf(source)
    .map(({ parts, before, sentences }) => ({ before, sentences, window: windowOf(restated, parts, source) }))
    .filter(
      ({ window }) => window.coverage > 0 && agrees(claim, window) && (restated === claim || agrees(restated, window)),
    )
    .map(({ window, before, sentences }) => ({
      window,
      sentences,
      text: window.sentences.map(({ read }) => read.text).join(' '),
      foreign: claim.words.filter(
        (word) =>
          word.weight === 1 &&
          restated.stems.has(word.stem) &&
          !stands(word.stem, [...window.sentences, ...before], source),
      ),
    }))
    .filter(({ foreign }) => foreign.length <= MAX_FOREIGN)
    .sort((a, b) => b.window.coverage - a.window.coverage);
}

function stands(stem: string, sentences: readonly SourceSentence[], { headings }: SourceText): boolean {
  return [headings, ...sentences.map(({ read }) => read)].some(({ stems }) => hasSameStem(stems, stem));
}

type Stretch = {
  /** Sentences, or a clause of one. */
  readonly parts: readonly SourceSentence[];
  readonly sentences: readonly SourceSentence[];
  readonly before: readonly SourceSentence[];
};

function stretchesOf({ sentences, language }: SourceText): readonly Stretch[] {
  return sentences.flatMap((sentence, at) => {
    const before = sentences.slice(0, at);
    const pair = sentences.slice(at, at + 2);
    const alone = [sentence, ...clausesOf(sentence, language)];
    const stretches = alone.map((part) => ({ parts: [part], sentences: [sentence], before }));
    // Of two sentences it cannot be told which one a denial belongs to.
    return pair.length < 2 || denialsOf(pair) > 0
      ? stretches
      : [...stretches, { parts: pair, sentences: pair, before }];
  });
}

function denialsOf(sentences: readonly SourceSentence[]): number {
  return sentences.reduce((sum, { read }) => sum + denialCount(read.words), 0);
}

function denialCount(words: readonly ReadWord[]): number {
  return words.filter(({ negation }) => negation === 'negation').length;
}

/**
 * What stands before a word that joins two clauses with a verb each, and what follows a semicolon: behind "and" a clause
 * may have lost its subject.
 */
function clausesOf({ passage, read }: SourceSentence, language: string): readonly SourceSentence[] {
  const verbs = FINITE_VERBS.get(language);
  const hasVerb = (words: readonly ReadWord[]) => words.some(({ word }) => verbs?.has(word) === true);
  return read.words.flatMap((word, at) => {
    if (!word.isApart || !hasVerb(read.words.slice(0, at)) || !hasVerb(read.words.slice(at))) return [];
    const [before, behind] = [read.text.slice(0, word.start).trimEnd(), read.text.slice(word.start)];
    const clauses = before.endsWith(';') ? [before, behind] : [before];
    return clauses.map((text) => ({ passage, read: readText(text.replace(/[\s,;]+$/, ''), language) }));
  });
}

function windowOf(claim: ReadText, sentences: readonly SourceSentence[], source: SourceText): SentenceWindow {
  const texts = [...sentences.map(({ read }) => read), source.headings];
  const covered = new Set([...claim.stems].filter((stem) => texts.some(({ stems }) => hasSameStem(stems, stem))));
  return {
    sentences,
    source,
    coverage: coveredShare(claim.words, covered),
    isCovered: ({ stem }) => covered.has(stem),
  };
}

const CHECKS: readonly Check[] = [
  hasItsNumbers,
  hasItsIdentifiers,
  namesCheck,
  deniesTheSame,
  hasItsLimits,
  oppositesCheck,
  keepsOrder,
];

function agrees(claim: ReadText, window: SentenceWindow): boolean {
  const comparison = { claim, window, spans: alignedSpansOf(claim, window), language: window.source.language };
  return CHECKS.every((holds) => holds(comparison));
}

function wordsOf({ window }: Comparison): readonly ReadWord[] {
  return window.sentences.flatMap(({ read }) => read.words);
}

/** In the same order, or each belongs to what stands beside it. */
function hasItsNumbers(comparison: Comparison): boolean {
  const theirs = wordsOf(comparison).filter(({ numbers }) => numbers.length > 0);
  const all = [...theirs, ...comparison.window.source.headings.words];
  const mine = comparison.claim.words.filter(({ numbers }) => numbers.length > 0);
  if (!mine.every((number) => all.some((other) => areSameNumber(number, other)))) return false;
  return areInOrder(mine, theirs) || numbersCheck(comparison);
}

/** All of them, one after the other. */
function areInOrder(mine: readonly ReadWord[], theirs: readonly ReadWord[]): boolean {
  return (
    mine.length === theirs.length &&
    mine.every((number, at) => {
      const other = theirs[at];
      return other !== undefined && areSameNumber(number, other);
    })
  );
}

function hasItsIdentifiers({ claim, window }: Comparison): boolean {
  const texts = [...window.sentences.map(({ read }) => read), window.source.headings];
  return identifiersOf(claim.text).every((identifier) => texts.some(({ plain }) => hasWhole(plain, identifier)));
}

/** As often; and where the claim has several clauses, in the same ones. */
function deniesTheSame(comparison: Comparison): boolean {
  const { claim } = comparison;
  if (denialCount(claim.words) !== denialCount(wordsOf(comparison))) return false;
  return !claim.words.some(({ isApart }) => isApart) || polarityCheck(comparison);
}

const LIMITS = answerTableOf('limits');

/**
 * Words that limit what is said, as phrases are read (`paraphrases`): those that both have or neither, those that the
 * claim has of the text's, and the two that say must and may.
 */
function hasItsLimits(comparison: Comparison): boolean {
  const limits = LIMITS[comparison.language];
  if (limits === undefined) return false;
  const [mine, theirs] = [comparison.claim.words, wordsOf(comparison)].map((words) => {
    const known = new Set(words.map(({ word }) => word));
    return (limit: string) => known.has(limit);
  }) as [(limit: string) => boolean, (limit: string) => boolean];
  if (limits.both.some((limit) => mine(limit) !== theirs(limit))) return false;
  if (limits.wanted.some((limit) => mine(limit) && !theirs(limit))) return false;
  if (!limitsTheSame(comparison, new Set(limits.wanted))) return false;
  const [must, may] = limits.modes;
  return !(mine(must) && !theirs(must) && theirs(may)) && !(mine(may) && !theirs(may) && theirs(must));
}

/** Words before a number that a limit of it stands among. */
const LIMIT_WITHIN = 3;

/** What limits a number limits it there. */
function limitsTheSame(comparison: Comparison, limits: ReadonlySet<string>): boolean {
  const limitOf = (words: readonly ReadWord[], at: number) =>
    words.slice(Math.max(0, at - LIMIT_WITHIN), at).findLast(({ word }) => limits.has(word))?.word;
  const theirs = wordsOf(comparison);
  const mine = comparison.claim.words;
  return mine.every((number, at) => {
    const limit = number.numbers.length > 0 ? limitOf(mine, at) : undefined;
    if (limit === undefined) return true;
    return theirs.some((other, place) => areSameNumber(other, number) && limitOf(theirs, place) === limit);
  });
}

/** What a joining word parts is parted there, in the same order: what is said of one thing is not said of the other. */
function keepsOrder(comparison: Comparison): boolean {
  const { words } = comparison.claim;
  const theirs = wordsOf(comparison);
  return words.every((joint, at) => {
    if (!joint.isApart) return true;
    const [before, behind] = [heavyStems(words.slice(0, at)), heavyStems(words.slice(at))];
    const left = placesOf(new Set(before.filter((stem) => !behind.includes(stem))), theirs);
    const right = placesOf(new Set(behind.filter((stem) => !before.includes(stem))), theirs);
    if (left.length > 0 && right.length > 0) return Math.max(...left) < Math.min(...right);
    // One of the clauses is of another place of the source.
    const { source } = comparison.window;
    return !(left.length > 0 ? behind : before).some((stem) => stands(stem, source.sentences, source));
  });
}

function heavyStems(words: readonly ReadWord[]): readonly string[] {
  return words.filter(({ weight }) => weight === 1).map(({ stem }) => stem);
}

/** Where each of the stems stands first. */
function placesOf(stems: ReadonlySet<string>, words: readonly ReadWord[]): readonly number[] {
  return [...stems]
    .map((stem) => words.findIndex((word) => word.weight > 0 && hasSameStem(new Set([stem]), word.stem)))
    .filter((at) => at >= 0);
}

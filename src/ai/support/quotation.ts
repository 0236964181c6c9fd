import {
  type AlignedSpan,
  type Check,
  hasSameStem,
  haveSameStem,
  type SentenceWindow,
  type SourceText,
} from './check.ts';
import type { NegationKind } from './contradicting-words.ts';
import { areSameNumber } from './numbers.ts';
import type { ReadText, ReadWord } from './read-text.ts';

/** Of a sentence that the claim repeats, of the claim that repeats it, and of a whole repetition. */
const QUOTED = 0.6;
const QUOTING = 0.75;
const WHOLE = 0.85;
/** Of the claim, word for word: what differs has been looked at. */
const WHOLE_CLAIM = 0.85;
/** A shorter sentence may be quoted by chance: its negations may be repeated, and need not. */
const MIN_STEMS = 3;

/** A claim that repeats sentences nearly word for word has their numbers, as often, as many negations, and no word turned around. */
export const quotationCheck: Check = ({ claim, window }) => {
  const sentences = window.sentences.map(({ read }) => read);
  const { holds, share } = repetitionOf(claim, window);
  if (!holds || share >= WHOLE_CLAIM) return holds;
  const quoted = sentences.filter(
    ({ stems }) => stems.size > 0 && sharedCount(stems, claim.stems) / stems.size >= QUOTED,
  );
  const surely = quoted.filter((sentence) => sentence.stems.size >= MIN_STEMS);
  const stems = new Set(surely.flatMap((sentence) => [...sentence.stems]));
  if (stems.size === 0 || sharedCount(claim.stems, stems) / claim.stems.size < QUOTING) return true;
  if (!numbersAreTheirs(claim, [...quoted, window.source.headings])) return false;
  const isWhole = sharedCount(stems, claim.stems) / stems.size >= WHOLE;
  return !isWhole || deniesAsOften(claim, { quoted, surely });
};

/** Words that deny in another way may stand for negations on either side. */
function deniesAsOften(
  claim: ReadText,
  { quoted, surely }: { readonly quoted: readonly ReadText[]; readonly surely: readonly ReadText[] },
): boolean {
  const mine = countOf([claim], 'negation');
  const least = countOf(surely, 'negation') - countOf([claim], 'soft');
  const most = countOf(quoted, 'negation') + countOf(quoted, 'soft');
  return mine >= least && mine <= most;
}

function countOf(texts: readonly ReadText[], kind: NegationKind): number {
  return texts.reduce((sum, { words }) => sum + words.filter(({ negation }) => negation === kind).length, 0);
}

function sharedCount(stems: ReadonlySet<string>, others: ReadonlySet<string>): number {
  return stems.values().reduce((count, stem) => count + (hasSameStem(others, stem) ? 1 : 0), 0);
}

function numbersAreTheirs(claim: ReadText, texts: readonly ReadText[]): boolean {
  const left = texts.flatMap(({ words }) => words.filter(({ numbers }) => numbers.length > 0));
  return claim.words.every((word) => {
    if (word.numbers.length === 0) return true;
    const at = left.findIndex((other) => areSameNumber(other, word));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

/** Score from which a stretch is repeated on purpose: five words and one exchanged. */
const MIN_SCORE = 8;
/** Of the words of a stretch that another sentence repeats better. */
const OVERLAP = 0.3;
/** Words with weight beside a negation that was left out with its whole clause. */
const CLAUSE_WEIGHT = 1;

/** Share of the claim's stems that a sentence has which it may repeat. */
const LIKELY = 0.4;
/** Words that no sentence repeats, from which they are an addition. */
const ADDED_WORDS = 3;
/** A stretch of a sentence without a change, from which what follows has to be founded by itself. */
const UNTOUCHED_WORDS = 8;
/** Of what stands behind all that is repeated, in one sentence. */
const BORNE_END = 0.6;

/** How a claim repeats sentences of its source. */
export type Repetition = {
  /** Nothing is exchanged, put in, left out or added that turns a sentence around or says more. */
  readonly holds: boolean;
  /** Share of the claim's words inside repeated stretches. */
  readonly share: number;
};

/**
 * Compares a claim word for word with the sentences that it repeats: what differs may be no negation, no opposite, no
 * name and no number, and what stands beside may not be foreign altogether.
 */
function repetitionOf(claim: ReadText, window: SentenceWindow): Repetition {
  const claimed = claimedAlignments(claim, window.source);
  const holds = claimed.every(({ holds }) => holds);
  const words = claim.words.length;
  const repeated = claimed.reduce((sum, { alignment }) => sum + alignment.end - alignment.start, 0);
  return {
    holds: holds && !hasAddition(claim, claimed, window) && !hasForeignEnd(claim, claimed, window),
    share: words === 0 ? 0 : repeated / words,
  };
}

/** Of a claim that a changed sentence makes up. */
const CHANGED = 0.7;

/**
 * Whether a claim is a sentence of one of the sources with something turned around: then no other source supports it,
 * unless one has it as it stands.
 */
export function isChanged(claim: ReadText, sources: readonly SourceText[]): boolean {
  const claimed = sources.flatMap((source) => claimedAlignments(claim, source));
  const [best] = claimed.sort(byScore);
  if (best === undefined || best.holds) return false;
  return best.alignment.end - best.alignment.start >= claim.words.length * CHANGED;
}

function byScore(a: Claimed, b: Claimed): number {
  return b.alignment.score - a.alignment.score || Number(b.holds) - Number(a.holds);
}

type Claimed = { readonly alignment: Alignment; readonly words: readonly ReadWord[]; readonly holds: boolean };

/** Best alignments first; each stretch of the claim belongs to the sentence that repeats it best. */
function claimedAlignments(claim: ReadText, source: SourceText): readonly Claimed[] {
  const rated = source.sentences
    .filter(({ read }) => isLikely(claim, read))
    .map(({ read: { words } }) => ({ alignment: alignWords(claim.words, words), words }))
    .filter(({ alignment }) => alignment.score >= MIN_SCORE)
    .map(({ alignment, words }) => ({
      alignment,
      words,
      holds: alignment.differences.every((difference) => differenceHolds(difference, { claim, words, source })),
    }))
    .sort(byScore);
  const claimed: Claimed[] = [];
  for (const each of rated) {
    if (claimed.every((other) => overlap(each.alignment, other.alignment) <= OVERLAP)) claimed.push(each);
  }
  return claimed;
}

function isLikely(claim: ReadText, { stems }: ReadText): boolean {
  const smaller = Math.min(claim.stems.size, stems.size);
  const shared = claim.stems.values().reduce((count, stem) => count + (stems.has(stem) ? 1 : 0), 0);
  return shared > 0 && shared >= smaller * LIKELY;
}

/** A stretch beside what is repeated, whose words say something that the window has nothing of. */
function hasAddition(claim: ReadText, claimed: readonly Claimed[], { isCovered }: SentenceWindow): boolean {
  if (claimed.length === 0) return false;
  const isRepeated = (at: number) => claimed.some(({ alignment }) => at >= alignment.start && at < alignment.end);
  let stretch: ReadWord[] = [];
  for (let at = 0; at <= claim.words.length; at++) {
    const word = claim.words[at];
    if (word !== undefined && !isRepeated(at)) {
      stretch.push(word);
      continue;
    }
    const heavy = stretch.filter(({ weight }) => weight === 1);
    if (stretch.length >= ADDED_WORDS && heavy.length > 0 && !heavy.some(isCovered)) return true;
    stretch = [];
  }
  return false;
}

function overlap(a: Alignment, b: Alignment): number {
  return Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start)) / Math.max(1, a.end - a.start);
}

/**
 * Words behind all that is repeated which say nothing that the window has; or which go on, where a sentence was cut
 * within a clause, with nothing of that sentence.
 */
function hasForeignEnd(claim: ReadText, claimed: readonly Claimed[], { isCovered, source }: SentenceWindow): boolean {
  const last = claimed.toSorted((a, b) => b.alignment.end - a.alignment.end)[0];
  if (last === undefined) return false;
  const { alignment, words } = last;
  const end = claim.words.slice(alignment.end);
  if (end.length < ADDED_WORDS) return false;
  const heavy = end.filter(({ weight }) => weight === 1);
  if (end.length > ADDED_WORDS && !heavy.some(isCovered)) return true;
  const isUntouched = alignment.differences.length === 0 && alignment.end - alignment.start >= UNTOUCHED_WORDS;
  if (isUntouched && end.length > ADDED_WORDS && !source.sentences.some(({ read }) => bears(read, end))) return true;
  const isCut =
    words[alignment.theirEnd - 1]?.endsClause === false && claim.words[alignment.end - 1]?.endsClause === false;
  const left = new Set(words.slice(alignment.theirEnd).map(({ stem }) => stem));
  return isCut && !heavy.some(({ stem }) => hasSameStem(left, stem) || hasSameStem(source.headings.stems, stem));
}

/** Whether a sentence has most of the words, of those with weight and of all. */
function bears(sentence: ReadText, words: readonly ReadWord[]): boolean {
  const heavy = words.filter(({ weight }) => weight === 1);
  const has = ({ word, stem }: ReadWord) =>
    hasSameStem(sentence.stems, stem) || sentence.words.some((other) => other.word === word);
  return [heavy, words].every((list) => list.filter(has).length >= list.length * BORNE_END);
}

/** The claim and the sentence that it repeats, with its source. */
type Compared = { readonly claim: ReadText; readonly words: readonly ReadWord[]; readonly source: SourceText };

function differenceHolds({ mine, theirs }: Difference, compared: Compared): boolean {
  if (isDenialChanged(mine, theirs) || isOppositeChanged(mine, theirs) || isNameChanged(mine, theirs)) return false;
  if (isSubjectChanged({ mine, theirs }, compared.source)) return false;
  const numbers = theirs.filter((word) => word.numbers.length > 0);
  return (
    numbers.length === 0 ||
    mine.every((word) => word.numbers.length === 0 || numbers.some((other) => isSameOrMeant(word, other, compared)))
  );
}

/**
 * The same number; or another one of the sentence, beside a word of the claim that does not stand beside the first: "and
 * films for seven days" behind what is said of books.
 */
function isSameOrMeant(word: ReadWord, other: ReadWord, { claim, words }: Compared): boolean {
  if (areSameNumber(word, other)) return true;
  const besideOther = clauseStems(words, other);
  return words.some((meant) => {
    const own = areSameNumber(meant, word) ? clauseStems(words, meant) : [];
    return (
      !isSaidElsewhere(meant, claim, words) && own.some((stem) => claim.stems.has(stem) && !besideOther.includes(stem))
    );
  });
}

/** The claim has the number as often as the sentence, this once included, and once more. */
function isSaidElsewhere(number: ReadWord, claim: ReadText, words: readonly ReadWord[]): boolean {
  const countIn = (list: readonly ReadWord[]) => list.filter((word) => areSameNumber(word, number)).length;
  return countIn(claim.words) > countIn(words);
}

function clauseStems(words: readonly ReadWord[], { clause }: ReadWord): readonly string[] {
  return words.filter((word) => word.clause === clause && word.weight > 0).map(({ stem }) => stem);
}

/** What the page is about by its title or heading, exchanged for what it is not about. */
function isSubjectChanged({ mine, theirs }: Difference, { headings }: SourceText): boolean {
  const [own, ...owns] = mine.filter(({ weight }) => weight === 1);
  const [other, ...others] = theirs.filter(({ weight }) => weight === 1);
  if (own === undefined || other === undefined || owns.length + others.length > 0) return false;
  return (
    hasSameStem(headings.stems, other.stem) &&
    !hasSameStem(headings.stems, own.stem) &&
    !haveSameStem(own.stem, other.stem)
  );
}

function isDenialChanged(mine: readonly ReadWord[], theirs: readonly ReadWord[]): boolean {
  const [denies, denied] = [mine.some(isNegation), theirs.some(isNegation)];
  if (denies === denied) return false;
  const [with_, without] = denies ? [mine, theirs] : [theirs, mine];
  const weight = with_.reduce((sum, word) => sum + (word.negation === undefined ? word.weight : 0), 0);
  return weight <= CLAUSE_WEIGHT && !without.some(({ negation }) => negation !== undefined);
}

function isNegation({ negation }: ReadWord): boolean {
  return negation === 'negation';
}

function isOppositeChanged(mine: readonly ReadWord[], theirs: readonly ReadWord[]): boolean {
  return mine.some((word) =>
    word.exclusive.some(({ group, member }) => {
      const members = theirs.flatMap(({ exclusive }) => exclusive.filter((position) => position.group === group));
      return members.length > 0 && members.every((position) => position.member !== member);
    }),
  );
}

function isNameChanged(mine: readonly ReadWord[], theirs: readonly ReadWord[]): boolean {
  const names = theirs.filter(({ isName }) => isName);
  return (
    names.length > 0 && mine.some((word) => word.isName && !names.some((other) => haveSameStem(other.stem, word.stem)))
  );
}

/** Words of a claim and of a sentence that stand for each other, between words that are the same. */
type Difference = { readonly mine: readonly ReadWord[]; readonly theirs: readonly ReadWord[] };

/** The stretch of a claim that repeats a stretch of a sentence, and where it does not. `[start, end)` of the claim. */
type Alignment = {
  readonly score: number;
  readonly start: number;
  readonly end: number;
  /** Behind the stretch of the sentence. */
  readonly theirEnd: number;
  readonly differences: readonly Difference[];
};

const MATCH = 2;
const GAP = -1;

/**
 * The best local alignment of two word lists (Smith and Waterman 1981): same words count 2, a word left out, put in or
 * exchanged costs 1. Words of the one × words of the other.
 */
function alignWords(mine: readonly ReadWord[], theirs: readonly ReadWord[]): Alignment {
  const width = theirs.length + 1;
  const scores = new Int16Array((mine.length + 1) * width);
  let best = 0;
  for (let i = 1; i <= mine.length; i++) {
    for (let j = 1; j <= theirs.length; j++) {
      const at = i * width + j;
      const isSame = mine[i - 1]?.word === theirs[j - 1]?.word;
      const diagonal = (scores[at - width - 1] ?? 0) + (isSame ? MATCH : GAP);
      const score = Math.max(0, diagonal, (scores[at - width] ?? 0) + GAP, (scores[at - 1] ?? 0) + GAP);
      scores[at] = score;
      if (score > (scores[best] ?? 0)) best = at;
    }
  }
  return trace({ mine, theirs, scores, width }, best);
}

type Table = {
  readonly mine: readonly ReadWord[];
  readonly theirs: readonly ReadWord[];
  readonly scores: Int16Array;
  readonly width: number;
};

/** Follows the best score back to its beginning and collects what differs on the way. */
function trace({ mine, theirs, scores, width }: Table, best: number): Alignment {
  const differences: { mine: ReadWord[]; theirs: ReadWord[] }[] = [];
  let isOpen = false;
  let at = best;
  while ((scores[at] ?? 0) > 0) {
    const [word, other] = [mine[Math.floor(at / width) - 1], theirs[(at % width) - 1]];
    const isSame = word?.word === other?.word;
    const step = stepBack({ scores, width, at, isSame });
    const isDifferent = step !== width + 1 || !isSame;
    if (isDifferent && !isOpen) differences.push({ mine: [], theirs: [] });
    isOpen = isDifferent;
    if (isDifferent && word !== undefined && step !== 1) differences.at(-1)?.mine.push(word);
    if (isDifferent && other !== undefined && step !== width) differences.at(-1)?.theirs.push(other);
    at -= step;
  }
  return {
    score: scores[best] ?? 0,
    start: Math.floor(at / width),
    end: Math.floor(best / width),
    theirEnd: best % width,
    differences,
  };
}

type Cell = Pick<Table, 'scores' | 'width'> & { readonly at: number; readonly isSame: boolean };

/** To the cell that the score of this one comes from: both words, a word of the claim, a word of the sentence. */
function stepBack({ scores, width, at, isSame }: Cell): number {
  const score = scores[at] ?? 0;
  if (score === (scores[at - width - 1] ?? 0) + (isSame ? MATCH : GAP)) return width + 1;
  return score === (scores[at - width] ?? 0) + GAP ? width : 1;
}

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

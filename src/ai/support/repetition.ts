import { type Alignment, alignWords, type Difference } from './alignment.ts';
import { areSameNumber } from './numbers.ts';
import type { ReadText, ReadWord } from './read-text.ts';
import { hasSameStem, haveSameStem } from './same-stem.ts';
import type { SentenceWindow } from './sentence-window.ts';
import type { SourceText } from './source-text.ts';

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
export function repetitionOf(claim: ReadText, window: SentenceWindow): Repetition {
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

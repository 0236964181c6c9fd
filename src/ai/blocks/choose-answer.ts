import type { Passage, PassageSentence } from '../../search/passage.ts';
import { isStrayCodeWord } from '../asked-value.ts';
import type { AnswerLength } from '../composer.ts';
import { hasKind } from '../question-types.ts';
import { isByline, isImperative, mayBePlanted, type Quote } from '../quote.ts';
import type { RankedBlock, RankedPassage, Ranking } from '../ranking.ts';
import type { Source } from '../sources.ts';
import { type DistinctTerms, distinctTerms, overlap, SAME_OVERLAP } from '../term-overlap.ts';

/** What an answer has room for behind the block that opens it, which is said whole. */
const LIMITS = { concise: 1.5, comprehensive: 7 } as const satisfies Record<AnswerLength, number>;
/** What an item, a row, a line or a short sentence counts of a sentence. */
const SHORT_COST = 0.5;
const SHORT_CHARS = 60;

/** A block that scores so much less than the best one says nothing of the matter. */
const MAX_BEHIND = {
  concise: { samePage: 1, otherPage: 0.5 },
  comprehensive: { samePage: 4, otherPage: 2 },
} as const satisfies Record<AnswerLength, { readonly samePage: number; readonly otherPage: number }>;
/** In the score of what continues the opening. */
const CONTINUATION_GAIN = 1;
const LEADING_HEADING_MATCH = 0.35;
/** What of the question a block must cover by itself, or hold nothing that a planted one is planted for. */
const LEAST_OWN_COVERAGE = 0.35;
/** The same for one that tells its reader to do something; .35 costs a German answer, .2 and less none (tuning halves). */
const LEAST_ORDER_COVERAGE = 0.2;
/** What the best passage must cover where no block does. */
const LEAST_PASSAGE_COVERAGE = 0.3;

type Candidate = { readonly ranked: RankedPassage; readonly block: RankedBlock };

/**
 * The sentences of each block of the sources that answers the question, as they are said: the best one first, then what goes on with it on its
 * page, then what else says hardly less; empty when none answers. All are in one language. Answers design 7.1.
 */
export function chooseAnswer(
  ranking: Ranking,
  sources: readonly Source[],
  length: AnswerLength,
): readonly (readonly Quote[])[] {
  const references = new Map(sources.flatMap(({ reference, passages }) => passages.map((each) => [each, reference])));
  const passages = ranking.passages.filter(({ passage }) => references.has(passage));
  const candidates = passages.flatMap((ranked) => ranked.blocks.map((block) => ({ ranked, block }))).sort(byScore);
  const first = opening(candidates, ranking.question);
  if (first === undefined) return [];
  const isFounded = coversByItself(first) || first.ranked.coverage >= LEAST_PASSAGE_COVERAGE || isCompared(first);
  if (!isFounded) return [];
  const isBesideFirst = isBeside(first, length);
  const others = candidates
    .filter((candidate) => candidate !== first && isBesideFirst(candidate) && isQuotable(candidate, ranking.question))
    .toSorted((a, b) => besideScore(first, b) - besideScore(first, a));
  const chosen = [first, ...chooseOthers(first, others, LIMITS[length])];
  return quotesOf(inOrder(chosen, passages), references);
}

/** The best block of a page's text; a description of the page only where nothing else is. */
function opening(candidates: readonly Candidate[], question: Ranking['question']): Candidate | undefined {
  const isWanted = (candidate: Candidate) => isQuotable(candidate, question);
  return candidates.find((candidate) => isOfText(candidate) && isWanted(candidate)) ?? candidates.find(isWanted);
}

function isOfText({ ranked: { passage } }: Candidate): boolean {
  return passage.field !== 'Description';
}

/**
 * Whether a block may be quoted: what shares no word with the question, by itself or through its headings, is not sent,
 * unless its vector was compared. Reads its sentences: asked of few.
 */
function isQuotable(candidate: Candidate, question: Ranking['question']): boolean {
  const { ranked, block } = candidate;
  return (
    (block.coverage > 0 || block.ownCoverage > 0 || isCompared(candidate)) &&
    isSafe(candidate, question) &&
    !isStrayOrder(candidate) &&
    !isStrayCode(candidate, question) &&
    !isStrayByline(candidate, question) &&
    hasStatement(ranked.passage, block)
  );
}

function isBeside(first: Candidate, length: AnswerLength): (candidate: Candidate) => boolean {
  const { samePage, otherPage } = MAX_BEHIND[length];
  return (candidate) => {
    const [own, its] = [candidate.ranked.passage, first.ranked.passage];
    const most = own.rid === its.rid ? samePage : otherPage;
    const isHardlyLess = besideScore(first, candidate) >= scoreOf(first) - most;
    return own.language === its.language && isOfText(candidate) && isHardlyLess;
  };
}

/** What goes on with the opening where it ends reads better than what stands elsewhere. */
function besideScore(first: Candidate, candidate: Candidate): number {
  const goesOn =
    candidate.ranked === first.ranked &&
    isProse(first) &&
    isProse(candidate) &&
    ownSentences(candidate.block)[0] === (first.block.sentences.at(-1) ?? 0) + 1 &&
    sentencesOf(candidate).at(-1)?.block === sentencesOf(first).at(-1)?.block;
  return scoreOf(candidate) + (goesOn ? CONTINUATION_GAIN : 0);
}

function isProse({ block: { kind } }: Candidate): boolean {
  return kind === 'sentence' || kind === 'pair';
}

function byScore(a: Candidate, b: Candidate): number {
  return scoreOf(b) - scoreOf(a);
}

function scoreOf({ block }: Candidate): number {
  return block.score;
}

function sentencesOf({ ranked: { passage }, block }: Candidate): readonly PassageSentence[] {
  return block.sentences.flatMap((at) => passage.sentences[at] ?? []);
}

/** What a block says itself, lead-ins aside. */
function ownSentences({ sentences, leadIns }: RankedBlock): readonly number[] {
  return sentences.filter((at) => !leadIns.includes(at));
}

function ownTexts(passage: Passage, block: RankedBlock): readonly string[] {
  return ownSentences(block).map((at) => passage.sentences[at]?.text ?? '');
}

/**
 * Nothing in it addresses an assistant; and an address, a link or a code word stands in what bears on the question
 * itself, and holds the kind of thing that was asked for.
 */
function isSafe(candidate: Candidate, question: Ranking['question']): boolean {
  const sentences = sentencesOf(candidate);
  const { language } = candidate.ranked.passage;
  const isStray = ({ text, isSuspicious }: PassageSentence) =>
    isSuspicious || isStrayCodeWord(text, question, language);
  if (sentences.some(isStray)) return false;
  const planted = sentences.filter(({ text }) => mayBePlanted(text));
  if (planted.length === 0) return true;
  const { asksFor } = question;
  return (
    coversByItself(candidate) &&
    planted.every(
      ({ text }) => !isImperative(text, language) && (asksFor === undefined || hasKind(text, asksFor, language)),
    )
  );
}

/** Tells the reader to do something that nobody asked about. */
function isStrayOrder({ ranked, block }: Candidate): boolean {
  if (block.kind === 'code' || ranked.headingMatch > LEADING_HEADING_MATCH) return false;
  const [first = ''] = ownTexts(ranked.passage, block);
  return block.ownCoverage < LEAST_ORDER_COVERAGE && isImperative(first, ranked.passage.language);
}

/** Code that nobody asked how to write, and that hardly has the words of the question. */
function isStrayCode(candidate: Candidate, { type }: Ranking['question']): boolean {
  return type !== 'how-to' && candidate.block.kind === 'code' && !coversByItself(candidate);
}

/** Who wrote the page, and when, answers only who asks for it. */
function isStrayByline({ ranked, block }: Candidate, { type }: Ranking['question']): boolean {
  return type !== 'person' && type !== 'date' && ownTexts(ranked.passage, block).some(isByline);
}

/** A title of a note or a label says nothing: a word or two without a full stop or a number. */
const LABEL = /^[\p{L}'’-]+(?: [\p{L}'’-]+)?$/u;
const QUESTION = /[?？]["'”’»)\]]*\s*$/u;

function hasStatement(passage: Passage, block: RankedBlock): boolean {
  const [first = '', ...more] = ownTexts(passage, block);
  if ((more.length > 0 && block.kind !== 'pair') || block.kind === 'code') return true;
  if (QUESTION.test(first)) return false;
  return !['sentence', 'pair'].includes(block.kind) || !LABEL.test(first);
}

/** The gate has seen how near it is to the question: words need not say it, too. */
function isCompared({ block }: Candidate): boolean {
  return block.cosine !== undefined;
}

function coversByItself({ block }: Candidate): boolean {
  return block.ownCoverage >= LEAST_OWN_COVERAGE;
}

/** A block with the sentences that it says itself, lead-ins aside, and their terms. */
type Saying = { readonly candidate: Candidate; readonly own: readonly number[]; readonly terms: DistinctTerms };

/** The best ones that fit and say nothing that was said: no sentence of it, and not nearly all of its words. */
function chooseOthers(first: Candidate, others: readonly Candidate[], limit: number): readonly Candidate[] {
  const firstOwn = ownSentences(first.block);
  const said: Saying[] = [{ candidate: first, own: firstOwn, terms: termsOf(first, firstOwn) }];
  let used = 0;
  for (const candidate of others) {
    if (used + SHORT_COST > limit) break;
    const cost = costOf(candidate);
    if (used + cost > limit) continue;
    const own = ownSentences(candidate.block);
    if (said.some((other) => sharesSentence(other, candidate, own))) continue;
    const terms = termsOf(candidate, own);
    if (said.some((other) => overlap(other.terms, terms) > SAME_OVERLAP)) continue;
    used += cost;
    said.push({ candidate, own, terms });
  }
  return said.slice(1).map(({ candidate }) => candidate);
}

function termsOf({ ranked }: Candidate, own: readonly number[]): DistinctTerms {
  return distinctTerms(own.flatMap((at) => ranked.sentences[at]?.terms ?? []));
}

function sharesSentence(said: Saying, { ranked }: Candidate, own: readonly number[]): boolean {
  return said.candidate.ranked === ranked && said.own.some((at) => own.includes(at));
}

function costOf(candidate: Candidate): number {
  return ownTexts(candidate.ranked.passage, candidate.block).reduce((sum, text) => {
    return sum + (isProse(candidate) && text.length >= SHORT_CHARS ? 1 : SHORT_COST);
  }, 0);
}

/**
 * The opening, what follows it in its passage, what stands before it there, then the other passages by their rank, each
 * in its own order.
 */
function inOrder([first, ...others]: readonly Candidate[], passages: readonly RankedPassage[]): readonly Candidate[] {
  if (first === undefined) return [];
  const at = ({ block }: Candidate) => block.sentences.at(-1) ?? 0;
  const rank = ({ ranked }: Candidate) => (ranked === first.ranked ? -1 : passages.indexOf(ranked));
  const isAbove = (candidate: Candidate) => (candidate.ranked === first.ranked && at(candidate) < at(first) ? 1 : 0);
  return [first, ...others.toSorted((a, b) => rank(a) - rank(b) || isAbove(a) - isAbove(b) || at(a) - at(b))];
}

/** The sentences of each block, all of them once: rows below one another have the names of their columns once. */
function quotesOf(
  chosen: readonly Candidate[],
  references: ReadonlyMap<Passage, number>,
): readonly (readonly Quote[])[] {
  const said = new Map<Passage, Set<number>>();
  return chosen.map(({ ranked: { passage }, block }) => {
    const before = said.get(passage) ?? new Set();
    said.set(passage, before.union(new Set(block.sentences)));
    const fresh = block.sentences.filter((at) => !before.has(at));
    return fresh.map((at) => ({ reference: references.get(passage) ?? 0, passage, at }));
  });
}

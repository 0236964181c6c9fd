import type { Passage } from '../search/passage.ts';
import type { AnalysedQuestion } from './analysed-question.ts';
import { isByline } from './byline.ts';
import type { AnswerLength } from './composer.ts';
import { isImperative } from './imperatives.ts';
import { orderQuotes, type RankedQuote } from './order-quotes.ts';
import { mayBePlanted } from './planted-text.ts';
import { isIntro, isLine, type Quote } from './quote.ts';
import type { RankedPassage, Ranking } from './ranking.ts';
import type { Source } from './source.ts';
import { overlap } from './term-overlap.ts';

/** Sentences of an answer; a concise one has room for two and a short one. */
const LIMITS = { concise: 2.5, comprehensive: 8 } as const satisfies Record<AnswerLength, number>;
/** What a line of code, a row, a short item or a short sentence counts of them. */
const SHORT_COST = 0.5;
const LINE_CHARS = 80;
const SHORT_CHARS = 60;
/** Sentences behind one that ends in a colon, or says hardly anything. */
const BEHIND_INTRO = 2;
const BARE_CHARS = 25;

/**
 * A sentence that scores so much less than the best one says nothing of the matter. On other pages less is enough: at 5
 * three questions in a thousand more are answered right, and most answers end with what nobody asked (tuning halves).
 */
const MAX_BEHIND = { samePage: 5, otherPage: 2.5 } as const;
const LEADING_HEADING_MATCH = 0.35;
/** What of the question a sentence must cover by itself, or hold nothing that a planted one is planted for. */
const LEAST_OWN_COVERAGE = 0.35;
/** The same for one that tells its reader to do something; .35 costs a German answer, .2 and less none (tuning halves). */
const LEAST_ORDER_COVERAGE = 0.2;
/** What the best passage must cover where no sentence does. */
const LEAST_PASSAGE_COVERAGE = 0.3;
const SAME_OVERLAP = 0.8;

type Candidate = { readonly ranked: RankedPassage; readonly at: number };

/**
 * Sentences of the sources that answer the question, as they are said; empty when none does. Answers design 7.1.
 */
export function chooseAnswer(ranking: Ranking, sources: readonly Source[], length: AnswerLength): readonly Quote[] {
  const references = new Map(sources.flatMap(({ reference, passages }) => passages.map((each) => [each, reference])));
  const passages = ranking.passages.filter(({ passage }) => references.has(passage));
  const candidates = passages.flatMap((ranked) => quotable(ranked, ranking.question)).sort(byScore);
  const [first] = candidates;
  if (first === undefined) return [];
  const chosen = choose(candidates.filter(isNotFarBehind(first)), LIMITS[length]);
  const isFounded = chosen.some(coversByItself) || first.ranked.coverage >= LEAST_PASSAGE_COVERAGE;
  if (!isFounded) return [];
  const quotes = chosen.map((candidate) => quoteOf(candidate, passages, references));
  return orderQuotes(quotes, { keepsLists: ranking.question.type === 'how-to' });
}

/**
 * Sentences that may be quoted by themselves: what shares no word with the question, by itself or through title and
 * headings, is not sent.
 */
function quotable(ranked: RankedPassage, question: AnalysedQuestion): readonly Candidate[] {
  return ranked.sentences
    .flatMap(({ score, coverage }, at): Candidate[] => (Number.isFinite(score) && coverage > 0 ? [{ ranked, at }] : []))
    .filter((candidate) => isQuotable(candidate) && !isStrayOrder(candidate))
    .filter((candidate) => !isStrayCode(candidate, question) && !isStrayByline(candidate, question));
}

function isNotFarBehind(first: Candidate): (candidate: Candidate) => boolean {
  return (candidate) => {
    const isSamePage = candidate.ranked.passage.rid === first.ranked.passage.rid;
    return scoreOf(candidate) >= scoreOf(first) - MAX_BEHIND[isSamePage ? 'samePage' : 'otherPage'];
  };
}

function byScore(a: Candidate, b: Candidate): number {
  return scoreOf(b) - scoreOf(a);
}

function scoreOf({ ranked, at }: Candidate): number {
  return ranked.sentences[at]?.score ?? Number.NEGATIVE_INFINITY;
}

function isQuotable({ ranked, at }: Candidate): boolean {
  const sentence = ranked.passage.sentences[at];
  if (sentence === undefined || sentence.isSuspicious || !/[\p{L}\p{N}]/u.test(sentence.text)) return false;
  if (coversByItself({ ranked, at }) || !mayBePlanted(sentence.text)) return true;
  return !sentence.isCode && ranked.headingMatch > LEADING_HEADING_MATCH;
}

/** Tells the reader to do something that nobody asked about. */
function isStrayOrder({ ranked, at }: Candidate): boolean {
  const sentence = ranked.passage.sentences[at];
  if (sentence === undefined || sentence.isCode || ranked.headingMatch > LEADING_HEADING_MATCH) return false;
  return ownCoverage({ ranked, at }) < LEAST_ORDER_COVERAGE && isImperative(sentence.text, ranked.passage.language);
}

/** Code that nobody asked how to write, and that hardly has the words of the question. */
function isStrayCode({ ranked, at }: Candidate, { type }: AnalysedQuestion): boolean {
  return type !== 'how-to' && ranked.passage.sentences[at]?.isCode === true && !coversByItself({ ranked, at });
}

/** Who wrote the page, and when, answers only who asks for it. */
function isStrayByline({ ranked, at }: Candidate, { type }: AnalysedQuestion): boolean {
  return type !== 'person' && type !== 'date' && isByline(ranked.passage.sentences[at]?.text ?? '');
}

function coversByItself({ ranked, at }: Candidate): boolean {
  return ownCoverage({ ranked, at }) >= LEAST_OWN_COVERAGE;
}

function ownCoverage({ ranked, at }: Candidate): number {
  return ranked.sentences[at]?.ownCoverage ?? 0;
}

/** The first ones that fit and do not say the same as one before, each with what it introduces. */
function choose(candidates: readonly Candidate[], limit: number): readonly Candidate[] {
  const chosen: Candidate[] = [];
  let used = 0;
  for (const candidate of candidates) {
    const cost = costOf(candidate);
    if (used + cost > limit || isSaid(chosen, candidate)) continue;
    used += cost;
    chosen.push(candidate, ...introduced(candidate).filter((next) => !isSaid(chosen, next)));
  }
  return chosen;
}

function costOf({ ranked: { passage }, at }: Candidate): number {
  const { isCode = false, text = '' } = passage.sentences[at] ?? {};
  const isShort = text.length < SHORT_CHARS || (text.length < LINE_CHARS && isLine({ passage, at }));
  return isCode || isShort ? SHORT_COST : 1;
}

function isSaid(chosen: readonly Candidate[], { ranked, at }: Candidate): boolean {
  const terms = ranked.sentences[at]?.terms;
  return chosen.some((other) => {
    if (other.ranked === ranked && other.at === at) return true;
    const said = other.ranked.sentences[other.at]?.terms;
    return terms !== undefined && said !== undefined && overlap(terms, said) > SAME_OVERLAP;
  });
}

function introduced({ ranked, at }: Candidate): readonly Candidate[] {
  if (!isOpenEnded(ranked.passage, at)) return [];
  const next = Array.from({ length: BEHIND_INTRO }, (_, index) => ({ ranked, at: at + 1 + index }));
  return next.filter(isQuotable);
}

function isOpenEnded(passage: Passage, at: number): boolean {
  return isIntro({ passage, at }) || (passage.sentences[at]?.text.length ?? 0) < BARE_CHARS;
}

function quoteOf(
  candidate: Candidate,
  passages: readonly RankedPassage[],
  references: ReadonlyMap<Passage, number>,
): RankedQuote {
  const { ranked, at } = candidate;
  const reference = references.get(ranked.passage) ?? 0;
  return { passage: ranked.passage, at, reference, rank: passages.indexOf(ranked), score: scoreOf(candidate) };
}

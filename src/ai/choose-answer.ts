import type { Passage } from '../search/passage.ts';
import type { AnswerLength } from './composer.ts';
import { isIntro, type Quote } from './quote.ts';
import type { RankedPassage, RankedSentence, Ranking } from './ranking.ts';
import type { Source } from './source.ts';
import { overlap } from './term-overlap.ts';

const LIMITS = {
  concise: { sentences: 2, fromBest: 2, leading: 1 },
  comprehensive: { sentences: 6, fromBest: 4, leading: 3 },
} as const satisfies Record<AnswerLength, object>;
/** Sentences behind one that ends in a colon; they count for nothing. */
const BEHIND_INTRO = 2;

const LEAST_SCORE = 0.2;
const LEADING_HEADING_MATCH = 0.35;
/** What a sentence must cover of the question by itself: a pattern list alone lets most planted sentences through. */
const LEAST_OWN_COVERAGE = 0.35;
/** Where no sentence does: what the passage around the best one must cover. */
const LEAST_PASSAGE_COVERAGE = 0.6;
const FURTHER = { passageRatio: 0.72, score: 0.55, scoreRatio: 0.75 } as const;
const SAME_OVERLAP = 0.8;
/** As short a sentence says nothing without the next ones: "Yes." */
const BARE_CHARS = 25;
const URL_LIKE = /\bhttps?:|\bwww\.|\b[\w-]+\.(?:com|net|org|io|info|biz|xyz)\b/i;

/** A sentence that may be quoted. `isNeighbour`: for the sake of the one before it. */
type Candidate = { readonly ranked: RankedPassage; readonly at: number; readonly isNeighbour: boolean };

/**
 * Sentences of the sources that answer the question, in the order of sources and page; empty when none does. Answers
 * design 7.1.
 */
export function chooseAnswer(ranking: Ranking, sources: readonly Source[], length: AnswerLength): readonly Quote[] {
  const references = new Map(sources.flatMap(({ reference, passages }) => passages.map((each) => [each, reference])));
  const [best, ...others] = ranking.passages.filter(({ passage }) => references.has(passage));
  if (best === undefined) return [];
  const candidates = [...candidatesOfBest(best, length), ...others.flatMap((other) => candidateOfFurther(other, best))];
  const chosen = chooseDistinct(candidates.filter(isQuotable), LIMITS[length].sentences);
  return inOrder(chosen.length > 0 ? chosen : lastResort(best), references);
}

/** In order of importance: the best sentence, what it introduces, other good ones, those that lead the section. */
function candidatesOfBest(ranked: RankedPassage, length: AnswerLength): readonly Candidate[] {
  const { fromBest, leading } = LIMITS[length];
  const { sentences, headingMatch } = ranked;
  const good = sentences
    .map(({ score }, at) => ({ score, at }))
    .filter(({ score }) => score > LEAST_SCORE)
    .sort((a, b) => b.score - a.score || a.at - b.at)
    .slice(0, fromBest);
  const [first, ...rest] = good.map(({ at }) => at);
  if (first === undefined) return [];
  const behind = isOpenEnded(ranked.passage, first) ? range(first + 1, first + 1 + BEHIND_INTRO) : [];
  const lead = headingMatch > LEADING_HEADING_MATCH ? range(0, leading) : [];
  const candidate = (isNeighbour: boolean) => (at: number) => ({ ranked, at, isNeighbour });
  return [
    ...[first].map(candidate(false)),
    ...behind.map(candidate(true)),
    ...[...rest, ...lead].map(candidate(false)),
  ].filter(({ at }) => at < sentences.length);
}

function candidateOfFurther(ranked: RankedPassage, best: RankedPassage): readonly Candidate[] {
  const least = Math.max(FURTHER.score, FURTHER.scoreRatio * (bestOf(best)?.score ?? 0));
  const isGood = ranked.score >= FURTHER.passageRatio * best.score && (bestOf(ranked)?.score ?? 0) >= least;
  return isGood ? [{ ranked, at: ranked.bestSentence, isNeighbour: false }] : [];
}

function isQuotable({ ranked, at, isNeighbour }: Candidate): boolean {
  const sentence = ranked.passage.sentences[at];
  if (sentence === undefined || sentence.isSuspicious || !/[\p{L}\p{N}]/u.test(sentence.text)) return false;
  const own = ranked.sentences[at]?.ownCoverage ?? 0;
  if (own >= LEAST_OWN_COVERAGE || ranked.headingMatch > LEADING_HEADING_MATCH) return true;
  return isNeighbour && !URL_LIKE.test(sentence.text);
}

/** The first ones that do not say the same as one before. */
function chooseDistinct(candidates: readonly Candidate[], limit: number): readonly Candidate[] {
  const chosen: Candidate[] = [];
  for (const candidate of candidates) {
    const counted = chosen.filter(({ isNeighbour }) => !isNeighbour).length;
    if (!candidate.isNeighbour && counted === limit) continue;
    if (!chosen.some((other) => saySame(other, candidate))) chosen.push(candidate);
  }
  return chosen;
}

function saySame(a: Candidate, b: Candidate): boolean {
  const [first, second] = [a.ranked.sentences[a.at], b.ranked.sentences[b.at]];
  if (first === second) return true;
  return first !== undefined && second !== undefined && overlap(first.terms, second.terms) > SAME_OVERLAP;
}

function lastResort(best: RankedPassage): readonly Candidate[] {
  const isSuspicious = best.passage.sentences[best.bestSentence]?.isSuspicious ?? true;
  if (best.coverage < LEAST_PASSAGE_COVERAGE || isSuspicious) return [];
  return [{ ranked: best, at: best.bestSentence, isNeighbour: false }];
}

function inOrder(chosen: readonly Candidate[], references: ReadonlyMap<Passage, number>): readonly Quote[] {
  return chosen
    .map(({ ranked: { passage }, at }) => ({ passage, at, reference: references.get(passage) ?? 0 }))
    .sort((a, b) => a.reference - b.reference || a.passage.ordinal - b.passage.ordinal || a.at - b.at);
}

function isOpenEnded(passage: Passage, at: number): boolean {
  return isIntro({ passage, at }) || (passage.sentences[at]?.text.length ?? 0) < BARE_CHARS;
}

function bestOf({ sentences, bestSentence }: RankedPassage): RankedSentence | undefined {
  return sentences[bestSentence];
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

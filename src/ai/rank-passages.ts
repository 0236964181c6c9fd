import type {
  AnalysedCandidate,
  Passage,
  PassageSentence,
  QuestionTerm,
  RetrievedPassages,
  Terms,
} from '../search/passage.ts';
import {
  type Counts,
  createPairScorer,
  createTermMatcher,
  definesSubject,
  type PairScorer,
  type TermMatcher,
} from '../search/passage-scores.ts';
import { meetsIntent, namesIntent } from './query-intents.ts';
import { namesIn, namesOf } from './question-names.ts';
import { type AnalysedQuestion, fitsType, hasKind } from './question-types.ts';
import type { RankedPassage, RankedSentence, Ranking, Strengths } from './ranking.ts';
import { covered, type TermWeights } from './term-strengths.ts';

export type RankingInput = {
  readonly question: AnalysedQuestion;
  readonly retrieved: RetrievedPassages;
  /** That the answer was asked for in; undefined = none is preferred. */
  readonly language?: string | undefined;
  /** Documents that the conversation began with. */
  readonly preferred?: ReadonlySet<number> | undefined;
};

/** Found on the tuning halves (`docs/answers.md`); that of definitions is of answers design 4, item 6. */
const PASSAGE = {
  relevance: 0.45,
  documentScore: 0.35,
  pageScore: 0.4,
  early: 0.8,
  headingMatch: 0.25,
  definition: 0.35,
  coverage: 0.35,
  wordsCovered: 0.65,
  sentence: 0.4,
  ownSentence: 0.4,
  askedKind: 0.5,
  fitsType: 0.4,
  prose: 0.3,
  wordPairs: 0.3,
  intent: 0.9,
  intentTitle: 0.4,
} as const;
const SENTENCE = {
  heading: 0.6,
  title: 0.5,
  definition: 0.45,
  fitsType: 0.12,
  lead: 0.1,
  leadBase: 0.4,
  subject: 0.2,
  short: 0.25,
  long: 0.1,
  code: 0.2,
  question: 0.2,
  suspicious: 1,
} as const;
const LEAD = [1, 0.5] as const;
/** A shorter one is a label, a signature or a date, and leads nothing. */
const LEADING_TERMS = 6;
/** From this match of heading or title on a passage is about the subject of a definition. */
const ABOUT_SUBJECT = 0.25;
const SHORT_TERMS = 4;
const LONG_TERMS = 60;
const TITLE_COVERAGE = 0.85;
/** A word that is covered to a smaller share is missing. */
const MISSING_BELOW = 0.4;
/** Shares that the passages of a page add to its score, the best first. */
const PAGE_SHARES = [1, 0.5, 0.25, 0.125] as const;
/**
 * Item 7. Whatever else a passage says of `cabin 4`, it does not answer what `cabin 5` costs; that one of its sentences
 * addresses an assistant makes the others no worse.
 */
const FACTORS = { language: 1.15, preferred: 1.3, otherName: 0.2 } as const;
const QUESTION_END = /[?？;]\s*$/;

/**
 * Orders retrieved passages by how well they answer, with the features that gate and composers decide by; pure.
 * O(stems of the candidates): some 2 ms for 52 passages.
 */
export function rankPassages(input: RankingInput): Ranking {
  const { question, retrieved } = input;
  const { terms, candidates } = retrieved;
  const judge = createJudge(question, terms);
  // What only vectors found changes nothing about the others, so that the gate sees them as it would without.
  const worded = candidates.filter(({ isVectorCandidate }) => isVectorCandidate !== true);
  const grounding = pageFeatures(worded);
  const bestScore = Math.max(0, ...worded.map(({ score }) => score)) || 1;
  const names = namesIn(question.text, question.language);
  const namesBy = candidates.map(({ passage }) => namesOf(passage, names));
  // A name that nobody writes parts no passage from the others.
  const known = names.filter((name) =>
    candidates.some(({ isVectorCandidate }, at) => isVectorCandidate !== true && namesBy[at]?.includes(name) === true),
  );
  const ranked = candidates.map((candidate, at): RankedPassage => {
    const judged = judge(candidate, candidate.score / bestScore, grounding.get(candidate.passage.rid) ?? 0);
    const { cosine, isVectorCandidate } = candidate;
    const found = cosine === undefined ? {} : { cosine, ...(isVectorCandidate && { isVectorCandidate }) };
    const hasNames = known.every((name) => namesBy[at]?.includes(name));
    const factor = factorOf(candidate, hasNames, input);
    return { ...judged, ...found, factor, score: judged.score * factor };
  });
  ranked.sort((a, b) => b.score - a.score || a.passage.rid - b.passage.rid || a.passage.ordinal - b.passage.ordinal);
  return { question, terms, passages: ranked };
}

/** Scores of pages from those of their passages, against the best page: 0 to 1. */
function pageFeatures(candidates: readonly AnalysedCandidate[]): ReadonlyMap<number, number> {
  const sums = new Map<number, number>();
  for (const [rid, own] of Map.groupBy(candidates, ({ passage }) => passage.rid)) {
    const scores = own.map(({ score }) => score).sort((a, b) => b - a);
    sums.set(
      rid,
      PAGE_SHARES.reduce((sum, share, index) => sum + share * (scores[index] ?? 0), 0),
    );
  }
  const highest = Math.max(0, ...sums.values()) || 1;
  return new Map([...sums].map(([rid, sum]) => [rid, sum / highest]));
}

type Judged = Omit<RankedPassage, 'factor'>;
type Judge = (candidate: AnalysedCandidate, relevance: number, pageScore: number) => Judged;

type Scale = TermWeights & { readonly question: AnalysedQuestion; readonly terms: readonly QuestionTerm[] };

function createJudge(question: AnalysedQuestion, terms: readonly QuestionTerm[]): Judge {
  const weights = terms.map(({ weight }) => weight);
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1;
  const scale: Scale = { question, terms, weights, total };
  const finders = new Map<string, Finders>();
  const findersOf = (language: string) => {
    const made = finders.get(language) ?? {
      matcher: createTermMatcher(terms, language),
      pairs: createPairScorer({ terms, written: question.written }, language),
    };
    finders.set(language, made);
    return made;
  };
  return (candidate, relevance, pageScore) => {
    const found = findersOf(candidate.passage.language);
    return judgePassage(candidate, { scale, ...found, relevance, pageScore });
  };
}

/** What finds the words of the question in texts of one language. */
type Finders = { readonly matcher: TermMatcher; readonly pairs: PairScorer };

type Judging = Finders & {
  readonly scale: Scale;
  readonly relevance: number;
  readonly pageScore: number;
};

function judgePassage(candidate: AnalysedCandidate, judging: Judging): Judged {
  const { scale, matcher, pairs, relevance, pageScore } = judging;
  const { passage, analysed } = candidate;
  const { question, terms, total } = scale;
  const find = (hashes: Terms) => strengthsIn(matcher, terms.length, hashes);
  const around = { headings: find(analysed.headings), title: find(analysed.title) };
  const own = analysed.sentences.map((hashes, index) =>
    passage.sentences[index]?.isSuspicious === true ? NO_STRENGTHS : find(hashes),
  );
  const body = highestOf(own, terms.length);
  const strengths = terms.map((_, term) =>
    Math.max(body[term] ?? 0, around.headings[term] ?? 0, TITLE_COVERAGE * (around.title[term] ?? 0)),
  );
  const coverage = covered(scale, strengths);
  const missing = terms.filter((_, term) => (strengths[term] ?? 0) < MISSING_BELOW);
  const headingContext = { ...around, lastHeading: find(analysed.lastHeading) };
  const headingMatch = covered(scale, headingContext.lastHeading) * precisionOf(matcher, analysed.lastHeading);
  const titleMatch = covered(scale, around.title) * precisionOf(matcher, analysed.title);
  const leads = leadsOf(candidate);
  const isAbout =
    question.subject.length > 0 &&
    (headingMatch >= ABOUT_SUBJECT || (passage.ordinal === 0 && titleMatch >= ABOUT_SUBJECT));
  const judgingSentences = { ...judging, own, around, headingMatch, leads, isAbout };
  const sentences = passage.sentences.map((_, index) => judgeSentence(candidate, index, judgingSentences));
  const bestSentence = indexOfBest(sentences);
  const codeShare =
    passage.sentences.filter(({ kind }) => kind === 'code').length / Math.max(1, passage.sentences.length);
  const heaviestMissing = Math.max(0, ...missing.map(({ weight }) => weight / total));
  const features = {
    passage,
    relevance,
    coverage,
    headingMatch,
    titleMatch,
    pageScore,
    codeShare,
    strength: candidate.score / total,
    headingContext,
    missingTerms: missing,
    heaviestMissing,
    sentences,
    blocks: [],
    bestSentence,
    wordPairs: pairs([...analysed.sentences, analysed.headings]),
    hasAskedKind: question.asksFor === undefined || hasKind(passage.text, question.asksFor, passage.language),
  };
  return { ...features, score: scoreOf(scale, features, candidate.documentScore) };
}

function scoreOf(
  { question, terms }: Scale,
  { passage, titleMatch, ...features }: Omit<Judged, 'score'>,
  documentScore: number,
): number {
  const { sentences } = features;
  const best = sentences[features.bestSentence];
  const early = (1 / (1 + passage.ordinal / 4)) * Math.min(1, 2 * titleMatch + 0.5 * features.pageScore);
  return (
    PASSAGE.relevance * features.relevance +
    PASSAGE.documentScore * documentScore +
    PASSAGE.pageScore * features.pageScore +
    PASSAGE.early * early +
    PASSAGE.headingMatch * features.headingMatch +
    (best?.isDefinition === true ? PASSAGE.definition : 0) +
    PASSAGE.coverage * features.coverage +
    PASSAGE.wordsCovered * (1 - features.missingTerms.length / Math.max(1, terms.length)) +
    PASSAGE.sentence * (best?.coverage ?? 0) +
    PASSAGE.wordPairs * features.wordPairs +
    PASSAGE.ownSentence * Math.max(0, ...sentences.map(({ ownCoverage }) => ownCoverage)) +
    (features.hasAskedKind ? PASSAGE.askedKind : 0) +
    intentOf(question, passage) +
    (best?.fitsType === true ? PASSAGE.fitsType : 0) +
    (question.type === 'how-to' ? PASSAGE.prose : PASSAGE.prose * (1 - features.codeShare))
  );
}

/** What of a need a passage holds, a title that names it being more than a passage that mentions it. */
function intentOf({ intent }: AnalysedQuestion, { text, title, language }: Passage): number {
  if (intent === undefined) return 0;
  const met = meetsIntent(text, intent, language);
  return PASSAGE.intent * met + (met > 0 && namesIntent(title, intent, language) ? PASSAGE.intentTitle : 0);
}

type SentenceJudging = Finders & {
  readonly scale: Scale;
  readonly own: readonly Strengths[];
  readonly around: { readonly headings: Strengths; readonly title: Strengths };
  readonly headingMatch: number;
  /** By index, 1 for the first sentence of the passage and less for the next; none for the others. */
  readonly leads: ReadonlyMap<number, number>;
  /** The passage is about what the question wants defined. */
  readonly isAbout: boolean;
};

/** What leads a passage, by index: its first sentences that are long enough to say something. */
function leadsOf({ passage, analysed }: AnalysedCandidate): ReadonlyMap<number, number> {
  const full = passage.sentences.flatMap(({ kind }, index) =>
    kind !== 'code' && (analysed.sentences[index]?.length ?? 0) >= LEADING_TERMS ? [index] : [],
  );
  return new Map(LEAD.flatMap((share, position) => (full[position] === undefined ? [] : [[full[position], share]])));
}

function judgeSentence(
  { passage, analysed }: AnalysedCandidate,
  index: number,
  judging: SentenceJudging,
): RankedSentence {
  const { scale, matcher, pairs, own, around, headingMatch, isAbout } = judging;
  const lead = judging.leads.get(index) ?? 0;
  const { question } = scale;
  const { text, kind, isSuspicious } = passage.sentences[index] ?? NO_SENTENCE;
  const isCode = kind === 'code';
  const terms = analysed.sentences[index] ?? NO_TERMS;
  const strengths = own[index] ?? NO_STRENGTHS;
  const coverage = coverageOf(scale, strengths, around);
  const matched = matcher.countOf(terms);
  const { language } = passage;
  const isDefinition = !isCode && definesSubject(question.subject, { text, terms, language });
  const fits = fitsType(text, question.type, language);
  const score =
    coverage +
    (isDefinition ? SENTENCE.definition : 0) +
    (fits ? SENTENCE.fitsType : 0) +
    SENTENCE.lead * lead * (SENTENCE.leadBase + headingMatch) +
    (isAbout && lead === 1 ? SENTENCE.subject : 0) -
    (terms.length < SHORT_TERMS ? SENTENCE.short : 0) -
    (terms.length > LONG_TERMS ? SENTENCE.long : 0) -
    (isCode ? SENTENCE.code : 0) -
    (isSuspicious ? SENTENCE.suspicious : 0) -
    (QUESTION_END.test(text) ? SENTENCE.question : 0);
  return {
    score,
    coverage,
    ownCoverage: covered(scale, strengths),
    strengths,
    isDefinition,
    fitsType: fits,
    terms,
    matched,
    // Neighbours are two words of the question.
    wordPairs: matched < 2 ? 0 : pairs([terms]),
  };
}

const NO_TERMS: Terms = new Uint32Array();
const NO_SENTENCE: PassageSentence = {
  text: '',
  kind: 'paragraph',
  block: 0,
  startsLine: true,
  isSuspicious: false,
};

/** Most texts have no word of the question: for these nothing is made. */
function strengthsIn(matcher: TermMatcher, terms: number, hashes: Terms): Strengths {
  if (matcher.countOf(hashes) === 0) return NO_STRENGTHS;
  const counts: Counts = matcher.newCounts();
  matcher.add(counts, hashes, 1);
  const strengths: number[] = [];
  for (let term = 0; term < terms; term++) strengths.push(matcher.strength(term, counts));
  return strengths;
}

const NO_STRENGTHS: Strengths = [];

function highestOf(all: readonly Strengths[], terms: number): Strengths {
  const most: number[] = [];
  for (let term = 0; term < terms; term++) {
    most.push(all.reduce((high, strengths) => Math.max(high, strengths[term] ?? 0), 0));
  }
  return most;
}

/** By the own words of a sentence, those of its headings and of the title. */
function coverageOf({ weights, total }: Scale, own: Strengths, { headings, title }: SentenceJudging['around']): number {
  let sum = 0;
  for (let term = 0; term < weights.length; term++) {
    const beside = Math.max(SENTENCE.heading * (headings[term] ?? 0), SENTENCE.title * (title[term] ?? 0));
    sum += (weights[term] ?? 0) * Math.max(own[term] ?? 0, beside);
  }
  return sum / total;
}

/** Share of a heading's words that the question asks for. */
function precisionOf(matcher: TermMatcher, hashes: Terms): number {
  if (hashes.length === 0) return 0;
  return matcher.countOf(hashes) / hashes.length;
}

function indexOfBest(sentences: readonly RankedSentence[]): number {
  let best = 0;
  for (const [index, { score }] of sentences.entries()) {
    if (score > (sentences[best]?.score ?? 0)) best = index;
  }
  return best;
}

function factorOf({ passage }: AnalysedCandidate, hasNames: boolean, { language, preferred }: RankingInput): number {
  return (
    (passage.language === language ? FACTORS.language : 1) *
    (preferred?.has(passage.rid) === true ? FACTORS.preferred : 1) *
    (hasNames ? 1 : FACTORS.otherName)
  );
}

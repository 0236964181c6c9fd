import type { Passage } from '../../search/passage.ts';
import { type AnswerKind, QUESTION_TYPES } from '../../text/languages/language-pack.ts';
import { hasKind } from '../question-types.ts';
import type { RankedBlock, RankedPassage, RankedSentence, Ranking, Strengths } from '../ranking.ts';
import { covered, coveredBeyond, coveredByEither, highest, type TermWeights } from '../term-strengths.ts';
import { type AnswerBlock, BLOCK_KINDS, blocksOf } from './answer-blocks.ts';
import { createSignReader, kindBySigns, SIGN_TYPES, type TextSigns } from './block-signs.ts';

/**
 * What the ranking knows of a block, one column each: shares of the question's weight and tests are 0 to 1, `before` and
 * `behind` are of the sentences beside it.
 */
export const BLOCK_FEATURES = [
  // The question.
  ...['questionType', 'questionTerms', 'asksKind'],
  // The passage.
  ...['place', 'behindBest', 'passageScore', 'relevance', 'strength', 'passageCoverage', 'headingMatch', 'titleMatch'],
  ...['pageScore', 'heaviestMissing', 'passagePairs', 'ordinal', 'frameCoverage', 'lastHeading', 'missing'],
  ...['isDescription'],
  // The block in it.
  ...['kind', 'index', 'isLast', 'sentences', 'own', 'chars', 'stems', 'hasEnd', 'endsInColon', 'isQuestion'],
  ...['behindColon', 'behindQuestion', 'behindNumber', 'startsLine', 'blockOfPassage'],
  // What it says of the question, by itself and beside others.
  ...['coverage', 'ownCoverage', 'ofBest', 'ofBestHere', 'found', 'foundShare', 'wholeShare', 'precision', 'pairs'],
  ...['heaviest', 'heaviestWithBefore', 'heaviestInFrame', 'before', 'twoBefore', 'behind'],
  ...['withBefore', 'withBoth', 'withBeforeAndFrame', 'withFrame', 'newToBefore', 'newToFrame'],
  ...['leadIns', 'withLeadIns', 'newToLeadIns', 'firstScore'],
  // What it says beyond title and headings, and by the words that tell the sentences of its page apart.
  ...['residual', 'residualOfBest', 'local', 'localOfBest', 'localOfPage', 'localWithLeadIns'],
  // What kind of answer it may be.
  ...['isDefinition', 'fitsType', 'hasKind', ...Object.keys(SIGN_TYPES), 'codeWord'],
] as const;

/** A title above a text says of it what this share of its own words would (as in the ranking). */
const TITLE_SHARE = 0.85;
const LEAST_FOUND = 0.4;
const LEAST_WHOLE = 0.99;

/** A block before the model has judged it. */
type ReadBlock = Omit<RankedBlock, 'score'>;
export type BlockRows = {
  /** A row of `BLOCK_FEATURES` for each block, passage by passage. */
  readonly rows: Float32Array;
  /** Those of each passage, in their order. */
  readonly blocks: readonly (readonly ReadBlock[])[];
};

/**
 * What is known of each block of the passages, which are the first ones of the ranking. O(blocks × terms of the
 * question), some 10 µs a block.
 */
export function readBlockFeatures(
  { question, terms }: Pick<Ranking, 'question' | 'terms'>,
  passages: readonly RankedPassage[],
): BlockRows {
  const weights = terms.map(({ weight }) => weight);
  const questionFacts: QuestionFacts = {
    weights,
    total: weights.reduce((sum, weight) => sum + weight, 0) || 1,
    heaviest: weights.indexOf(Math.max(...weights)),
    question,
  };
  const bestScore = passages[0]?.score ?? 0;
  const bestOwn = Math.max(0, ...passages.flatMap(({ sentences }) => sentences.map((each) => each.ownCoverage)));
  const pages = localWeights(questionFacts, passages);
  const bestLocal = Math.max(0, ...pages.values().map(({ best }) => best));
  const bestResidual = Math.max(0, ...passages.map((ranked) => highestResidual(questionFacts, ranked)));
  const blocks = passages.map(({ passage }) => blocksOf(passage));
  const rows = new FeatureRows(blocks.reduce((sum, { length }) => sum + length, 0));
  const read = passages.map((ranked, position) => {
    const page = pages.get(ranked.passage.rid) ?? { weights, total: questionFacts.total, best: 0 };
    const around = {
      place: position,
      behindBest: bestScore > 0 ? 1 - ranked.score / bestScore : 0,
      bestOwn,
      page,
      bestLocal,
      bestResidual,
    };
    const context = contextOf(questionFacts, ranked, around);
    const own = blocks[position] ?? [];
    return own.map((block, index) => readBlock(context, block, { rows, place: index / Math.max(1, own.length - 1) }));
  });
  return { rows: rows.values, blocks: read };
}

/** Rows that are filled value by value, one behind the other: a block costs no list of its own. */
class FeatureRows {
  readonly values: Float32Array;
  #at = 0;

  constructor(blocks: number) {
    this.values = new Float32Array(blocks * BLOCK_FEATURES.length);
  }

  put(value: number): void {
    this.values[this.#at++] = value;
  }

  flag(is: boolean): void {
    this.put(is ? 1 : 0);
  }

  putAll(values: readonly number[]): void {
    this.values.set(values, this.#at);
    this.#at += values.length;
  }
}

type QuestionFacts = TermWeights & {
  /** Index of the heaviest term. */
  readonly heaviest: number;
  readonly question: Ranking['question'];
};
/** Weights of a page, and what its best sentence covers by them. */
type PageWeights = TermWeights & { readonly best: number };
type Around = {
  readonly place: number;
  readonly behindBest: number;
  readonly bestOwn: number;
  readonly page: PageWeights;
  readonly bestLocal: number;
  readonly bestResidual: number;
};

/** By row: a word that most sentences of a page have, such as its subject, tells none of them from the others. */
function localWeights(
  { weights }: QuestionFacts,
  passages: readonly RankedPassage[],
): ReadonlyMap<number, PageWeights> {
  const pages = Map.groupBy(passages, ({ passage }) => passage.rid);
  return new Map(
    pages.entries().map(([rid, own]) => {
      const sentences = own.flatMap((ranked) => ranked.sentences);
      const local = weights.map((weight, term) => {
        const found = countOf(sentences, ({ strengths }) => (strengths[term] ?? 0) > LEAST_FOUND);
        return weight * Math.log(1 + sentences.length / (1 + found));
      });
      const scale = { weights: local, total: local.reduce((sum, weight) => sum + weight, 0) || 1 };
      const best = Math.max(0, ...sentences.map(({ strengths }) => covered(scale, strengths)));
      return [rid, { ...scale, best }] as const;
    }),
  );
}

function highestResidual(questionFacts: QuestionFacts, ranked: RankedPassage): number {
  const headingContext = headingContextOf(questionFacts, ranked);
  return Math.max(0, ...ranked.sentences.map(({ strengths }) => residualOf(questionFacts, strengths, headingContext)));
}

/** Share of the question that title and headings leave open. */
function residualOf(questionFacts: QuestionFacts, strengths: Strengths, headingContext: Strengths): number {
  return ratio(coveredBeyond(questionFacts, strengths, headingContext), 1 - covered(questionFacts, headingContext));
}

/** What title and headings say of the question. */
function headingContextOf(
  { weights }: QuestionFacts,
  { headingContext: { headings, title } }: RankedPassage,
): Strengths {
  return weights.map((_, term) => Math.max(headings[term] ?? 0, TITLE_SHARE * (title[term] ?? 0)));
}

function contextOf(questionFacts: QuestionFacts, ranked: RankedPassage, around: Around): BlockContext {
  const headingContext = headingContextOf(questionFacts, ranked);
  return {
    questionFacts,
    ranked,
    headingContext,
    shared: sharedFeatures(questionFacts, ranked, { around, headingContext }),
    besides: besidesOf(questionFacts, ranked),
    signsOf: createSignReader(ranked.passage),
    bestHere: Math.max(0, ...ranked.sentences.map(({ ownCoverage }) => ownCoverage)),
    around,
  };
}

/** Features of the question and of the passage. */
function sharedFeatures(
  questionFacts: QuestionFacts,
  ranked: RankedPassage,
  { around, headingContext }: Pick<BlockContext, 'around' | 'headingContext'>,
): readonly number[] {
  const { passage } = ranked;
  const { question } = questionFacts;
  return [
    ...[QUESTION_TYPES.indexOf(question.type), questionFacts.weights.length, flag(question.asksFor !== undefined)],
    ...[around.place, around.behindBest, ranked.score, ranked.relevance, ranked.strength, ranked.coverage],
    ...[ranked.headingMatch, ranked.titleMatch, ranked.pageScore, ranked.heaviestMissing, ranked.wordPairs],
    ...[passage.ordinal, covered(questionFacts, headingContext)],
    ...[covered(questionFacts, ranked.headingContext.lastHeading), 1 - ranked.coverage],
    flag(passage.field === 'Description'),
  ];
}

type BlockContext = {
  readonly questionFacts: QuestionFacts;
  readonly ranked: RankedPassage;
  /** What title and headings say of the question. */
  readonly headingContext: Strengths;
  readonly shared: readonly number[];
  /** What they count for a sentence below them. */
  readonly besides: Strengths;
  readonly signsOf: (said: readonly number[]) => TextSigns;
  readonly bestHere: number;
  readonly around: Around;
};

/** Shares that words of headings and title count for a sentence (as in the ranking of passages). */
const AROUND = { heading: 0.6, title: 0.5 } as const;

function besidesOf({ weights }: QuestionFacts, { headingContext: { headings, title } }: RankedPassage): Strengths {
  return weights.map((_, term) => Math.max(AROUND.heading * (headings[term] ?? 0), AROUND.title * (title[term] ?? 0)));
}

/** Where a block goes: `place` in its passage, 0 to 1. */
type BlockRow = { readonly rows: FeatureRows; readonly place: number };

function readBlock(context: BlockContext, block: AnswerBlock, { rows, place }: BlockRow): ReadBlock {
  const { questionFacts, ranked, around } = context;
  const own = saidBy(ranked, block);
  const signs = context.signsOf(own.said);
  rows.putAll(context.shared);
  putShape(rows, context, { block, place, own, signs });
  const coverage = coveredByEither(questionFacts, own.strengths, context.besides);
  putCoverage(rows, context, { own, coverage });
  putNeighbours(rows, context, own);
  const leadIns = strengthsOf(ranked.sentences, block.leadIns);
  const whole = highest(own.strengths, leadIns);
  const wholeCoverage = covered(questionFacts, whole);
  rows.put(covered(questionFacts, leadIns));
  rows.put(wholeCoverage);
  rows.put(coveredBeyond(questionFacts, own.strengths, leadIns));
  rows.put(own.score);
  const residual = residualOf(questionFacts, own.strengths, context.headingContext);
  const local = covered(around.page, own.strengths);
  rows.put(residual);
  rows.put(ratio(residual, around.bestResidual));
  rows.put(local);
  rows.put(ratio(local, around.bestLocal));
  rows.put(ratio(local, around.page.best));
  rows.put(covered(around.page, whole));
  putKinds(rows, context, { own, signs });
  return { ...block, coverage, ownCoverage: wholeCoverage };
}

/** What a block says itself, lead-ins aside. */
type Said = {
  /** Indexes of its sentences, one at least. */
  readonly said: readonly number[];
  readonly first: number;
  readonly last: number;
  readonly strengths: Strengths;
  readonly chars: number;
  readonly stems: number;
  readonly matched: number;
  readonly wordPairs: number;
  /** The highest of its sentences. */
  readonly score: number;
  readonly isDefinition: boolean;
  readonly fitsType: boolean;
};

function saidBy({ passage, sentences }: RankedPassage, { sentences: all, leadIns }: AnswerBlock): Said {
  const said = leadIns.length === 0 ? all : all.filter((at) => !leadIns.includes(at));
  let [chars, stems, matched, wordPairs, score] = [said.length - 1, 0, 0, 0, Number.NEGATIVE_INFINITY];
  let [isDefinition, fitsType] = [false, false];
  for (const at of said) {
    chars += passage.sentences[at]?.text.length ?? 0;
    const part = sentences[at];
    if (part === undefined) continue;
    stems += part.terms.length;
    matched += part.matched;
    wordPairs = Math.max(wordPairs, part.wordPairs);
    score = Math.max(score, part.score);
    isDefinition ||= part.isDefinition;
    fitsType ||= part.fitsType;
  }
  const [first = 0, last = first] = [said[0], said.at(-1)];
  const strengths = strengthsOf(sentences, said);
  return { said, first, last, strengths, chars, stems, matched, wordPairs, score, isDefinition, fitsType };
}

function strengthsOf(sentences: readonly RankedSentence[], said: readonly number[]): Strengths {
  let strengths = NO_STRENGTHS;
  for (const at of said) strengths = highest(strengths, sentences[at]?.strengths ?? NO_STRENGTHS);
  return strengths;
}

const NO_STRENGTHS: Strengths = [];

type Shape = Pick<BlockRow, 'place'> & { readonly block: AnswerBlock; readonly own: Said; readonly signs: TextSigns };

/** What the block is in its passage. */
function putShape(rows: FeatureRows, { ranked, signsOf }: BlockContext, { block, place, own, signs }: Shape): void {
  const { passage, sentences } = ranked;
  const before = signsOf([own.first - 1]);
  rows.put(BLOCK_KINDS.indexOf(block.kind));
  rows.put(own.first);
  rows.flag(sentences[own.last + 1] === undefined);
  rows.put(sentences.length);
  rows.put(own.said.length);
  rows.put(own.chars);
  rows.put(own.stems);
  rows.flag(signs.hasEnd);
  rows.flag(signs.endsInColon);
  rows.flag(signs.isQuestion);
  rows.flag(before.endsInColon);
  rows.flag(before.isQuestion);
  rows.flag(before.hasDigit);
  rows.flag(passage.sentences[own.first]?.startsLine === true);
  rows.put(place);
}

/** What it says of the question by itself. */
function putCoverage(
  rows: FeatureRows,
  { questionFacts, around, bestHere }: BlockContext,
  { own, coverage }: { readonly own: Said; readonly coverage: number },
): void {
  const ownCoverage = covered(questionFacts, own.strengths);
  const found = countOf(own.strengths, isFound);
  rows.put(coverage);
  rows.put(ownCoverage);
  rows.put(ratio(ownCoverage, around.bestOwn));
  rows.put(ratio(ownCoverage, bestHere));
  rows.put(found);
  rows.put(ratio(found, questionFacts.weights.length));
  rows.put(ratio(countOf(own.strengths, isWhole), questionFacts.weights.length));
  rows.put(ratio(own.matched, own.stems));
  rows.put(own.wordPairs);
}

const isFound = (share: number) => share > LEAST_FOUND;
const isWhole = (share: number) => share >= LEAST_WHOLE;

/** What it says beside the sentences and headings around it. */
function putNeighbours(
  rows: FeatureRows,
  { questionFacts, ranked: { sentences }, headingContext }: BlockContext,
  { strengths, first, last }: Said,
): void {
  const { heaviest } = questionFacts;
  const [before, behind] = [sentences[first - 1], sentences[last + 1]];
  const ofBefore = before?.strengths ?? NO_STRENGTHS;
  const withBefore = highest(strengths, ofBefore);
  rows.put(strengths[heaviest] ?? 0);
  rows.put(withBefore[heaviest] ?? 0);
  rows.put(headingContext[heaviest] ?? 0);
  rows.put(ownOf(before));
  rows.put(ownOf(sentences[first - 2]));
  rows.put(ownOf(behind));
  rows.put(covered(questionFacts, withBefore));
  rows.put(coveredByEither(questionFacts, withBefore, behind?.strengths ?? NO_STRENGTHS));
  rows.put(coveredByEither(questionFacts, withBefore, headingContext));
  rows.put(coveredByEither(questionFacts, strengths, headingContext));
  rows.put(coveredBeyond(questionFacts, strengths, ofBefore));
  rows.put(coveredBeyond(questionFacts, strengths, headingContext));
}

/** What kind of answer it may be. */
function putKinds(
  rows: FeatureRows,
  { questionFacts: { question }, ranked: { passage } }: BlockContext,
  { own, signs }: Pick<Shape, 'own' | 'signs'>,
): void {
  rows.flag(own.isDefinition);
  rows.flag(own.fitsType);
  rows.flag(question.asksFor !== undefined && holdsKind(question.asksFor, signs, { passage, said: own.said }));
  for (const fits of signs.fits) rows.flag(fits);
  rows.flag(signs.hasCodeWord);
}

function holdsKind(
  kind: AnswerKind,
  signs: TextSigns,
  { passage, said }: { readonly passage: Passage; readonly said: readonly number[] },
): boolean {
  const textOf = () => said.map((at) => passage.sentences[at]?.text ?? '').join(' ');
  return kindBySigns(kind, signs) ?? hasKind(textOf(), kind, passage.language);
}

/** Of a sentence that is not there: less than of any other. */
function ownOf(sentence: RankedSentence | undefined): number {
  return sentence?.ownCoverage ?? -0.1;
}

function countOf<T>(all: readonly T[], is: (each: T) => boolean): number {
  let count = 0;
  for (let at = 0; at < all.length; at++) if (is(all[at] as T)) count++;
  return count;
}

function ratio(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0;
}

function flag(is: boolean): number {
  return is ? 1 : 0;
}

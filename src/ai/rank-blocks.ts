import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { flattenTrees, probabilityOf, treeOf } from '../core/boosted-trees.ts';
import { type AnswerKind, QUESTION_TYPES } from '../text/languages/language-pack.ts';
import { type AnswerBlock, BLOCK_KINDS, blocksOf } from './answer-blocks.ts';
import { createSignReader, kindBySigns, SIGN_TYPES, type TextSigns } from './block-signs.ts';
import { hasKind } from './question-types.ts';
import type { RankedBlock, RankedPassage, RankedSentence, Ranking, Strengths } from './ranking.ts';
import { covered, coveredBeyond, coveredByEither, highest, type TermWeights } from './term-strengths.ts';

/** Passages of which the blocks are ranked, and as many that only vectors found: 24 order no better. */
export const RERANKED_PASSAGES = 16;

/**
 * Scores of the model are divided by this before they become shares: at 1 the best passage stands so far before the
 * others that near ones pass it too seldom (decision 89).
 */
const TEMPERATURE = 4;

/**
 * Ranks the blocks of the best passages: a model that was trained on questions weighs all that is known of each, and
 * the passages stand by their best block; all others stay behind them, in their order. Pure; 3 to 5 ms on a busy
 * machine.
 */
export function rankBlocks(ranking: Ranking, model: BlockModel = defaultBlockModel()): Ranking {
  const reranked = rerankedPassages(ranking);
  const { rows, blocks } = readBlockFeatures(ranking, reranked);
  let row = 0;
  const passages = reranked.map((ranked, position): RankedPassage => {
    const own = (blocks[position] ?? []).map((block): RankedBlock => {
      return { ...block, score: model(rows, BLOCK_FEATURES.length * row++) };
    });
    return { ...ranked, blocks: own };
  });
  return orderByBlocks(ranking, passages);
}

/** The ranking with these of its passages first, by their best block. */
export function orderByBlocks<R extends Ranking>(ranking: R, reranked: readonly RankedPassage[]): R {
  const passages = reranked.map((ranked): RankedPassage => {
    const best = Math.max(...ranked.blocks.map(({ score }) => score));
    return { ...ranked, score: ranked.factor * shareOf(best) };
  });
  passages.sort((a, b) => b.score - a.score || a.passage.rid - b.passage.rid || a.passage.ordinal - b.passage.ordinal);
  const first = new Set(reranked.map(({ passage }) => passage));
  const others = ranking.passages.filter(({ passage }) => !first.has(passage));
  return { ...ranking, passages: [...passages, ...behind(others, passages.at(-1)?.score ?? 0)] };
}

/** In the order of the ranking: the first by their words, and the first that were found by their vectors alone. */
export function rerankedPassages({ passages }: Pick<Ranking, 'passages'>): readonly RankedPassage[] {
  const neighbours = passages.filter(({ isVectorCandidate }) => isVectorCandidate === true);
  const worded = passages.filter(({ isVectorCandidate }) => isVectorCandidate !== true);
  const chosen = new Set([...neighbours.slice(0, RERANKED_PASSAGES), ...worded.slice(0, RERANKED_PASSAGES)]);
  return passages.filter((ranked) => chosen.has(ranked));
}

/** What candidate scoring found of the others, below the least score of the reranked ones. */
function behind(others: readonly RankedPassage[], least: number): readonly RankedPassage[] {
  const highest = others[0]?.score ?? 0;
  return others.map((ranked) => ({ ...ranked, score: highest > 0 ? (least * ranked.score) / (2 * highest) : 0 }));
}

/** Any number as one between 0 and 1, so that factors lower it. */
function shareOf(score: number): number {
  return probabilityOf(score / TEMPERATURE);
}

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
    return readPassage(questionFacts, ranked, around);
  });
  const blocks = read.map((each) => each.blocks);
  const rows = new Float32Array(blocks.flat().length * BLOCK_FEATURES.length);
  let at = 0;
  for (const { shared, rows: own } of read) {
    for (const row of own) {
      rows.set(shared, at);
      rows.set(row, at + shared.length);
      at += BLOCK_FEATURES.length;
    }
  }
  return { rows, blocks };
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

function readPassage(questionFacts: QuestionFacts, ranked: RankedPassage, around: Around) {
  const { passage, sentences } = ranked;
  const { lastHeading } = ranked.headingContext;
  const headingContext = headingContextOf(questionFacts, ranked);
  const { question } = questionFacts;
  const shared = [
    ...[QUESTION_TYPES.indexOf(question.type), questionFacts.weights.length, flag(question.asksFor !== undefined)],
    ...[around.place, around.behindBest, ranked.score, ranked.relevance, ranked.strength, ranked.coverage],
    ...[ranked.headingMatch, ranked.titleMatch, ranked.pageScore, ranked.heaviestMissing, ranked.wordPairs],
    ...[
      passage.ordinal,
      covered(questionFacts, headingContext),
      covered(questionFacts, lastHeading),
      1 - ranked.coverage,
    ],
    flag(passage.field === 'Description'),
  ];
  const context: BlockContext = {
    questionFacts,
    ranked,
    headingContext,
    besides: besidesOf(questionFacts, ranked),
    signsOf: createSignReader(passage),
    bestHere: Math.max(0, ...sentences.map(({ ownCoverage }) => ownCoverage)),
    around,
  };
  const blocks = blocksOf(passage);
  const read = blocks.map((block, index) =>
    readBlock(context, block, blocks.length > 1 ? index / (blocks.length - 1) : 0),
  );
  return { shared, rows: read.map(({ row }) => row), blocks: read.map(({ block }) => block) };
}

type BlockContext = {
  readonly questionFacts: QuestionFacts;
  readonly ranked: RankedPassage;
  /** What title and headings say of the question. */
  readonly headingContext: Strengths;
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

function readBlock(context: BlockContext, block: AnswerBlock, place: number) {
  const { questionFacts, ranked, headingContext, signsOf, bestHere, around } = context;
  const { passage, sentences } = ranked;
  const { weights, heaviest, question } = questionFacts;
  const { language } = passage;
  const said = block.sentences.filter((at) => !block.leadIns.includes(at));
  const [firstOwn = 0, lastOwn = firstOwn] = [said[0], said.at(-1)];
  const parts = said.flatMap((at) => sentences[at] ?? []);
  const texts = said.map((at) => passage.sentences[at]?.text ?? '');
  const own = highestOf(parts);
  const leadIns = highestOf(block.leadIns.flatMap((at) => sentences[at] ?? []));
  const whole = highest(own, leadIns);
  const [twoBefore, before, behind] = [sentences[firstOwn - 2], sentences[firstOwn - 1], sentences[lastOwn + 1]];
  const withBefore = highest(own, before?.strengths ?? []);
  const found = countOf(own, (share) => share > LEAST_FOUND);
  const stems = parts.reduce((sum, { terms }) => sum + terms.length, 0);
  const matched = parts.reduce((sum, part) => sum + part.matched, 0);
  const [ownCoverage, wholeCoverage] = [covered(questionFacts, own), covered(questionFacts, whole)];
  const coverage = coveredByEither(questionFacts, own, context.besides);
  const residual = residualOf(questionFacts, own, headingContext);
  const local = covered(around.page, own);
  const chars = texts.reduce((sum, text) => sum + text.length, texts.length - 1);
  const [signs, signsBefore] = [signsOf(said), signsOf([firstOwn - 1])];
  const row = [BLOCK_KINDS.indexOf(block.kind), firstOwn, flag(behind === undefined), sentences.length, said.length];
  row.push(chars, stems, flag(signs.hasEnd), flag(signs.endsInColon), flag(signs.isQuestion));
  row.push(flag(signsBefore.endsInColon), flag(signsBefore.isQuestion), flag(signsBefore.hasDigit));
  row.push(flag(passage.sentences[firstOwn]?.startsLine === true), place);
  row.push(coverage, ownCoverage, ratio(ownCoverage, around.bestOwn), ratio(ownCoverage, bestHere));
  row.push(found, ratio(found, weights.length));
  row.push(
    ratio(
      countOf(own, (share) => share >= LEAST_WHOLE),
      weights.length,
    ),
  );
  row.push(
    ratio(matched, stems),
    highestBy(parts, ({ wordPairs }) => wordPairs, 0),
  );
  row.push(own[heaviest] ?? 0, withBefore[heaviest] ?? 0, headingContext[heaviest] ?? 0);
  row.push(ownOf(before), ownOf(twoBefore), ownOf(behind));
  row.push(covered(questionFacts, withBefore), coveredByEither(questionFacts, withBefore, behind?.strengths ?? []));
  row.push(coveredByEither(questionFacts, withBefore, headingContext));
  row.push(coveredByEither(questionFacts, own, headingContext));
  row.push(coveredBeyond(questionFacts, own, before?.strengths ?? []));
  row.push(coveredBeyond(questionFacts, own, headingContext));
  row.push(covered(questionFacts, leadIns), wholeCoverage, coveredBeyond(questionFacts, own, leadIns));
  row.push(highestBy(parts, ({ score }) => score, Number.NEGATIVE_INFINITY));
  row.push(residual, ratio(residual, around.bestResidual));
  row.push(local, ratio(local, around.bestLocal), ratio(local, around.page.best), covered(around.page, whole));
  row.push(flag(parts.some(({ isDefinition }) => isDefinition)), flag(parts.some((part) => part.fitsType)));
  row.push(flag(question.asksFor !== undefined && holdsKind(question.asksFor, signs, { texts, language })));
  for (const fits of signs.fits) row.push(flag(fits));
  row.push(flag(signs.hasCodeWord));
  return { row, block: { ...block, coverage, ownCoverage: wholeCoverage } satisfies ReadBlock };
}

function holdsKind(
  kind: AnswerKind,
  signs: TextSigns,
  { texts, language }: { readonly texts: readonly string[]; readonly language: string },
): boolean {
  return kindBySigns(kind, signs) ?? hasKind(texts.join(' '), kind, language);
}

/** Of a sentence that is not there: less than of any other. */
function ownOf(sentence: RankedSentence | undefined): number {
  return sentence?.ownCoverage ?? -0.1;
}

function highestOf(parts: readonly RankedSentence[]): Strengths {
  return parts.reduce((sum: Strengths, { strengths }) => highest(sum, strengths), []);
}

function highestBy<T>(parts: readonly T[], measure: (part: T) => number, least: number): number {
  return parts.reduce((most, part) => Math.max(most, measure(part)), least);
}

function countOf<T>(all: readonly T[], is: (each: T) => boolean): number {
  let count = 0;
  for (const each of all) if (is(each)) count++;
  return count;
}

function ratio(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0;
}

function flag(is: boolean): number {
  return is ? 1 : 0;
}

/** `block-model.json`: written by `scripts/train/block-model.ts` alone. */
export const BLOCK_MODEL_FILE = z.strictObject({
  version: z.literal(1),
  trainedOn: z.string(),
  features: z
    .array(z.string())
    .refine((names) => names.join() === BLOCK_FEATURES.join(), 'trained with other features: train it anew'),
  trees: z.array(treeOf(BLOCK_FEATURES)),
});
export type BlockModelFile = z.infer<typeof BLOCK_MODEL_FILE>;

/** How far the row of `BLOCK_FEATURES` that begins at `from` answers, beside others of its question. O(trees × depth). */
export type BlockModel = (rows: Float32Array, from: number) => number;

export function blockModelOf({ trees }: Pick<BlockModelFile, 'trees'>): BlockModel {
  return flattenTrees({ base: 0, trees }).odds;
}

export const BLOCK_MODEL_URL = new URL('block-model.json', import.meta.url);
let builtIn: BlockModel | undefined;

/** The weights of the product, read when the first question is asked. */
export function defaultBlockModel(): BlockModel {
  builtIn ??= blockModelOf(BLOCK_MODEL_FILE.parse(JSON.parse(readFileSync(BLOCK_MODEL_URL, 'utf8'))));
  return builtIn;
}

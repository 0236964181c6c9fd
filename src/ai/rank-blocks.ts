import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { flattenTrees, probabilityOf, treeOf } from '../core/boosted-trees.ts';
import { QUESTION_TYPES, type QuestionType } from '../text/languages/language-pack.ts';
import { endsSentence } from '../text/sentences.ts';
import { type AnswerBlock, BLOCK_KINDS, blocksOf } from './answer-blocks.ts';
import { fitsType, hasKind } from './question-types.ts';
import type { RankedBlock, RankedPassage, RankedSentence, Ranking, Strengths } from './ranking.ts';

/** Passages of which the blocks are ranked, and as many that only vectors found: 24 order no better. */
export const RERANKED_PASSAGES = 16;

/**
 * Scores of the model are divided by this before they become shares: at 1 the best passage stands so far before the
 * others that near ones pass it too seldom (decision 89).
 */
const TEMPERATURE = 4;

/**
 * Ranks the blocks of the best passages: a model that was trained on questions weighs all that is known of each, and
 * the passages stand by their best block; all others stay behind them, in their order. Pure; some 2.3 ms.
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

/** Whether a block would fit questions of these types, whatever the type of its own. */
const SIGNS = {
  reason: 'why',
  verdict: 'yes-no',
  number: 'number',
  date: 'date',
  step: 'how-to',
  name: 'person',
} as const satisfies Record<string, QuestionType>;

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
  ...['isDefinition', 'fitsType', 'hasKind', ...Object.keys(SIGNS), 'codeWord'],
] as const;

/** A title above a text says of it what this share of its own words would (as in the ranking). */
const TITLE_SHARE = 0.85;
const LEAST_FOUND = 0.4;
const LEAST_WHOLE = 0.99;
const QUESTION_END = /[?？;]["'”’»)\]]*\s*$/;
const COLON_END = /[:：]\s*$/;
const CODE_WORD = /\w\(\)|`|(?:^|\s)--?[a-z]|\w_\w|\p{Ll}\p{Lu}|\p{Lu}{3}|<\w/u;

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
  const all = read.flatMap(({ rows }) => rows);
  const rows = new Float32Array(all.length * BLOCK_FEATURES.length);
  for (const [at, row] of all.entries()) rows.set(row, at * BLOCK_FEATURES.length);
  return { rows, blocks: read.map(({ blocks }) => blocks) };
}

type QuestionFacts = {
  readonly weights: readonly number[];
  readonly total: number;
  /** Index of the heaviest term. */
  readonly heaviest: number;
  readonly question: Ranking['question'];
};
type Weights = { readonly weights: readonly number[]; readonly total: number };
/** Weights of a page, and what its best sentence covers by them. */
type PageWeights = Weights & { readonly best: number };
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
        const found = sentences.filter(({ strengths }) => (strengths[term] ?? 0) > LEAST_FOUND).length;
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
  return ratio(covered(questionFacts, beyond(strengths, headingContext)), 1 - covered(questionFacts, headingContext));
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
  const bestHere = Math.max(0, ...sentences.map(({ ownCoverage }) => ownCoverage));
  const context = { questionFacts, ranked, headingContext, bestHere, around };
  const blocks = blocksOf(passage);
  const read = blocks.map((block, index) =>
    readBlock(context, block, blocks.length > 1 ? index / (blocks.length - 1) : 0),
  );
  return {
    rows: read.map(({ row }) => [...shared, ...row]),
    blocks: read.map(({ block }) => block),
  };
}

type BlockContext = {
  readonly questionFacts: QuestionFacts;
  readonly ranked: RankedPassage;
  /** What title and headings say of the question. */
  readonly headingContext: Strengths;
  readonly bestHere: number;
  readonly around: Around;
};

/** Shares that words of headings and title count for a sentence (as in the ranking of passages). */
const AROUND = { heading: 0.6, title: 0.5 } as const;

function readBlock(
  { questionFacts, ranked, headingContext, bestHere, around: beside }: BlockContext,
  block: AnswerBlock,
  place: number,
) {
  const { passage, sentences } = ranked;
  const { weights, heaviest, question } = questionFacts;
  const { language } = passage;
  const said = block.sentences.filter((at) => !block.leadIns.includes(at));
  const [firstOwn = 0, lastOwn = firstOwn] = [said[0], said.at(-1)];
  const parts = said.flatMap((at) => sentences[at] ?? []);
  const texts = said.map((at) => passage.sentences[at]?.text ?? '');
  const text = texts.join(' ');
  const own = highestOf(parts);
  const leadIns = highestOf(block.leadIns.flatMap((at) => sentences[at] ?? []));
  const whole = highest(own, leadIns);
  const [twoBefore, before, behind] = [sentences[firstOwn - 2], sentences[firstOwn - 1], sentences[lastOwn + 1]];
  const textBefore = passage.sentences[firstOwn - 1]?.text ?? '';
  const withBefore = highest(own, before?.strengths ?? []);
  const found = own.filter((share) => share > LEAST_FOUND).length;
  const stems = parts.reduce((sum, { terms }) => sum + terms.length, 0);
  const matched = parts.reduce((sum, part) => sum + part.matched, 0);
  const ownCoverage = covered(questionFacts, own);
  const around = weights.map((_, term) =>
    Math.max(
      AROUND.heading * (ranked.headingContext.headings[term] ?? 0),
      AROUND.title * (ranked.headingContext.title[term] ?? 0),
    ),
  );
  const coverage = covered(questionFacts, highest(own, around));
  const residual = residualOf(questionFacts, own, headingContext);
  const local = covered(beside.page, own);
  const row = [
    ...[BLOCK_KINDS.indexOf(block.kind), firstOwn, flag(behind === undefined), sentences.length, said.length],
    ...[text.length, stems, flag(endsSentence(text)), flag(COLON_END.test(text)), flag(QUESTION_END.test(text))],
    ...[flag(COLON_END.test(textBefore)), flag(QUESTION_END.test(textBefore)), flag(/\d/.test(textBefore))],
    ...[flag(passage.sentences[firstOwn]?.startsLine === true), place],
    ...[coverage, ownCoverage, ratio(ownCoverage, beside.bestOwn), ratio(ownCoverage, bestHere)],
    ...[found, ratio(found, weights.length)],
    ratio(own.filter((share) => share >= LEAST_WHOLE).length, weights.length),
    ...[ratio(matched, stems), Math.max(0, ...parts.map(({ wordPairs }) => wordPairs))],
    ...[own[heaviest] ?? 0, withBefore[heaviest] ?? 0, headingContext[heaviest] ?? 0],
    ...[ownOf(before), ownOf(twoBefore), ownOf(behind)],
    ...[covered(questionFacts, withBefore), covered(questionFacts, highest(withBefore, behind?.strengths ?? []))],
    ...[
      covered(questionFacts, highest(withBefore, headingContext)),
      covered(questionFacts, highest(own, headingContext)),
    ],
    ...[
      covered(questionFacts, beyond(own, before?.strengths ?? [])),
      covered(questionFacts, beyond(own, headingContext)),
    ],
    ...[covered(questionFacts, leadIns), covered(questionFacts, whole), covered(questionFacts, beyond(own, leadIns))],
    Math.max(...parts.map(({ score }) => score)),
    ...[residual, ratio(residual, beside.bestResidual)],
    ...[local, ratio(local, beside.bestLocal), ratio(local, beside.page.best), covered(beside.page, whole)],
    ...[flag(parts.some(({ isDefinition }) => isDefinition)), flag(parts.some((part) => part.fitsType))],
    flag(question.asksFor !== undefined && hasKind(text, question.asksFor, language)),
    ...Object.values(SIGNS).map((type) => flag(fitsType(text, type, language))),
    flag(CODE_WORD.test(text)),
  ];
  return { row, block: { ...block, coverage, ownCoverage: covered(questionFacts, whole) } satisfies ReadBlock };
}

/** Of a sentence that is not there: less than of any other. */
function ownOf(sentence: RankedSentence | undefined): number {
  return sentence?.ownCoverage ?? -0.1;
}

function covered({ weights, total }: Weights, strengths: Strengths): number {
  return weights.reduce((sum, weight, term) => sum + weight * (strengths[term] ?? 0), 0) / total;
}

function highestOf(parts: readonly RankedSentence[]): Strengths {
  return parts.reduce((sum: Strengths, { strengths }) => highest(sum, strengths), []);
}

function highest(a: Strengths, b: Strengths): Strengths {
  if (a.length === 0 || b.length === 0) return a.length === 0 ? b : a;
  return a.map((share, term) => Math.max(share, b[term] ?? 0));
}

/** What the first says of each term more than the second. */
function beyond(a: Strengths, b: Strengths): Strengths {
  return a.map((share, term) => Math.max(0, share - (b[term] ?? 0)));
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

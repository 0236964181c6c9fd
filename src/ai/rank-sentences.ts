import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { flattenTrees, probabilityOf, treeOf } from '../core/boosted-trees.ts';
import { QUESTION_TYPES, type QuestionType } from '../text/languages/language-pack.ts';
import { fitsType } from './question-types.ts';
import type { RankedPassage, RankedSentence, Ranking, Strengths } from './ranking.ts';

/** Passages that are looked at twice, and as many that only vectors found: 16 and 40 order no worse. */
export const RERANKED_PASSAGES = 24;

/**
 * Scores of the model are divided by this before they become shares: at 1 the best passage stands so far before the
 * others that near ones pass it too seldom (decision 89).
 */
const TEMPERATURE = 4;

/**
 * Reranking of the sentences of the best passages: a model that was learnt from questions weighs all that is known
 * of each, and the passages stand by their best sentence; all others stay behind them, in their order. Scores are those
 * of the model from then on. Pure; some 2.3 ms.
 */
export function rankSentences(ranking: Ranking, model: SentenceModel = defaultSentenceModel()): Ranking {
  const looked = rerankPassages(ranking);
  const rows = readSentenceFeatures(ranking, looked);
  let row = 0;
  const passages = looked.map((ranked): RankedPassage => {
    const sentences = ranked.sentences.map((sentence) => {
      return { ...sentence, score: model(rows, SENTENCE_FEATURES.length * row++) };
    });
    const scores = sentences.map(({ score }) => score);
    const best = Math.max(...scores);
    return { ...ranked, sentences, bestSentence: scores.indexOf(best), score: ranked.factor * shareOf(best) };
  });
  passages.sort((a, b) => b.score - a.score || a.passage.rid - b.passage.rid || a.passage.ordinal - b.passage.ordinal);
  const others = ranking.passages.filter((ranked) => !looked.includes(ranked));
  return { ...ranking, passages: [...passages, ...behind(others, passages.at(-1)?.score ?? 0)] };
}

/** In the order of the ranking: the first by their words, and the first that were found by their vectors alone. */
export function rerankPassages({ passages }: Pick<Ranking, 'passages'>): readonly RankedPassage[] {
  const neighbours = new Set(
    passages.filter(({ isVectorCandidate }) => isVectorCandidate === true).slice(0, RERANKED_PASSAGES),
  );
  const worded = new Set(
    passages.filter(({ isVectorCandidate }) => isVectorCandidate !== true).slice(0, RERANKED_PASSAGES),
  );
  return passages.filter((ranked) => neighbours.has(ranked) || worded.has(ranked));
}

/** What candidate scoring found of the others, below the least score of the second; none of their sentences is quoted. */
function behind(others: readonly RankedPassage[], least: number): readonly RankedPassage[] {
  const highest = others[0]?.score ?? 0;
  return others.map((ranked) => ({
    ...ranked,
    score: highest > 0 ? (least * ranked.score) / (2 * highest) : 0,
    sentences: ranked.sentences.map((sentence) => ({ ...sentence, score: Number.NEGATIVE_INFINITY })),
  }));
}

/** Any number as one between 0 and 1, so that factors lower it. */
function shareOf(score: number): number {
  return probabilityOf(score / TEMPERATURE);
}

/** Whether a sentence would fit questions of these types, whatever the type of its own. */
const SIGNS = {
  reason: 'why',
  verdict: 'yes-no',
  number: 'number',
  date: 'date',
  step: 'how-to',
  name: 'person',
} as const satisfies Record<string, QuestionType>;

/**
 * What reranking knows of a sentence, one column each: shares of the question's weight and tests are 0 to 1,
 * `before` and `behind` are of the sentences beside it.
 */
export const SENTENCE_FEATURES = [
  // The question.
  ...['questionType', 'questionTerms'],
  // The passage.
  ...['place', 'behindBest', 'passageScore', 'relevance', 'strength', 'passageCoverage', 'headingMatch', 'titleMatch'],
  ...['pageScore', 'heaviestMissing', 'passagePairs', 'ordinal', 'frameCoverage', 'lastHeading', 'missing'],
  // The sentence in it.
  ...['index', 'isLast', 'sentences', 'isCode', 'chars', 'stems', 'endsInColon', 'isQuestion'],
  ...['behindColon', 'behindQuestion', 'behindNumber'],
  // What it says of the question, by itself and beside others.
  ...['coverage', 'ownCoverage', 'ofBest', 'ofBestHere', 'found', 'foundShare', 'wholeShare', 'precision', 'pairs'],
  ...['heaviest', 'heaviestWithBefore', 'heaviestInFrame', 'before', 'twoBefore', 'behind'],
  ...['withBefore', 'withBoth', 'withBeforeAndFrame', 'withFrame', 'newToBefore', 'newToFrame'],
  // What kind of answer it may be.
  ...['isDefinition', 'fitsType', ...Object.keys(SIGNS), 'codeWord'],
] as const;

/** A title above a text says of it what this share of its own words would (as in the ranking). */
const TITLE_SHARE = 0.85;
const LEAST_FOUND = 0.4;
const LEAST_WHOLE = 0.99;
const QUESTION_END = /[?？;]["'”’»)\]]*\s*$/;
const COLON_END = /[:：]\s*$/;
const CODE_WORD = /\w\(\)|`|(?:^|\s)--?[a-z]|\w_\w|\p{Ll}\p{Lu}|\p{Lu}{3}|<\w/u;

/**
 * A row for each sentence of the passages, in their order. O(sentences × terms of the question), some 10 µs a sentence.
 * `passages` are the first ones of the ranking.
 */
export function readSentenceFeatures(
  { question, terms }: Pick<Ranking, 'question' | 'terms'>,
  passages: readonly RankedPassage[],
): Float32Array {
  const weights = terms.map(({ weight }) => weight);
  const questionFacts: QuestionFacts = {
    weights,
    total: weights.reduce((sum, weight) => sum + weight, 0) || 1,
    heaviest: weights.indexOf(Math.max(...weights)),
    type: QUESTION_TYPES.indexOf(question.type),
  };
  const bestScore = passages[0]?.score ?? 0;
  const bestOwn = Math.max(0, ...passages.flatMap(({ sentences }) => sentences.map((each) => each.ownCoverage)));
  const all = passages.flatMap((ranked, position) => {
    const around = { place: position, behindBest: bestScore > 0 ? 1 - ranked.score / bestScore : 0, bestOwn };
    return rowsOf(questionFacts, ranked, around);
  });
  const rows = new Float32Array(all.length * SENTENCE_FEATURES.length);
  for (const [at, row] of all.entries()) rows.set(row, at * SENTENCE_FEATURES.length);
  return rows;
}

type QuestionFacts = {
  readonly weights: readonly number[];
  readonly total: number;
  /** Index of the heaviest term. */
  readonly heaviest: number;
  readonly type: number;
};
type Around = { readonly place: number; readonly behindBest: number; readonly bestOwn: number };

function rowsOf(questionFacts: QuestionFacts, ranked: RankedPassage, around: Around): readonly (readonly number[])[] {
  const { passage, sentences } = ranked;
  const { headings, title, lastHeading } = ranked.headingContext;
  const headingContext = questionFacts.weights.map((_, term) =>
    Math.max(headings[term] ?? 0, TITLE_SHARE * (title[term] ?? 0)),
  );
  const bestHere = Math.max(0, ...sentences.map(({ ownCoverage }) => ownCoverage));
  const shared = [
    ...[questionFacts.type, questionFacts.weights.length],
    ...[around.place, around.behindBest, ranked.score, ranked.relevance, ranked.strength, ranked.coverage],
    ...[ranked.headingMatch, ranked.titleMatch, ranked.pageScore, ranked.heaviestMissing, ranked.wordPairs],
    ...[
      passage.ordinal,
      covered(questionFacts, headingContext),
      covered(questionFacts, lastHeading),
      1 - ranked.coverage,
    ],
  ];
  return sentences.map((sentence, index) => {
    const [twoBefore, before, behind] = [sentences[index - 2], sentences[index - 1], sentences[index + 1]];
    const text = passage.sentences[index]?.text ?? '';
    const textBefore = passage.sentences[index - 1]?.text ?? '';
    const own = sentence.strengths;
    const withBefore = highest(own, before?.strengths ?? []);
    const found = own.filter((share) => share > LEAST_FOUND).length;
    return [
      ...shared,
      ...[index, flag(behind === undefined), sentences.length, flag(passage.sentences[index]?.isCode === true)],
      ...[text.length, sentence.terms.length, flag(COLON_END.test(text)), flag(QUESTION_END.test(text))],
      ...[flag(COLON_END.test(textBefore)), flag(QUESTION_END.test(textBefore)), flag(/\d/.test(textBefore))],
      ...[sentence.coverage, sentence.ownCoverage],
      ...[ratio(sentence.ownCoverage, around.bestOwn), ratio(sentence.ownCoverage, bestHere)],
      ...[found, ratio(found, questionFacts.weights.length)],
      ratio(own.filter((share) => share >= LEAST_WHOLE).length, questionFacts.weights.length),
      ...[ratio(sentence.matched, sentence.terms.length), sentence.wordPairs],
      ...[
        own[questionFacts.heaviest] ?? 0,
        withBefore[questionFacts.heaviest] ?? 0,
        headingContext[questionFacts.heaviest] ?? 0,
      ],
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
      ...[flag(sentence.isDefinition), flag(sentence.fitsType)],
      ...Object.values(SIGNS).map((type) => flag(fitsType(text, type, passage.language))),
      flag(CODE_WORD.test(text)),
    ];
  });
}

/** Of a sentence that is not there: less than of any other. */
function ownOf(sentence: RankedSentence | undefined): number {
  return sentence?.ownCoverage ?? -0.1;
}

function covered({ weights, total }: QuestionFacts, strengths: Strengths): number {
  return weights.reduce((sum, weight, term) => sum + weight * (strengths[term] ?? 0), 0) / total;
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

/** `sentence-model.json`: written by `scripts/train/sentence-model.ts` alone. */
export const SENTENCE_MODEL_FILE = z.strictObject({
  version: z.literal(1),
  trainedOn: z.string(),
  features: z
    .array(z.string())
    .refine((names) => names.join() === SENTENCE_FEATURES.join(), 'trained with other features: train it anew'),
  trees: z.array(treeOf(SENTENCE_FEATURES)),
});
export type SentenceModelFile = z.infer<typeof SENTENCE_MODEL_FILE>;

/** How far the row of `SENTENCE_FEATURES` that begins at `from` answers, beside others of its question. O(trees × depth). */
export type SentenceModel = (rows: Float32Array, from: number) => number;

export function sentenceModelOf({ trees }: Pick<SentenceModelFile, 'trees'>): SentenceModel {
  return flattenTrees({ base: 0, trees }).odds;
}

export const SENTENCE_MODEL_URL = new URL('sentence-model.json', import.meta.url);
let builtIn: SentenceModel | undefined;

/** The weights of the product, read when the first question is asked. */
export function defaultSentenceModel(): SentenceModel {
  builtIn ??= sentenceModelOf(SENTENCE_MODEL_FILE.parse(JSON.parse(readFileSync(SENTENCE_MODEL_URL, 'utf8'))));
  return builtIn;
}

import { writeFileSync } from 'node:fs';
import {
  SENTENCE_FEATURES,
  SENTENCE_MODEL_URL,
  type SentenceModel,
  type SentenceModelFile,
  sentenceModelOf,
} from '../../src/ai/rank-sentences.ts';
import type { TrainOptions } from './boosted-trees.ts';
import { type RankedGroup, trainRanking } from './rank-trees.ts';

/** The sentences of one question that are looked at twice: rows of `SENTENCE_FEATURES`. */
export type SentenceExample = RankedGroup & {
  /** Of the question. */
  readonly key: string;
};

/** Found by five folds of the tuning halves (docs/answers.md). */
const OPTIONS: TrainOptions = {
  trees: 200,
  learningRate: 0.05,
  leaves: 12,
  minRowsPerLeaf: 60,
  l2: 5,
  columnShare: 0.4,
};
const FOLDS = 5;
/** Digits that thresholds and values keep in the file. */
const DIGITS = 4;

/** Weights from all examples. The same examples in the same order give the same file. */
export function trainSentences(examples: readonly SentenceExample[], trainedOn: string): SentenceModelFile {
  const trees = treesOf(examples).map(({ t, v, ...tree }) => ({ ...tree, t: t.map(rounded), v: v.map(rounded) }));
  return { version: 1, trainedOn, features: [...SENTENCE_FEATURES], trees };
}

/** For each question a model that does not know it: one that the other folds taught. */
export function sentenceModelsOutOfFold(examples: readonly SentenceExample[]): ReadonlyMap<string, SentenceModel> {
  const models = new Map<string, SentenceModel>();
  for (let fold = 0; fold < FOLDS; fold++) {
    const model = sentenceModelOf({ trees: treesOf(examples.filter((_, at) => at % FOLDS !== fold)) });
    for (let at = fold; at < examples.length; at += FOLDS) models.set(examples[at]!.key, model);
  }
  return models;
}

export function writeSentenceModel(file: SentenceModelFile): void {
  writeFileSync(SENTENCE_MODEL_URL, `${JSON.stringify(file)}\n`);
}

function treesOf(examples: readonly SentenceExample[]): SentenceModelFile['trees'] {
  return [...trainRanking(examples, SENTENCE_FEATURES.length, OPTIONS)];
}

function rounded(value: number): number {
  return Number(value.toPrecision(DIGITS));
}

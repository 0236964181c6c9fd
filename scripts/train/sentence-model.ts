import { writeFileSync } from 'node:fs';
import { SENTENCE_FEATURES } from '../../src/ai/sentence-features.ts';
import {
  SENTENCE_MODEL_URL,
  type SentenceModel,
  type SentenceModelFile,
  sentenceModelOf,
} from '../../src/ai/sentence-model.ts';
import type { Tree } from '../../src/core/boosted-trees.ts';
import type { TrainOptions } from './boosted-trees.ts';
import { type RankedGroup, trainRanking } from './rank-trees.ts';

/** The sentences of one question that are looked at twice. */
export type SentenceExample = {
  /** Of the question. */
  readonly key: string;
  /** Rows of `SENTENCE_FEATURES`. */
  readonly rows: Float32Array;
  /** One a row: what it is worth to quote it first. */
  readonly gains: readonly number[];
};

/** Found by five folds of the tuning halves (docs/answers.md). */
const OPTIONS: TrainOptions = {
  ...{ trees: 200, learningRate: 0.05, leaves: 12, minRowsPerLeaf: 60, l2: 5, columnShare: 0.4 },
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
  const models = Array.from({ length: FOLDS }, (_, fold) =>
    sentenceModelOf({ trees: treesOf(examples.filter((_example, at) => at % FOLDS !== fold)) }),
  );
  return new Map(examples.flatMap(({ key }, at) => (models[at % FOLDS] ? [[key, models[at % FOLDS]!] as const] : [])));
}

export function writeSentenceModel(file: SentenceModelFile): void {
  writeFileSync(SENTENCE_MODEL_URL, `${JSON.stringify(file)}\n`);
}

function treesOf(examples: readonly SentenceExample[]): SentenceModelFile['trees'] {
  const taught = examples.filter(({ gains }) => gains.some((gain) => gain > 0));
  const count = taught.reduce((sum, { gains }) => sum + gains.length, 0);
  const columns = SENTENCE_FEATURES.length;
  const values = new Float32Array(count * columns);
  const gains = new Float64Array(count);
  const groups: RankedGroup[] = [];
  let from = 0;
  for (const example of taught) {
    values.set(example.rows, from * columns);
    gains.set(example.gains, from);
    groups.push({ from, to: from + example.gains.length });
    from += example.gains.length;
  }
  return [...trainRanking({ values, columns, gains, groups }, OPTIONS)] satisfies Tree[];
}

function rounded(value: number): number {
  return Number(value.toPrecision(DIGITS));
}

import { writeFileSync } from 'node:fs';
import {
  type AnswerabilityFile,
  defaultGate,
  GATE_FEATURES,
  type GateFeatures,
  LANGUAGE_CLASSES,
  type LanguageClass,
  languageClass,
  MODEL_THRESHOLD,
  probabilityOf,
} from '../../src/ai/answerability.ts';
import { areaUnderCurve, type LabelledRow, probabilitiesOutOfFold, trainLogistic } from './logistic-regression.ts';

/** A question with what the gate saw of it. */
export type GateExample = {
  readonly features: GateFeatures;
  readonly isAnswerable: boolean;
  /** Not of the field of its documents at all. */
  readonly isFar: boolean;
  readonly language: string;
};

export type TrainedGate = {
  readonly file: AnswerabilityFile;
  /** Of questions whose fold was not trained on. */
  readonly areaUnderCurve: number;
};

/** What is true of every question: these may not lower the probability, respectively raise it. */
export const SIGNS: Readonly<Record<keyof GateFeatures, -1 | 1>> = {
  coverage: 1,
  strength: 1,
  samePage: 1,
  length: 1,
  missing: -1,
  namedMissing: -1,
  heaviestMissing: -1,
  heaviestUnseen: -1,
  shortMissing: -1,
  typeMissing: -1,
  needMet: 1,
};
export const RARE_WEIGHTS = {
  /** Too rare to be learnt: 14 questions of the tuning halves, 10 of them without an answer (answers design 5). */
  typeMissing: -1.78,
  /** Rarer still: 4 answerable questions of the tuning halves and one that is not; at 1.2 that one passes. */
  needMet: 1,
} as const;
const FOLDS = 5;
/** Share of far questions that a threshold must refuse: all but one of 32. */
export const FAR_REFUSED = 0.96;
/** Of those of its field, where there are enough to tell: far ones are few, and the least of them decides. */
const NEAR_REFUSED = 0.75;
const LEAST_NEAR = 30;
const THRESHOLD_STEP = 0.01;
/** Classes with fewer far questions take the threshold of the languages with a stemmer. */
const LEAST_FAR = 2;

/**
 * Weights from the English examples, whose engines are of real size: those of a few pages teach that words which no page
 * has mean nothing (area under the curve of all languages .83 with them, .85 without). Thresholds from all examples.
 * The same examples in the same order give the same file.
 */
export function trainGate(examples: readonly GateExample[], trainedOn: string): TrainedGate {
  const taught = examples.filter(({ language }) => languageClass(language) === 'english');
  const rows = taught.map(({ features, isAnswerable }): LabelledRow => {
    return { row: GATE_FEATURES.map((name) => features[name]), isPositive: isAnswerable };
  });
  const signs = GATE_FEATURES.map((name) => SIGNS[name]);
  const { bias, weights } = trainLogistic(rows, signs);
  const named = Object.fromEntries(GATE_FEATURES.map((name, at) => [name, rounded(weights[at] ?? 0)]));
  const learnt = named as AnswerabilityFile['weights'];
  const model = {
    bias: rounded(bias),
    weights: { ...learnt, ...RARE_WEIGHTS },
  };
  return {
    file: { version: 1, trainedOn, ...model, thresholds: calibrate(examples, model) },
    areaUnderCurve: areaUnderCurve(rows, probabilitiesOutOfFold(rows, signs, FOLDS)),
  };
}

/** Per class of languages the smallest threshold that refuses enough far and near questions. */
export function calibrate(
  examples: readonly GateExample[],
  model: Pick<AnswerabilityFile, 'bias' | 'weights'> = defaultGate(),
): Record<LanguageClass, number> {
  const of = (wanted: LanguageClass) => {
    const own = examples.filter(({ language, isAnswerable }) => !isAnswerable && languageClass(language) === wanted);
    const [far, near] = [own.filter(({ isFar }) => isFar), own.filter(({ isFar }) => !isFar)];
    if (far.length < LEAST_FAR) return undefined;
    const refusedAt = (threshold: number, asked: readonly GateExample[]) =>
      asked.filter(({ features }) => probabilityOf(features, model) < threshold).length / asked.length;
    const isEnough = (threshold: number) =>
      refusedAt(threshold, far) >= FAR_REFUSED &&
      (near.length < LEAST_NEAR || refusedAt(threshold, near) >= NEAR_REFUSED);
    let threshold = LEAST_THRESHOLD;
    while (!isEnough(threshold)) threshold += THRESHOLD_STEP;
    return rounded(threshold);
  };
  const stemmed = of('stemmed') ?? LEAST_THRESHOLD;
  const found = LANGUAGE_CLASSES.map((name) => [name, of(name) ?? stemmed] as const);
  return Object.fromEntries(found) as Record<LanguageClass, number>;
}

/** Below it not even a model is asked. */
const LEAST_THRESHOLD = MODEL_THRESHOLD;

export function writeGate(file: AnswerabilityFile): void {
  const url = new URL('../../src/ai/answerability.json', import.meta.url);
  writeFileSync(url, `${JSON.stringify(file, null, 2)}\n`);
}

function rounded(value: number): number {
  return Number(value.toFixed(3));
}

import { writeFileSync } from 'node:fs';
import {
  type AnswerabilityFile,
  GATE_FEATURES,
  type GateFeatures,
  LANGUAGE_CLASSES,
  type LanguageClass,
  languageClass,
  probabilityOf,
  stockGate,
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
const SIGNS: Readonly<Record<keyof GateFeatures, -1 | 1>> = {
  ...{ coverage: 1, sentence: 1, headingMatch: 1 },
  ...{ heaviestMissing: -1, missing: -1, typeMissing: -1, shortMissing: -1 },
};
const FOLDS = 5;
/** Share of far questions that a threshold must refuse. */
const FAR_REFUSED = 0.97;
const THRESHOLD_STEP = 0.01;

/** Weights and thresholds from examples; the same examples in the same order give the same file. */
export function trainGate(examples: readonly GateExample[], trainedOn: string): TrainedGate {
  const rows = examples.map(({ features, isAnswerable }): LabelledRow => {
    return { row: GATE_FEATURES.map((name) => features[name]), isPositive: isAnswerable };
  });
  const signs = GATE_FEATURES.map((name) => SIGNS[name]);
  const { bias, weights } = trainLogistic(rows, signs);
  const named = Object.fromEntries(GATE_FEATURES.map((name, at) => [name, rounded(weights[at] ?? 0)]));
  const model = { bias: rounded(bias), weights: named as AnswerabilityFile['weights'] };
  return {
    file: { version: 1, trainedOn, ...model, thresholds: calibrate(examples, model) },
    areaUnderCurve: areaUnderCurve(rows, probabilitiesOutOfFold(rows, signs, FOLDS)),
  };
}

/** Per class of languages the smallest threshold that refuses enough far questions. */
export function calibrate(
  examples: readonly GateExample[],
  model: Pick<AnswerabilityFile, 'bias' | 'weights'> = stockGate(),
): Record<LanguageClass, number> {
  const of = (wanted: LanguageClass) => {
    const far = examples.filter(({ language, isFar }) => isFar && languageClass(language) === wanted);
    const refusedAt = (threshold: number) =>
      far.filter(({ features }) => probabilityOf(features, model) < threshold).length / far.length;
    let threshold = LEAST_THRESHOLD;
    while (far.length > 0 && refusedAt(threshold) < FAR_REFUSED) threshold += THRESHOLD_STEP;
    return rounded(threshold);
  };
  return Object.fromEntries(LANGUAGE_CLASSES.map((name) => [name, of(name)])) as Record<LanguageClass, number>;
}

/** Below it answers are chance, however few far questions a class has. */
const LEAST_THRESHOLD = 0.3;

export function writeGate(file: AnswerabilityFile): void {
  const url = new URL('../../src/ai/answerability.json', import.meta.url);
  writeFileSync(url, `${JSON.stringify(file, null, 2)}\n`);
}

function rounded(value: number): number {
  return Number(value.toFixed(3));
}

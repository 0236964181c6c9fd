import { describe, expect, test } from 'vitest';
import { calibrate, type GateExample, trainGate } from '../../../scripts/train/answerability.ts';
import { areaUnderCurve, probability, trainLogistic } from '../../../scripts/train/logistic-regression.ts';
import { GATE_FEATURES, type GateFeatures, probabilityOf } from '../../../src/ai/answerability.ts';
import { seededRandom } from '../../helpers/random.ts';

const ZERO = Object.fromEntries(GATE_FEATURES.map((name) => [name, 0])) as GateFeatures;

/** Answerable questions are covered better, with noise. */
function examples(count: number, language = 'en'): readonly GateExample[] {
  const random = seededRandom(7);
  const share = () => random.whole(0, 1_000) / 1_000;
  return Array.from({ length: count }, (_, index) => {
    const isAnswerable = index % 3 > 0;
    const coverage = (isAnswerable ? 0.5 : 0.1) + share() * 0.5;
    const features = { ...ZERO, coverage, samePage: share(), missing: 1 - coverage };
    return { features, isAnswerable, isFar: !isAnswerable, language };
  });
}

describe('logistic regression', () => {
  test('finds what tells the classes apart, both weighing the same', () => {
    const rows = [0, 0, 0, 0, 0, 0, 1].map((value) => ({ row: [value], isPositive: value === 1 }));
    const model = trainLogistic(rows, [0]);
    expect(probability(model, [1])).toBeGreaterThan(0.9);
    expect(probability(model, [0])).toBeLessThan(0.1);
  });

  test('gives a weight of the wrong sign to nothing', () => {
    const rows = [0, 1].map((value) => ({ row: [value], isPositive: value === 0 }));
    expect(trainLogistic(rows, [1]).weights).toEqual([0]);
  });

  test('measures the order alone', () => {
    const rows = [true, false, true, false].map((isPositive) => ({ row: [], isPositive }));
    expect(areaUnderCurve(rows, [0.9, 0.1, 0.6, 0.5])).toBe(1);
    expect(areaUnderCurve(rows, [0.9, 0.1, 0.4, 0.5])).toBe(0.75);
  });
});

describe('the gate', () => {
  test('is the same for the same examples', () => {
    expect(trainGate(examples(30), 'a test')).toEqual(trainGate(examples(30), 'a test'));
  });

  test('believes a covered question more than one that is not', () => {
    const { file } = trainGate(examples(30), 'a test');
    const covered = probabilityOf({ ...ZERO, coverage: 1 }, file);
    expect(covered).toBeGreaterThan(probabilityOf({ ...ZERO, coverage: 0.2, missing: 0.8 }, file));
  });

  test('has a threshold for each class of languages that refuses nearly all far questions', () => {
    const asked = [...examples(60), ...examples(60, 'de')];
    const { file } = trainGate(asked, 'a test');
    const thresholds = calibrate(asked, file);
    for (const [language, threshold] of [['en', thresholds.english] as const, ['de', thresholds.stemmed] as const]) {
      const far = asked.filter((each) => each.isFar && each.language === language);
      const refused = far.filter(({ features }) => probabilityOf(features, file) < threshold);
      expect(refused.length / far.length).toBeGreaterThanOrEqual(0.97);
    }
  });
});

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  ANSWERABILITY_FILE,
  assessAnswerability,
  GATE_FEATURES,
  type GateFeatures,
  languageClass,
  probabilityOf,
} from '../../../src/ai/answerability.ts';
import { rankingOf } from '../../helpers/rankings.ts';

const file = ANSWERABILITY_FILE.parse(
  JSON.parse(readFileSync(new URL('../../../src/ai/answerability.json', import.meta.url), 'utf8')),
);
const PASSAGE = { passage: { text: 'The tower opens on Saturdays.' } };
const COVERED = { ...PASSAGE, scores: [1], coverage: 1 };
const UNCOVERED = { ...PASSAGE, scores: [0.1], coverage: 0.1, heaviestMissing: 0.8, strength: 0.1 };

test('a question that the passages cover is answered', () => {
  expect(assessAnswerability(rankingOf([COVERED]))).toMatchObject({ refusal: undefined });
});

describe('a refusal says why', () => {
  test('nothing was found', () => {
    expect(assessAnswerability(rankingOf([]), 0).refusal).toBe('no-passages');
  });

  test('passages do not cover the question', () => {
    expect(assessAnswerability(rankingOf([UNCOVERED])).refusal).toBe('below-gate');
  });

  test('all is covered but no passage has what is asked for', () => {
    const half = { ...COVERED, scores: [0.5], coverage: 0.6, hasAskedKind: false };
    const ranking = rankingOf([half], { asksFor: 'phone' });
    const { probability } = assessAnswerability(rankingOf([half]));
    expect(assessAnswerability(ranking, probability).refusal).toBe('type-missing');
  });

  test('no passage is in the language of the question', () => {
    expect(assessAnswerability(rankingOf([UNCOVERED], { language: 'de' })).refusal).toBe('language');
  });
});

test('a threshold of the engine takes the place of that of the language', () => {
  const { probability } = assessAnswerability(rankingOf([UNCOVERED]));
  expect(assessAnswerability(rankingOf([UNCOVERED]), probability)).toEqual({
    probability,
    threshold: probability,
    refusal: undefined,
  });
});

test.each([
  ['en', 'english'],
  ['da', 'stemmed'],
  ['ar', 'stemmed'],
  ['ja', 'segmented'],
  ['th', 'segmented'],
  ['mi', 'plain'],
] as const)('questions in %s have the threshold of %s languages', (language, expected) => {
  expect(languageClass(language)).toBe(expected);
});

/** Whether more of a feature speaks for an answer. */
const SPEAKS_FOR: Readonly<Record<keyof GateFeatures, boolean>> = {
  coverage: true,
  strength: true,
  samePage: true,
  length: true,
  missing: false,
  namedMissing: false,
  heaviestMissing: false,
  heaviestUnseen: false,
  shortMissing: false,
  typeMissing: false,
  needMet: true,
};

test.each(GATE_FEATURES)('%s moves the probability one way only, whatever else is the case', (name) => {
  const share = fc.double({ min: 0, max: 1, noNaN: true });
  const features = fc.record(
    Object.fromEntries(GATE_FEATURES.map((each) => [each, share])) as Record<keyof GateFeatures, typeof share>,
  );
  fc.assert(
    fc.property(features, share, (base, other) => {
      const [less, more] = [Math.min(base[name], other), Math.max(base[name], other)].map((value) =>
        probabilityOf({ ...base, [name]: value }, file),
      );
      return SPEAKS_FOR[name] ? less! <= more! : less! >= more!;
    }),
  );
});

import { describe, expect, test } from 'vitest';
import {
  assessByVectors,
  probabilityByVectors,
  VECTOR_GATE_FEATURES,
  type VectorGate,
  type VectorGateFeatures,
  vectorGateFeatures,
} from '../../../src/ai/vectors/vector-answerability.ts';
import type { VectorRanking } from '../../../src/ai/vectors/vector-features.ts';
import { defaultVectorModel } from '../../../src/ai/vectors/vector-model.ts';
import { rankingOf } from '../../helpers/rankings.ts';

const SCALE = { unrelated: 0.4, related: 0.6, ordinary: 0.5 };
const NONE = Object.fromEntries(VECTOR_GATE_FEATURES.map((name) => [name, 0])) as VectorGateFeatures;

function scaled(...[passages, question]: Parameters<typeof rankingOf>): VectorRanking {
  return { ...rankingOf(passages, question), scale: SCALE };
}

/** Looks at the nearest passage, and at the kind of thing asked for. */
const GATE: VectorGate = { bias: -1, weights: { ...NONE, nearest: 2, typeMissing: -9 }, threshold: 0.5 };

test('cosines are told by the scale of their model', () => {
  const ranking = scaled([
    { passage: { rid: 1, text: 'One.' }, scores: [1], cosine: 0.5 },
    { passage: { rid: 2, text: 'Two.' }, scores: [2], cosine: 0.8 },
    { passage: { rid: 3, text: 'Three.' }, scores: [0] },
  ]);
  const [first, ...others] = ranking.passages;
  const passages =
    first === undefined
      ? []
      : [{ ...first, blocks: first.blocks.map((each) => ({ ...each, cosine: 0.7 })) }, ...others];
  expect(vectorGateFeatures({ ...ranking, passages })).toMatchObject({
    nearest: expect.closeTo(2),
    ordinary: expect.closeTo(0.5),
    topCosine: expect.closeTo(0.5),
    bestBlockCosine: expect.closeTo(1.5),
    topBlockCosine: 0,
    bestScore: 2,
  });
});

describe('the gate', () => {
  const near = { passage: { text: 'The tower opens on Saturdays.' }, scores: [1], cosine: 0.6 };

  test('answers what is near, and refuses what is not, with the reason', () => {
    expect(assessByVectors(scaled([near]), GATE)).toMatchObject({ refusal: undefined, threshold: 0.5 });
    expect(assessByVectors(scaled([{ ...near, cosine: 0.4 }]), GATE).refusal).toBe('below-gate');
    expect(assessByVectors(scaled([]), GATE, 0).refusal).toBe('no-passages');
    const withoutKind = scaled([{ ...near, hasAskedKind: false }], { asksFor: 'phone' });
    expect(assessByVectors(withoutKind, GATE).refusal).toBe('type-missing');
  });

  test('takes a threshold of the engine', () => {
    expect(assessByVectors(scaled([near]), GATE, 0.99)).toMatchObject({ refusal: 'below-gate', threshold: 0.99 });
  });
});

test.each(['nearest', 'topCosine', 'topBlockCosine', 'bestBlockCosine', 'coverage'] as const)(
  'by the weights of the product, more of `%s` never lowers the probability',
  (name) => {
    const { gate } = defaultVectorModel();
    const probabilities = [0, 0.5, 1, 2].map((level) => probabilityByVectors({ ...NONE, [name]: level }, gate));
    expect(probabilities).toEqual(probabilities.toSorted((a, b) => a - b));
  },
);

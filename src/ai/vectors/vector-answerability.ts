import { z } from 'zod';
import { probabilityOf } from '../../core/boosted-trees.ts';
import { type Answerability, answerabilityOf, GATE_FEATURES, gateFeatures } from '../answerability.ts';
import { levelOf, type VectorRanking } from './vector-features.ts';

/** What the gate looks at where vectors are known; cosines are on the scale of their model. */
export const VECTOR_GATE_FEATURES = [
  ...GATE_FEATURES,
  'nearest',
  'ordinary',
  'topCosine',
  'topBlockCosine',
  'bestBlockCosine',
  'bestScore',
] as const;
export type VectorGateFeatures = Readonly<Record<(typeof VECTOR_GATE_FEATURES)[number], number>>;

/** Log odds are the bias and the sum of the weighed features. */
export const VECTOR_GATE = z.strictObject({
  bias: z.number(),
  weights: z.record(z.enum(VECTOR_GATE_FEATURES), z.number()),
  threshold: z.number().min(0).max(1),
});
export type VectorGate = z.infer<typeof VECTOR_GATE>;

/** Whether passages that were ranked by vectors, too, answer their question; `threshold` in place of the gate's. */
export function assessByVectors(ranking: VectorRanking, gate: VectorGate, threshold = gate.threshold): Answerability {
  const features = vectorGateFeatures(ranking);
  return answerabilityOf(ranking, {
    probability: probabilityByVectors(features, gate),
    ofAnyKind: probabilityByVectors({ ...features, typeMissing: 0 }, gate),
    threshold,
  });
}

export function vectorGateFeatures(ranking: VectorRanking): VectorGateFeatures {
  const blocks = ranking.passages.flatMap((ranked) => ranked.blocks);
  const top = blocks.reduce<(typeof blocks)[number] | undefined>(
    (best, block) => (best === undefined || block.score > best.score ? block : best),
    undefined,
  );
  const highest = (cosines: readonly (number | undefined)[]) =>
    Math.max(levelOf(ranking, undefined), ...cosines.map((cosine) => levelOf(ranking, cosine)));
  return {
    ...gateFeatures(ranking),
    nearest: highest(ranking.passages.map(({ cosine }) => cosine)),
    ordinary: levelOf(ranking, ranking.scale.ordinary),
    topCosine: levelOf(ranking, ranking.passages[0]?.cosine),
    topBlockCosine: levelOf(ranking, top?.cosine),
    bestBlockCosine: highest(blocks.map(({ cosine }) => cosine)),
    bestScore: top?.score ?? 0,
  };
}

export function probabilityByVectors(
  features: VectorGateFeatures,
  { bias, weights }: Pick<VectorGate, 'bias' | 'weights'>,
): number {
  return probabilityOf(VECTOR_GATE_FEATURES.reduce((sum, name) => sum + weights[name] * features[name], bias));
}

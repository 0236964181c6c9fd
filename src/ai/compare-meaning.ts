import type { EmbeddingModel } from '../llm/embedding-model.ts';

/** Whether a sentence says what another one says, in whatever language. True when nobody can tell. */
export type HasSameMeaning = (said: string, sentence: string, signal: AbortSignal) => Promise<boolean>;

/**
 * By the cosine of their vectors; one call for each pair. While the model is away words decide alone, as they do without
 * one.
 */
export function compareMeaning(model: EmbeddingModel, leastCosine: number): HasSameMeaning {
  return async (said, sentence, signal) => {
    // What the fault was is told by the policy of the model.
    const [a, b] = await model.embed([said, sentence], 'query', signal).catch((): Float32Array[] => []);
    return a === undefined || b === undefined || cosine(a, b) >= leastCosine;
  };
}

/** Of vectors of length 1. */
function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, position) => sum + value * (b[position] ?? 0), 0);
}

import { unlessAborted } from '../../core/concurrency.ts';
import type { EmbeddingModel } from '../embedding-model.ts';
import { callAborted, modelUnavailable } from '../model-fault.ts';
import { unitVector } from '../unit-vector.ts';
import { modelErrorOf } from './model-errors.ts';
import type { ModelProvider } from './model-provider.ts';

/** Vectors of a provider. Queries and passages are embedded alike. */
export function createEmbeddingModel(provider: Pick<ModelProvider, 'embeddingModel'>, name: string): EmbeddingModel {
  const model = provider.embeddingModel(name);
  let dimensions: number | undefined;

  async function requestVectors(texts: readonly string[], abortSignal: AbortSignal) {
    const perCall = Math.max(1, (await model.maxEmbeddingsPerCall) ?? texts.length);
    const vectors: number[][] = [];
    for (let from = 0; from < texts.length; from += perCall) {
      vectors.push(...(await requestOnce(texts.slice(from, from + perCall), abortSignal)));
    }
    return vectors;
  }

  async function requestOnce(values: string[], abortSignal: AbortSignal) {
    abortSignal.throwIfAborted();
    try {
      const { embeddings } = await unlessAborted(Promise.resolve(model.doEmbed({ values, abortSignal })), abortSignal);
      return embeddings;
    } catch (error) {
      throw abortSignal.aborted ? callAborted() : modelErrorOf(error);
    }
  }

  return {
    id: name,
    get dimensions() {
      return dimensions;
    },
    async embed(texts, _kind, signal) {
      if (texts.length === 0) return [];
      const vectors = (await requestVectors(texts, signal)).map(unitVector);
      const length = dimensions ?? vectors[0]?.length;
      const areRight = vectors.every((vector) => vector.length === length && !vector.some(Number.isNaN));
      if (vectors.length !== texts.length || !areRight) throw modelUnavailable('bad-vectors');
      dimensions = length;
      return vectors;
    },
  };
}

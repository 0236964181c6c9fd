import { createBoundedCache } from '../core/bounded-cache.ts';
import { modelOfVectorSet, vectorSetOf } from '../core/document-vectors.ts';
import type { EmbeddingModel } from '../llm/embedding-model.ts';
import { loggedInstead } from '../observability/background.ts';
import type { Log } from '../observability/logger.ts';
import type { VectorQuery } from '../search-index/vector-index.ts';

export type QuestionVectorsDeps = {
  /** Of the endpoint; `configured` is the one whose set is or will be complete. */
  readonly models: { readonly configured: EmbeddingModel; named(name: string): EmbeddingModel };
  readonly completeVectorSet: (engineId: number) => Promise<string | undefined>;
  readonly log: Log;
  /** Told once per question that was not given up. */
  readonly report: (outcome: 'known' | 'unavailable') => void;
};

export type QuestionVectors = {
  /** Undefined when no model gives one, or the signal is aborted. */
  of(engineId: number, question: string, signal: AbortSignal): Promise<VectorQuery | undefined>;
};

/** Vectors of questions asked lately: a follow-up asks for the one before again, and many ask the same. */
const MAX_BYTES = 4 * 2 ** 20;

/**
 * The vector of a question by the model whose set of the engine is complete, one call of some 100 ms; while a new model
 * embeds the engine, and the endpoint has the one before no more, by the new one.
 */
export function createQuestionVectors(deps: QuestionVectorsDeps): QuestionVectors {
  const kept = createBoundedCache<Float32Array>(MAX_BYTES);

  async function vectorFor(set: string, question: string, signal: AbortSignal): Promise<Float32Array | undefined> {
    const key = `${set}\n${question}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const [vector] = await deps.models.named(modelOfVectorSet(set)).embed([question], 'query', signal);
    if (vector !== undefined) kept.set(key, vector, vector.byteLength + 2 * key.length);
    return vector;
  }

  return {
    async of(engineId, question, signal) {
      const configured = vectorSetOf(deps.models.configured.id);
      const complete = await deps
        .completeVectorSet(engineId)
        .catch(loggedInstead(deps.log, 'the vectors of an engine cannot be read', undefined));
      for (const set of new Set([complete ?? configured, configured])) {
        // What the fault was is told by the policy of the model.
        const vector = await vectorFor(set, question, signal).catch(() => undefined);
        if (signal.aborted) return undefined;
        if (vector === undefined) continue;
        deps.report('known');
        return { set, vector };
      }
      deps.report('unavailable');
      return undefined;
    },
  };
}

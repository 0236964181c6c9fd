import { createBoundedCache } from '../core/bounded-cache.ts';
import { modelOfVectorSet } from '../core/document-vectors.ts';
import type { EmbeddingModel } from '../llm/embedding-model.ts';

export type TextVectorsDeps = {
  readonly models: { named(name: string): EmbeddingModel | undefined };
};

/** Vectors of parts of passages, made for the question that needs them first. */
export type TextVectors = {
  /** One per text, of length 1; undefined when the model of the set gives none in time. At most 64 texts. */
  of(set: string, texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[] | undefined>;
};

/** 384 dimensions and texts of 300 characters: 7,000 of them. */
const MAX_BYTES = 16 * 2 ** 20;
const BYTES_PER_CHAR = 2;
/** A text of 200 characters takes some 15 ms of a core; without vectors the question is answered by what else is known. */
const WITHIN_MS = 1_000;

/** Kept by their text, so that what a document says in another version is embedded anew. One call of the model. */
export function createTextVectors({ models }: TextVectorsDeps): TextVectors {
  const kept = createBoundedCache<Float32Array>(MAX_BYTES);

  async function embed(set: string, texts: readonly string[], signal: AbortSignal) {
    const until = AbortSignal.any([signal, AbortSignal.timeout(WITHIN_MS)]);
    // What the fault was is told by the policy of the model.
    const made = await models
      .named(modelOfVectorSet(set))
      ?.embed(texts, 'passage', until)
      .catch(() => undefined);
    signal.throwIfAborted();
    return made;
  }

  return {
    async of(set, texts, signal) {
      const vectors = new Map(texts.map((text) => [text, kept.get(`${set}\n${text}`)]));
      const missing = [...vectors].flatMap(([text, vector]) => (vector === undefined ? [text] : []));
      const made = missing.length === 0 ? [] : await embed(set, missing, signal);
      if (made === undefined) return undefined;
      for (const [at, text] of missing.entries()) {
        const vector = made[at];
        if (vector === undefined) return undefined;
        vectors.set(text, vector);
        kept.set(`${set}\n${text}`, vector, vector.byteLength + BYTES_PER_CHAR * (set.length + text.length));
      }
      return texts.flatMap((text) => vectors.get(text) ?? []);
    },
  };
}

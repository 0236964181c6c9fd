import { toAppError } from '../core/errors.ts';
import type { EmbeddingModel } from '../llm/embedding-model.ts';
import { type DescribedFault, type ModelFault, modelFaultOf } from '../llm/model-fault.ts';

/** Texts of one call (answers design 4, item 9). */
export const TEXTS_PER_CALL = 64;
/** What is about the texts that were sent: fewer of them, or others, may be embedded. */
const FAULTS_OF_TEXTS: ReadonlySet<ModelFault> = new Set(['too-large', 'context-too-long', 'bad-vectors']);
const STATUSES_OF_TEXTS: ReadonlySet<number> = new Set([400, 413, 422]);
/** A text that every model embeds. */
const PLAIN_TEXT = 'text';

/** Vectors per text, in order; undefined for one that the model does not take. */
export type EmbedTexts = (
  texts: readonly string[],
  signal: AbortSignal,
) => Promise<readonly (Float32Array | undefined)[]>;

/**
 * Calls of at most 64 texts. One that is refused is made again in halves; when answers are too long for the
 * connection (long vectors), all later calls are shorter too.
 *
 * Throws `llm.unavailable` when the model is away, or takes no text at all.
 */
export function createTextEmbedder(model: EmbeddingModel): EmbedTexts {
  let mostTexts = TEXTS_PER_CALL;
  return async (texts, signal) => {
    const vectors: (Float32Array | undefined)[] = [];
    let perCall = mostTexts;
    while (vectors.length < texts.length) {
      const chunk = texts.slice(vectors.length, vectors.length + perCall);
      const made = await embedOrRefuse(model, chunk, signal);
      if ('vectors' in made) {
        vectors.push(...made.vectors);
        continue;
      }
      if (chunk.length === 1) vectors.push(undefined);
      perCall = Math.max(1, chunk.length >> 1);
      if (made.refusal === 'too-large') mostTexts = perCall;
    }
    return vectors;
  };
}

type EmbeddingBatch = { readonly vectors: readonly Float32Array[] } | { readonly refusal: ModelFault };

/** A refusal is about these texts alone: a model that refuses one text has to take another. */
async function embedOrRefuse(
  model: EmbeddingModel,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<EmbeddingBatch> {
  try {
    return { vectors: await model.embed(texts, 'passage', signal) };
  } catch (error) {
    const fault = modelFaultOf(error);
    if (fault === undefined || !isOfTexts(fault)) throw toAppError(error);
    if (texts.length === 1) await model.embed([PLAIN_TEXT], 'passage', signal);
    return { refusal: fault.reason };
  }
}

function isOfTexts({ reason, status = 0 }: DescribedFault): boolean {
  return FAULTS_OF_TEXTS.has(reason) || (reason === 'http-status' && STATUSES_OF_TEXTS.has(status));
}

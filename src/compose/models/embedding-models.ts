import { namesProvider } from '../../config/answer-variables.ts';
import type { Config } from '../../config/config.ts';
import type { ModelProbes } from '../../llm/circuit-breaker.ts';
import type { EmbeddingModel, EmbeddingPolicyDeps } from '../../llm/embedding-model.ts';
import type { Log } from '../../observability/logger.ts';

export type EmbeddingContext = {
  readonly config: Config;
  readonly log: Log;
  readonly report: EmbeddingPolicyDeps['report'];
  /** Asks models that fail whether they are back; absent = nobody does. */
  readonly probes?: Pick<ModelProbes, 'watch'>;
  /** How long a model of this machine stays loaded without work; absent = it is loaded at once and stays. */
  readonly restAfterMs?: number;
};

export type EmbeddingModels = {
  /** That the configuration names. */
  readonly configured: EmbeddingModel;
  /** Any of the endpoint: while passages are embedded anew, the model before is asked for questions. */
  named(name: string): EmbeddingModel | undefined;
};

/**
 * The model of `EMBEDDING_MODEL_FOLDER`, or those of the endpoint for embeddings, each behind deadline, queue and
 * breaker. Undefined without it, `EMBEDDING_BASE_URL` and `EMBEDDING_PROVIDER_PACKAGE`: then nothing of `llm` is loaded.
 * Opens no connection before the first call; what it opens is closed with the stack.
 *
 * @throws AppError `request.invalid` when `LLM_CA_FILE` cannot be read, the package gives no model, or the folder holds
 * none
 */
export async function openEmbeddingModels(
  stack: AsyncDisposableStack,
  context: EmbeddingContext,
): Promise<EmbeddingModels | undefined> {
  const { EMBEDDING_MODEL: modelName, EMBEDDING_MODEL_FOLDER: folder } = context.config;
  if (folder !== undefined) {
    const { openFolderEmbedding } = await import('./folder-embedding.ts');
    return openFolderEmbedding(stack, { ...context, folder });
  }
  if (modelName === undefined || !namesProvider(context.config, 'EMBEDDING')) return undefined;
  const { openConfiguredEmbedding } = await import('./configured-embedding.ts');
  return openConfiguredEmbedding(stack, { ...context, modelName });
}

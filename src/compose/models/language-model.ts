import type { LanguageModels } from '../../ai/answer-generators.ts';
import { namesProvider } from '../../config/answer-variables.ts';
import type { Config } from '../../config/config.ts';
import type { ModelProbes } from '../../llm/circuit-breaker.ts';
import type { ModelMetrics } from '../../observability/answer-metrics.ts';
import type { Log } from '../../observability/logger.ts';

export type LanguageModelsContext = {
  readonly config: Config;
  readonly log: Log;
  readonly metrics: { readonly models: ModelMetrics };
  /** Asks models that fail whether they are back; absent = nobody does. */
  readonly probes?: Pick<ModelProbes, 'watch'>;
};

/**
 * The models of the installation, each behind deadlines, attempts, queue and breaker. Undefined without `LLM_BASE_URL`
 * and `LLM_PROVIDER_PACKAGE`: then nothing of `llm` is loaded. Opens no connection before the first call; what it opens
 * is closed with the stack.
 *
 * @throws AppError `request.invalid` when `LLM_CA_FILE` cannot be read, or the package gives no model
 */
export async function openLanguageModels(
  stack: AsyncDisposableStack,
  context: LanguageModelsContext,
): Promise<LanguageModels | undefined> {
  const { config } = context;
  const { LLM_MODEL: modelName } = config;
  if (modelName === undefined || !namesProvider(config, 'LLM')) return undefined;
  const { openConfiguredModels } = await import('./configured-models.ts');
  return openConfiguredModels(stack, { ...context, modelName });
}

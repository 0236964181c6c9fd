import { steadyClock } from '../../core/clock.ts';
import { createEmbeddingModel } from '../../llm/ai-sdk/embedding-model.ts';
import { createCircuitBreaker } from '../../llm/circuit-breaker.ts';
import { type EmbeddingModel, withEmbeddingPolicy } from '../../llm/embedding-model.ts';
import { createModelQueue } from '../../llm/model-policy.ts';
import type { EmbeddingContext, EmbeddingModels } from './embedding-models.ts';
import { openModelProvider } from './model-provider.ts';

/** A question waits as long as for its rewriting (answers design 17); nobody waits for passages. */
const TIMEOUTS_MS = { query: 800, passage: 60_000 } as const;

export type ConfiguredEmbeddingContext = EmbeddingContext & { readonly modelName: string };

/** The endpoint that the configuration names. */
export async function openConfiguredEmbedding(
  stack: AsyncDisposableStack,
  { config, log, report, modelName, probes }: ConfiguredEmbeddingContext,
): Promise<EmbeddingModels> {
  const provider = stack.use(await openModelProvider(config, 'EMBEDDING'));
  const queue = createModelQueue({ concurrency: config.LLM_CONCURRENCY, slots: config.LLM_QUEUE });
  const models = new Map<string, EmbeddingModel>();
  const named = (name: string): EmbeddingModel => {
    const known = models.get(name);
    if (known !== undefined) return known;
    const breaker = createCircuitBreaker(steadyClock);
    const policy = { log, breaker, queue, report, timeoutsMs: TIMEOUTS_MS };
    const bare = createEmbeddingModel(provider, name);
    const model = withEmbeddingPolicy(bare, policy);
    probes?.watch({ kind: 'embedding', name, breaker, ask: (signal) => bare.embed(['OK'], 'query', signal) });
    models.set(name, model);
    return model;
  };
  return { configured: named(modelName), named };
}

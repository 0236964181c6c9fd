import { ENGINE_DEFAULTS } from '../../src/accounts/engine-settings.ts';
import { passagesOf } from '../../src/compose/indexer.ts';
import type { Engine } from '../../src/core/records.ts';
import { createTextEmbedder, embedPassages } from '../../src/indexing/embed-engines.ts';
import { createEmbeddingModel } from '../../src/llm/ai-sdk/embedding-model.ts';
import type { ModelEndpoint } from '../../src/llm/ai-sdk/model-provider.ts';
import { openCompatibleProvider } from '../../src/llm/ai-sdk/openai-compatible.ts';
import type { EngineStore } from '../../src/storage/engine-store.ts';

export const EMBEDDED_ENGINE: Engine = {
  id: 6,
  customerId: 3,
  name: 'Library',
  language: 'en',
  settings: ENGINE_DEFAULTS,
  publicSettings: {} as Engine['publicSettings'],
  managedBy: undefined,
  createdAt: 0,
};

/** Embeds a store by a model of the endpoint, up to its last change or to the first failure. */
export async function embedStore(
  store: EngineStore,
  { endpoint, model, signal }: { endpoint: ModelEndpoint; model: string; signal?: AbortSignal },
): Promise<void> {
  using provider = openCompatibleProvider(endpoint);
  const embedTexts = createTextEmbedder(createEmbeddingModel(provider, model));
  await embedPassages(
    { store, embedTexts, model, passagesOf },
    EMBEDDED_ENGINE,
    signal ?? new AbortController().signal,
  );
}

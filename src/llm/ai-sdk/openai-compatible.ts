import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { extractReasoningMiddleware, wrapLanguageModel } from 'ai';
import { type ModelEndpoint, type ModelProvider, openModelConnection } from './model-provider.ts';

/** Models behind an endpoint of chat completions and embeddings. */
export function openCompatibleProvider({ baseUrl, apiKey, headers, ...options }: ModelEndpoint): ModelProvider {
  const connection = openModelConnection(options);
  const settings = { name: 'configured', baseURL: baseUrl, headers: { ...headers }, ...(apiKey && { apiKey }) };
  const chat = createOpenAICompatible({
    ...settings,
    includeUsage: true,
    fetch: connection.fetchFor(['text/event-stream']),
  });
  const embeddings = createOpenAICompatible({ ...settings, fetch: connection.fetchFor(['application/json']) });
  return {
    languageModel: (name) =>
      wrapLanguageModel({
        model: chat.chatModel(name),
        middleware: extractReasoningMiddleware({ tagName: 'think' }),
      }),
    embeddingModel: (name) => embeddings.embeddingModel(name),
    [Symbol.dispose]: () => connection[Symbol.dispose](),
  };
}

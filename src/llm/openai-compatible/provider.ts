import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { extractReasoningMiddleware, wrapLanguageModel } from 'ai';
import { type ModelConnection, type ModelFetchOptions, openModelConnection } from './model-fetch.ts';

/** Where models are and what opens them. */
export type ModelEndpoint = ModelFetchOptions & {
  /** With `/v1` and its likes, without a slash at its end. */
  readonly baseUrl: string;
  /** Bearer token. */
  readonly apiKey: string | undefined;
  /** Sent with every call, beside the token. */
  readonly headers: Readonly<Record<string, string>>;
};

export type ModelProvider = Disposable & ReturnType<typeof modelsOf>;

/** Models of one endpoint by their names; opens no connection before the first call. The caller disposes of it. */
export function openModelProvider(endpoint: ModelEndpoint): ModelProvider {
  const connection = openModelConnection(endpoint);
  return { ...modelsOf(endpoint, connection), [Symbol.dispose]: () => connection[Symbol.dispose]() };
}

/**
 * The models are called as the client library's providers offer them, without its functions around them: those retry
 * for seconds, print warnings and record what was asked.
 */
function modelsOf({ baseUrl, apiKey, headers }: ModelEndpoint, connection: ModelConnection) {
  const settings = { name: 'configured', baseURL: baseUrl, headers: { ...headers }, ...(apiKey && { apiKey }) };
  const chat = createOpenAICompatible({
    ...settings,
    includeUsage: true,
    fetch: connection.fetchFor('text/event-stream'),
  });
  const embeddings = createOpenAICompatible({ ...settings, fetch: connection.fetchFor('application/json') });
  return {
    chatModel: (name: string) =>
      wrapLanguageModel({
        model: chat.chatModel(name),
        middleware: extractReasoningMiddleware({ tagName: 'think' }),
      }),
    embeddingModel: (name: string) => embeddings.embeddingModel(name),
  };
}

import type { wrapEmbeddingModel, wrapLanguageModel } from 'ai';
import type { ModelFetchOptions } from './model-fetch.ts';

/** Where models are and what opens them. */
export type ModelEndpoint = ModelFetchOptions & {
  /** With `/v1` and its likes, without a slash at its end. */
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  /** Sent with every call, beside the key. */
  readonly headers: Readonly<Record<string, string>>;
};

/** As the client library calls a model. */
export type ClientLanguageModel = ReturnType<typeof wrapLanguageModel>;
export type ClientEmbeddingModel = ReturnType<typeof wrapEmbeddingModel>;

/**
 * Models by their names, called as the client library's providers offer them, without its functions around them: those
 * retry for seconds, print warnings and record what was asked. Opens no connection before the first call. The caller
 * disposes of it.
 */
export type ModelProvider = Disposable & {
  languageModel(name: string): ClientLanguageModel;
  embeddingModel(name: string): ClientEmbeddingModel;
};

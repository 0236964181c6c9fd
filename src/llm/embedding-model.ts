/**
 * Port: texts as vectors. Promises of `embed`:
 * - one vector per text, in the order of the texts, of length 1;
 * - all vectors of a model have the same number of dimensions;
 * - texts are one upstream request, or as many as the provider's limit of texts makes; no texts are none;
 * - a fault throws `llm.unavailable` with `details.reason`, without a text of the provider;
 * - an abort closes the upstream socket and throws an `AbortError`.
 */
export interface EmbeddingModel {
  /** Names the model in logs, metrics and stored vectors. */
  readonly id: string;
  /** Undefined before the first vectors. */
  readonly dimensions: number | undefined;
  /** At most 64 texts. */
  embed(texts: readonly string[], kind: 'query' | 'passage', signal: AbortSignal): Promise<readonly Float32Array[]>;
}

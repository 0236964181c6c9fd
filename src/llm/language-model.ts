export type ModelMessage = { readonly role: 'system' | 'user' | 'assistant'; readonly content: string };

export type ModelRequest = {
  readonly purpose: 'answer' | 'summary' | 'rewrite';
  readonly messages: readonly ModelMessage[];
  readonly maxOutputTokens: number;
  readonly temperature: number;
};

/** `isEstimated`: the provider named none. */
export type TokenUsage = { readonly input: number; readonly output: number; readonly isEstimated: boolean };

export type ModelEvent =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'end';
      readonly finish: 'stop' | 'length' | 'filtered' | 'other';
      readonly usage: TokenUsage;
    };

/**
 * Port: a language model. Promises of `stream`:
 * - exactly one `end` comes, as the last event, or the iteration throws `llm.unavailable` with `details.reason`;
 * - an answer of the provider that stops without saying that it ended is such an error;
 * - reasoning and tool calls never appear as text;
 * - an abort closes the upstream socket within 50 ms, and the iteration throws an `AbortError`; so does leaving the
 *   iteration early;
 * - one call is one upstream request;
 * - no text of the provider, and no key, stands in a message or in details.
 */
export interface LanguageModel {
  /** Names the model in logs, metrics and cache keys. */
  readonly id: string;
  /** Tokens of prompt and answer together. */
  readonly contextTokens: number;
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}

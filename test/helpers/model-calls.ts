import { createLanguageModel } from '../../src/llm/ai-sdk/language-model.ts';
import type { ModelEndpoint } from '../../src/llm/ai-sdk/model-provider.ts';
import { openCompatibleProvider } from '../../src/llm/ai-sdk/openai-compatible.ts';
import type { LanguageModel, ModelEvent, ModelRequest } from '../../src/llm/language-model.ts';
import type { FakeModelServer } from './fake-model-server.ts';

/** A key that must show up nowhere. */
export const MODEL_KEY = 'key-of-the-model-0123456789';

export const PROMPT: ModelRequest = {
  purpose: 'answer',
  messages: [
    { role: 'system', content: 'Answer from the sources.' },
    {
      role: 'user',
      content:
        '<S-ab12 n="1" title="Pump" section="">The pump runs at 40 bar. It is cleaned every week.</S-ab12>\n<Q-ab12>How fast?</Q-ab12>',
    },
  ],
  maxOutputTokens: 350,
  temperature: 0.1,
};

export const PROMPT_ANSWER = 'The pump runs at 40 bar. [1] It is cleaned every week. [1]';

export const estimateByLength = (text: string) => Math.ceil(text.length / 4);

export function endpointOf(server: FakeModelServer, more: Partial<ModelEndpoint> = {}): ModelEndpoint {
  return {
    baseUrl: server.baseUrl,
    apiKey: MODEL_KEY,
    headers: {},
    allowedHosts: new Set([server.host]),
    certificateAuthority: undefined,
    ...more,
  };
}

/** The adapter on a fake model; `mode` names what the model does. */
export function openFakeModel(server: FakeModelServer, more: Partial<ModelEndpoint> = {}) {
  const provider = openCompatibleProvider(endpointOf(server, more));
  return {
    provider,
    model: (mode: string): LanguageModel =>
      createLanguageModel(provider, { name: mode, contextTokens: 8_192, estimateTokens: estimateByLength }),
    [Symbol.dispose]: () => provider[Symbol.dispose](),
  };
}

export type ModelOutcome = {
  readonly text: string;
  readonly events: readonly ModelEvent[];
  readonly error: unknown;
};

/** Reads a call to its end or its error. */
export async function readCall(events: AsyncIterable<ModelEvent>): Promise<ModelOutcome> {
  const seen: ModelEvent[] = [];
  let error: unknown;
  try {
    for await (const event of events) seen.push(event);
  } catch (thrown) {
    error = thrown;
  }
  const text = seen.map((event) => (event.type === 'text' ? event.text : '')).join('');
  return { text, events: seen, error };
}

export const unaborted = () => new AbortController().signal;

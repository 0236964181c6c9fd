import type { LanguageModel, ModelRequest, TokenUsage } from '../llm/language-model.ts';
import { estimateTokens } from './token-estimate.ts';

/** Tells `add` what each call took: as the provider says, or an estimate for a call that did not come to its end. */
export function withUsageCounter(model: LanguageModel, add: (usage: TokenUsage) => void): LanguageModel {
  return {
    id: model.id,
    contextTokens: model.contextTokens,
    async *stream(request, signal) {
      let text = '';
      let isCounted = false;
      try {
        for await (const event of model.stream(request, signal)) {
          if (event.type === 'text') text += event.text;
          else {
            isCounted = true;
            add(event.usage);
          }
          yield event;
        }
      } finally {
        if (!isCounted && text !== '') add(estimateUsage(request, text));
      }
    },
  };
}

/** Sum of what several calls took. */
export function addUsage(a: TokenUsage, b: TokenUsage): TokenUsage {
  return { input: a.input + b.input, output: a.output + b.output, isEstimated: a.isEstimated || b.isEstimated };
}

export const NO_USAGE: TokenUsage = { input: 0, output: 0, isEstimated: false };

function estimateUsage({ messages }: ModelRequest, text: string): TokenUsage {
  const input = messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
  return { input, output: estimateTokens(text), isEstimated: true };
}

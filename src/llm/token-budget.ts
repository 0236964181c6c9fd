import type { Clock } from '../core/clock.ts';
import type { Log } from '../observability/logger.ts';
import type { LanguageModel, ModelEvent, ModelRequest, TokenUsage } from './language-model.ts';
import { modelUnavailable } from './model-fault.ts';

const DAY_MS = 86_400_000;

export type TokenBudgetDeps = {
  readonly clock: Clock;
  readonly log: Log;
  /** Of a text, for answers that were not read to their end. */
  readonly estimateTokens: (text: string) => number;
};

export type TokenBudget = {
  /** The model on the account of the engine. Spent: every call throws `llm.unavailable` `budget-spent`. */
  limit(model: LanguageModel, engineId: number): LanguageModel;
  /** Tokens of the engine since midnight UTC, as far as this process knows. */
  spentBy(engineId: number): number;
};

/** Tokens that every engine may spend per day (UTC), 0 without a limit. A call that began is never cut. */
export function createTokenBudget(deps: TokenBudgetDeps, tokensPerDay: number): TokenBudget {
  let day = -1;
  let spent = new Map<number, number>();

  function accounts(): Map<number, number> {
    const today = Math.floor(deps.clock.now() / DAY_MS);
    if (today !== day) [day, spent] = [today, new Map()];
    return spent;
  }

  function add(engineId: number, { input, output }: TokenUsage): void {
    const before = accounts().get(engineId) ?? 0;
    const after = before + input + output;
    accounts().set(engineId, after);
    const isSpentNow = tokensPerDay > 0 && before < tokensPerDay && after >= tokensPerDay;
    if (isSpentNow) deps.log.warn({ engineId, tokensPerDay }, 'tokens of the day are spent');
  }

  const spentBy = (engineId: number) => accounts().get(engineId) ?? 0;

  return {
    spentBy,
    limit: (model, engineId) => ({
      id: model.id,
      contextTokens: model.contextTokens,
      async *stream(request, signal) {
        if (tokensPerDay > 0 && spentBy(engineId) >= tokensPerDay) throw modelUnavailable('budget-spent');
        yield* counted(model.stream(request, signal), {
          estimate: (output) => estimatedUsage(request, output, deps.estimateTokens),
          add: (usage) => add(engineId, usage),
        });
      },
    }),
  };
}

type Counting = { readonly estimate: (output: string) => TokenUsage; readonly add: (usage: TokenUsage) => void };

async function* counted(events: AsyncIterable<ModelEvent>, { estimate, add }: Counting): AsyncGenerator<ModelEvent> {
  let text = '';
  let usage: TokenUsage | undefined;
  try {
    for await (const event of events) {
      if (event.type === 'text') text += event.text;
      else usage = event.usage;
      yield event;
    }
  } finally {
    if (usage !== undefined || text !== '') add(usage ?? estimate(text));
  }
}

function estimatedUsage(
  { messages }: ModelRequest,
  output: string,
  estimateTokens: (text: string) => number,
): TokenUsage {
  const input = messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
  return { input, output: estimateTokens(output), isEstimated: true };
}

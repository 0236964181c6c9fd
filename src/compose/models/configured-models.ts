import type { LanguageModels } from '../../ai/answer-generators.ts';
import { estimateTokens } from '../../ai/token-estimate.ts';
import type { Config } from '../../config/config.ts';
import { steadyClock, systemClock } from '../../core/clock.ts';
import { createLanguageModel } from '../../llm/ai-sdk/language-model.ts';
import { type CircuitBreaker, createCircuitBreaker } from '../../llm/circuit-breaker.ts';
import type { LanguageModel } from '../../llm/language-model.ts';
import {
  createModelQueue,
  type ModelCallReport,
  type ModelPolicyTimeouts,
  withModelPolicy,
} from '../../llm/model-policy.ts';
import { createTokenBudget } from '../../llm/token-budget.ts';
import type { ModelMetrics } from '../../observability/answer-metrics.ts';
import type { LanguageModelsContext } from './language-model.ts';
import { openModelProvider } from './model-provider.ts';

export type ConfiguredModelsContext = LanguageModelsContext & { readonly modelName: string };

/** The models that the configuration names, on one connection. */
export async function openConfiguredModels(
  stack: AsyncDisposableStack,
  { config, log, metrics: { models: metrics }, modelName, probes }: ConfiguredModelsContext,
): Promise<LanguageModels> {
  const provider = stack.use(await openModelProvider(config, 'LLM'));
  const queue = createModelQueue({ concurrency: config.LLM_CONCURRENCY, slots: config.LLM_QUEUE });
  const timeouts = timeoutsOf(config);
  const breakers: CircuitBreaker[] = [];
  metrics.watch(() => ({
    openBreakers: breakers.filter((breaker) => breaker.isOpen()).length,
    waiting: queue.waiting,
  }));

  function open(name: string): LanguageModel {
    const model = createLanguageModel(provider, { name, contextTokens: config.LLM_CONTEXT_TOKENS, estimateTokens });
    const breaker = createCircuitBreaker(steadyClock);
    breakers.push(breaker);
    probes?.watch({ kind: 'language', name, breaker, ask: (signal) => askShortly(model, signal) });
    const report = (call: ModelCallReport) => countCall(metrics, call);
    return withModelPolicy(model, { log, breaker, queue, random: Math.random, report }, timeouts);
  }

  const answer = open(modelName);
  const rewriteName = config.LLM_REWRITE_MODEL ?? modelName;
  const rewrite = rewriteName === modelName ? answer : open(rewriteName);
  const budget = createTokenBudget({ clock: systemClock, log, estimateTokens }, config.LLM_DAILY_TOKENS);
  return {
    forEngine: (engineId) => ({ answer: budget.limit(answer, engineId), rewrite: budget.limit(rewrite, engineId) }),
    temperature: config.LLM_TEMPERATURE,
    marksData: config.AI_DATAMARKING,
  };
}

const SHORT_ANSWER_TOKENS = 16;

/** Reads an answer of a few tokens to its end. */
async function askShortly(model: LanguageModel, signal: AbortSignal): Promise<void> {
  const messages = [{ role: 'user', content: 'Say OK.' }] as const;
  const request = { purpose: 'answer', messages, maxOutputTokens: SHORT_ANSWER_TOKENS, temperature: 0 } as const;
  for await (const _event of model.stream(request, signal));
}

function countCall(metrics: ModelMetrics, { purpose, outcome, firstTextMs, usage }: ModelCallReport): void {
  metrics.requests.inc({ purpose, outcome });
  if (firstTextMs !== undefined) metrics.firstDelta.observe(firstTextMs / 1_000);
  if (usage === undefined) return;
  metrics.tokens.inc({ direction: 'input' }, usage.input);
  metrics.tokens.inc({ direction: 'output' }, usage.output);
}

function timeoutsOf(config: Config): ModelPolicyTimeouts {
  return {
    startMs: config.AI_START_TIMEOUT_MS,
    stallMs: config.AI_STALL_TIMEOUT_MS,
    totalMs: config.AI_TIMEOUT_MS,
    rewriteMs: config.AI_REWRITE_TIMEOUT_MS,
  };
}

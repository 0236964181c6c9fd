import type { Config } from '../../config/config.ts';
import { toAppError } from '../../core/errors.ts';
import type { WatchedModel } from '../../llm/circuit-breaker.ts';
import { faultInWords, modelFaultOf } from '../../llm/model-fault.ts';
import { createLogger } from '../../observability/logger.ts';
import { createMetrics } from '../../observability/metrics.ts';
import { openEmbeddingModels } from './embedding-models.ts';
import { openLanguageModels } from './language-model.ts';

export type TestedModel = Pick<WatchedModel, 'kind' | 'name'> & {
  readonly answers: boolean;
  /** Why it does not. */
  readonly fault?: string;
  /** Of one short call. */
  readonly millis?: number;
  /** Of the first call, which loads a model of this machine. */
  readonly firstMillis?: number;
  /** Of an embedding model. */
  readonly dimensions?: number;
};

const ANSWER_WITHIN_MS = 120_000;

/**
 * Asks every model that the configuration names, without a running product; none when it names none.
 * @throws AppError `request.invalid` for what ends a start: a folder without a model, a package that is not installed
 */
export async function testModels(config: Config, signal: AbortSignal): Promise<readonly TestedModel[]> {
  await using stack = new AsyncDisposableStack();
  const watched: WatchedModel[] = [];
  const context = {
    config,
    log: createLogger({ level: 'silent', name: 'model-test' }),
    metrics: createMetrics(),
    report: () => undefined,
    probes: { watch: (model: WatchedModel) => void watched.push(model) },
  };
  await openLanguageModels(stack, context);
  const embedding = await openEmbeddingModels(stack, context);
  const tested: TestedModel[] = [];
  for (const model of watched) {
    const call = await ask(model, signal);
    const dimensions = model.kind === 'embedding' ? embedding?.configured.dimensions : undefined;
    tested.push({ kind: model.kind, name: model.name, ...call, ...(dimensions !== undefined && { dimensions }) });
  }
  return tested;
}

async function ask(
  model: WatchedModel,
  signal: AbortSignal,
): Promise<Omit<TestedModel, 'kind' | 'name' | 'dimensions'>> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]);
  const timed = async () => {
    const start = performance.now();
    await model.ask(within);
    return Math.round(performance.now() - start);
  };
  try {
    const firstMillis = await timed();
    // Words of a language model cost money.
    if (model.kind === 'language') return { answers: true, millis: firstMillis };
    return { answers: true, firstMillis, millis: await timed() };
  } catch (error) {
    signal.throwIfAborted();
    if (within.aborted) return { answers: false, fault: `no answer within ${ANSWER_WITHIN_MS / 1_000} s` };
    return { answers: false, fault: faultInWords(modelFaultOf(toAppError(error)) ?? { reason: 'unknown' }) };
  }
}

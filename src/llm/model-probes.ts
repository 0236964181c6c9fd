import { toAppError } from '../core/errors.ts';
import { repeat } from '../observability/background.ts';
import type { Log } from '../observability/logger.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import { verdictOfFault } from './fault-verdict.ts';
import { modelFaultOf } from './model-fault.ts';

export type WatchedModel = {
  readonly kind: 'language' | 'embedding';
  readonly name: string;
  readonly breaker: CircuitBreaker;
  /** The shortest call that the model can be asked for, without a queue and a second attempt. */
  readonly ask: (signal: AbortSignal) => Promise<unknown>;
};

export type ModelProbes = AsyncDisposable & {
  watch(model: WatchedModel): void;
  /** Models that failed too often and have not answered since. */
  failing(): readonly Pick<WatchedModel, 'kind' | 'name'>[];
};

const LOOK_EVERY_MS = 1_000;
const ANSWER_WITHIN_MS = 10_000;

/**
 * Asks models that fail whether they are back, as often as their circuit breaker lets somebody try: without it that
 * would be known with the next question of a visitor only. A model that works is never asked.
 */
export function startModelProbes(log: Log): ModelProbes {
  const models: WatchedModel[] = [];
  const stop = new AbortController();
  let running: Promise<void> | undefined;
  const look = async () => {
    for (const model of models) {
      if (model.breaker.isFailing() && !model.breaker.isOpen()) await probe(model, stop.signal);
    }
  };
  return {
    watch: (model) => {
      models.push(model);
      running ??= repeat({ log, name: 'probe models', pauseMs: LOOK_EVERY_MS, signal: stop.signal }, look);
    },
    failing: () => models.filter(({ breaker }) => breaker.isFailing()).map(({ kind, name }) => ({ kind, name })),
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await running;
    },
  };
}

async function probe({ breaker, ask }: WatchedModel, stop: AbortSignal): Promise<void> {
  const settle = breaker.enter();
  try {
    await ask(AbortSignal.any([stop, AbortSignal.timeout(ANSWER_WITHIN_MS)]));
    settle('succeeded');
  } catch (error) {
    if (stop.aborted) return settle('dropped');
    const verdict = verdictOfFault(modelFaultOf(toAppError(error)) ?? { reason: 'unknown' });
    // Whoever finds fault with the request is there.
    settle(verdict === 'dropped' ? 'succeeded' : verdict);
  }
}

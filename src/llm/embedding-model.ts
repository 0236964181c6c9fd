import { toAppError } from '../core/errors.ts';
import type { Log } from '../observability/logger.ts';
import { type CircuitBreaker, isRefusedByModel, verdictOfFault } from './circuit-breaker.ts';
import { type DescribedFault, type ModelFault, modelFaultOf, modelUnavailable } from './model-fault.ts';
import type { ModelQueue } from './model-policy.ts';

/**
 * Port: texts as vectors. Promises of `embed`:
 * - one vector per text, in the order of the texts, of length 1;
 * - all vectors of a model have the same number of dimensions;
 * - texts of an endpoint are one upstream request, or as many as the provider's limit of texts makes; no texts are none;
 * - a fault throws `llm.unavailable` with `details.reason`, without a text of the provider;
 * - an abort throws an `AbortError` at once; an upstream socket is closed, and texts that wait are not embedded.
 */
export interface EmbeddingModel {
  /** Names the model in logs, metrics and stored vectors. */
  readonly id: string;
  /** Undefined before the first vectors. */
  readonly dimensions: number | undefined;
  /** At most 64 texts. */
  embed(texts: readonly string[], kind: 'query' | 'passage', signal: AbortSignal): Promise<readonly Float32Array[]>;
}

export type EmbeddingPolicyDeps = {
  readonly log: Log;
  /** Of this model alone. */
  readonly breaker: CircuitBreaker;
  /** Of all models of an endpoint. */
  readonly queue: ModelQueue;
  /** Told once per call. */
  readonly report: (call: { readonly kind: EmbeddingKind; readonly outcome: ModelFault | 'stop' | 'aborted' }) => void;
  /** Longest call: a question waits for that of its own. */
  readonly timeoutsMs: Readonly<Record<EmbeddingKind, number>>;
};

export type EmbeddingKind = Parameters<EmbeddingModel['embed']>[1];

/**
 * The model with a place in the queue, a deadline and a circuit breaker. Keeps the promises of the port. One attempt:
 * a question is answered by words, and passages are tried again by whoever embeds them.
 */
export function withEmbeddingPolicy(model: EmbeddingModel, deps: EmbeddingPolicyDeps): EmbeddingModel {
  return {
    id: model.id,
    get dimensions() {
      return model.dimensions;
    },
    embed: (texts, kind, signal) => embedWithin(deps, model, { texts, kind, signal }),
  };
}

type Call = { readonly texts: readonly string[]; readonly kind: EmbeddingKind; readonly signal: AbortSignal };

async function embedWithin(deps: EmbeddingPolicyDeps, model: EmbeddingModel, call: Call) {
  const { texts, kind, signal } = call;
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), deps.timeoutsMs[kind]);
  const until = AbortSignal.any([signal, deadline.signal]);
  let settle: ReturnType<CircuitBreaker['enter']> = () => undefined;
  try {
    if (deps.breaker.isOpen()) throw modelUnavailable('breaker-open');
    using _place = await deps.queue.enter(until);
    settle = deps.breaker.enter();
    const vectors = await model.embed(texts, kind, until);
    settle('succeeded');
    deps.report({ kind, outcome: 'stop' });
    return vectors;
  } catch (error) {
    if (signal.aborted) {
      settle('dropped');
      deps.report({ kind, outcome: 'aborted' });
      throw error;
    }
    const failure = deadline.signal.aborted ? modelUnavailable('start-timeout') : toAppError(error);
    const fault = modelFaultOf(failure) ?? { reason: 'unknown' };
    settle(verdictOfFault(fault), fault);
    deps.report({ kind, outcome: fault.reason });
    logFault(deps.log, { model: model.id, kind, ...fault });
    throw failure;
  } finally {
    clearTimeout(timer);
  }
}

function logFault(log: Log, fault: DescribedFault & { readonly model: string; readonly kind: EmbeddingKind }): void {
  if (isRefusedByModel(fault)) log.error(fault, 'embedding model refuses our requests');
  else if (fault.reason === 'breaker-open') log.debug(fault, 'embedding model is not asked for a while');
  else log.warn(fault, 'embedding model gave no vectors');
}

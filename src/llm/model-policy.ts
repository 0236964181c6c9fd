import { createSemaphore, unlessAborted } from '../core/concurrency.ts';
import { toAppError } from '../core/errors.ts';
import type { Log } from '../observability/logger.ts';
import { type CallVerdict, type CircuitBreaker, isRefusedByModel, verdictOfFault } from './circuit-breaker.ts';
import type { LanguageModel, ModelEvent, ModelRequest, TokenUsage } from './language-model.ts';
import {
  callAborted,
  type DescribedFault,
  isTransient,
  type ModelFault,
  modelFaultOf,
  modelUnavailable,
} from './model-fault.ts';

const MAX_ATTEMPTS = 2;
const MIN_PAUSE_MS = 250;
const PAUSE_SPREAD_MS = 500;
/** A provider that wants a longer pause gets no second attempt. */
const MAX_RETRY_AFTER_MS = 3_000;

export type ModelPolicyDeps = {
  readonly log: Log;
  /** Of this model alone. */
  readonly breaker: CircuitBreaker;
  /** Of all models of the process. */
  readonly queue: ModelQueue;
  /** 0 to 1, spreads the second attempts. */
  readonly random: () => number;
  /** Told once per call, whatever became of it. */
  readonly report: (call: ModelCallReport) => void;
};

export type ModelCallReport = {
  readonly model: string;
  readonly purpose: ModelRequest['purpose'];
  /** How it finished; `aborted` = the caller went. */
  readonly outcome: Extract<ModelEvent, { type: 'end' }>['finish'] | ModelFault | 'aborted';
  readonly firstTextMs: number | undefined;
  readonly usage: TokenUsage | undefined;
};

export type ModelPolicyTimeouts = ModelTimeouts & {
  /** Of a rewriting: it delays the answer, so it is one short attempt. */
  readonly rewriteMs: number;
};

/**
 * The model with a place in the queue, deadlines, at most two attempts (the second only before the first text) and a
 * circuit breaker. Keeps the promises of the port, but that one call may be two upstream requests.
 */
export function withModelPolicy(
  model: LanguageModel,
  deps: ModelPolicyDeps,
  timeouts: ModelPolicyTimeouts,
): LanguageModel {
  return {
    id: model.id,
    contextTokens: model.contextTokens,
    stream: (request, signal) => streamWithin({ ...deps, model, timeouts }, request, signal),
  };
}

type PolicyDeps = ModelPolicyDeps & { readonly model: LanguageModel; readonly timeouts: ModelPolicyTimeouts };
/** What is known of a call so far. */
type Progress = {
  readonly startedAt: number;
  firstTextMs?: number;
  end?: Extract<ModelEvent, { type: 'end' }>;
  failure?: DescribedFault;
};

async function* streamWithin(deps: PolicyDeps, request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
  const progress: Progress = { startedAt: performance.now() };
  let settle: ReturnType<CircuitBreaker['enter']> = () => undefined;
  try {
    if (deps.breaker.isOpen()) throw modelUnavailable('breaker-open');
    using _place = await deps.queue.enter(signal);
    settle = deps.breaker.enter();
    yield* attemptsOf(deps, { request, signal, progress });
  } catch (error) {
    if (signal.aborted) throw callAborted();
    progress.failure = modelFaultOf(error) ?? { reason: 'unknown' };
    throw toAppError(error);
  } finally {
    settle(verdictOf(progress), progress.failure);
    deps.report(reportOf(deps.model.id, request.purpose, progress));
  }
}

type Call = { readonly request: ModelRequest; readonly signal: AbortSignal; readonly progress: Progress };

async function* attemptsOf(deps: PolicyDeps, call: Call): AsyncGenerator<ModelEvent> {
  using deadlines = startDeadlines(timeoutsOf(deps.timeouts, call.request.purpose), call.signal);
  for (let attempt = 1; ; attempt++) {
    try {
      yield* attemptOf(deps.model, call, deadlines);
      return;
    } catch (error) {
      const failure: unknown = deadlines.signal.aborted ? deadlines.signal.reason : error;
      if (call.signal.aborted) throw failure;
      logFailure(deps, call.request, { failure, attempt });
      if (isLastAttempt(call, attempt)) throw failure;
      await pauseWithin(pauseAfter(failure, deps.random), deadlines.signal);
    }
  }
}

async function* attemptOf(
  model: LanguageModel,
  { request, progress }: Call,
  deadlines: ModelDeadlines,
): AsyncGenerator<ModelEvent> {
  for await (const event of model.stream(request, deadlines.signal)) {
    deadlines.arrived();
    note(progress, event);
    yield event;
    deadlines.awaited();
  }
}

function note(progress: Progress, event: ModelEvent): void {
  if (event.type === 'end') progress.end = event;
  else progress.firstTextMs ??= performance.now() - progress.startedAt;
}

function timeoutsOf({ rewriteMs, ...timeouts }: ModelPolicyTimeouts, purpose: ModelRequest['purpose']): ModelTimeouts {
  return purpose === 'rewrite' ? { startMs: rewriteMs, stallMs: rewriteMs, totalMs: rewriteMs } : timeouts;
}

function isLastAttempt({ request, progress }: Call, attempt: number): boolean {
  return request.purpose === 'rewrite' || attempt === MAX_ATTEMPTS || progress.firstTextMs !== undefined;
}

/** @throws the failure when a second attempt is of no use */
function pauseAfter(failure: unknown, random: () => number): number {
  const fault = modelFaultOf(failure);
  const retryAfterMs = fault?.retryAfterMs ?? 0;
  if (fault === undefined || !isTransient(fault) || retryAfterMs > MAX_RETRY_AFTER_MS) throw toAppError(failure);
  return Math.max(retryAfterMs, MIN_PAUSE_MS + random() * PAUSE_SPREAD_MS);
}

/** @throws the reason of the signal */
async function pauseWithin(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  try {
    await unlessAborted(promise, signal);
  } finally {
    clearTimeout(timer);
  }
}

function verdictOf({ end, firstTextMs, failure }: Progress): CallVerdict {
  if (failure === undefined) return end === undefined && firstTextMs === undefined ? 'dropped' : 'succeeded';
  return verdictOfFault(failure);
}

function reportOf(model: string, purpose: ModelRequest['purpose'], progress: Progress): ModelCallReport {
  const { end, failure, firstTextMs } = progress;
  const outcome = end?.finish ?? failure?.reason ?? 'aborted';
  return { model, purpose, outcome, firstTextMs, usage: end?.usage };
}

function logFailure(
  { log, model }: PolicyDeps,
  { purpose }: ModelRequest,
  { failure, attempt }: { readonly failure: unknown; readonly attempt: number },
): void {
  const fault = modelFaultOf(failure) ?? { reason: 'unknown' };
  const fields = { model: model.id, purpose, attempt, ...fault };
  if (isRefusedByModel(fault)) log.error(fields, 'language model refuses our requests');
  else log.warn(fields, 'language model gave no answer');
}

type ModelTimeouts = {
  /** Until the first text, all attempts included. */
  readonly startMs: number;
  /** Between two texts, while somebody waits for the next. */
  readonly stallMs: number;
  readonly totalMs: number;
};

/** Timers of one call. Disposing clears them all. */
type ModelDeadlines = Disposable & {
  /** Aborted by the caller's signal or a timer; of a timer the reason is its `llm.unavailable`. */
  readonly signal: AbortSignal;
  /** Something came. */
  arrived(): void;
  /** The next is awaited. */
  awaited(): void;
};

/** Starts the timers of a call. */
function startDeadlines({ startMs, stallMs, totalMs }: ModelTimeouts, signal: AbortSignal): ModelDeadlines {
  const controller = new AbortController();
  const after = (ms: number, reason: 'start-timeout' | 'stalled' | 'timeout') =>
    setTimeout(() => controller.abort(modelUnavailable(reason)), ms);
  const total = after(totalMs, 'timeout');
  let waiting = after(startMs, 'start-timeout');
  return {
    signal: AbortSignal.any([signal, controller.signal]),
    arrived: () => clearTimeout(waiting),
    awaited: () => {
      waiting = after(stallMs, 'stalled');
    },
    [Symbol.dispose]: () => {
      clearTimeout(total);
      clearTimeout(waiting);
    },
  };
}

/** An answer that waits longer is better written without a model. */
const MAX_WAIT_MS = 3_000;

export type ModelQueue = {
  /**
   * Resolves with a permit, which the caller disposes of; first come, first served.
   * @throws AppError `llm.unavailable` `queue-full` or, after 3 s, `queue-timeout`; the signal's reason
   */
  enter(signal: AbortSignal): Promise<Disposable>;
  readonly waiting: number;
};

/** `concurrency` calls at once over all models of a process, and as many waiting as there are `slots`. */
export function createModelQueue({ concurrency, slots }: { concurrency: number; slots: number }): ModelQueue {
  const semaphore = createSemaphore(concurrency, { maxWaiting: slots, refusal: () => modelUnavailable('queue-full') });
  return {
    async enter(signal) {
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(modelUnavailable('queue-timeout')), MAX_WAIT_MS);
      try {
        return await semaphore.acquire(AbortSignal.any([signal, late.signal]));
      } finally {
        clearTimeout(timer);
      }
    },
    get waiting() {
      return semaphore.waiting;
    },
  };
}

import type { Clock } from '../core/clock.ts';
import { toAppError } from '../core/errors.ts';
import { repeat } from '../observability/background.ts';
import type { Log } from '../observability/logger.ts';
import { type DescribedFault, faultInWords, type ModelFault, modelFaultOf, modelUnavailable } from './model-fault.ts';

const FAILURES = 5;
const WINDOW_MS = 30_000;
const OPEN_MS = 15_000;
/** Of a wrong key, name or address: time does not heal it. */
const OPEN_OF_WRONG_SETTINGS_MS = 60_000;

/** How a call went that was let through; told once. A call that tells nothing about the model is `dropped`. */
export type CallVerdict = 'succeeded' | 'failed' | 'failed-settings' | 'dropped';

export type CircuitBreaker = {
  /** Whether `enter` would refuse now. */
  isOpen(): boolean;
  /** Whether it has opened and no call has succeeded since. */
  isFailing(): boolean;
  lastCalls(): LastCalls;
  /**
   * Lets a call through.
   * @throws AppError `llm.unavailable` `breaker-open`
   */
  enter(): (verdict: CallVerdict, fault?: DescribedFault) => void;
};

/** How calls went that told something about the model. */
export type LastCalls = {
  readonly answeredMsAgo: number | undefined;
  /** `fault`: why, in words for the operator. */
  readonly failed: { readonly fault: string; readonly msAgo: number } | undefined;
};

/** Five failures within 30 s close the way to a model for 15 s; then one call at a time tries it. */
export function createCircuitBreaker(clock: Clock): CircuitBreaker {
  let failedAt: number[] = [];
  let openUntil: number | undefined;
  let isTrying = false;
  let answeredAt: number | undefined;
  let failed: { readonly fault: string; readonly at: number } | undefined;

  const isOpen = () => openUntil !== undefined && (isTrying || clock.now() < openUntil);

  function settle(verdict: CallVerdict, isProbe: boolean): void {
    if (isProbe) isTrying = false;
    if (verdict === 'dropped') return;
    if (verdict === 'succeeded') {
      if (!isProbe) return;
      openUntil = undefined;
      failedAt = [];
      return;
    }
    const now = clock.now();
    failedAt = [...failedAt.filter((at) => at > now - WINDOW_MS), now];
    if (!isProbe && failedAt.length < FAILURES) return;
    openUntil = now + (verdict === 'failed' ? OPEN_MS : OPEN_OF_WRONG_SETTINGS_MS);
  }

  function note(verdict: CallVerdict, fault: DescribedFault | undefined): void {
    if (verdict === 'succeeded') answeredAt = clock.now();
    else if (verdict !== 'dropped' && fault !== undefined) failed = { fault: faultInWords(fault), at: clock.now() };
  }

  return {
    isOpen,
    isFailing: () => openUntil !== undefined,
    lastCalls: () => ({
      answeredMsAgo: answeredAt === undefined ? undefined : clock.now() - answeredAt,
      failed: failed && { fault: failed.fault, msAgo: clock.now() - failed.at },
    }),
    enter() {
      if (isOpen()) throw modelUnavailable('breaker-open');
      const isProbe = openUntil !== undefined;
      if (isProbe) isTrying = true;
      return (verdict, fault) => {
        note(verdict, fault);
        settle(verdict, isProbe);
      };
    },
  };
}

const WRONG_SETTINGS_STATUSES: ReadonlySet<number> = new Set([401, 403, 404]);
const SETTINGS_FAULTS: ReadonlySet<ModelFault> = new Set(['settings', 'host-not-allowed']);
/** What the request was at fault for, or a slow reader, or the short time of a rewriting: nothing about the model. */
const REQUEST_STATUSES: ReadonlySet<number> = new Set([400, 413, 422]);
const REQUEST_FAULTS: ReadonlySet<ModelFault> = new Set(['context-too-long', 'too-large', 'empty', 'timeout']);

/** What a fault tells the circuit breaker about the model. */
export function verdictOfFault(fault: DescribedFault): Exclude<CallVerdict, 'succeeded'> {
  if (isOfSettings(fault)) return 'failed-settings';
  return isOfRequest(fault) ? 'dropped' : 'failed';
}

/** Whether the request was at fault: another one may do better at once. */
function isOfRequest({ reason, status = 0 }: DescribedFault): boolean {
  return REQUEST_FAULTS.has(reason) || (reason === 'http-status' && REQUEST_STATUSES.has(status));
}

/** Whether key, name, address or form of our requests are wrong: for the operator to mend. */
export function isRefusedByModel(fault: DescribedFault): boolean {
  return isOfSettings(fault) || (fault.reason === 'http-status' && fault.status === 400);
}

function isOfSettings({ reason, status = 0 }: DescribedFault): boolean {
  return SETTINGS_FAULTS.has(reason) || (reason === 'http-status' && WRONG_SETTINGS_STATUSES.has(status));
}

export type WatchedModel = {
  readonly kind: 'language' | 'embedding';
  readonly name: string;
  readonly breaker: CircuitBreaker;
  /** The shortest call that the model can be asked for, without a queue and a second attempt. */
  readonly ask: (signal: AbortSignal) => Promise<unknown>;
};

export type ModelProbes = AsyncDisposable & {
  watch(model: WatchedModel): void;
  /** All that are watched. */
  states(): readonly ModelState[];
};

export type ModelState = Pick<WatchedModel, 'kind' | 'name'> &
  LastCalls & {
    /** It failed too often and has not answered since. */
    readonly isFailing: boolean;
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
    states: () =>
      models.map(({ kind, name, breaker }) => ({
        kind,
        name,
        isFailing: breaker.isFailing(),
        ...breaker.lastCalls(),
      })),
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
    const fault = modelFaultOf(toAppError(error)) ?? { reason: 'unknown' };
    const verdict = verdictOfFault(fault);
    // Whoever finds fault with the request is there.
    settle(verdict === 'dropped' ? 'succeeded' : verdict, fault);
  }
}

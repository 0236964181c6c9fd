import { modelUnavailable } from './model-fault.ts';

export type ModelTimeouts = {
  /** Until the first text, all attempts included. */
  readonly startMs: number;
  /** Between two texts, while somebody waits for the next. */
  readonly stallMs: number;
  readonly totalMs: number;
};

/** Timers of one call. Disposing clears them all. */
export type ModelDeadlines = Disposable & {
  /** Aborted by the caller's signal or a timer; of a timer the reason is its `llm.unavailable`. */
  readonly signal: AbortSignal;
  /** Something came. */
  arrived(): void;
  /** The next is awaited. */
  awaited(): void;
};

/** Starts the timers of a call. */
export function startDeadlines({ startMs, stallMs, totalMs }: ModelTimeouts, signal: AbortSignal): ModelDeadlines {
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

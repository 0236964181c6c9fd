import { createSemaphore } from '../core/semaphore.ts';
import { modelUnavailable } from './model-fault.ts';

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

import { modelUnavailable } from './model-fault.ts';

/** An answer that waits longer is better written without a model. */
const MAX_WAIT_MS = 3_000;

export type ModelQueue = {
  /**
   * Resolves with a place, which the caller disposes of; first come, first served.
   * @throws AppError `llm.unavailable` `queue-full` or, after 3 s, `queue-timeout`; the signal's reason
   */
  enter(signal: AbortSignal): Promise<Disposable>;
  readonly waiting: number;
};

type Waiter = { readonly admit: () => void };

/** `concurrency` calls at once over all models of a process, and as many waiting as there are `places`. */
export function createModelQueue({ concurrency, slots }: { concurrency: number; slots: number }): ModelQueue {
  const waiters: Waiter[] = [];
  let running = 0;

  function leave(): void {
    const next = waiters.shift();
    if (next === undefined) running--;
    else next.admit();
  }

  async function wait(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter: Waiter = { admit: resolve };
    const giveUp = (error: unknown) => {
      const at = waiters.indexOf(waiter);
      if (at === -1) return;
      waiters.splice(at, 1);
      reject(error);
    };
    const onAbort = () => giveUp(signal.reason);
    const timer = setTimeout(() => giveUp(modelUnavailable('queue-timeout')), MAX_WAIT_MS);
    signal.addEventListener('abort', onAbort, { once: true });
    waiters.push(waiter);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    }
  }

  return {
    async enter(signal) {
      signal.throwIfAborted();
      if (running < concurrency) running++;
      else if (waiters.length >= slots) throw modelUnavailable('queue-full');
      else await wait(signal);
      return onceDisposable(leave);
    },
    get waiting() {
      return waiters.length;
    },
  };
}

function onceDisposable(dispose: () => void): Disposable {
  let isDone = false;
  return {
    [Symbol.dispose]() {
      if (!isDone) dispose();
      isDone = true;
    },
  };
}

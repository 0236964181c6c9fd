import { AppError } from './errors.ts';

/** The promise, or a rejection with the signal's reason as soon as it is aborted; the work itself goes on. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Permits for work that may have to wait. Keys take turns, and within a key who came first goes first. */
export type Semaphore = {
  /**
   * Resolves when the work may begin; the first disposal of the permit lets the next one in. Rejects at once with the
   * reason of an aborted signal, also while it waits.
   *
   * @param key for whom the work is: an engine. Work without one is of one key
   * @throws AppError `rate.exceeded`, or the error that the options name, when too many others of the key wait
   */
  acquire(signal: AbortSignal, key?: number): Promise<Disposable>;
  /** To be called when `mayBegin` may have changed its mind. */
  admit(): void;
  /** Of all keys. O(keys). */
  readonly waiting: number;
};

export type SemaphoreOptions = {
  /** Of one key; 2,000 unless told. Who asks is limited elsewhere: this only bounds memory. */
  readonly maxWaiting?: number;
  /** For who finds no room to wait. */
  readonly refusal?: () => Error;
};

const MAX_WAITING = 2_000;
const NO_KEY = 0;

/** `permits` at once, or as many as it says: whether one more may begin beside as many as have begun and not ended. */
export function createSemaphore(
  permits: number | ((running: number) => boolean),
  { maxWaiting = MAX_WAITING, refusal = () => tooManyWait(maxWaiting) }: SemaphoreOptions = {},
): Semaphore {
  const mayBegin = typeof permits === 'number' ? (running: number) => running < permits : permits;
  const queues = new Map<number, Set<() => void>>();
  let running = 0;

  const admit = () => {
    while (mayBegin(running)) {
      const [next] = queues;
      if (next === undefined) return;
      const [key, queue] = next;
      const [begin] = queue;
      queues.delete(key);
      if (begin === undefined) continue;
      queue.delete(begin);
      if (queue.size > 0) queues.set(key, queue);
      running++;
      begin();
    }
  };

  const permit = (): Disposable => {
    let isReleased = false;
    return {
      [Symbol.dispose]() {
        if (isReleased) return;
        isReleased = true;
        running--;
        admit();
      },
    };
  };

  return {
    admit,
    get waiting() {
      return queues.values().reduce((sum, queue) => sum + queue.size, 0);
    },
    async acquire(signal, key = NO_KEY) {
      signal.throwIfAborted();
      const queue = queues.get(key) ?? new Set();
      if (queue.size >= maxWaiting && !(queues.size === 0 && mayBegin(running))) throw refusal();
      const { promise, resolve, reject } = Promise.withResolvers<Disposable>();
      const abort = () => {
        queue.delete(begin);
        reject(signal.reason);
      };
      const begin = () => {
        signal.removeEventListener('abort', abort);
        resolve(permit());
      };
      signal.addEventListener('abort', abort, { once: true });
      queue.add(begin);
      queues.set(key, queue);
      admit();
      return promise;
    },
  };
}

function tooManyWait(atOnce: number): AppError {
  return new AppError('rate.exceeded', 'Too many questions are waiting on this engine', {
    retryAfterSeconds: 1,
    atOnce,
  });
}

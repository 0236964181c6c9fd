import { AppError } from './errors.ts';

/** Turns of work that may wait. Engines take turns, and within an engine who came first goes first. */
export type FairSemaphore = {
  /**
   * Resolves when the work may begin; disposing the turn lets the next one in. Rejects at once with the reason of an
   * aborted signal.
   *
   * @throws AppError `rate.exceeded` when `MAX_WAITING` others of the engine wait
   */
  take(engineId: number, signal: AbortSignal): Promise<Disposable>;
  /** To be called when `mayBegin` may have changed its mind. */
  admit(): void;
};

/** Of one engine. Who asks is limited elsewhere; this only bounds memory. */
const MAX_WAITING = 2_000;

/** `mayBegin` says whether one more may, beside as many as have begun and not ended. */
export function createFairSemaphore(mayBegin: (running: number) => boolean): FairSemaphore {
  const waiting = new Map<number, Set<() => void>>();
  let running = 0;

  const admit = () => {
    while (mayBegin(running)) {
      const [next] = waiting;
      if (next === undefined) return;
      const [engineId, queue] = next;
      const [begin] = queue;
      waiting.delete(engineId);
      if (begin === undefined) continue;
      queue.delete(begin);
      if (queue.size > 0) waiting.set(engineId, queue);
      running++;
      begin();
    }
  };

  const permit = (): Disposable => ({
    [Symbol.dispose]() {
      running--;
      admit();
    },
  });

  return {
    admit,
    async take(engineId, signal) {
      signal.throwIfAborted();
      const queue = waiting.get(engineId) ?? new Set();
      if (queue.size >= MAX_WAITING) {
        const message = 'Too many questions are waiting on this engine';
        throw new AppError('rate.exceeded', message, { retryAfterSeconds: 1, atOnce: MAX_WAITING });
      }
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
      waiting.set(engineId, queue);
      admit();
      return promise;
    },
  };
}

import { AppError } from '../../core/errors.ts';

/**
 * Turns of searches that may wait. While other searches keep the threads busy, one of them runs at a time; else as many
 * as there are threads. Engines take turns, and within an engine who came first goes first.
 */
export type PatientTurns = {
  /**
   * Resolves when the search may begin; disposing the turn lets the next one in. Rejects at once with the reason of an
   * aborted signal.
   *
   * @throws AppError `rate.exceeded` when `MAX_WAITING` others of the engine wait
   */
  take(engineId: number, signal: AbortSignal): Promise<Disposable>;
  /** To be called when other work on the threads has ended. */
  admit(): void;
};

/** Of one engine. Who asks is limited elsewhere; this only bounds memory. */
const MAX_WAITING = 2_000;

export function createPatientTurns(options: { readonly atOnce: number; readonly isBusy: () => boolean }): PatientTurns {
  const { atOnce, isBusy } = options;
  const waiting = new Map<number, Set<() => void>>();
  let running = 0;

  const admit = () => {
    while (running === 0 || (running < atOnce && !isBusy())) {
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

  const turn = (): Disposable => ({
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
        throw new AppError('rate.exceeded', 'Too many questions are waiting on this engine', { retryAfterSeconds: 1 });
      }
      const { promise, resolve, reject } = Promise.withResolvers<Disposable>();
      const abort = () => {
        queue.delete(begin);
        reject(signal.reason);
      };
      const begin = () => {
        signal.removeEventListener('abort', abort);
        resolve(turn());
      };
      signal.addEventListener('abort', abort, { once: true });
      queue.add(begin);
      waiting.set(engineId, queue);
      admit();
      return promise;
    },
  };
}

export type PageLoopInput<T> = {
  /** Waits until there is a visit to make; undefined ends the loop. Settles soon after the signal. */
  readonly next: () => Promise<T | undefined>;
  /** Makes a visit and records its result before it resolves. */
  readonly visit: (item: T) => Promise<void>;
  readonly concurrency: number;
  readonly signal: AbortSignal;
};

/**
 * Port: the loop of a slice. Promises:
 * - every item that `next` gives is visited exactly once;
 * - at most `concurrency` visits run at once, and as many as there are items for;
 * - `next` is asked by one caller at a time, and only when a visit could start;
 * - it resolves when `next` has answered undefined and the last visit has ended;
 * - after the signal `next` is not asked again, and it resolves when the visits under way have ended;
 * - when `next` or `visit` rejects, it asks for nothing more, lets the visits under way end, and rejects with that error.
 */
export type RunPageLoop = <T>(input: PageLoopInput<T>) => Promise<void>;

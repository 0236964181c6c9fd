export type VisitLoop<T> = {
  /** Waits until there is a visit to make; undefined ends the loop. Settles soon after the signal. */
  readonly next: () => Promise<T | undefined>;
  /** Makes a visit and records its result before it resolves. */
  readonly visit: (item: T) => Promise<void>;
  readonly concurrency: number;
  readonly signal: AbortSignal;
};

/**
 * The loop of a slice. Promises:
 * - every item that `next` gives is visited exactly once;
 * - at most `concurrency` visits run at once, and as many as there are items for;
 * - `next` is asked by one caller at a time, and only when a visit could start;
 * - it resolves when `next` has answered undefined and the last visit has ended;
 * - after the signal `next` is not asked again, and it resolves when the visits under way have ended;
 * - when `next` or `visit` rejects, it asks for nothing more, lets the visits under way end, and rejects with that error.
 */
export async function runVisits<T>({ next, visit, concurrency, signal }: VisitLoop<T>): Promise<void> {
  let underWay = 0;
  let failure: { readonly error: unknown } | undefined;
  let visitEnded = Promise.withResolvers<void>();
  const begin = async (item: T) => {
    underWay++;
    try {
      await visit(item);
    } catch (error) {
      failure ??= { error };
    }
    underWay--;
    visitEnded.resolve();
  };
  const untilAtMost = async (count: number) => {
    while (underWay > count) {
      visitEnded = Promise.withResolvers();
      await visitEnded.promise;
    }
  };
  const beginAll = async () => {
    for (;;) {
      await untilAtMost(concurrency - 1);
      if (signal.aborted || failure !== undefined) return;
      const item = await next();
      if (item === undefined) return;
      void begin(item);
    }
  };
  try {
    await beginAll();
  } catch (error) {
    failure ??= { error };
  }
  await untilAtMost(0);
  if (failure !== undefined) throw failure.error;
}

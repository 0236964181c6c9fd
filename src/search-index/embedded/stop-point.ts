let ask: () => void = () => undefined;

/**
 * To be called after every millisecond of work at most, and only where scratch memory is as the next search expects it:
 * throws when the search that runs on this thread is to end. About 10 ns.
 */
export function checkStop(): void {
  ask();
}

/** Runs work on this thread, which does one thing at a time, and asks `check` at its stop points. */
export function stoppable<T>(check: () => void, work: () => T): T {
  const before = ask;
  ask = check;
  try {
    return work();
  } finally {
    ask = before;
  }
}

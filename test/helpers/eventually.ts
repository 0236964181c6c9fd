const PAUSE_MS = 10;

/**
 * Asks `probe` until it gives a value other than undefined or false; rejects after `withinMs` with the last error.
 * Instead of sleeping.
 */
export async function eventually<T>(
  probe: () => T | undefined | false | Promise<T | undefined | false>,
  withinMs = 10_000,
): Promise<T> {
  const endAt = Date.now() + withinMs;
  let last: unknown = new Error('the condition never held');
  for (;;) {
    try {
      const value = await probe();
      if (value !== undefined && value !== false) return value;
    } catch (error) {
      last = error;
    }
    if (Date.now() >= endAt) throw new Error(`not within ${withinMs} ms`, { cause: last });
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

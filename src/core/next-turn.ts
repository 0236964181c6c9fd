const waiting: (() => void)[] = [];

/**
 * Resolves in a later turn of the event loop, one caller per turn: work in slices that many do at the same time holds
 * the loop for one slice, not for one of each.
 */
export function nextTurn(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  waiting.push(resolve);
  if (waiting.length === 1) setImmediate(admit);
  return promise;
}

/** An immediate that is asked for within an immediate comes in the turn after. */
function admit(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(admit);
}

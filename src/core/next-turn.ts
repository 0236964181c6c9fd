type Resolve = () => void;

const waiting: Resolve[] = [];
const patient: Resolve[] = [];
let isAsked = false;

/**
 * Resolves in a later turn of the event loop, one caller per turn: work in slices that many do at the same time holds
 * the loop for one slice, not for one of each.
 */
export function nextTurn(): Promise<void> {
  return turnFrom(waiting);
}

/** The same behind all who ask for the next turn: for slices of work that lasts longer than that of others. */
export function laterTurn(): Promise<void> {
  return turnFrom(patient);
}

function turnFrom(queue: Resolve[]): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  queue.push(resolve);
  if (!isAsked) setImmediate(admit);
  isAsked = true;
  return promise;
}

/** An immediate that is asked for within an immediate comes in the turn after. */
function admit(): void {
  const next = waiting.shift() ?? patient.shift();
  isAsked = waiting.length + patient.length > 0;
  if (isAsked) setImmediate(admit);
  next?.();
}

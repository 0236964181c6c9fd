/** Wall time in epoch milliseconds. The one source of time of services and rules, so that tests can set it. */
export type Clock = { now(): number };

export const systemClock: Clock = { now: () => Date.now() };

/**
 * Epoch milliseconds as they were at the start of the process, and time that only grows from there: for what one
 * process keeps in memory for a while. Setting the clock of the machine does not touch it.
 */
export const steadyClock: Clock = { now: () => Math.floor(performance.timeOrigin + performance.now()) };

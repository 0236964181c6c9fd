/** Wall time in epoch milliseconds. The one source of time of services and rules, so that tests can set it. */
export type Clock = { now(): number };

export const systemClock: Clock = { now: () => Date.now() };

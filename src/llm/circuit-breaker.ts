import type { Clock } from '../core/clock.ts';
import { modelUnavailable } from './model-fault.ts';

const FAILURES = 5;
const WINDOW_MS = 30_000;
const OPEN_MS = 15_000;
/** Of a wrong key, name or address: time does not heal it. */
const OPEN_OF_WRONG_SETTINGS_MS = 60_000;

/** How a call went that was let through; told once. A call that tells nothing about the model is `dropped`. */
export type CallVerdict = 'succeeded' | 'failed' | 'failed-settings' | 'dropped';

export type CircuitBreaker = {
  /** Whether `enter` would refuse now. */
  isOpen(): boolean;
  /** Whether it has opened and no call has succeeded since. */
  isFailing(): boolean;
  /**
   * Lets a call through.
   * @throws AppError `llm.unavailable` `breaker-open`
   */
  enter(): (verdict: CallVerdict) => void;
};

/** Five failures within 30 s close the way to a model for 15 s; then one call at a time tries it. */
export function createCircuitBreaker(clock: Clock): CircuitBreaker {
  let failedAt: number[] = [];
  let openUntil: number | undefined;
  let isTrying = false;

  const isOpen = () => openUntil !== undefined && (isTrying || clock.now() < openUntil);

  function settle(verdict: CallVerdict, isProbe: boolean): void {
    if (isProbe) isTrying = false;
    if (verdict === 'dropped') return;
    if (verdict === 'succeeded') {
      if (!isProbe) return;
      openUntil = undefined;
      failedAt = [];
      return;
    }
    const now = clock.now();
    failedAt = [...failedAt.filter((at) => at > now - WINDOW_MS), now];
    if (!isProbe && failedAt.length < FAILURES) return;
    openUntil = now + (verdict === 'failed' ? OPEN_MS : OPEN_OF_WRONG_SETTINGS_MS);
  }

  return {
    isOpen,
    isFailing: () => openUntil !== undefined,
    enter() {
      if (isOpen()) throw modelUnavailable('breaker-open');
      const isProbe = openUntil !== undefined;
      if (isProbe) isTrying = true;
      return (verdict) => settle(verdict, isProbe);
    },
  };
}

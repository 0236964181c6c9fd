import type { ObservedPace } from '../../storage/engine/hosts.ts';
import type { SlotRequest } from '../host-slots.ts';
import { type CrawlRules, isOwnAddress } from './crawl-rules.ts';

/** Longest `Crawl-delay` that is obeyed (reliability: limits). */
const MAX_CRAWL_DELAY_SECONDS = 60;
/** An operator's own private server is asked as fast as it answers. */
const OWN_PACE_SPACING_MS = 0;

export type HostPace = Pick<SlotRequest, 'floor' | 'seed' | 'observes'>;

export type PacedHost = {
  readonly origin: string;
  readonly crawlDelaySeconds: number | undefined;
  /** What the host bore when it was asked last. */
  readonly observedPace: ObservedPace | undefined;
};

/**
 * How fast a host may be asked (crawling 12): spacing = max(learned, `delayMs` when fixed, 1000 / `ratePerSecond`,
 * Crawl-delay); one slot with a Crawl-delay. `delayMs` is the start when adaptive and nothing was learned.
 */
export function hostPace(
  rules: Pick<CrawlRules, 'settings' | 'allow'>,
  host: PacedHost,
  defaultDelayMs: number,
): HostPace {
  const { pace, delayMs: setDelayMs, slots, ratePerSecond, crawlDelay } = rules.settings.politeness;
  const crawlDelaySeconds = crawlDelay === 'obey' ? (host.crawlDelaySeconds ?? 0) : 0;
  const crawlDelayMs = Math.min(crawlDelaySeconds, MAX_CRAWL_DELAY_SECONDS) * 1_000;
  const isOwn = setDelayMs === undefined && crawlDelayMs === 0 && isOwnAddress(host.origin, rules.allow);
  if (isOwn) {
    return unlearned({ slots, spacingMs: OWN_PACE_SPACING_MS });
  }
  const delayMs = setDelayMs ?? defaultDelayMs;
  const spacingMs = Math.max(1_000 / ratePerSecond, crawlDelayMs, pace === 'fixed' ? delayMs : 0);
  const most = crawlDelayMs > 0 ? 1 : slots;
  const floor = { slots: most, spacingMs };
  if (pace === 'fixed') return unlearned(floor);
  const { observedPace = { slots: 1, spacingMs: delayMs, firstByteMs: undefined } } = host;
  const seed = {
    slots: Math.min(observedPace.slots, most),
    spacingMs: Math.max(observedPace.spacingMs, spacingMs),
    firstByteMs: observedPace.firstByteMs,
  };
  return { floor, seed, observes: true };
}

/** A pace that is kept from the first fetch on. */
export function unlearned(floor: HostPace['floor']): HostPace {
  return { floor, seed: { ...floor, firstByteMs: undefined }, observes: false };
}

/** One fetch at a time, until it is known that the host is well again. */
export function probePace({ floor, seed, observes }: HostPace): HostPace {
  return { floor: { ...floor, slots: 1 }, seed: { ...seed, slots: 1 }, observes };
}

/** Lanes of a stage at most, and fetches at once that one lane keeps under way (crawling 11). */
const MOST_LANES = 4;
const FETCHES_PER_LANE = 8;

/** How many lanes the work of a crawler is worth, by the slots that its hosts with due rows bear. */
export function lanesFor(slotsOfHosts: readonly number[]): number {
  const slots = slotsOfHosts.reduce((sum, each) => sum + each, 0);
  return Math.min(MOST_LANES, Math.max(1, Math.ceil(slots / FETCHES_PER_LANE)));
}

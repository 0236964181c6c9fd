import type { Pace } from '../host-slots.ts';
import { type CrawlRules, isOwnAddress } from './crawl-rules.ts';

/** Longest `Crawl-delay` that is obeyed (reliability: limits). */
const MAX_CRAWL_DELAY_SECONDS = 60;
/** An operator's own private server is asked as fast as it answers. */
const OWN_PACE_SPACING_MS = 0;

export type HostPace = { readonly floor: Pace; readonly seed: Pace };

/**
 * How fast a host may be asked (crawling 12): spacing = max(learned, `delayMs` when fixed, 1000 / `ratePerSecond`,
 * Crawl-delay); one slot with a Crawl-delay. `delayMs` is the start when adaptive.
 */
export function hostPace(
  rules: Pick<CrawlRules, 'settings' | 'allow'>,
  host: { readonly origin: string; readonly crawlDelaySeconds: number | undefined },
  defaultDelayMs: number,
): HostPace {
  const { pace, delayMs: setDelayMs, slots, ratePerSecond, crawlDelay } = rules.settings.politeness;
  const asked = crawlDelay === 'obey' ? (host.crawlDelaySeconds ?? 0) : 0;
  const crawlDelayMs = Math.min(asked, MAX_CRAWL_DELAY_SECONDS) * 1_000;
  const isOwn = setDelayMs === undefined && crawlDelayMs === 0 && isOwnAddress(host.origin, rules.allow);
  if (isOwn) {
    const fastest = { slots, spacingMs: OWN_PACE_SPACING_MS };
    return { floor: fastest, seed: fastest };
  }
  const delayMs = setDelayMs ?? defaultDelayMs;
  const spacingMs = Math.max(1_000 / ratePerSecond, crawlDelayMs, pace === 'fixed' ? delayMs : 0);
  const most = crawlDelayMs > 0 ? 1 : slots;
  if (pace === 'fixed') {
    const fixed = { slots: most, spacingMs };
    return { floor: fixed, seed: fixed };
  }
  return { floor: { slots: most, spacingMs }, seed: { slots: 1, spacingMs: Math.max(spacingMs, delayMs) } };
}

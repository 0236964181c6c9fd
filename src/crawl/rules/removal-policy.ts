import type { UrlState } from '../../core/crawl-words.ts';

const HOUR = 3_600_000;
/** Pause before the next second look when the host was not healthy or the time has not come. */
const LOOK_AGAIN_MS = HOUR / 2;
const DAY = 24 * HOUR;
/** When a removal that is held is looked at again. */
const HELD_AGAIN_MS = 6 * HOUR;
/** When a page that is gone is looked at again (crawling 17.1). */
const GONE_AGAIN_MS = [DAY, 7 * DAY, 30 * DAY] as const;

export type Sighting = {
  /** `missing`: 404 or 410 · `directive`: noindex, or an expired page. */
  readonly evidence: 'missing' | 'directive';
  /** 410 needs half of the wait. */
  readonly isGone: boolean;
  /** Queued through the API: its caller says what has become of the page. */
  readonly queued: boolean;
  readonly state: UrlState;
  /** Sightings in a row before this one, and the time of the first. */
  readonly misses: number;
  readonly missedAt: number | undefined;
  readonly now: number;
  readonly confirmAfterMs: number;
  readonly hostIsHealthy: boolean;
  /** More removals today are for the operator to decide. */
  readonly guardIsReached: boolean;
};

/** Removals of the last 24 h, and documents that are left. */
export type RemovalLoad = { readonly removed: number; readonly documents: number };

/** More than max(`guardMinimum`, `guardPercent`) of a crawler's documents in 24 h are held (reliability: removal). */
export function isGuardReached(
  { removed, documents }: RemovalLoad,
  { guardMinimum, guardPercent }: { readonly guardMinimum: number; readonly guardPercent: number },
): boolean {
  return removed >= Math.max(guardMinimum, Math.floor(((documents + removed) * guardPercent) / 100));
}

/** `remove`: the document leaves · `hold`: it stays, because too many have left today · `suspect`: it stays, and is looked at again at `nextAt` · `absent`: there was none. */
export type RemovalVerdict =
  | { readonly verdict: 'remove' | 'absent'; readonly nextAt: number; readonly misses: number }
  | {
      readonly verdict: 'suspect' | 'hold';
      readonly nextAt: number;
      readonly misses: number;
      readonly missedAt: number;
    };

/**
 * The one place that decides about a removal. Only 404, 410 and directives of the page itself are evidence: once for
 * a queued URL (contract 9), else twice, hours apart, with a healthy host. Everything else never removes.
 */
export function judgeRemoval(sighting: Sighting): RemovalVerdict {
  const { evidence, queued, state, misses, now } = sighting;
  const nextAt = now + (GONE_AGAIN_MS[Math.min(misses, GONE_AGAIN_MS.length - 1)] ?? DAY);
  if (queued) return { verdict: 'remove', nextAt, misses: misses + 1 };
  if (state !== 'live' && state !== 'suspected') return { verdict: 'absent', nextAt, misses: misses + 1 };
  const missedAt = state === 'suspected' ? (sighting.missedAt ?? now) : now;
  const waitMs = sighting.isGone ? sighting.confirmAfterMs / 2 : sighting.confirmAfterMs;
  const isSecond = state === 'suspected' && now - missedAt >= waitMs;
  if (isSecond && (evidence === 'directive' || sighting.hostIsHealthy)) {
    if (!sighting.guardIsReached) return { verdict: 'remove', nextAt, misses: misses + 1 };
    return { verdict: 'hold', nextAt: now + HELD_AGAIN_MS, misses: misses + 1, missedAt };
  }
  const lookAt = Math.max(missedAt + waitMs, isSecond ? now + LOOK_AGAIN_MS : now);
  return { verdict: 'suspect', nextAt: lookAt, misses: misses + 1, missedAt };
}

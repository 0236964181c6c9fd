import type { Reason, RemovalClass, UrlState } from '../../core/crawl-words.ts';
import type { HeldRemoval } from '../../storage/engine/removals.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Pause before the next recheck when the host was not healthy or the time has not come. */
const RECHECK_MS = HOUR / 2;
/** When a removal that is held is looked at again. */
export const HELD_AGAIN_MS = 6 * HOUR;
/** How long signals that its host speaks against is looked at before an operator decides. */
const UNSURE_MS = DAY;
/** When a page that is gone is looked at again (crawling 17.1). */
const GONE_AGAIN_MS = [DAY, 7 * DAY, 30 * DAY] as const;
/** Observations of soft signals, each in another run, before its removal is put before the operator. */
const SOFT_SIGHTINGS = 3;
/** Full runs of a healthy host that approve a held removal by themselves, where the settings allow it. */
const AUTO_APPROVE_RUNS = 3;
/** The guard counts the removals of a day. */
export const GUARD_WINDOW_MS = DAY;

/** What a page itself shows; `moved` and `operator` removals have signals of another kind. */
export type RemovalSignal = Extract<RemovalClass, 'hard' | 'directive' | 'soft'>;

export type AbsenceObservation = {
  readonly signal: RemovalSignal;
  /** 410 needs half of the wait. */
  readonly isGone: boolean;
  /** Queued through the API: its caller says what has become of the page. */
  readonly queued: boolean;
  readonly state: UrlState;
  readonly hasDocument: boolean;
  /** Observations of the same signals in a row before this one, the time of the first, and when the next was due. */
  readonly misses: number;
  readonly missedAt: number | undefined;
  readonly nextAt: number | undefined;
  readonly now: number;
  readonly hostIsHealthy: boolean;
  /** The removal waits for an operator already. */
  readonly held: HeldRemoval | undefined;
  readonly runIsFull: boolean;
  readonly confirmAfterMs: number;
  readonly autoApproveDays: number;
};

/** Removals of the last 24 h without an operator, and documents that are left. */
export type RemovalLoad = { readonly removed: number; readonly documents: number };

/** Removals that a crawler may have in 24 h: max(`guardMinimum`, `guardPercent`) of its documents (reliability 11). */
export function allowedRemovals(
  { removed, documents }: RemovalLoad,
  { guardMinimum, guardPercent }: { readonly guardMinimum: number; readonly guardPercent: number },
): number {
  return Math.max(guardMinimum, Math.floor(((documents + removed) * guardPercent) / 100));
}

/**
 * `remove`: the document leaves, if the guard allows it · `approved`: it leaves · `hold`: it stays until an operator
 * decides · `suspect`: it stays, and is looked at again at `nextAt` · `absent`: there was none.
 */
export type RemovalVerdict = {
  readonly verdict: 'remove' | 'approved' | 'hold' | 'suspect' | 'absent';
  readonly nextAt: number;
  readonly misses: number;
  readonly missedAt: number | undefined;
};

/**
 * The one place that decides about a removal by what a page shows. 404, 410: once for a queued URL (contract 9), else
 * twice, hours apart, of a healthy host. A directive of the page: twice, hours apart. What a host that is not believed
 * has shown for a day is put before the operator: the site may be closed. Soft signals: three times in
 * three runs, and then an operator decides. Everything else never removes.
 */
export function judgeRemoval(observation: AbsenceObservation): RemovalVerdict {
  const { signal, queued, hasDocument, held } = observation;
  if (queued && signal === 'hard') return gone(observation, 'remove');
  if (!hasDocument) return gone(observation, 'absent');
  if (held !== undefined) return judgeHeld(observation, held);
  return signal === 'soft' ? judgeSoft(observation) : judgeRecheck(observation);
}

/** Looks since the page is gone decide when the next one comes. */
function gone({ state, misses, now }: AbsenceObservation, verdict: 'remove' | 'approved' | 'absent'): RemovalVerdict {
  const looks = state === 'gone' && verdict === 'absent' ? misses + 1 : 1;
  const pauseMs = GONE_AGAIN_MS[Math.min(looks, GONE_AGAIN_MS.length) - 1] ?? DAY;
  return { verdict, nextAt: now + pauseMs, misses: looks, missedAt: undefined };
}

function judgeRecheck(observation: AbsenceObservation): RemovalVerdict {
  const { misses, now, isGone, confirmAfterMs, hostIsHealthy } = observation;
  const missedAt = misses === 0 ? now : (observation.missedAt ?? now);
  const waitMs = isGone ? confirmAfterMs / 2 : confirmAfterMs;
  const isSecond = misses > 0 && now - missedAt >= waitMs;
  if (isSecond && hostIsHealthy) return gone(observation, 'remove');
  if (isSecond && now - missedAt >= UNSURE_MS) {
    return { verdict: 'hold', nextAt: now + HELD_AGAIN_MS, misses: misses + 1, missedAt };
  }
  const lookAt = Math.max(missedAt + waitMs, isSecond ? now + RECHECK_MS : now);
  return { verdict: 'suspect', nextAt: lookAt, misses: misses + 1, missedAt };
}

/** A look before its time is none of a new run. */
function judgeSoft({ misses, missedAt, nextAt, now, confirmAfterMs }: AbsenceObservation): RemovalVerdict {
  if (misses > 0 && now < (nextAt ?? now)) return { verdict: 'suspect', nextAt: nextAt ?? now, misses, missedAt };
  const seen = { misses: misses + 1, missedAt: misses === 0 ? now : missedAt };
  if (seen.misses >= SOFT_SIGHTINGS) return { verdict: 'hold', nextAt: now + HELD_AGAIN_MS, ...seen };
  return { verdict: 'suspect', nextAt: now + confirmAfterMs, ...seen };
}

function judgeHeld(observation: AbsenceObservation, held: HeldRemoval): RemovalVerdict {
  const { signal, now, autoApproveDays, misses, missedAt } = observation;
  const mayApprove =
    autoApproveDays > 0 && signal === 'hard' && held.class === 'hard' && countsForApproval(observation);
  const isOld = now - held.heldAt >= autoApproveDays * DAY;
  if (mayApprove && isOld && held.sightings + 1 >= AUTO_APPROVE_RUNS) return gone(observation, 'approved');
  return { verdict: 'hold', nextAt: now + HELD_AGAIN_MS, misses: misses + 1, missedAt };
}

/** Only full runs of a healthy host speak for a held removal. */
export function countsForApproval({
  runIsFull,
  hostIsHealthy,
}: Pick<AbsenceObservation, 'runIsFull' | 'hostIsHealthy'>): boolean {
  return runIsFull && hostIsHealthy;
}

const SIGNAL_OF: Readonly<Partial<Record<Reason, RemovalSignal>>> = {
  'not-found': 'hard',
  gone: 'hard',
  noindex: 'directive',
  expired: 'directive',
  'canonical-elsewhere': 'directive',
  'soft-404': 'soft',
  redirect: 'soft',
  'type-changed': 'soft',
};

/** The signals that the reason of a suspected URL record tells of. */
export function signalOf(reason: Reason): RemovalSignal | undefined {
  return SIGNAL_OF[reason];
}

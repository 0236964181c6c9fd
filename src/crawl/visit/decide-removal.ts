import type { Reason, RemovalClass } from '../../core/crawl-words.ts';
import type { DocumentRemoval, UrlFacts } from '../../storage/frontier-store.ts';
import { areDirectivesBelieved, isHealthy } from '../rules/host-health.ts';
import {
  allowedRemovals,
  countsForApproval,
  GUARD_WINDOW_MS,
  HELD_AGAIN_MS,
  type RemovalSignal,
} from '../rules/removal-policy.ts';
import { logOf, type VisitFacts } from './decision.ts';

export type Leaving = {
  readonly class: RemovalClass;
  readonly cause: Reason;
  /** Undefined: this visit. */
  readonly firstAt?: number | undefined;
  /** An operator decides, however few have left today. */
  readonly mustBeHeld?: boolean;
};

/**
 * How the document of the visited URL leaves, as `Decision.document`: it is kept for an undo, and stays as held when
 * too many have left today. `record` and `log` of the decision are those of the removal.
 */
export function removalOf(facts: VisitFacts, leaving: Leaving): DocumentRemoval {
  const removal = unguardedRemovalOf(facts, leaving);
  if (leaving.class === 'operator') return removal;
  const { now, rules, removals, held } = facts;
  const isHeld = held !== undefined || leaving.class === 'soft' || leaving.mustBeHeld === true;
  const allowed = isHeld ? 0 : allowedRemovals(removals, rules.settings.removal);
  const counts = countsForApproval({
    runIsFull: facts.row.runKind === 'full',
    hostIsHealthy: hostIsHealthy(facts, 'hard'),
  });
  const instead = { record: heldRecord(facts), log: logOf(facts, 'suspected', 'removal-held', undefined) };
  return { ...removal, guard: { allowed, since: now - GUARD_WINDOW_MS, counts, instead } };
}

/** The same, however many have left today. */
export function unguardedRemovalOf({ row, now }: Pick<VisitFacts, 'row' | 'now'>, leaving: Leaving): DocumentRemoval {
  const { class: signal, cause, firstAt = now } = leaving;
  return { remove: row.url, class: signal, cause, firstAt, approved: signal === 'operator', guard: undefined };
}

/** May signals of this kind be believed of the host, as it answers today? */
export function hostIsHealthy({ host }: Pick<VisitFacts, 'host'>, signal: RemovalSignal): boolean {
  return signal === 'directive' ? areDirectivesBelieved(host.health) : isHealthy(host.health) && host.seedStands;
}

function heldRecord({ row, now, fetched }: VisitFacts): UrlFacts {
  const { record } = row;
  return {
    ...record,
    state: 'suspected',
    reason: 'removal-held',
    httpStatus: fetched?.status,
    misses: record.misses + 1,
    missedAt: record.missedAt ?? now,
    nextAt: now + HELD_AGAIN_MS,
  };
}

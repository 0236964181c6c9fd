import type { Reason } from '../../core/crawl-words.ts';
import type { DueRow } from '../../storage/engine/due-rows.ts';
import type { UrlFacts } from '../../storage/engine/urls.ts';
import type { HostAnswer } from '../../storage/engine/visits.ts';
import { judgeRemoval, type RemovalSignal, type RemovalVerdict, signalOf } from '../rules/removal-policy.ts';
import {
  type Decision,
  decision,
  hasDocument,
  hostIsHealthy,
  isQueued,
  logOf,
  removalOf,
  unguardedRemovalOf,
  type VisitFacts,
} from './decision.ts';

/** 404 or 410. */
export function missing(facts: VisitFacts, isGone: boolean): Decision {
  return leaving(facts, isGone ? 'gone' : 'not-found', 'hard');
}

/** The page is not there, not to be found, or looks so. */
export function leaving(facts: VisitFacts, reason: Reason, signal: RemovalSignal): Decision {
  const judged = judge(facts, reason, signal);
  const { misses, missedAt, nextAt, verdict } = judged;
  const { row, fetched } = facts;
  const leaves = verdict === 'remove' || verdict === 'approved' || verdict === 'absent';
  const state = !leaves ? 'suspected' : signal === 'directive' ? 'skipped' : 'gone';
  const told = verdict === 'hold' ? 'removal-held' : reason;
  const counted = { state, reason: told, misses, missedAt, nextAt } as const;
  const record = { ...row.record, ...counted, httpStatus: fetched?.status } satisfies UrlFacts;
  return decision({
    log: logOf(facts, OUTCOMES[verdict], told, undefined),
    answer: absenceAnswer(row, signal),
    record: !leaves ? record : { ...record, contentHash: undefined, bodyHash: undefined },
    document: documentOf(facts, { verdict, reason, signal }),
    readsLinks: signal === 'directive',
  });
}

const OUTCOMES = {
  remove: 'removed',
  approved: 'removed',
  suspect: 'suspected',
  hold: 'suspected',
  absent: 'skipped',
} as const;

function judge(facts: VisitFacts, reason: Reason, signal: RemovalSignal): RemovalVerdict {
  const { row, rules, now, held } = facts;
  const { state, misses, missedAt, nextAt } = row.record;
  const isSame = state === 'suspected' && (held !== undefined || signalOf(row.record.reason) === signal);
  const counts = isSame || state === 'gone' ? misses : 0;
  const { confirmAfterMs, autoApproveDays } = rules.settings.removal;
  return judgeRemoval({
    signal,
    isGone: reason === 'gone',
    queued: isQueued(row),
    state,
    hasDocument: hasDocument(row) || facts.document !== undefined,
    misses: counts,
    missedAt: isSame ? missedAt : undefined,
    nextAt,
    now,
    held,
    hostIsHealthy: hostIsHealthy(facts, signal),
    runIsFull: row.runKind === 'full',
    confirmAfterMs,
    autoApproveDays,
  });
}

function documentOf(
  facts: VisitFacts,
  { verdict, reason, signal }: { verdict: RemovalVerdict['verdict']; reason: Reason; signal: RemovalSignal },
): Decision['document'] {
  if (verdict === 'suspect' || verdict === 'absent') return undefined;
  const leaving = {
    class: signal,
    cause: reason,
    firstAt: facts.row.record.missedAt,
    mustBeHeld: verdict === 'hold',
  };
  if (verdict === 'approved') return { ...unguardedRemovalOf(facts, leaving), approved: true };
  return isQueued(facts.row) && signal === 'hard' ? unguardedRemovalOf(facts, leaving) : removalOf(facts, leaving);
}

const ABSENCE_ANSWERS: Readonly<Record<RemovalSignal, HostAnswer>> = {
  hard: 'missing',
  directive: 'directive',
  soft: 'soft',
};

/** A recheck says nothing new about the host: it would make many real removals look like an outage. */
function absenceAnswer({ record }: DueRow, signal: RemovalSignal): HostAnswer | undefined {
  return record.state === 'suspected' || record.state === 'gone' ? undefined : ABSENCE_ANSWERS[signal];
}

import type { Reason } from '../../core/crawl-words.ts';
import type { DueRow, HostAnswer, UrlFacts } from '../../storage/frontier-store.ts';
import { isHealthy } from '../rules/host-health.ts';
import { isGuardReached, judgeRemoval } from '../rules/removal-policy.ts';
import { type Decision, decision, isQueued, logOf, type VisitFacts } from './decision.ts';

/** 404 or 410. */
export function missing(facts: VisitFacts, isGone: boolean): Decision {
  return leaving(facts, isGone ? 'gone' : 'not-found', 'missing');
}

/** The page says itself that it is not there or not to be found. */
export function leaving(facts: VisitFacts, reason: Reason, evidence: 'missing' | 'directive'): Decision {
  const { row, rules, now, host } = facts;
  const judged = judgeRemoval({
    evidence,
    isGone: reason === 'gone',
    queued: evidence === 'missing' && isQueued(row),
    state: row.record.state,
    misses: row.record.state === 'live' ? 0 : row.record.misses,
    missedAt: row.record.missedAt,
    now,
    confirmAfterMs: rules.settings.removal.confirmAfterMs,
    hostIsHealthy: isHealthy(host.health),
    guardIsReached: isGuardReached(facts.removals, rules.settings.removal),
  });
  const { misses, nextAt, verdict } = judged;
  const httpStatus = facts.fetched?.status;
  const leaves = verdict === 'remove' || verdict === 'absent';
  const state = !leaves ? 'suspected' : evidence === 'missing' ? 'gone' : 'skipped';
  const told = verdict === 'hold' ? 'removal-held' : reason;
  const missedAt = 'missedAt' in judged ? judged.missedAt : undefined;
  const record = { ...row.record, state, reason: told, misses, missedAt, nextAt, httpStatus } satisfies UrlFacts;
  const outcomes = { remove: 'removed', suspect: 'suspected', hold: 'suspected', absent: 'skipped' } as const;
  return decision({
    log: logOf(facts, outcomes[verdict], told, undefined),
    answer: answerOf(row, evidence),
    record: !leaves ? record : { ...record, contentHash: undefined, bodyHash: undefined },
    document: verdict === 'remove' ? { remove: row.url } : undefined,
    readsLinks: evidence === 'directive',
  });
}

/** A second look says nothing new about the host: it would make many real removals look like an outage. */
function answerOf({ record }: DueRow, evidence: 'missing' | 'directive'): HostAnswer | undefined {
  if (evidence === 'directive') return 'good';
  return record.state === 'suspected' ? undefined : 'missing';
}

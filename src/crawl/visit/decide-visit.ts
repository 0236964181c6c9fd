import type { Outcome, Reason } from '../../core/crawl-words.ts';
import { missing } from './decide-absence.ts';
import { redirected } from './decide-alias.ts';
import { read, unchanged } from './decide-content.ts';
import { failed, failureOfStatus } from './decide-failure.ts';
import { guardedRedirect } from './decide-guarded.ts';
import { goesOn } from './decide-rendering.ts';
import { type Decision, isCut, logOf, type VisitFacts } from './decision.ts';

const DAY = 86_400_000;

/** One pure decision: status, extraction and history → what becomes of the URL. */
export function decideVisit(facts: VisitFacts): Decision {
  const decided = protectedOf(facts, decide(facts));
  return isWellAgain(facts, decided) ? { ...decided, released: facts.row.url } : decided;
}

/** What was pushed stays as it is where the settings say so. */
function protectedOf(facts: VisitFacts, decided: Decision): Decision {
  const { row, rules, document, now } = facts;
  const isProtected = rules.settings.removal.pushed === 'protect' && document?.origin === 'pushed';
  if (!isProtected || decided.next !== 'done' || decided.record === undefined) return decided;
  const intervalMs = decided.record.intervalMs ?? row.record.intervalMs;
  return {
    ...decided,
    log: logOf(facts, 'skipped', 'pushed-protected', undefined),
    record: { ...row.record, state: 'skipped', reason: 'pushed-protected', intervalMs, nextAt: now + DAY },
    document: undefined,
  };
}

/** A suspected page that is not suspected any more, and does not leave. */
function isWellAgain({ row }: VisitFacts, { record, document }: Decision): boolean {
  const leaves = document !== undefined && 'remove' in document;
  return row.record.state === 'suspected' && record !== undefined && record.state !== 'suspected' && !leaves;
}

function decide(facts: VisitFacts): Decision {
  const { failure, fetched, extraction, target } = facts;
  if (failure !== undefined) return failed(facts, failure.reason, failure.detail);
  const status = fetched?.status ?? 0;
  if (status === 304) return asBefore(facts, 'not-modified', 'not-modified');
  if (status === 404 || status === 410) return missing(facts, status === 410);
  const reason = failureOfStatus(status);
  if (reason !== undefined) return failed(facts, reason, undefined);
  if (target?.by === 'redirect') return guardedRedirect(facts, target) ?? redirected(facts, target);
  if (facts.sameBody) return asBefore(facts, 'unchanged', 'same-content');
  if (isCut(facts)) return failed(facts, 'truncated', undefined);
  if (extraction === undefined) return failed(facts, 'unsupported-type', undefined);
  return read(facts, extraction);
}

/** The bytes are as they were; what scripts make of them is looked at now and then. */
function asBefore(facts: VisitFacts, outcome: Outcome, reason: Reason): Decision {
  const { rendering } = facts;
  return rendering?.kind === 'needed' ? goesOn(facts, rendering) : unchanged(facts, outcome, reason);
}

/** A URL at whose visits processes died too often. */
export function decideCrashed(facts: VisitFacts): Decision {
  return failed(facts, 'crashed', undefined);
}

import { missing } from './decide-absence.ts';
import { redirected } from './decide-alias.ts';
import { read, unchanged } from './decide-content.ts';
import { failed, failureOfStatus } from './decide-failure.ts';
import type { Decision, VisitFacts } from './decision.ts';

/** One pure decision: status, extraction and history → what becomes of the URL. */
export function decideVisit(facts: VisitFacts): Decision {
  const decided = decide(facts);
  return isWellAgain(facts, decided) ? { ...decided, released: facts.row.url } : decided;
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
  if (status === 304) return unchanged(facts, 'not-modified', 'not-modified');
  if (status === 404 || status === 410) return missing(facts, status === 410);
  const reason = failureOfStatus(status);
  if (reason !== undefined) return failed(facts, reason, undefined);
  if (target?.by === 'redirect') return redirected(facts, target);
  if (facts.sameBody) return unchanged(facts, 'unchanged', 'same-content');
  if (extraction === undefined) return failed(facts, 'unsupported-type', undefined);
  return read(facts, extraction);
}

/** A URL at whose visits processes died too often. */
export function decideCrashed(facts: VisitFacts): Decision {
  return failed(facts, 'crashed', undefined);
}

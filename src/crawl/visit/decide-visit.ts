import type { Extraction } from '../../extract/extraction.ts';
import type { DueRow } from '../../storage/engine/due-rows.ts';
import type { RecordedVisit } from '../../storage/engine/visits.ts';
import { failed, failureOfStatus } from './decide-failure.ts';
import { guarded, guardedRedirect } from './decide-guarded.ts';
import {
  asBefore,
  directiveOf,
  namesAnother,
  pageDocument,
  readOnly,
  stored,
  UNREADABLE,
  unwritten,
  withoutBrowser,
} from './decide-read.ts';
import { leaving, missing } from './decide-removal.ts';
import { type Decision, hasDocument, isCut, logOf, redirected, type Target, type VisitFacts } from './decision.ts';

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

type Rule = {
  readonly name: string;
  /** Undefined: the next rule decides. */
  readonly decide: (facts: VisitFacts) => Decision | undefined;
};

/**
 * What becomes of a visit: the first rule that decides. Up to `unreadable` nothing was read, and what is stored stays;
 * from then on the page or file speaks for itself.
 */
export const VISIT_RULES: readonly Rule[] = [
  { name: 'failed', decide: (facts) => facts.failure && failed(facts, facts.failure.reason, facts.failure.detail) },
  { name: 'not-modified', decide: onStatus([304], (facts) => asBefore(facts, 'not-modified', 'not-modified')) },
  { name: 'missing', decide: onStatus([404, 410], (facts) => missing(facts, statusOf(facts) === 410)) },
  { name: 'bad-status', decide: badStatus },
  { name: 'guarded-redirect', decide: onRedirect(guardedRedirect) },
  { name: 'redirect', decide: onRedirect(redirected) },
  { name: 'same-body', decide: (facts) => (facts.sameBody ? asBefore(facts, 'unchanged', 'same-content') : undefined) },
  { name: 'cut-off', decide: (facts) => (isCut(facts) ? failed(facts, 'truncated', undefined) : undefined) },
  { name: 'unreadable', decide: unreadable },
  { name: 'browser', decide: (facts) => (directiveOf(facts) === undefined ? withoutBrowser(facts) : undefined) },
  { name: 'robot-wall', decide: onRead(robotWall) },
  { name: 'guarded', decide: onRead(guarded) },
  { name: 'directive', decide: byDirective },
  { name: 'follow-only', decide: followOnly },
  { name: 'names-another', decide: namesAnother },
  { name: 'without-text', decide: onRead(unwritten) },
  { name: 'stored', decide: onRead((facts, page) => stored(facts, page, pageDocument(page, facts.row.url))) },
];

function decide(facts: VisitFacts): Decision {
  for (const rule of VISIT_RULES) {
    const decided = rule.decide(facts);
    if (decided !== undefined) return decided;
  }
  throw new Error(`No rule decides about a visit of ${facts.row.url}`);
}

function statusOf({ fetched }: VisitFacts): number {
  return fetched?.status ?? 0;
}

function onStatus(statuses: readonly number[], rule: Rule['decide']): Rule['decide'] {
  return (facts) => (statuses.includes(statusOf(facts)) ? rule(facts) : undefined);
}

function onRedirect(rule: (facts: VisitFacts, target: Target) => Decision | undefined): Rule['decide'] {
  return (facts) => (facts.target?.by === 'redirect' ? rule(facts, facts.target) : undefined);
}

function onRead(rule: (facts: VisitFacts, page: Extraction) => Decision | undefined): Rule['decide'] {
  return (facts) => facts.extraction && rule(facts, facts.extraction);
}

function badStatus(facts: VisitFacts): Decision | undefined {
  const reason = failureOfStatus(statusOf(facts));
  return reason && failed(facts, reason, undefined);
}

function unreadable(facts: VisitFacts): Decision | undefined {
  const reason = facts.extraction === undefined ? 'unsupported-type' : UNREADABLE[facts.extraction.status];
  return reason && failed(facts, reason, undefined);
}

/** An operator who vouches for the host takes its pages as they are. */
function robotWall(facts: VisitFacts, page: Extraction): Decision | undefined {
  if (page.robotWall === undefined || facts.now < facts.host.believedUntil) return undefined;
  return failed(facts, 'robot-wall', undefined);
}

function byDirective(facts: VisitFacts): Decision | undefined {
  const directive = directiveOf(facts);
  return directive && leaving(facts, directive, 'directive');
}

function followOnly(facts: VisitFacts): Decision | undefined {
  const url = new URL(facts.row.url);
  const rule = facts.rules.noIndex.find(({ matches }) => matches(url));
  return rule && readOnly(facts, { reason: 'follow-only', rule: rule.text });
}

/**
 * URLs that point to this one are looked at again when it no longer stands for them: duplicates when its content changed,
 * duplicates and those that name it as canonical when it is not live, or turned out to be something else; what names a URL
 * that too many name. (crawling 16)
 */
export function wakesOf(row: DueRow, { record, next, sharedTarget }: Decision): RecordedVisit['wakes'] {
  const { urlId, record: before, visits } = row;
  if (sharedTarget !== undefined) return { urlId: sharedTarget, which: 'all' };
  if (record === undefined || next !== 'done' || record.state === 'suspected') return undefined;
  if (record.state !== 'live') return hasDocument(row) || visits === 0 ? { urlId, which: 'all' } : undefined;
  const hadContent = hasDocument(row) && before.contentHash !== undefined;
  return hadContent && before.contentHash !== record.contentHash ? { urlId, which: 'duplicates' } : undefined;
}

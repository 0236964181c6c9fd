import type { Reason } from '../../core/crawl-words.ts';
import { firstValue } from '../../core/document.ts';
import type { Extraction } from '../../extract/extraction.ts';
import { similarityHashOf } from '../../extract/fingerprints.ts';
import type { DueRow } from '../../storage/engine/due-rows.ts';
import type { HostAnswer } from '../../storage/engine/visits.ts';
import {
  areSoftAbsencesRare,
  areSuspicionsRare,
  isSameText,
  isSoftMove,
  looksNotFound,
  suspicionOf,
  withoutUrl,
} from '../rules/content-guard.ts';
import { leaving } from './decide-removal.ts';
import {
  type Decision,
  decision,
  hasDocument,
  isQueued,
  logOf,
  signedHash,
  type Target,
  type VisitFacts,
} from './decision.ts';

const MINUTE = 60_000;
/** Least time to the recheck at a suspicious change, which comes at the end of the run. */
const RECHECK_AFTER_MS = MINUTE;
/** When a page is looked at again that stays although it does not answer as it should. */
const RECHECK_MS = 30 * MINUTE;
const LAST = 3;

/**
 * What keeps an answer of 200 from replacing what is stored: it is the host's answer for missing pages, a file where a
 * page was, or not to be believed before a recheck. Undefined: nothing does. (crawling 17)
 */
export function guarded(facts: VisitFacts, extraction: Extraction): Decision | undefined {
  if (isNotFoundPage(facts, extraction)) return softAbsence(facts, 'soft-404');
  if (facts.document !== undefined && facts.document.kind !== extraction.kind && hasDocument(facts.row)) {
    return leaving(facts, 'type-changed', 'soft');
  }
  const suspicion = suspicionIn(facts, extraction);
  return suspicion === undefined ? undefined : recheckLater(facts, extraction, suspicion);
}

/** A redirect that only says that the page is gone. Undefined: it may be a move. */
export function guardedRedirect(facts: VisitFacts, target: Target): Decision | undefined {
  const { row, rules, host } = facts;
  const isSeed = rules.seeds.includes(row.url);
  const isMissing = looksNotFound({ redirectedTo: target.url, similarity: () => undefined }, host.notFound);
  if (isMissing && !isSeed) return softAbsence(facts, 'soft-404');
  if (!hasDocument(row) || isSeed) return undefined;
  const move = {
    targetIsSeed: rules.seeds.includes(target.url),
    urlTemplates: target.urlTemplates ?? 0,
    before: row.record.similarity,
    target: target.similarity,
  };
  return isSoftMove(move) ? softAbsence(facts, 'redirect') : undefined;
}

/** Where most pages look so, the host is at fault, and none of them is gone. */
function softAbsence(facts: VisitFacts, reason: Reason): Decision {
  if (hasDocument(facts.row) && !areSoftAbsencesRare(facts.host.health)) return kept(facts, reason, 'soft');
  return leaving(facts, reason, 'soft');
}

function isNotFoundPage({ row, rules, host }: VisitFacts, { fields }: Extraction): boolean {
  if (host.notFound?.similarity === undefined || rules.seeds.includes(row.url)) return false;
  const text = firstValue(fields, 'Content');
  const similarity = () => signedHash(similarityHashOf(withoutUrl(text, row.url)));
  return text !== '' && looksNotFound({ redirectedTo: undefined, similarity }, host.notFound);
}

type Suspicion = 'login-wall' | 'identical-pages';

/**
 * Only of a page whose text is known as the present rules read it. Who queued it says that it has changed, but not
 * that it is like another page now.
 */
function suspicionIn(
  { row, rules, host, now, isElsewhere }: VisitFacts,
  extraction: Extraction,
): Suspicion | undefined {
  const { record } = row;
  const isKnown =
    hasDocument(row) && record.contentHash !== undefined && record.extractVersion === rules.extractVersion;
  // A broken site answers with pages.
  if (!isKnown || (isQueued(row) && !isElsewhere) || extraction.kind === 'FileContent' || now < host.believedUntil)
    return undefined;
  if (signedHash(extraction.contentHash) === record.contentHash) return undefined;
  const { similarity, contentChars: chars, asksPassword } = record;
  return suspicionOf({
    before: { similarity, chars, asksPassword },
    after: {
      similarity: signedHash(extraction.similarityHash),
      chars: firstValue(extraction.fields, 'Content').length,
      asksPassword: extraction.asksPassword,
    },
    isElsewhere,
  });
}

/** The first visit asks for a second one, at the end of the run; that one decides. */
function recheckLater(facts: VisitFacts, extraction: Extraction, suspicion: Suspicion): Decision | undefined {
  const { row, now, host } = facts;
  const seen = textBeforeRecheck(row);
  const similarity = signedHash(extraction.similarityHash);
  if (seen === undefined) {
    return decision({
      log: logOf(facts, 'deferred', 'needs-confirmation', undefined),
      answer: SUSPICION_ANSWERS[suspicion],
      next: {
        dueAt: now + RECHECK_AFTER_MS,
        // What was queued stays ahead, in its own lane.
        priority: isQueued(row) ? row.priority : LAST,
        attempts: row.attempts,
        to: { stage: 'page', detail: recheckDetail(similarity) },
      },
    });
  }
  const isConfirmed = isSameText(seen, similarity) && areSuspicionsRare(host.health);
  return isConfirmed ? undefined : kept(facts, suspicion, undefined);
}

const SUSPICION_ANSWERS: Readonly<Record<Suspicion, HostAnswer>> = {
  'login-wall': 'login',
  'identical-pages': 'identical',
};

/** The document and its fingerprints stay as they are. */
function kept(facts: VisitFacts, reason: Reason, answer: HostAnswer | undefined): Decision {
  const { record } = facts.row;
  const isSuspected = record.state === 'suspected';
  return decision({
    log: logOf(facts, 'unchanged', reason, undefined),
    answer,
    record: {
      ...record,
      // What a suspected page is suspected of is not forgotten.
      reason: isSuspected ? record.reason : reason,
      nextAt: facts.now + (isSuspected ? RECHECK_MS : (record.intervalMs ?? RECHECK_MS)),
    },
  });
}

/** The text that the first visit at a suspicious change saw; undefined when there was none in this run. */
function textBeforeRecheck({ detail }: DueRow): string | undefined {
  if (detail === undefined) return undefined;
  const { doubted } = JSON.parse(detail) as { readonly doubted?: unknown };
  return typeof doubted === 'string' ? doubted : undefined;
}

/** A queued URL at its first visit: its sender says that it has changed, and nothing says that it will stay so. */
export function awaitsRecheck(row: DueRow): boolean {
  return isQueued(row) && textBeforeRecheck(row) === undefined;
}

/** The detail of a row that waits for its recheck. */
function recheckDetail(similarity: string): string {
  return JSON.stringify({ doubted: similarity });
}

/** What one stage leaves for the next, with the doubt that goes through all of them. */
export function keepRecheck(row: DueRow, detail: string): string {
  const doubted = textBeforeRecheck(row);
  return doubted === undefined ? detail : JSON.stringify({ ...(JSON.parse(detail) as object), doubted });
}

import type { Reason } from '../../core/crawl-words.ts';
import { unguardedRemovalOf } from './decide-removal.ts';
import { type Decision, decision, hasDocument, type VisitFacts } from './decision.ts';
import { intervalAfter } from './visit-interval.ts';

/** A URL that may not be visited: outside of the scope, or forbidden by robots.txt. */
export function decideSkipped(
  { row, now }: Pick<VisitFacts, 'row' | 'now'>,
  refusal: { readonly reason: Reason; readonly rule: string; readonly line?: number | undefined },
): Decision {
  const { reason, rule, line } = refusal;
  const byOperator = OPERATOR_REASONS.has(reason) && row.runKind !== 'urls' && hasDocument(row);
  const detail = JSON.stringify(line === undefined ? { rule } : { rule, line });
  return decision({
    log: { outcome: byOperator ? 'removed' : 'skipped', reason, httpStatus: undefined, bytes: 0, millis: 0, detail },
    record: { ...row.record, state: 'skipped', reason, nextAt: now + DAY },
    document: byOperator ? unguardedRemovalOf({ row, now }, { class: 'operator', cause: reason }) : undefined,
    pace: 'unused',
  });
}

/** A page that was not asked for, because its sitemap, which is trusted, names no change. */
export function decideLeftOut({ row, rules, now }: Pick<VisitFacts, 'row' | 'rules' | 'now'>): Decision {
  const reason = 'lastmod-unchanged';
  const intervalMs = intervalAfter({ row, rules, fetched: undefined }, false);
  return decision({
    log: { outcome: 'unchanged', reason, httpStatus: undefined, bytes: 0, millis: 0, detail: undefined },
    record: { ...row.record, reason, intervalMs, nextAt: now + intervalMs },
    unasked: { sitemapLastmod: row.sitemapLastmod },
    pace: 'unused',
  });
}

/** Settings that take what is known out of the scope: the operator decided, so the document leaves. */
const OPERATOR_REASONS: ReadonlySet<Reason> = new Set([
  'out-of-domain',
  'excluded',
  'not-included',
  'file-type',
  'unreadable-type',
  'follow-only',
]);

/** A reason for which the operator has decided that a document leaves. */
export function isOperatorReason(reason: Reason): boolean {
  return OPERATOR_REASONS.has(reason);
}

const DAY = 86_400_000;

import { firstValue } from '../../core/document.ts';
import type { Extraction } from '../../extract/extraction.ts';
import type { UrlFacts } from '../../storage/frontier-store.ts';
import { compareDuplicates, MIN_DUPLICATE_CHARS } from '../rules/duplicates.ts';
import { awaitsRecheck } from './decide-guarded.ts';
import { type Decision, decision, hasDocument, logOf, removalOf, type VisitFacts } from './decision.ts';

/** Texts that may be compared: long enough, and the operator wants them collapsed. */
export function mayBeDuplicate({ rules }: Pick<VisitFacts, 'rules'>, extraction: Extraction): boolean {
  return (
    rules.settings.duplicates.exact === 'collapse' &&
    firstValue(extraction.fields, 'Content').length >= MIN_DUPLICATE_CHARS
  );
}

/** Which of the two keeps the document? Undefined without a duplicate, and for a text that was seen once only: both do. */
export function duplicateTarget({ row, duplicate }: VisitFacts): 'keeps' | 'gives way' | undefined {
  if (duplicate === undefined || awaitsRecheck(row)) return undefined;
  const own = { url: row.url, origin: row.origin, firstSeenAt: row.firstSeenAt };
  return compareDuplicates(own, duplicate) < 0 ? 'keeps' : 'gives way';
}

/** The page has the content of a better URL: that one keeps the document. */
export function collapseDuplicate(facts: VisitFacts, record: UrlFacts): Decision {
  const { row, duplicate } = facts;
  const url = duplicate?.url ?? row.url;
  return decision({
    log: logOf(facts, 'aliased', 'duplicate', JSON.stringify({ target: url })),
    answer: 'good',
    record: { ...record, state: 'duplicate', reason: 'duplicate' },
    target: { url, origin: 'link', depth: row.depth, priority: 2, flags: 0, enqueue: 'if-new' },
    document: hasDocument(row) ? removalOf(facts, { class: 'moved', cause: 'duplicate' }) : undefined,
    readsLinks: true,
  });
}

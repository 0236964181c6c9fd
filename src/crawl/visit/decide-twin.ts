import { firstValue } from '../../core/document.ts';
import type { Extraction } from '../../extract/extraction.ts';
import type { UrlFacts } from '../../storage/frontier-store.ts';
import { compareTwins, MIN_TWIN_CHARS } from '../rules/twins.ts';
import { removalOf } from './decide-removal.ts';
import { type Decision, decision, hasDocument, logOf, type VisitFacts } from './decision.ts';
import { isSeenOnce } from './doubt.ts';

/** Texts that may be compared: long enough, and the operator wants them collapsed. */
export function mayBeTwin({ rules }: Pick<VisitFacts, 'rules'>, extraction: Extraction): boolean {
  return rules.settings.twins.exact === 'collapse' && firstValue(extraction.fields, 'Content').length >= MIN_TWIN_CHARS;
}

/** Which of the two keeps the document? Undefined without a twin, and for a text that was seen once only: both do. */
export function twinPlace({ row, twin }: VisitFacts): 'keeps' | 'gives way' | undefined {
  if (twin === undefined || isSeenOnce(row)) return undefined;
  const own = { url: row.url, origin: row.origin, firstSeenAt: row.firstSeenAt };
  return compareTwins(own, twin) < 0 ? 'keeps' : 'gives way';
}

/** The page has the content of a better URL: that one keeps the document. */
export function twinned(facts: VisitFacts, record: UrlFacts): Decision {
  const { row, twin } = facts;
  const url = twin?.url ?? row.url;
  return decision({
    log: logOf(facts, 'aliased', 'twin', JSON.stringify({ target: url })),
    answer: 'good',
    record: { ...record, state: 'twin', reason: 'twin' },
    target: { url, origin: 'link', depth: row.depth, priority: 2, flags: 0, enqueue: 'if-new' },
    document: hasDocument(row) ? removalOf(facts, { class: 'moved', cause: 'twin' }) : undefined,
    readsLinks: true,
  });
}

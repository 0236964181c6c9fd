import { FRONTIER_FLAGS, type UrlState } from '../../core/crawl-words.ts';
import type { NewUrl } from '../../storage/frontier-store.ts';
import { removalOf } from './decide-removal.ts';
import { type Decision, decision, hasDocument, logOf, type Target, type VisitFacts } from './decision.ts';
import { intervalAfter } from './visit-interval.ts';

/**
 * Another URL stands for this one. A document is only made from that URL's own 200; a document of this one leaves
 * when the other is live.
 */
export function aliased(facts: VisitFacts, { url, by, state: targetState }: Target): Decision {
  const { row, now } = facts;
  const hadDocument = hasDocument(row);
  const leaves = hadDocument && targetState === 'live';
  const isForced = (row.flags & FRONTIER_FLAGS.force) !== 0;
  const target: NewUrl = {
    url,
    origin: by,
    depth: row.depth,
    priority: row.priority === 0 ? 0 : 1,
    flags: row.flags & (FRONTIER_FLAGS.force | FRONTIER_FLAGS.follow),
    enqueue: isForced ? 'always' : 'if-new',
  };
  const state = hadDocument && !leaves ? row.record.state : 'alias';
  const intervalMs = intervalAfter(facts, false);
  const record = { ...row.record, state, reason: by, httpStatus: facts.fetched?.status, nextAt: now + intervalMs };
  return decision({
    log: logOf(facts, 'aliased', by, JSON.stringify({ target: url })),
    answer: 'good',
    record: { ...record, intervalMs, misses: 0, missedAt: undefined },
    target,
    document: leaves ? removalOf(facts, { class: 'moved', cause: by }) : undefined,
    readsLinks: by === 'canonical',
  });
}

/** A canonical link to a URL that is itself an alias, or gone, would leave no document at all. */
export function isUsable(state: UrlState | undefined): boolean {
  return state === undefined || state === 'known' || state === 'live';
}

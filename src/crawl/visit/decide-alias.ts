import { FRONTIER_FLAGS, type UrlState } from '../../core/crawl-words.ts';
import type { NewUrl } from '../../storage/frontier-store.ts';
import { removalOf } from './decide-removal.ts';
import { type Decision, decision, hasDocument, logOf, signedHash, type Target, type VisitFacts } from './decision.ts';
import { intervalAfter } from './visit-interval.ts';

/**
 * Another URL stands for this one. A document is only made from that URL's own 200; a document of this one leaves
 * when the other is live.
 */
export function aliased(facts: VisitFacts, { url, by, state: targetState }: Target): Decision {
  const { row, now } = facts;
  const hadDocument = hasDocument(row);
  const leaves = hadDocument && targetState === 'live';
  const target = newUrlOf(facts, { url, by });
  const state = hadDocument && !leaves ? row.record.state : 'alias';
  const intervalMs = intervalAfter(facts, false);
  const record = { ...row.record, state, reason: by, httpStatus: facts.fetched?.status, nextAt: now + intervalMs };
  return decision({
    log: logOf(facts, 'aliased', by, JSON.stringify({ target: url })),
    answer: 'good',
    record: { ...record, similarity: similarityOf(facts, state), intervalMs, misses: 0, missedAt: undefined },
    target,
    document: leaves ? removalOf(facts, { class: 'moved', cause: by }) : undefined,
    readsLinks: by === 'canonical',
  });
}

/** By the texts of those that name one URL it is told whether they do so by accident. */
function similarityOf({ row, extraction }: VisitFacts, state: UrlState): string | undefined {
  if (state !== 'alias' || extraction === undefined) return row.record.similarity;
  return signedHash(extraction.similarityHash);
}

function newUrlOf({ row }: VisitFacts, { url, by }: Pick<Target, 'url' | 'by'>): NewUrl {
  return {
    url,
    origin: by,
    depth: row.depth,
    priority: row.priority === 0 ? 0 : 1,
    flags: row.flags & (FRONTIER_FLAGS.force | FRONTIER_FLAGS.follow),
    enqueue: (row.flags & FRONTIER_FLAGS.force) !== 0 ? 'always' : 'if-new',
  };
}

/**
 * The page answers with a redirect. A document stays until it is sure that its page has moved: at once for a permanent
 * redirect, in the second run for another one. (crawling 16)
 */
export function redirected(facts: VisitFacts, target: Target): Decision {
  const { row } = facts;
  if (!hasDocument(row)) return aliased(facts, target);
  const isSure = target.isTemporary !== true || row.record.reason === 'redirect';
  return isSure ? aliased(facts, target) : aliased(facts, { ...target, state: undefined });
}

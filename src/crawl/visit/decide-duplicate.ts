import { FRONTIER_FLAGS } from '../../core/crawl-words.ts';
import { firstValue } from '../../core/document.ts';
import type { Extraction } from '../../extract/extraction.ts';
import type { DueRow } from '../../storage/engine/due-rows.ts';
import type { UrlFacts } from '../../storage/engine/urls.ts';
import type { EngineStore } from '../../storage/engine-store.ts';
import { isSharedByAccident } from '../rules/canonical.ts';
import { compareDuplicates, MIN_DUPLICATE_CHARS } from '../rules/duplicates.ts';
import { awaitsRecheck } from './decide-guarded.ts';
import { type Decision, decision, hasDocument, logOf, removalOf, type Target, type VisitFacts } from './decision.ts';
import { DECLARING } from './find-target.ts';

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

/**
 * Pages that were visited at the same time did not see each other name one URL: after the commit they are counted once
 * more, and all of them are due at once when it stands for none of them.
 */
export async function reEvaluateShared(
  store: Pick<EngineStore, 'findUrl' | 'declaringUrls' | 'addUrls'>,
  input: { readonly crawlerId: number; readonly activation: number; readonly now: number },
  { row, target }: { readonly row: DueRow; readonly target: Target },
): Promise<void> {
  const { crawlerId } = input;
  const named = await store.findUrl(crawlerId, target.url);
  const declaring = named === undefined ? [] : await store.declaringUrls(named.id);
  const own = declaring.find(({ id }) => id === row.urlId);
  const others = declaring.filter(({ id, reason }) => id !== row.urlId && DECLARING.has(reason));
  if (own === undefined || !isSharedByAccident(own, others)) return;
  const again = { origin: 'link', priority: 1, flags: FRONTIER_FLAGS.follow, enqueue: 'always' } as const;
  const urls = [own, ...others].map(({ url, depth }) => ({ url, depth, ...again }));
  await store.addUrls({ ...input, runId: row.runId, urls });
}

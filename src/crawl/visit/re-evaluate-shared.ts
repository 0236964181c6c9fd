import { FRONTIER_FLAGS } from '../../core/crawl-words.ts';
import type { DuplicateStore } from '../../storage/duplicate-store.ts';
import type { DueRow, FrontierStore } from '../../storage/frontier-store.ts';
import type { RunStore } from '../../storage/run-store.ts';
import { isSharedByAccident } from '../rules/canonical.ts';
import type { Target } from './decision.ts';
import { DECLARING } from './find-target.ts';

/**
 * Pages that were visited at the same time did not see each other name one URL: after the commit they are counted once
 * more, and all of them are due at once when it stands for none of them.
 */
export async function reEvaluateShared(
  store: Pick<RunStore, 'findUrl'> & Pick<DuplicateStore, 'declaringUrls'> & Pick<FrontierStore, 'addUrls'>,
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

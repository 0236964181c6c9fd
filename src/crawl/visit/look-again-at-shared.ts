import { FRONTIER_FLAGS } from '../../core/crawl-words.ts';
import type { DueRow, FrontierStore } from '../../storage/frontier-store.ts';
import type { RunStore } from '../../storage/run-store.ts';
import type { TwinStore } from '../../storage/twin-store.ts';
import { isSharedByAccident } from '../rules/canonical.ts';
import type { Target } from './decision.ts';
import { NAMING } from './find-target.ts';

/**
 * Pages that were visited at the same time did not see each other name one URL: after the commit they are counted once
 * more, and all of them are due at once when it stands for none of them.
 */
export async function lookAgainAtShared(
  store: Pick<RunStore, 'findUrl'> & Pick<TwinStore, 'pointingTo'> & Pick<FrontierStore, 'addUrls'>,
  of: { readonly crawlerId: number; readonly activation: number; readonly now: number },
  { row, target }: { readonly row: DueRow; readonly target: Target },
): Promise<void> {
  const { crawlerId } = of;
  const named = await store.findUrl(crawlerId, target.url);
  const pointing = named === undefined ? [] : await store.pointingTo(named.id);
  const own = pointing.find(({ id }) => id === row.urlId);
  const others = pointing.filter(({ id, reason }) => id !== row.urlId && NAMING.has(reason));
  if (own === undefined || !isSharedByAccident(own, others)) return;
  const again = { origin: 'link', priority: 1, flags: FRONTIER_FLAGS.follow, enqueue: 'always' } as const;
  const urls = [own, ...others].map(({ url, depth }) => ({ url, depth, ...again }));
  await store.addUrls({ ...of, runId: row.runId, urls });
}

import type { Clock } from '../core/clock.ts';
import { MAX_PENDING_PAGES, type PendingPage } from '../storage/engine/templates.ts';
import type { EngineStore } from '../storage/engine-store.ts';
import {
  ENOUGH_SAMPLED_PAGES,
  MIN_SAMPLED_PAGES,
  openHostTemplates,
  type SampledPages,
} from './visit/host-templates.ts';

const HOSTS_PER_READ = 8;
/**
 * While the crawl goes on, a page is chosen again when so many times as many others are known as at the last time: each
 * new page of a small host would have all its pages read again.
 */
const GROWTH = 1.5;
/** How long a page waits for others of its host. */
const RETENTION_MS = 7 * 86_400_000;

/** `isLast`: it is not kept any longer then. */
export type ChosenPage = { readonly page: PendingPage; readonly sampled: SampledPages; readonly isLast: boolean };

type Store = Pick<EngineStore, 'listPendingPages' | 'livingRunsOf' | 'templatesOf'>;

/**
 * Whether `reExtract` would choose the text of a page again. Costs a list of the kept pages, without their bytes, and the
 * known blocks of their hosts, up to the first page that is chosen.
 */
export async function hasPagesToReExtract(
  deps: { readonly store: Store; readonly clock: Clock },
  crawlerId: number,
  signal: AbortSignal,
): Promise<boolean> {
  const { chosen } = await findPendingPages(deps, crawlerId, { most: 1, signal });
  signal.throwIfAborted();
  return chosen.length > 0;
}

/** Pages to be chosen again now, and those that need not be kept any longer. */
export async function findPendingPages(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  crawlerId: number,
  { most, signal }: { readonly most: number; readonly signal: AbortSignal },
): Promise<{ readonly chosen: readonly ChosenPage[]; readonly done: number[] }> {
  const done: number[] = [];
  const chosen: ChosenPage[] = [];
  const kept = await store.listPendingPages({ crawlerId, after: 0, limit: MAX_PENDING_PAGES });
  if (kept.length === 0) return { chosen, done };
  // Each host's pages are read once, each folder's counted once.
  const byFolder = kept.toSorted((a, b) => a.hostId - b.hostId || (a.url < b.url ? -1 : 1));
  const templates = openHostTemplates(store);
  // The folders of a known host are judged once, when nothing waits that could tell more of them.
  const isOver = (await store.livingRunsOf(crawlerId)).every(({ open }) => open === 0);
  const firstOfHosts = [...Map.groupBy(byFolder, ({ hostId }) => hostId).values()].flatMap(([first]) => first ?? []);
  for (const page of byFolder) {
    if (chosen.length === most || signal.aborted) break;
    // The next hosts are read together.
    if (page === firstOfHosts[0])
      await Promise.all(firstOfHosts.splice(0, HOSTS_PER_READ).map(templates.sampledPagesFor));
    const sampled = await templates.sampledPagesFor(page);
    const choice = choiceOf(page, sampled, { isOver, isOld: clock.now() - page.at > RETENTION_MS });
    if (choice.isChosen) chosen.push({ page, sampled, isLast: choice.isLast });
    else if (choice.isLast) done.push(page.urlId);
  }
  return { chosen, done };
}

/** Whether a page is chosen again now, and whether it is for the last time. */
function choiceOf(
  page: PendingPage,
  { count, known }: SampledPages,
  { isOver, isOld }: { isOver: boolean; isOld: boolean },
) {
  const isTime = isOver || isOld;
  const hasMorePages = count >= MIN_SAMPLED_PAGES && known > page.sampleSize;
  if (count < ENOUGH_SAMPLED_PAGES) {
    const hasGrown = isTime || known >= page.sampleSize * GROWTH;
    return { isChosen: hasMorePages && hasGrown, isLast: isOld && count < MIN_SAMPLED_PAGES };
  }
  return { isChosen: isTime && hasMorePages, isLast: isTime };
}

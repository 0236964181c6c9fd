import type { Reason } from '../core/crawl-words.ts';
import type { EngineStore } from '../storage/engine-store.ts';

/** Pages from which on a share of them says something. */
const ENOUGH = 5;
/** Share of the pages with documents that look gone, from which on the site does. */
const CLOSED_RATIO = 0.9;

/**
 * One sentence when nearly all pages of a crawler answer as if they were gone, with the command that lets their
 * documents go; nothing leaves by itself then.
 */
export async function closedSiteWarning(
  store: EngineStore,
  crawlerId: number,
  heldRemovals: number,
): Promise<readonly string[]> {
  const states = await store.countUrls(crawlerId);
  const suspected = states.get('suspected') ?? 0;
  const pages = suspected + (states.get('live') ?? 0);
  if (suspected < ENOUGH || suspected < pages * CLOSED_RATIO) return [];
  const what = `The site seems closed: ${suspected} of ${pages} pages answer ${await reasonOf(store, crawlerId)}, and their documents stay.`;
  return [
    heldRemovals > 0
      ? `${what} If it is closed for good: fossick crawler approve-removals ${crawlerId} --all`
      : `${what} What still answers so a day after the first time is put before you: fossick crawler removals ${crawlerId} --groups`,
  ];
}

/** What the pages answer; the record of one that is held tells that alone. */
async function reasonOf(store: EngineStore, crawlerId: number): Promise<Reason> {
  const { rows } = await store.stepUrls({ crawlerId, state: 'suspected' }, undefined, 1);
  const reason = rows[0]?.reason ?? 'none';
  if (reason !== 'removal-held') return reason;
  const [group] = await store.groupRemovals({ crawlerId, state: 'held', limit: 1 });
  return group?.cause ?? reason;
}

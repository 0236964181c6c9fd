import type { Clock } from '../core/clock.ts';
import { firstValue } from '../core/document.ts';
import { MAX_PENDING_PAGES, type PendingPage } from '../storage/engine/templates.ts';
import type { EngineStore } from '../storage/engine-store.ts';
import type { CrawlRules } from './rules/crawl-rules.ts';
import { pageDocument } from './visit/decide-read.ts';
import { signedHash } from './visit/decision.ts';
import {
  ENOUGH_SAMPLED_PAGES,
  hashedBlocksOf,
  MIN_SAMPLED_PAGES,
  openHostTemplates,
  type SampledPages,
  sharesOf,
} from './visit/host-templates.ts';
import type { Extract } from './visit/visit-url.ts';

/** Pages of one call: their reading takes about 10 ms each, in which nothing else happens in the process. */
const PAGES_PER_STEP = 20;
/** How long a page waits for others of its host. */
const RETENTION_MS = 7 * 86_400_000;

/**
 * Chooses the text of pages again that were read while their site or folder was hardly known, now that more of its
 * pages tell what its templates repeat. Nothing is fetched; a page whose text stays the same is not changed. Resolves
 * with how many were chosen again, 0 when none is left. Idempotent.
 */
export async function reExtract(
  deps: { readonly store: EngineStore; readonly extract: Extract; readonly clock: Clock },
  of: { readonly crawlerId: number; readonly rules: CrawlRules },
  signal: AbortSignal,
): Promise<number> {
  const { store } = deps;
  const kept = await store.listPendingPages({ crawlerId: of.crawlerId, after: 0, limit: MAX_PENDING_PAGES });
  if (kept.length === 0) return 0;
  // Each host's pages are read once, each folder's counted once.
  const byFolder = kept.toSorted((a, b) => a.hostId - b.hostId || (a.url < b.url ? -1 : 1));
  const templates = openHostTemplates(store);
  // The folders of a known host are judged once, when nothing waits that could tell more of them.
  const isOver = (await store.livingRunsOf(of.crawlerId)).every(({ open }) => open === 0);
  const done: number[] = [];
  let chosen = 0;
  for (const page of byFolder) {
    if (chosen === PAGES_PER_STEP || signal.aborted) break;
    const sampled = await templates.sampledPagesFor(page);
    const choice = choiceOf(page, sampled, { isOver, isOld: deps.clock.now() - page.at > RETENTION_MS });
    if (choice.isChosen) chosen++;
    const isThere = !choice.isChosen || (await choosePage(deps, { ...of, page, sampled }, signal));
    if (!isThere || choice.isLast) done.push(page.urlId);
  }
  if (done.length > 0) await store.dropPendingPages(done);
  return chosen;
}

/** Whether a page is chosen again now, and whether it is for the last time. */
function choiceOf(
  page: PendingPage,
  { count, known }: SampledPages,
  { isOver, isOld }: { isOver: boolean; isOld: boolean },
) {
  const hasMorePages = count >= MIN_SAMPLED_PAGES && known > page.sampleSize;
  if (count < ENOUGH_SAMPLED_PAGES) return { isChosen: hasMorePages, isLast: isOld && count < MIN_SAMPLED_PAGES };
  const isTime = isOver || isOld;
  return { isChosen: isTime && hasMorePages, isLast: isTime };
}

type Chosen = {
  readonly crawlerId: number;
  readonly rules: CrawlRules;
  readonly page: PendingPage;
  readonly sampled: SampledPages;
};

async function choosePage(
  { store, extract, clock }: Parameters<typeof reExtract>[0],
  { crawlerId, rules, page, sampled }: Chosen,
  signal: AbortSignal,
): Promise<boolean> {
  const bytes = await store.readPendingPage(page);
  if (bytes === undefined) return false;
  const { url, at: now } = page;
  const input = { ...hashedBlocksOf(bytes), url, settings: rules.extract, ...sharesOf(sampled), now };
  const extraction = await extract(input, signal);
  return store.rechoose({
    urlId: page.urlId,
    at: page.at,
    sampleSize: sampled.known,
    crawlerId,
    document: pageDocument(extraction, url),
    contentHash: signedHash(extraction.contentHash),
    similarity: signedHash(extraction.similarityHash),
    contentChars: firstValue(extraction.fields, 'Content').length,
    now: clock.now(),
  });
}

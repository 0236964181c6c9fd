import type { Clock } from '../core/clock.ts';
import { firstValue } from '../core/document.ts';
import { yieldInBackground } from '../core/yield.ts';
import type { Extraction } from '../extract/extraction.ts';
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
const HOSTS_PER_READ = 8;
/**
 * While the crawl goes on, a page is chosen again when so many times as many others are known as at the last time: each new
 * page of a small host would have all its pages read again.
 */
const GROWTH = 1.5;
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
  const chosen: ChosenPage[] = [];
  const firstOfHosts = [...Map.groupBy(byFolder, ({ hostId }) => hostId).values()].flatMap(([first]) => first ?? []);
  for (const page of byFolder) {
    if (chosen.length === PAGES_PER_STEP || signal.aborted) break;
    // The next hosts are read together.
    if (page === firstOfHosts[0])
      await Promise.all(firstOfHosts.splice(0, HOSTS_PER_READ).map(templates.sampledPagesFor));
    const sampled = await templates.sampledPagesFor(page);
    const choice = choiceOf(page, sampled, { isOver, isOld: deps.clock.now() - page.at > RETENTION_MS });
    if (choice.isChosen) chosen.push({ page, sampled, isLast: choice.isLast });
    else if (choice.isLast) done.push(page.urlId);
  }
  done.push(...(await choosePages(deps, { ...of, chosen }, signal)));
  if (done.length > 0) await store.dropPendingPages(done);
  return chosen.length;
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

type ChosenPage = { readonly page: PendingPage; readonly sampled: SampledPages; readonly isLast: boolean };

/** Resolves with the pages that need not be kept: chosen for the last time, or not there any more. */
async function choosePages(
  { store, extract, clock }: Parameters<typeof reExtract>[0],
  {
    crawlerId,
    rules,
    chosen,
  }: { readonly crawlerId: number; readonly rules: CrawlRules; readonly chosen: readonly ChosenPage[] },
  signal: AbortSignal,
): Promise<readonly number[]> {
  if (chosen.length === 0) return [];
  const bytes = await store.readPendingPages(chosen.map(({ page }) => page));
  const read: (ChosenPage & { readonly extraction: Extraction })[] = [];
  const done: number[] = [];
  for (const [at, of] of chosen.entries()) {
    if (signal.aborted) break;
    const { page, sampled } = of;
    const kept = bytes[at];
    if (kept === undefined) {
      done.push(page.urlId);
      continue;
    }
    const { url, at: now } = page;
    const input = { ...hashedBlocksOf(kept), url, settings: rules.extract, ...sharesOf(sampled), now };
    read.push({ ...of, extraction: await extract(input, signal) });
    await yieldInBackground();
  }
  const pages = read.map(({ page: { urlId, at, url }, sampled, extraction }) => ({
    urlId,
    at,
    sampleSize: sampled.known,
    document: pageDocument(extraction, url),
    contentHash: signedHash(extraction.contentHash),
    similarity: signedHash(extraction.similarityHash),
    contentChars: firstValue(extraction.fields, 'Content').length,
  }));
  const changed = await store.rechoose({ crawlerId, now: clock.now(), pages });
  return [...done, ...read.flatMap(({ page, isLast }, at) => (changed[at] && !isLast ? [] : [page.urlId]))];
}

import type { Clock } from '../core/clock.ts';
import { firstValue } from '../core/document.ts';
import { yieldInBackground } from '../core/yield.ts';
import type { Extraction } from '../extract/extraction.ts';
import type { EngineStore } from '../storage/engine-store.ts';
import { type ChosenPage, findPendingPages } from './find-pending-pages.ts';
import type { CrawlRules } from './rules/crawl-rules.ts';
import { pageDocument } from './visit/decide-read.ts';
import { signedHash } from './visit/decision.ts';
import { hashedBlocksOf, sharesOf } from './visit/host-templates.ts';
import type { Extract } from './visit/visit-url.ts';

/** Pages of one call: their reading takes about 10 ms each, in which nothing else happens in the process. */
const PAGES_PER_STEP = 20;

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
  const { chosen, done } = await findPendingPages(deps, of.crawlerId, { most: PAGES_PER_STEP, signal });
  done.push(...(await choosePages(deps, { ...of, chosen }, signal)));
  if (done.length > 0) await store.dropPendingPages(done);
  return chosen.length;
}

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

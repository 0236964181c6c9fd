import type { Clock } from '../core/clock.ts';
import { firstValue } from '../core/document.ts';
import type { EngineStore } from '../storage/engine-store.ts';
import type { KeptPage } from '../storage/template-store.ts';
import type { CrawlRules } from './rules/crawl-rules.ts';
import { signedHash } from './visit/decision.ts';
import { ENOUGH_VOTERS, MIN_VOTERS, openHostTemplates, toldOf, type Voters } from './visit/host-templates.ts';
import { pageDocument } from './visit/page-document.ts';
import type { Extract } from './visit/visit-url.ts';

/** Pages of one call: their reading takes about 10 ms each, in which nothing else happens in the process. */
const PAGES_PER_STEP = 20;
/** How long a page waits for others of its host. */
const KEPT_MS = 7 * 86_400_000;
/** Pages that are looked at for some whose hosts have become known since. */
const LISTED = 1_000;

/**
 * Chooses the text of pages again that were read while their site was hardly known, now that more of its pages tell
 * what its templates repeat. Nothing is fetched; a page whose text stays the same is not changed. Resolves with how
 * many were chosen again, 0 when none is left. Idempotent.
 */
export async function chooseAgain(
  deps: { readonly store: EngineStore; readonly extract: Extract; readonly clock: Clock },
  of: { readonly crawlerId: number; readonly rules: CrawlRules },
  signal: AbortSignal,
): Promise<number> {
  const { store } = deps;
  const kept = await store.listKeptPages({ crawlerId: of.crawlerId, after: 0, limit: LISTED });
  if (kept.length === 0) return 0;
  // Each host's pages are read once.
  const byHost = kept.toSorted((a, b) => a.hostId - b.hostId || a.urlId - b.urlId);
  const templates = openHostTemplates(store);
  const done: number[] = [];
  let chosen = 0;
  for (const page of byHost) {
    if (chosen === PAGES_PER_STEP || signal.aborted) break;
    const voters = await templates.votersFor(page);
    if (voters.count < MIN_VOTERS && deps.clock.now() - page.at > KEPT_MS) done.push(page.urlId);
    if (voters.count < MIN_VOTERS || voters.count <= page.voters) continue;
    chosen++;
    const isThere = await choosePage(deps, { ...of, page, voters }, signal);
    if (!isThere || voters.count >= ENOUGH_VOTERS) done.push(page.urlId);
  }
  if (done.length > 0) await store.dropKeptPages(done);
  return chosen;
}

type Chosen = {
  readonly crawlerId: number;
  readonly rules: CrawlRules;
  readonly page: KeptPage;
  readonly voters: Voters;
};

async function choosePage(
  { store, extract, clock }: Parameters<typeof chooseAgain>[0],
  { crawlerId, rules, page, voters }: Chosen,
  signal: AbortSignal,
): Promise<boolean> {
  const bytes = await store.readKeptPage(page);
  if (bytes === undefined) return false;
  const { url, at: now } = page;
  const input = { ...toldOf(bytes), url, settings: rules.extract, templateShare: voters.share, now };
  const extraction = await extract(input, signal);
  return store.rechoose({
    ...{ urlId: page.urlId, at: page.at, voters: voters.count, crawlerId },
    document: pageDocument(extraction, url),
    contentHash: signedHash(extraction.contentHash),
    similarity: signedHash(extraction.similarityHash),
    contentChars: firstValue(extraction.fields, 'Content').length,
    now: clock.now(),
  });
}

import { normalizeUrl } from '../../core/url.ts';
import type { Extraction } from '../../extract/extraction.ts';
import type { DueRow } from '../../storage/engine/due-rows.ts';
import type { UrlRecord } from '../../storage/engine/urls.ts';
import type { EngineStore } from '../../storage/engine-store.ts';
import { type CanonicalFault, isSharedByAccident, MAX_CHAIN, mayStand } from '../rules/canonical.ts';
import type { CrawlRules } from '../rules/crawl-rules.ts';
import { signedHash, type Target } from './decision.ts';

type Deps = { readonly store: Pick<EngineStore, 'findUrl' | 'declaringUrls'> };

export type CanonicalVisit = { readonly crawlerId: number; readonly row: DueRow; readonly rules: CrawlRules };

/** What a page names instead of itself, or why that is not followed. */
export type NamedTarget = { readonly target?: Target; readonly fault?: CanonicalFault };

/** Undefined for a URL that is not known. */
export async function stateOf(
  { store }: Pick<Deps, 'store'>,
  crawlerId: number,
  url: string,
): Promise<Target['state']> {
  return (await store.findUrl(crawlerId, url))?.facts.state;
}

/** Where a redirect leads. */
export async function redirectTarget(
  deps: Deps,
  { crawlerId }: Pick<CanonicalVisit, 'crawlerId'>,
  { url, isTemporary }: { readonly url: string; readonly isTemporary: boolean },
): Promise<Target> {
  return { url, by: 'redirect', state: await stateOf(deps, crawlerId, url), isTemporary };
}

/** A quick `meta refresh`, or a canonical link, to another URL. (crawling 16) */
export async function namedTarget(deps: Deps, visit: CanonicalVisit, extraction: Extraction): Promise<NamedTarget> {
  const { row, rules } = visit;
  const refresh = inScope(visit, normal(visit, extraction.refreshUrl));
  if (refresh !== undefined) {
    return { target: await redirectTarget(deps, visit, { url: refresh, isTemporary: true }) };
  }
  const url = normal(visit, extraction.canonicalUrl);
  if (rules.settings.canonical === 'ignore' || url === undefined || url === row.url) return {};
  if (inScope(visit, url) === undefined) return { fault: 'canonical-elsewhere' };
  const end = await endOfChain(deps, visit, url);
  if (end === undefined) return { fault: 'canonical-broken' };
  const target: Target = { url: end.url, by: 'canonical', state: end.record?.facts.state };
  if (end.record === undefined) return { target };
  const declaring = await deps.store.declaringUrls(end.record.id);
  const others = declaring.filter(({ id, reason }) => id !== row.urlId && DECLARING.has(reason));
  const own = { patternId: row.patternId, similarity: signedHash(extraction.similarityHash) };
  const isShared = isSharedByAccident(own, others);
  return isShared
    ? { target: { ...target, id: end.record.id }, fault: 'canonical-shared' }
    : { target: { ...target, others } };
}

function normal({ rules }: CanonicalVisit, text: string | undefined): string | undefined {
  return text === undefined ? undefined : normalizeUrl(text, rules.urlRules);
}

function inScope({ row, rules }: CanonicalVisit, url: string | undefined): string | undefined {
  if (url === undefined || url === row.url) return undefined;
  return rules.scope({ url, depth: row.depth, queued: false, knownUrls: 0 }).in ? url : undefined;
}

type Link = { readonly url: string; readonly record: UrlRecord | undefined };

/** What stands for the page in the end; undefined for a loop, a long chain, and what is not there. */
async function endOfChain(
  { store }: Deps,
  { crawlerId, row }: CanonicalVisit,
  first: string,
): Promise<Link | undefined> {
  let url = first;
  for (let steps = 0; steps < MAX_CHAIN; steps++) {
    if (url === row.url) return undefined;
    const record = await store.findUrl(crawlerId, url);
    const isAlias = record?.facts.state === 'alias' || record?.facts.state === 'duplicate';
    if (!isAlias) return mayStand(record?.facts.state) ? { url, record } : undefined;
    if (record.targetUrl === undefined) return undefined;
    url = record.targetUrl;
  }
  return undefined;
}

/** Reasons of records that name a canonical URL, whether they have a document or not. */
export const DECLARING: ReadonlySet<string> = new Set(['canonical', 'canonical-shared']);

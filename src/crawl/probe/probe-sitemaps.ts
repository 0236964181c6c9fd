import { normalizeUrl, originOf } from '../../core/url.ts';
import { readUrlList } from '../../extract/lists/read-url-list.ts';
import type { UrlListEntry } from '../../extract/lists/url-list.ts';
import type { FetchedResource } from '../../fetch/fetcher.ts';
import type { CrawlRules } from '../rules/crawl-rules.ts';
import { sitemapsOf } from '../rules/host-sitemaps.ts';
import type { Robots } from '../rules/robots.ts';
import { openSitemapBytes } from '../visit/visit-sitemap.ts';
import type { ProbeFetches, ProbeStep } from './probe-fetches.ts';

/** Sitemaps with the pages in each that the crawler may visit, and those pages. */
export type ListedPages = {
  readonly sitemaps: readonly { readonly url: string; readonly urls: number }[];
  readonly urls: ReadonlySet<string>;
};

const MAX_SITEMAPS = 5;
const MAX_LISTED = 20_000;

/** The address itself when it is a list; sitemaps that robots.txt names, else the usual ones; the first of an index. */
export async function* readSitemaps(
  { fetches, rules }: { readonly fetches: ProbeFetches; readonly rules: CrawlRules },
  { address, isList }: { readonly address: string; readonly isList: boolean },
  robots: Robots | undefined,
): AsyncGenerator<ProbeStep, ListedPages> {
  const ofHost = sitemapsOf(originOf(address) ?? '', rules, robots?.sitemaps ?? []).map(({ url }) => url);
  const waiting = [...new Set(isList ? [address, ...ofHost] : ofHost)];
  const sitemaps: { url: string; urls: number }[] = [];
  const urls = new Set<string>();
  for (const url of waiting) {
    if (sitemaps.length === MAX_SITEMAPS || urls.size >= MAX_LISTED || fetches.signal.aborted) break;
    const answer = await fetches.fetch(url, 'sitemap');
    if ('reason' in answer || answer.resource.status !== 200) continue;
    const listed = await readSitemap(rules, answer.resource);
    if (listed === undefined) continue;
    waiting.push(...listed.children);
    for (const entry of listed.pages) urls.add(entry);
    sitemaps.push({ url, urls: listed.pages.length });
    yield { step: 'sitemap', url, sentence: `A sitemap with ${listed.pages.length} pages` };
  }
  return { sitemaps, urls };
}

type Sitemap = { readonly pages: string[]; readonly children: string[] };

/** Undefined for what is no list of URLs. */
async function readSitemap(rules: CrawlRules, resource: FetchedResource): Promise<Sitemap | undefined> {
  await using opened = await openSitemapBytes(resource);
  if (opened.bytes === undefined) return undefined;
  const found: Sitemap = { pages: [], children: [] };
  const batches = readUrlList(opened.bytes, resource.url);
  let step = await batches.next();
  while (step.done !== true && found.pages.length < MAX_LISTED) {
    for (const entry of step.value) addEntry(found, rules, entry);
    step = await batches.next();
  }
  return step.done === true && step.value.format === 'unknown' ? undefined : found;
}

function addEntry({ pages, children }: Sitemap, rules: CrawlRules, entry: UrlListEntry): void {
  const url = normalizeUrl(entry.url, rules.urlRules);
  if (url === undefined) return;
  if (entry.isSitemap) children.push(url);
  else if (rules.scope({ url, depth: 0, queued: false, knownUrls: 0 }).in) pages.push(url);
}

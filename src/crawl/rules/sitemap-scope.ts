import type { Reason } from '../../core/crawl-words.ts';
import { normalizeUrl, type UrlRules } from '../../core/url.ts';
import type { CrawlRules } from './crawl-rules.ts';
import type { CrawlSettings } from './settings.ts';

/** Reasons for which a sitemap or feed may not be read; rules about paths, types and depth are about pages. */
const HARD_REASONS: ReadonlySet<Reason> = new Set(['scheme', 'out-of-domain', 'too-long']);
/** Indexes above a sitemap (reliability: limits on what is fetched). */
export const MAX_SITEMAP_DEPTH = 3;

type Refusal = { readonly reason: Reason; readonly rule: string };

/** Why a sitemap or feed may not be read: switched off, or on a host that is no domain and was not named itself. */
export function refuseSitemap(
  { scope, settings, ownLists }: Pick<CrawlRules, 'scope' | 'settings' | 'ownLists'>,
  list: { readonly url: string; readonly kind: 'sitemap' | 'feed' },
): Refusal | undefined {
  const setting = list.kind === 'sitemap' ? settings.sitemaps : settings.feeds;
  if (setting === 'off') return { reason: 'excluded', rule: `${list.kind}s: off` };
  if (ownLists.has(list.url)) return undefined;
  const verdict = scope({ url: list.url, depth: 0, queued: false, knownUrls: 0 });
  return verdict.in || !HARD_REASONS.has(verdict.reason) ? undefined : verdict;
}

/** Sitemaps and feeds that the operator named, in normal form. */
export function declaredSitemaps(
  { sitemaps, feeds }: Pick<CrawlSettings, 'sitemaps' | 'feeds'>,
  urlRules: UrlRules,
): ReadonlyMap<string, 'sitemap' | 'feed'> {
  const named = (texts: 'auto' | 'off' | readonly string[], kind: 'sitemap' | 'feed') =>
    (typeof texts === 'string' ? [] : texts).flatMap((text) => {
      const url = normalizeUrl(text, urlRules);
      return url === undefined ? [] : [[url, kind] as const];
    });
  return new Map([...named(sitemaps, 'sitemap'), ...named(feeds, 'feed')]);
}

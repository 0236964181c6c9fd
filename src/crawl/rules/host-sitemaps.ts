import { normalizeUrl } from '../../core/url.ts';
import type { NewSitemap } from '../../storage/engine/sitemaps.ts';
import { type CrawlRules, refuseSitemap, USUAL_SITEMAPS } from './crawl-rules.ts';

/** Sitemaps of a host that its robots.txt names (`named`), else those of the usual places, as far as they may be read. */
export function sitemapsOf(origin: string, rules: CrawlRules, named: readonly string[]): readonly NewSitemap[] {
  const texts = named.length > 0 ? named : USUAL_SITEMAPS.map((path) => origin + path);
  const urls = texts.flatMap((text) => normalizeUrl(URL.parse(text, origin)?.href ?? '', rules.urlRules) ?? []);
  return [...new Set(urls)]
    .filter((url) => refuseSitemap(rules, { url, kind: 'sitemap' }) === undefined)
    .map((url) => ({ url, kind: 'sitemap', origin: 'sitemap', depth: 0 }) as const);
}

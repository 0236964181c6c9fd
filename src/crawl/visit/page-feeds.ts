import { normalizeUrl } from '../../core/url.ts';
import type { Extraction } from '../../extract/extraction.ts';
import type { DueRow, RecordedVisit } from '../../storage/frontier-store.ts';
import type { NewSitemap } from '../../storage/sitemap-store.ts';
import { type CrawlRules, refuseSitemap } from '../rules/crawl-rules.ts';
import type { Decision } from './decision.ts';

/** Seeds, and what stands for them behind a redirect or canonical link. */
const SEED_ORIGINS: ReadonlySet<DueRow['origin']> = new Set(['seed', 'redirect', 'canonical']);

/** Feeds that a seed page names; those of its last reading when the page was not read again. */
export function feedsOfPage(
  row: DueRow,
  rules: CrawlRules,
  visited: { readonly decision: Decision; readonly extraction: Extraction | undefined },
): RecordedVisit['lists'] {
  const { decision, extraction } = visited;
  const isSeed = SEED_ORIGINS.has(row.origin) && row.depth === 0;
  if (rules.settings.feeds !== 'auto' || !isSeed || row.runKind === 'urls') return undefined;
  if (extraction === undefined) return decision.answer === 'good' && decision.next === 'done' ? 'again' : undefined;
  const urls = extraction.feeds.flatMap((text) => normalizeUrl(text, rules.urlRules) ?? []);
  return [...new Set(urls)]
    .filter((url) => refuseSitemap(rules, { url, kind: 'feed' }) === undefined)
    .map((url): NewSitemap => ({ url, kind: 'feed', origin: 'feed', depth: 0 }));
}

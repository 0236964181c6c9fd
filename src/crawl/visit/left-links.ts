import { normalizeUrl } from '../../core/url.ts';
import type { LeftLink } from '../../storage/frontier-store.ts';
import type { CrawlRules } from '../rules/crawl-rules.ts';
import type { KnownLinks } from './known-links.ts';

/** Links of one page that are remembered as not followed. */
const MAX_LEFT = 100;
const NOTED = -1;

export type LeftLinks = {
  /** Remembers that a link was not followed, once while the cache knows it. */
  note(link: { readonly text: string; readonly reason: LeftLink['reason']; readonly depth: number }): void;
  readonly links: readonly LeftLink[];
};

/** Links that the crawler saw and did not follow though the scope allows their URL: the operator may ask for them. */
export function openLeftLinks(rules: CrawlRules, cache: KnownLinks): LeftLinks {
  const links: LeftLink[] = [];
  return {
    links,
    note: ({ text, reason, depth }) => {
      const key = `!${text}`;
      if (links.length >= MAX_LEFT || cache.get(key) !== 0) return;
      cache.put(key, NOTED);
      const url = normalizeUrl(text, rules.urlRules);
      if (url !== undefined && rules.scope({ url, depth: 0, queued: false, knownUrls: 0 }).in) {
        links.push({ url, reason, depth });
      }
    },
  };
}

import { normalizeUrl } from '../../core/url.ts';
import type { UnfollowedLink } from '../../storage/frontier-store.ts';
import type { CrawlRules } from '../rules/crawl-rules.ts';
import type { KnownLinks } from './known-links.ts';

/** Links of one page that are remembered as not followed. */
const MAX_UNFOLLOWED = 100;
const NOTED = -1;

export type UnfollowedLinks = {
  /** Remembers that a link was not followed, once while the cache knows it. */
  note(link: { readonly text: string; readonly reason: UnfollowedLink['reason']; readonly depth: number }): void;
  readonly links: readonly UnfollowedLink[];
};

/** Links that the crawler saw and did not follow though the scope allows their URL: the operator may ask for them. */
export function openUnfollowedLinks(rules: CrawlRules, cache: KnownLinks): UnfollowedLinks {
  const links: UnfollowedLink[] = [];
  return {
    links,
    note: ({ text, reason, depth }) => {
      const key = `!${text}`;
      if (links.length >= MAX_UNFOLLOWED || cache.get(key) !== 0) return;
      cache.put(key, NOTED);
      const url = normalizeUrl(text, rules.urlRules);
      if (url !== undefined && rules.scope({ url, depth: 0, queued: false, knownUrls: 0 }).in) {
        links.push({ url, reason, depth });
      }
    },
  };
}

import { FRONTIER_FLAGS } from '../../core/crawl-words.ts';
import { normalizeUrl } from '../../core/url.ts';
import type { Extraction } from '../../extract/extraction.ts';
import type { DueRow, NewUrl, UnfollowedLink } from '../../storage/frontier-store.ts';
import type { CrawlRules } from '../rules/crawl-rules.ts';
import { trapAtSight } from '../rules/traps.ts';
import type { KnownLinks } from './known-links.ts';
import { openUnfollowedLinks, type UnfollowedLinks } from './unfollowed-links.ts';

/** Mark of links outside of the scope in the cache. */
const OUTSIDE = -1;
/** Deeper pages wait behind those that are nearer to a seed. */
const SHALLOW_DEPTH = 2;

/** Links of a page: ids of known ones, and new ones with the text by which the cache learns them. */
export type SplitLinks = {
  readonly known: readonly number[];
  readonly fresh: readonly NewUrl[];
  readonly freshTexts: readonly string[];
  readonly left: readonly UnfollowedLink[];
};

const NONE: SplitLinks = { known: [], fresh: [], freshTexts: [], left: [] };

/** Which links of a page the crawler follows; none of a queued URL, or where page or rules say so. */
export function splitLinks(
  { row, rules, now }: { readonly row: DueRow; readonly rules: CrawlRules; readonly now: number },
  extraction: Extraction,
  cache: KnownLinks,
): SplitLinks {
  const { settings, noFollow } = rules;
  const follows = settings.followLinks && (row.flags & FRONTIER_FLAGS.follow) !== 0;
  const pageAllows = settings.robotsMeta === 'ignore' || extraction.directives.follow;
  const url = new URL(row.url);
  if (!follows) return NONE;
  const isFollowed = pageAllows && !noFollow.some((rule) => rule.matches(url));
  const left = openUnfollowedLinks(rules, cache);
  const known: number[] = [];
  const fresh = new Map<string, { readonly url: NewUrl; readonly text: string }>();
  for (const link of extraction.outlinks) {
    if (!isFollowed || !link.follow) {
      left.note({ text: link.url, reason: 'nofollow', depth: row.depth + 1 });
      continue;
    }
    if (known.length + fresh.size >= settings.limits.linksPerPage) break;
    const id = cache.get(link.url);
    if (id === OUTSIDE) continue;
    if (id !== 0) known.push(id);
    else addFresh(fresh, { row, rules, now, cache, left, text: link.url });
  }
  const added = [...fresh.values()];
  return { known, fresh: added.map((link) => link.url), freshTexts: added.map((link) => link.text), left: left.links };
}

type FreshLink = {
  readonly row: DueRow;
  readonly rules: CrawlRules;
  readonly now: number;
  readonly cache: KnownLinks;
  readonly left: UnfollowedLinks;
  readonly text: string;
};

function addFresh(fresh: Map<string, { readonly url: NewUrl; readonly text: string }>, link: FreshLink): void {
  const { row, rules, cache, left, text } = link;
  const url = normalizeUrl(text, rules.urlRules);
  const depth = row.depth + 1;
  const verdict = url === undefined ? undefined : rules.scope({ url, depth, queued: false, knownUrls: 0 });
  if (url === undefined || verdict === undefined || !verdict.in) {
    // Too deep from here may be near enough from elsewhere.
    if (verdict?.in === false && verdict.reason === 'too-deep') left.note({ text, reason: 'too-deep', depth });
    else cache.put(text, OUTSIDE);
    return;
  }
  const priority = depth <= SHALLOW_DEPTH ? 2 : 3;
  const isTrap = trapAtSight(url, link.now) !== undefined;
  const entry = {
    url,
    origin: 'link',
    depth,
    priority,
    flags: FRONTIER_FLAGS.follow,
    enqueue: 'if-new',
    isTrap,
  } as const;
  if (!fresh.has(url)) fresh.set(url, { url: entry, text });
}

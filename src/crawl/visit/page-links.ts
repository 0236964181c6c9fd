import { FRONTIER_FLAGS } from '../../core/crawl-words.ts';
import { normalizeUrl } from '../../core/url.ts';
import type { Extraction } from '../../extract/extraction.ts';
import type { DueRow } from '../../storage/engine/due-rows.ts';
import type { NewUrl } from '../../storage/engine/frontier.ts';
import type { UnfollowedLink } from '../../storage/engine/outlinks.ts';
import type { NewSitemap } from '../../storage/engine/sitemaps.ts';
import type { LinkName, RecordedVisit } from '../../storage/engine/visits.ts';
import { type CrawlRules, refuseSitemap } from '../rules/crawl-rules.ts';
import { trapAtSight } from '../rules/traps.ts';
import type { Decision } from './decision.ts';

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
  /** How the page calls what it links to. */
  readonly names: readonly LinkName[];
};

const NONE: SplitLinks = { known: [], fresh: [], freshTexts: [], left: [], names: [] };
/** Names of one page that are kept; only pages that list others have more. */
const MAX_NAMES = 250;

/** Which links of a page the crawler follows; none of a queued URL, or where page or rules say so. */
export function splitLinks(
  { row, rules, now }: { readonly row: DueRow; readonly rules: CrawlRules; readonly now: number },
  extraction: Extraction,
  cache: KnownLinks,
): SplitLinks {
  const { settings } = rules;
  const follows = settings.followLinks && (row.flags & FRONTIER_FLAGS.follow) !== 0;
  if (!follows) return NONE;
  const isFollowed = allowsLinks({ row, rules }, extraction);
  const left = openUnfollowedLinks(rules, cache);
  const known: number[] = [];
  const fresh: FreshLinks = new Map();
  const names = openLinkNames();
  for (const link of extraction.outlinks) {
    if (!isFollowed || !link.follow) {
      left.note({ text: link.url, reason: 'nofollow', depth: row.depth + 1 });
      continue;
    }
    if (known.length + fresh.size >= settings.limits.linksPerPage) break;
    const id = cache.get(link.url);
    if (id === OUTSIDE) continue;
    const isFresh = id === 0;
    const place = isFresh ? addFresh(fresh, { row, rules, now, cache, left, text: link.url }) : known.push(id) - 1;
    names.add({ place, isFresh }, link.url === row.url ? [] : link.texts);
  }
  const added = [...fresh.values()];
  return {
    known,
    fresh: added.map((link) => link.url),
    freshTexts: added.map((link) => link.text),
    left: left.links,
    names: names.behind(known.length),
  };
}

/** Names by the place of their link among the known ones or the new ones. */
type LinkNames = {
  /** `place` undefined: the link is not followed, and has no name. */
  add(link: { readonly place: number | undefined; readonly isFresh: boolean }, texts: readonly string[]): void;
  /** With places of new links behind those of so many known ones. */
  behind(known: number): readonly LinkName[];
};

function openLinkNames(): LinkNames {
  const names: { readonly place: number; readonly isFresh: boolean; readonly text: string }[] = [];
  return {
    add: ({ place, isFresh }, texts) => {
      if (place === undefined) return;
      for (const text of texts) if (names.length < MAX_NAMES) names.push({ place, isFresh, text });
    },
    behind: (known) => names.map(({ place, isFresh, text }) => ({ link: isFresh ? known + place : place, text })),
  };
}

/** Whether the page and the rules for it let its links be followed. */
function allowsLinks(
  { row, rules }: { readonly row: DueRow; readonly rules: CrawlRules },
  { directives }: Extraction,
): boolean {
  const url = new URL(row.url);
  const pageAllows = rules.settings.robotsMeta === 'ignore' || directives.follow;
  return pageAllows && !rules.noFollow.some((rule) => rule.matches(url));
}

/** By their normal form; `place` is that among the new ones. */
type FreshLinks = Map<string, { readonly url: NewUrl; readonly text: string; readonly place: number }>;

type FreshLink = {
  readonly row: DueRow;
  readonly rules: CrawlRules;
  readonly now: number;
  readonly cache: KnownLinks;
  readonly left: UnfollowedLinks;
  readonly text: string;
};

/** The place of the link among the new ones; undefined when it is not followed. */
function addFresh(fresh: FreshLinks, link: FreshLink): number | undefined {
  const { row, rules, cache, left, text } = link;
  const url = normalizeUrl(text, rules.urlRules);
  const depth = row.depth + 1;
  const verdict = url === undefined ? undefined : rules.scope({ url, depth, queued: false, knownUrls: 0 });
  if (url === undefined || verdict === undefined || !verdict.in) {
    // Too deep from here may be near enough from elsewhere.
    if (verdict?.in === false && verdict.reason === 'too-deep') left.note({ text, reason: 'too-deep', depth });
    else cache.put(text, OUTSIDE);
    return undefined;
  }
  const known = fresh.get(url);
  if (known !== undefined) return known.place;
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
  const place = fresh.size;
  fresh.set(url, { url: entry, text, place });
  return place;
}

/** Entries at first and at most, as powers of two. */
const FIRST_BITS = 12;
const MAX_BITS = 20;
const WAYS = 4;

/**
 * Links seen before and what became of them, in bounded memory: 16 bytes per entry, sets of 4, the first put of a set
 * goes first. It grows with what it holds, to 16 MB at most. Hashes are 64 bits with a random seed, so that no page can
 * make another page's link look known. Of about 90 links on a page nearly all are found here, without the store.
 */
export class KnownLinks {
  private high: Uint32Array;
  private low: Uint32Array;
  private ids: Float64Array;
  private held = 0;
  private readonly seed: readonly [number, number];
  private readonly maxSize: number;
  private hashHigh = 0;
  private hashLow = 0;

  constructor(seed: readonly [number, number], maxBits = MAX_BITS) {
    const size = 1 << Math.min(FIRST_BITS, maxBits);
    this.seed = seed;
    this.maxSize = 1 << maxBits;
    this.high = new Uint32Array(size);
    this.low = new Uint32Array(size);
    this.ids = new Float64Array(size);
  }

  /** The number that was put for the link; 0 when it is not known. */
  get(link: string): number {
    this.hash(link);
    const { high, low, hashHigh, hashLow } = this;
    const start = this.startOf(hashLow);
    for (let i = start; i < start + WAYS; i++) {
      if (high[i] === hashHigh && low[i] === hashLow) return this.ids[i] ?? 0;
    }
    return 0;
  }

  /** @param id not 0 */
  put(link: string, id: number): void {
    if (this.get(link) !== 0) return;
    const { hashHigh, hashLow } = this;
    if (this.held * 4 > this.ids.length && this.ids.length < this.maxSize) this.grow();
    this.place(hashHigh, hashLow, id);
  }

  private place(hashHigh: number, hashLow: number, id: number): void {
    const start = this.startOf(hashLow);
    if (this.ids[start + WAYS - 1] === 0) this.held++;
    this.high.copyWithin(start + 1, start, start + WAYS - 1);
    this.low.copyWithin(start + 1, start, start + WAYS - 1);
    this.ids.copyWithin(start + 1, start, start + WAYS - 1);
    this.high[start] = hashHigh;
    this.low[start] = hashLow;
    this.ids[start] = id;
  }

  private startOf(hashLow: number): number {
    return (hashLow & (this.ids.length / WAYS - 1)) * WAYS;
  }

  /** Twice the sets; the entries of each keep their order. */
  private grow(): void {
    const { high, low, ids } = this;
    this.high = new Uint32Array(high.length * 2);
    this.low = new Uint32Array(low.length * 2);
    this.ids = new Float64Array(ids.length * 2);
    this.held = 0;
    for (let start = 0; start < ids.length; start += WAYS) {
      for (let i = start + WAYS - 1; i >= start; i--) {
        if (ids[i] !== 0) this.place(high[i] ?? 0, low[i] ?? 0, ids[i] ?? 0);
      }
    }
  }

  private hash(link: string): void {
    let a = this.seed[0] | 0;
    let b = this.seed[1] | 0;
    for (let i = 0; i < link.length; i++) {
      const code = link.charCodeAt(i);
      a = Math.imul(a ^ code, 0x5bd1e995);
      a ^= a >>> 13;
      b = Math.imul(b + code, 0x85ebca6b) ^ (b >>> 11);
    }
    // 0 marks an empty entry.
    this.hashHigh = Math.imul(a ^ (a >>> 16), 0xc2b2ae35) >>> 0 || 1;
    this.hashLow = Math.imul(b ^ (b >>> 16), 0x27d4eb2f) >>> 0;
  }
}

/** Caches of the crawlers that were crawled last; a change of settings starts a new one. */
export function createLinkCaches(
  random: () => number,
  maxCrawlers = 4,
): (crawlerId: number, configVersion: number) => KnownLinks {
  const caches = new Map<string, KnownLinks>();
  const word = () => Math.floor(random() * 2 ** 32);
  return (crawlerId, configVersion) => {
    const key = `${crawlerId}/${configVersion}`;
    const cache = caches.get(key) ?? new KnownLinks([word(), word()]);
    caches.delete(key);
    caches.set(key, cache);
    const [oldest] = caches.keys();
    if (caches.size > maxCrawlers && oldest !== undefined) caches.delete(oldest);
    return cache;
  };
}

/** Links of one page that are remembered as not followed. */
const MAX_UNFOLLOWED = 100;
const NOTED = -1;

type UnfollowedLinks = {
  /** Remembers that a link was not followed, once while the cache knows it. */
  note(link: { readonly text: string; readonly reason: UnfollowedLink['reason']; readonly depth: number }): void;
  readonly links: readonly UnfollowedLink[];
};

/** Links that the crawler saw and did not follow though the scope allows their URL: the operator may ask for them. */
function openUnfollowedLinks(rules: CrawlRules, cache: KnownLinks): UnfollowedLinks {
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

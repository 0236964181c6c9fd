import { EXTRACT_LIMITS } from '../extract-limits.ts';
import type { LinkRegion, Outlink } from '../extraction.ts';
import { ignoresLinks } from './index-directives.ts';
import { metaOf, type PageFacts } from './page-facts.ts';
import { type PageElement, textOf } from './page-tree.ts';

export type PageLinks = {
  readonly outlinks: readonly Outlink[];
  readonly alternates: readonly { readonly language: string; readonly url: string }[];
  readonly canonicalUrl: string | undefined;
  readonly refreshUrl: string | undefined;
  readonly feeds: readonly string[];
};

export type LinkContext = {
  readonly facts: PageFacts;
  readonly linkHeader: string | undefined;
  readonly honourNofollow: boolean;
  /** Whether an element lies in the page's navigation. */
  readonly isNavigation: (element: PageElement) => boolean;
};

const ADDRESS = /^(?:[a-z]+:\/\/|www\.)\S*$/i;
const NOFOLLOW = /\b(?:nofollow|ugc|sponsored)\b/i;
const FEED_TYPES = /^application\/(?:rss\+xml|atom\+xml|feed\+json)/i;
/** Feeds that are reported. */
const MAX_FEEDS = 20;
/** Longer ones are pages that reload themselves, not moved ones. */
const MAX_REFRESH_SECONDS = 5;
/** Read for the text of a link: some are indented deeply. */
const LINK_CHARS = 4 * EXTRACT_LIMITS.linkTextChars;

/** Links of a page: one per URL, with its longest text, absolute, without fragment, `http(s)` only. */
export function readLinks(context: LinkContext): PageLinks {
  const { facts, linkHeader } = context;
  const links = new Map<string, Outlink>();
  for (const element of facts.anchors) addLink(links, anchorLink(element, context));
  const alternates = facts.links
    .map((element) => alternateOf(element, facts.base))
    .filter((found) => found !== undefined);
  for (const element of facts.links.filter(isFollowedRelation)) {
    addLink(links, metaLink(absoluteUrl(element.attributes['href'], facts.base)));
  }
  const refreshUrl = refreshOf(facts);
  addLink(links, metaLink(refreshUrl));
  const canonicalUrl = canonicalOf(facts, linkHeader);
  return { outlinks: [...links.values()], alternates, canonicalUrl, refreshUrl, feeds: feedsOf(facts) };
}

function addLink(links: Map<string, Outlink>, link: Outlink | undefined): void {
  if (link === undefined) return;
  const known = links.get(link.url);
  if (known === undefined) {
    if (links.size < EXTRACT_LIMITS.outlinks) links.set(link.url, link);
    return;
  }
  const text = known.text.length >= link.text.length ? known.text : link.text;
  const region: LinkRegion = known.region === 'content' ? 'content' : link.region;
  const texts = withTexts(known.texts, link.texts);
  links.set(link.url, { url: link.url, text, texts, region, follow: known.follow || link.follow });
}

function withTexts(known: readonly string[], [text]: readonly string[]): readonly string[] {
  const isNew = text !== undefined && known.length < EXTRACT_LIMITS.linkTexts && !known.includes(text);
  return isNew ? [...known, text] : known;
}

function anchorLink(element: PageElement, { facts, honourNofollow, isNavigation }: LinkContext): Outlink | undefined {
  const { name, attributes } = element;
  const isFrame = name === 'iframe' || name === 'frame';
  const url = absoluteUrl(isFrame ? attributes['src'] : attributes['href'], facts.base);
  if (url === undefined) return undefined;
  const text = textOf(element, LINK_CHARS) || (attributes['title'] ?? '') || (attributes['aria-label'] ?? '');
  const isNofollow = honourNofollow && NOFOLLOW.test(attributes['rel'] ?? '');
  const region = isNavigation(element) ? 'navigation' : 'content';
  return {
    url,
    text: text.slice(0, EXTRACT_LIMITS.linkTextChars),
    texts: region === 'content' ? namesIn(text) : [],
    region,
    follow: !isNofollow && !isIgnored(element),
  };
}

/** What a text of a link calls its target; none when it is a sentence or the address itself. */
export function namesIn(text: string): readonly string[] {
  const isName = text !== '' && text.length <= EXTRACT_LIMITS.linkNameChars && !ADDRESS.test(text);
  return isName ? [text] : [];
}

function metaLink(url: string | undefined): Outlink | undefined {
  return url === undefined ? undefined : { url, text: '', texts: [], region: 'meta', follow: true };
}

function relationsOf({ attributes }: PageElement): ReadonlySet<string> {
  return new Set((attributes['rel'] ?? '').toLowerCase().split(/\s+/));
}

function alternateOf(element: PageElement, base: string): PageLinks['alternates'][number] | undefined {
  const { href, hreflang } = element.attributes;
  const url = absoluteUrl(href, base);
  if (url === undefined || hreflang === undefined || !relationsOf(element).has('alternate')) return undefined;
  return { language: hreflang, url };
}

function isFollowedRelation(element: PageElement): boolean {
  const relations = relationsOf(element);
  if (relations.has('next') || relations.has('prev')) return true;
  return relations.has('alternate') && element.attributes['hreflang'] !== undefined && !isFeed(element);
}

function isFeed({ attributes }: PageElement): boolean {
  return FEED_TYPES.test((attributes['type'] ?? '').trim());
}

function feedsOf(facts: PageFacts): readonly string[] {
  const named = facts.links.filter((element) => isFeed(element) && relationsOf(element).has('alternate'));
  const urls = named.map(({ attributes }) => absoluteUrl(attributes['href'], facts.base));
  return [...new Set(urls.filter((url) => url !== undefined))].slice(0, MAX_FEEDS);
}

/** Fragments that scripts route by; the crawler keeps or drops them. */
const ROUTED = /^#[!/]/;

/** Absolute `http(s)` URL without fragment but that of a script; undefined for everything else. */
export function absoluteUrl(href: string | undefined, base: string): string | undefined {
  const text = href?.trim() ?? '';
  if (text === '' || (text.startsWith('#') && !ROUTED.test(text))) return undefined;
  const url = URL.parse(text, base);
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === '') return undefined;
  if ((text.includes('#') || base.includes('#')) && !ROUTED.test(url.hash)) url.hash = '';
  return url.href;
}

function isIgnored(element: PageElement): boolean {
  for (let at: PageElement | undefined = element; at !== undefined; at = at.parent) {
    if (ignoresLinks(at)) return true;
  }
  return false;
}

/** Exactly one URL over all declarations, else none. */
function canonicalOf(facts: PageFacts, linkHeader: string | undefined): string | undefined {
  const inPage = facts.links
    .filter(({ attributes }) => /\bcanonical\b/i.test(attributes['rel'] ?? ''))
    .map(({ attributes }) => absoluteUrl(attributes['href'], facts.base));
  const inHeader = (linkHeader ?? '')
    .split(',')
    .filter((entry) => /\brel\s*=\s*"?canonical\b/i.test(entry))
    .map((entry) => absoluteUrl(/^\s*<([^>]*)>/.exec(entry)?.[1], facts.base));
  const urls = new Set([...inPage, ...inHeader].filter((url) => url !== undefined));
  const [only] = urls;
  return urls.size === 1 ? only : undefined;
}

function refreshOf(facts: PageFacts): string | undefined {
  const parts = /^\s*(\d+(?:\.\d*)?)\s*[;,]\s*(?:url\s*=\s*)?["']?([^"']+)/i.exec(metaOf(facts, 'refresh'));
  if (parts === null || Number(parts[1]) > MAX_REFRESH_SECONDS) return undefined;
  return absoluteUrl(parts[2], facts.base);
}

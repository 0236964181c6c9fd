import { monthOf } from '../dates/dates.ts';
import type { PageFacts } from '../page-facts.ts';
import { foldText, NOT_TEXT, type PageElement, textOf, walkTree } from '../page-tree.ts';
import { type DataItem, isOfType, membersAt, textAt, textsAt } from '../structured-data.ts';

export type PickedAuthors = { readonly names: readonly string[]; readonly source: string };

const MAX_AUTHORS = 5;
const MAX_AUTHOR_CHARS = 60;
const MAX_AUTHOR_WORDS = 6;
const ARTICLE = /(?:Article|Posting|Report|Recipe|Review|HowTo)$/;
const AUTHOR_METAS = [
  'author',
  'article:author',
  'dc.creator',
  'dcterms.creator',
  'parsely-author',
  'sailthru.author',
  'byl',
];
/** Elements that are looked at; more belong to lists and comments. */
const MAX_BYLINES = 10;
const BYLINE_CHARS = 200;

/** Who wrote the page: structured data, meta tags, links and classes for authors. The site itself comes last. */
export function pickAuthors(facts: PageFacts, items: readonly DataItem[], siteName: string): PickedAuthors {
  const candidates: readonly PickedAuthors[] = [
    { source: 'json-ld', names: itemAuthors(items, 'json-ld') },
    { source: 'meta', names: AUTHOR_METAS.flatMap((name) => facts.metas.get(name)?.slice(0, 1) ?? []).slice(0, 1) },
    { source: 'markup', names: [...itemAuthors(items, 'microdata'), ...itemAuthors(items, 'rdfa')] },
    { source: 'byline', names: firstByline(facts.marked.bylines) },
  ];
  const clean = candidates.map(({ source, names }) => ({ source, names: cleanNames(names) }));
  const known = clean.filter(({ names }) => names.length > 0);
  const isSite = ({ names }: PickedAuthors) => names.every((name) => name.toLowerCase() === siteName.toLowerCase());
  return known.find((picked) => !isSite(picked)) ?? known[0] ?? { names: [], source: 'none' };
}

/** Of the first article that names one; authors may be described by an item of their own. */
function itemAuthors(items: readonly DataItem[], from: DataItem['from']): readonly string[] {
  let namesById: ReadonlyMap<string, readonly string[]> | undefined;
  for (const item of items) {
    if (item.from !== from || item.isListed || !isOfType(item, ARTICLE)) continue;
    const named = [...textsAt(item.data, 'author.name'), ...textsAt(item.data, 'author')];
    if (named.length > 0) return named;
    const ids = membersAt(item.data, 'author').map((author) => textAt(author, '@id'));
    namesById ??= itemNames(items);
    const described = ids.flatMap((id) => namesById?.get(id) ?? []);
    if (described.some((name) => name !== '')) return described;
  }
  return [];
}

function itemNames(items: readonly DataItem[]): ReadonlyMap<string, readonly string[]> {
  const named = items.filter(({ data }) => textAt(data, '@id') !== '');
  const byId = Map.groupBy(named, ({ data }) => textAt(data, '@id'));
  return new Map([...byId].map(([id, own]) => [id, own.map(({ data }) => textAt(data, 'name'))]));
}

const OUTSIDE = /(?:^|[\s_-])(?:comments?|related|recommended|sidebar|widget|reply|replies)(?:$|[\s_-])/i;

function firstByline(bylines: readonly PageElement[]): readonly string[] {
  for (const element of bylines.slice(0, MAX_BYLINES)) {
    if (isOutside(element)) continue;
    const isLong = textOf(element, BYLINE_CHARS + 1).length > BYLINE_CHARS;
    const names = isLong ? [] : cleanNames([bylineText(element)]);
    if (names.length > 0) return names;
  }
  return [];
}

/**
 * Styles tell elements apart that have no blank between them. What stands so behind a whole name is another thing, as a
 * job is; two links are two names.
 */
function bylineText(byline: PageElement): string {
  const runs: { readonly text: string; readonly parent: PageElement }[] = [];
  walkTree(byline, {
    enter: ({ name }) => !NOT_TEXT.has(name),
    text: (text, parent) => runs.push({ text, parent }),
  });
  let line = '';
  for (const [at, { text, parent }] of runs.entries()) {
    const before = runs[at - 1]?.parent;
    const isApart = before !== undefined && before !== parent && !/\s$/.test(line) && /^\p{L}/u.test(text);
    const isBehindName = isApart && isWholeName(line);
    if (isBehindName && (before.name !== 'a' || parent.name !== 'a')) break;
    line += `${isBehindName ? ', ' : isApart ? ' ' : ''}${text}`;
  }
  return foldText(line);
}

/** More than one word behind what stands before names. */
function isWholeName(line: string): boolean {
  return /\S\s+\S/.test(`${foldText(line)} `.replace(BY, ''));
}

function isOutside(element: PageElement): boolean {
  for (let at: PageElement | undefined = element; at !== undefined; at = at.parent) {
    if (/^(?:aside|footer|nav)$/.test(at.name)) return true;
    const isPage = /^(?:html|body|main|article)$/.test(at.name);
    if (!isPage && OUTSIDE.test(`${at.attributes['class'] ?? ''} ${at.attributes['id'] ?? ''}`)) return true;
  }
  return false;
}

const BY =
  /^(?:(?:written|posted|published|reviewed|story|words|text|article|created|author|authors|autor|autorin|auteur|forfatter) ?)?(?:by|von|af|av|par|por|di|da|door|przez|:)\s*:?\s+/i;
const BEHIND =
  /\s*(?:[|·•(]|\s[–—-]\s|\d|\b(?:updated|published|posted|on|am|le|reviewed|contributor|staff writer|min read)\b).*$/is;
const JOINED = /\s*(?:,|;|&|\band\b|\bund\b|\bog\b|\bet\b|\by\b)\s*/i;
/** Of a template that was not filled in, an address, or the name of a host. */
const NO_NAME = /[{}<>@]|\w\.\w+\.\w|https?:|\w\.(?:com|org|net|info|co|io|de|dk|fr|no|nl|pl|se)$/i;

function cleanNames(texts: readonly string[]): readonly string[] {
  const names = texts
    .map((text) => foldText(text.slice(0, BYLINE_CHARS)).replace(BY, '').replace(BEHIND, ''))
    .flatMap((text) => (text.split(/\s+/).length > 2 ? text.split(JOINED) : [text]))
    .map((name) => withoutMonth(name).replace(/^[\s,:–—-]+|[\s,:–—-]+$/g, ''));
  return [...new Set(names.filter(isName))].slice(0, MAX_AUTHORS);
}

/** A date behind a name has lost its numbers. */
function withoutMonth(name: string): string {
  const words = name.split(' ');
  return monthOf(words.at(-1)?.replace('.', '') ?? '') === undefined ? name : words.slice(0, -1).join(' ');
}

function isName(text: string): boolean {
  const words = text.split(/\s+/).length;
  return /\p{L}/u.test(text) && text.length <= MAX_AUTHOR_CHARS && words <= MAX_AUTHOR_WORDS && !NO_NAME.test(text);
}

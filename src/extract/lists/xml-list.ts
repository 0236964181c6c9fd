import { Parser } from 'htmlparser2';
import { listTime } from './list-time.ts';
import { URL_LIST_LIMITS, type UrlListEntry, type UrlListFormat } from './url-list.ts';

/** Reads XML piece by piece; no DTD is looked at, and no entity but the five of XML is known. */
export type XmlList = {
  write(text: string): void;
  end(): void;
  format(): UrlListFormat;
  /** The document is no list, or nests deeper than any. */
  isBroken(): boolean;
  /** Entries since the last call. */
  take(): UrlListEntry[];
};

const ROOTS: ReadonlyMap<string, UrlListFormat> = new Map([
  ['urlset', 'urlset'],
  ['sitemapindex', 'index'],
  ['rss', 'feed'],
  ['feed', 'feed'],
  ['rdf', 'feed'],
]);
const ENTRY_ELEMENTS: ReadonlyMap<string, UrlListFormat> = new Map([
  ['url', 'urlset'],
  ['sitemap', 'index'],
  ['item', 'feed'],
  ['entry', 'feed'],
]);
const TIME_ELEMENTS = new Set(['lastmod', 'pubdate', 'updated', 'published', 'modified', 'date']);

type OpenEntry = {
  /** Depth of its element. */
  readonly depth: number;
  readonly urls: string[];
  /** Address of last resort: `guid` of RSS. */
  guid: string;
  at: number | undefined;
};

type State = {
  format: UrlListFormat | undefined;
  depth: number;
  broken: boolean;
  entry: OpenEntry | undefined;
  /** Text of the member that is open, directly below the entry. */
  text: string | undefined;
  isPermanent: boolean;
  readonly found: UrlListEntry[];
};

/** @param base address of the list, for relative links */
export function openXmlList(base: string): XmlList {
  const state: State = {
    format: undefined,
    depth: 0,
    broken: false,
    entry: undefined,
    text: undefined,
    isPermanent: true,
    found: [],
  };
  const parser = new Parser(
    {
      onopentag: (name, attributes) => open(state, localName(name), attributes, base),
      ontext: (text) => addText(state, text),
      onclosetag: (name) => close(state, localName(name), base),
    },
    { xmlMode: true, decodeEntities: true },
  );
  return {
    write: (text) => {
      if (!state.broken) parser.write(text);
    },
    end: () => {
      if (!state.broken) parser.end();
    },
    format: () => state.format ?? 'unknown',
    isBroken: () => state.broken,
    take: () => state.found.splice(0),
  };
}

/** Without prefix, in lower case: generators write `dc:date`, `sm:loc` and `pubDate`. */
function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1).toLowerCase();
}

function open(state: State, name: string, attributes: Readonly<Record<string, string>>, base: string): void {
  state.depth++;
  if (state.depth > URL_LIST_LIMITS.depth) state.broken = true;
  if (state.depth === 1) {
    state.format = ROOTS.get(name) ?? 'unknown';
    if (state.format === 'unknown') state.broken = true;
  }
  const { entry } = state;
  if (entry === undefined) {
    if (ENTRY_ELEMENTS.get(name) === state.format) {
      state.entry = { depth: state.depth, urls: [], guid: '', at: undefined };
    }
    return;
  }
  if (state.depth !== entry.depth + 1) return;
  state.text = '';
  if (name === 'guid') state.isPermanent = attributes['isPermaLink'] !== 'false';
  const href = name === 'link' ? attributes['href'] : undefined;
  if (href !== undefined && /^(?:|.*\balternate\b.*)$/i.test(attributes['rel'] ?? '')) addUrl(entry, href, base);
}

function addText(state: State, text: string): void {
  if (state.text === undefined || state.text.length + text.length > URL_LIST_LIMITS.textChars) return;
  state.text += text;
}

function close(state: State, name: string, base: string): void {
  const { entry, text } = state;
  if (entry !== undefined && state.depth === entry.depth + 1) {
    state.text = undefined;
    if (text !== undefined) readMember(state, entry, { name, text, base });
  }
  if (entry !== undefined && state.depth === entry.depth) endEntry(state, entry, base);
  state.depth--;
}

function readMember(
  { isPermanent }: State,
  entry: OpenEntry,
  member: { readonly name: string; readonly text: string; readonly base: string },
): void {
  const { name, text, base } = member;
  if (name === 'loc' || name === 'link') addUrl(entry, text, base);
  if (name === 'guid' && isPermanent) entry.guid = text;
  if (!TIME_ELEMENTS.has(name)) return;
  const at = listTime(text);
  if (at !== undefined) entry.at = Math.max(entry.at ?? at, at);
}

function endEntry(state: State, entry: OpenEntry, base: string): void {
  if (entry.urls.length === 0 && entry.guid !== '') addUrl(entry, entry.guid, base);
  const isSitemap = state.format === 'index';
  for (const url of new Set(entry.urls)) state.found.push({ url, at: entry.at, isSitemap });
  state.entry = undefined;
}

function addUrl(entry: OpenEntry, text: string, base: string): void {
  const url = text.trim() === '' ? null : URL.parse(text.trim(), base);
  if (url !== null && /^https?:$/.test(url.protocol)) entry.urls.push(url.href);
}

import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Parser } from 'htmlparser2';
import { z } from 'zod';
import { listTime, URL_LIST_LIMITS, type UrlListEnd, type UrlListEntry, type UrlListFormat } from './url-list.ts';

const HEAD_BYTES = 512;

/**
 * The entries of a sitemap (XML, text), sitemap index or feed (RSS, Atom, JSON Feed), gzipped or not, as they are
 * read: memory does not grow with the list. Ends at the limits with what was read so far; nothing that the bytes hold
 * makes it throw.
 */
export async function* readUrlList(
  source: AsyncIterable<Uint8Array>,
  base: string,
): AsyncGenerator<readonly UrlListEntry[], UrlListEnd> {
  const bounded = { cut: undefined as UrlListEnd['cut'] };
  const bytes = limited(inflated(source), bounded);
  const head = await takeHead(bytes);
  const rest = joined(head, bytes);
  const start = startOf(head);
  const entries = start.startsWith('{') ? jsonEntries(rest, bounded) : undefined;
  if (entries !== undefined) return yield* counted(entries, { format: 'feed', bounded });
  const texts = decoded(rest, head);
  if (start.startsWith('<')) return yield* xmlEntries(texts, base, bounded);
  return yield* counted(lineEntries(texts), { format: 'text', bounded });
}

type Bounded = { cut: UrlListEnd['cut'] };
type Batches = AsyncGenerator<readonly UrlListEntry[], void>;

async function* counted(
  batches: Batches,
  { format, bounded }: { readonly format: UrlListEnd['format']; readonly bounded: Bounded },
): AsyncGenerator<readonly UrlListEntry[], UrlListEnd> {
  let entries = 0;
  for await (const batch of batches) {
    const taken = batch.slice(0, URL_LIST_LIMITS.entries - entries);
    entries += taken.length;
    if (taken.length > 0) yield taken;
    if (taken.length < batch.length) return { format, entries, cut: 'entries' };
  }
  // A text without a single address is a page or a note, no list.
  return { format: entries === 0 ? 'unknown' : format, entries, cut: bounded.cut };
}

async function* xmlEntries(
  texts: AsyncIterable<string>,
  base: string,
  bounded: Bounded,
): AsyncGenerator<readonly UrlListEntry[], UrlListEnd> {
  const list = openXmlList(base);
  let entries = 0;
  const take = () => {
    const taken = list.take();
    const kept = taken.slice(0, URL_LIST_LIMITS.entries - entries);
    entries += kept.length;
    return { kept, isFull: kept.length < taken.length };
  };
  for await (const text of texts) {
    list.write(text);
    const { kept, isFull } = take();
    if (kept.length > 0) yield kept;
    if (isFull) return { format: list.format(), entries, cut: 'entries' };
    if (list.isBroken()) return { format: list.format(), entries, cut: 'malformed' };
  }
  list.end();
  const { kept } = take();
  if (kept.length > 0) yield kept;
  return { format: list.format(), entries, cut: bounded.cut };
}

/** One address per line (sitemaps.org: text files). */
async function* lineEntries(texts: AsyncIterable<string>): Batches {
  let rest = '';
  for await (const text of texts) {
    const lines = (rest + text).split(/\r\n|\r|\n/);
    rest = lines.pop()?.slice(0, URL_LIST_LIMITS.textChars) ?? '';
    yield lines.flatMap(entryOfLine);
  }
  yield entryOfLine(rest);
}

function entryOfLine(line: string): UrlListEntry[] {
  const url = line.length > URL_LIST_LIMITS.textChars ? null : URL.parse(line.trim());
  const isUrl = url !== null && /^https?:$/.test(url.protocol);
  return isUrl ? [{ url: url.href, at: undefined, isSitemap: false }] : [];
}

const jsonFeed = z.object({
  items: z.array(
    z.object({ url: z.url().optional(), date_published: z.string().optional(), date_modified: z.string().optional() }),
  ),
});

async function* jsonEntries(bytes: AsyncIterable<Uint8Array>, bounded: Bounded): Batches {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > URL_LIST_LIMITS.jsonBytes) {
      bounded.cut = 'bytes';
      return;
    }
    chunks.push(chunk);
  }
  const parsed = jsonFeed.safeParse(jsonOf(Buffer.concat(chunks).toString('utf8')));
  if (!parsed.success) bounded.cut = 'malformed';
  yield (parsed.data?.items ?? []).flatMap(({ url, date_modified, date_published }) =>
    url === undefined ? [] : [{ url, at: listTime(date_modified ?? date_published ?? ''), isSitemap: false }],
  );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}

async function takeHead(bytes: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for (let size = 0; size < HEAD_BYTES; ) {
    const { value, done } = await bytes.next();
    if (done === true) break;
    size += value.length;
    chunks.push(value);
  }
  return Buffer.concat(chunks);
}

async function* joined(head: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (head.length > 0) yield head;
  yield* rest;
}

function startOf(head: Uint8Array): string {
  const encoding = encodingOf(head);
  return new TextDecoder(encoding).decode(head.subarray(0, HEAD_BYTES)).trimStart();
}

/** Byte order mark, else the XML declaration, else UTF-8. */
function encodingOf(head: Uint8Array): string {
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  const declared = /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]+)/i.exec(Buffer.from(head).toString('latin1'))?.[1];
  try {
    const { encoding } = new TextDecoder(declared ?? 'utf-8');
    // What could be read as ASCII is not in UTF-16, whatever it says.
    return encoding.startsWith('utf-16') ? 'utf-8' : encoding;
  } catch {
    return 'utf-8';
  }
}

async function* decoded(bytes: AsyncIterable<Uint8Array>, head: Uint8Array): AsyncGenerator<string> {
  const decoder = new TextDecoder(encodingOf(head));
  for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

/** Gzip is told by its first bytes: names and media types of sitemaps say little. */
async function* inflated(source: AsyncIterable<Uint8Array>): AsyncGenerator<{ bytes: Uint8Array; wire: number }> {
  const wire = { bytes: 0 };
  const read = counting(source, wire);
  const head = await takeHead(read);
  const rest = joined(head, read);
  const isGzip = head[0] === 0x1f && head[1] === 0x8b;
  // The error of the source also ends the last stage, where the loop below meets it.
  const opened = isGzip ? pipeline([Readable.from(rest, { objectMode: false }), createGunzip()], () => {}) : rest;
  for await (const bytes of opened as AsyncIterable<Uint8Array>) yield { bytes, wire: isGzip ? wire.bytes : 0 };
}

async function* counting(source: AsyncIterable<Uint8Array>, wire: { bytes: number }): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    wire.bytes += chunk.length;
    yield chunk;
  }
}

async function* limited(
  chunks: AsyncGenerator<{ bytes: Uint8Array; wire: number }>,
  bounded: Bounded,
): AsyncGenerator<Uint8Array> {
  const { bytes: maxBytes, ratio, ratioFromBytes } = URL_LIST_LIMITS;
  let size = 0;
  try {
    for await (const { bytes, wire } of chunks) {
      size += bytes.length;
      const isBomb = wire > 0 && size > ratioFromBytes && size > wire * ratio;
      if (size > maxBytes || isBomb) {
        bounded.cut = 'bytes';
        return;
      }
      yield bytes;
    }
  } catch (error) {
    if (!isZlibError(error)) throw error;
    bounded.cut = 'malformed';
  }
}

function isZlibError(error: unknown): boolean {
  return String((error as { code?: unknown })?.code ?? '').startsWith('Z_');
}

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
function openXmlList(base: string): XmlList {
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

import type { FileBlock, FileExtraction, FileProperties } from '../extraction.ts';
import { type PageElement, parsePage, textOf, walkTree } from '../html/page-tree.ts';
import { fileOf, unreadFile } from './file-status.ts';
import { markupBlocks } from './markup-blocks.ts';
import { resolvePart } from './office-relations.ts';
import { attributeOf, localName, scanXml } from './xml-scan.ts';
import { openZip, type ZipArchive } from './zip.ts';

/** Files of the spine after which nothing is read, and the text that they may have together before it is parsed. */
const MAX_CHAPTERS = 2_000;
const MAX_MARKUP_CHARS = 50 * 1024 * 1024;
const MAX_LEVEL = 9;

/** Text of a book (EPUB 2 and 3) in the order of its spine, with headings of its pages and of its table of contents. */
export function readEpub(bytes: Uint8Array): FileExtraction {
  const archive = openZip(bytes);
  if (archive.status !== 'ok') return unreadFile(archive.status, archive.reason);
  const book = readBookPackage(archive);
  if (book === undefined) return unreadFile('malformed', 'The book has no package file');
  const { properties } = book;
  if (isEncrypted(archive, book)) return { ...unreadFile('encrypted', 'The book is protected'), properties };
  const entries = readNavigation(archive, book);
  const blocks: FileBlock[] = [];
  const links: { url: string; text: string }[] = [];
  const notes = new Set<string>();
  let left = MAX_MARKUP_CHARS;
  for (const part of book.spine.slice(0, MAX_CHAPTERS)) {
    const markup = archive.textOf(part);
    if (left < 0) break;
    left -= markup.length;
    const chapter = markupBlocks(withEndTags(markup));
    blocks.push(...withHeading(chapter.blocks, entries.get(part)));
    links.push(...chapter.links.filter(({ url }) => /^https?:/i.test(url)));
    for (const note of chapter.notes) notes.add(note);
  }
  const file = fileOf({ properties, blocks, links, notes: [...notes] }, 'The book has no text');
  const isCut = left < 0 || book.spine.length > MAX_CHAPTERS;
  return isCut ? { ...file, status: 'over-limit', reason: 'The book is too long' } : file;
}

/** Elements that end where they start, in HTML as in XML. */
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i;
const CLOSED_TAG = /<([a-z][\w:-]{0,50})(\s[^<>]{0,10000})?\/>/gi;

/** Pages are XML, where `<title/>` ends at once: read as HTML, it would take the whole page. */
function withEndTags(markup: string): string {
  return markup.replace(CLOSED_TAG, (tag, name: string, attributes = '') =>
    VOID.test(name) ? tag : `<${name}${attributes}></${name}>`,
  );
}

/**
 * The table of contents tells the level of a chapter, and its title when the page has none: the headings of the page
 * follow below it.
 */
function withHeading(blocks: readonly FileBlock[], entry: BookEntry | undefined): readonly FileBlock[] {
  if (entry === undefined || blocks.length === 0) return blocks;
  const own = blocks.find(({ kind }) => kind === 'heading');
  const isOwn = own !== undefined && folded(own.text) === folded(entry.title);
  const highest = blocks.reduce(
    (level, block) => (block.kind === 'heading' ? Math.min(level, block.level) : level),
    MAX_LEVEL,
  );
  const shift = entry.level + (isOwn ? 0 : 1) - (isOwn ? own.level : highest);
  const shifted = blocks.map((block) =>
    block.kind === 'heading' ? { ...block, level: Math.min(MAX_LEVEL, Math.max(1, block.level + shift)) } : block,
  );
  if (isOwn) return shifted;
  return [{ kind: 'heading', level: entry.level, text: entry.title, grounding: true }, ...shifted];
}

function folded(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

/** Fonts are often scrambled, which keeps nobody from reading; a chapter never without a protection. */
function isEncrypted(archive: ZipArchive, { spine }: BookPackage): boolean {
  const chapters = new Set(spine);
  let found = false;
  scanXml(archive.textOf('META-INF/encryption.xml'), {
    isDone: () => found,
    open: (name, attributes) => {
      if (localName(name) === 'CipherReference') found ||= chapters.has(attributeOf(attributes, 'URI') ?? '');
    },
  });
  return found;
}

/** Where a page stands in the table of contents. */
type BookEntry = { readonly title: string; readonly level: number };

const MAX_ENTRIES = 20_000;
const MAX_TITLE_CHARS = 300;

/** First entry of each page in the table of contents, by its part: of EPUB 3, else of EPUB 2. */
function readNavigation(
  archive: ZipArchive,
  { navigation, contents }: Pick<BookPackage, 'navigation' | 'contents'>,
): ReadonlyMap<string, BookEntry> {
  const entries =
    navigation === undefined ? new Map() : navigationEntries(archive.textOf(navigation), folderOf(navigation));
  if (entries.size > 0 || contents === undefined) return entries;
  return contentsEntries(archive.textOf(contents), folderOf(contents));
}

function folderOf(part: string): string {
  return part.slice(0, part.lastIndexOf('/') + 1);
}

/** `nav` of type `toc`: nested lists of links (EPUB 3.3, 7). */
function navigationEntries(markup: string, folder: string): ReadonlyMap<string, BookEntry> {
  const entries = new Map<string, BookEntry>();
  let lists = 0;
  let inContents = false;
  const isContents = ({ name, attributes }: PageElement) =>
    name === 'nav' && /(?:^|\s)toc(?:\s|$)/.test(attributes['epub:type'] ?? '');
  walkTree(parsePage(markup).root, {
    isDone: () => entries.size >= MAX_ENTRIES,
    enter: (element) => {
      if (isContents(element)) inContents = true;
      if (element.name === 'ol') lists++;
      if (inContents && element.name === 'a')
        addEntry(entries, partOf(folder, element.attributes['href'] ?? ''), { title: textOf(element), level: lists });
      return undefined;
    },
    exit: (element) => {
      if (isContents(element)) inContents = false;
      if (element.name === 'ol') lists--;
    },
  });
  return entries;
}

/** `navPoint`s of the NCX, each with a label and a target. */
function contentsEntries(xml: string, folder: string): ReadonlyMap<string, BookEntry> {
  const entries = new Map<string, BookEntry>();
  let level = 0;
  let title = '';
  let isLabel = false;
  scanXml(xml, {
    isDone: () => entries.size >= MAX_ENTRIES,
    open: (name, attributes) => {
      const local = localName(name);
      if (local === 'navPoint') level++;
      if (local === 'navLabel') {
        title = '';
        isLabel = true;
      }
      if (local === 'content' && level > 0)
        addEntry(entries, partOf(folder, attributeOf(attributes, 'src') ?? ''), { title, level });
    },
    text: (text) => {
      if (isLabel) title += text;
    },
    close: (name) => {
      if (localName(name) === 'navPoint') level = Math.max(0, level - 1);
      if (localName(name) === 'navLabel') isLabel = false;
    },
  });
  return entries;
}

function addEntry(entries: Map<string, BookEntry>, part: string, { title, level }: BookEntry): void {
  const text = title.replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE_CHARS);
  if (text !== '' && part !== '' && !entries.has(part)) entries.set(part, { title: text, level: Math.max(1, level) });
}

/** What the package file of a book tells (EPUB 3.3, 5). Names are those of parts in the archive. */
type BookPackage = {
  readonly properties: FileProperties;
  /** Pages in the order of reading. */
  readonly spine: readonly string[];
  /** EPUB 3. */
  readonly navigation: string | undefined;
  /** EPUB 2. */
  readonly contents: string | undefined;
};

type Item = { readonly part: string; readonly type: string; readonly properties: string };
type Values = Map<string, string[]>;

const MAX_ITEMS = 20_000;

/** Undefined when the archive names no package file that is there. */
function readBookPackage(archive: ZipArchive): BookPackage | undefined {
  const name = packageName(archive);
  if (name === undefined) return undefined;
  const folder = name.slice(0, name.lastIndexOf('/') + 1);
  const items = new Map<string, Item>();
  const values: Values = new Map();
  const order: string[] = [];
  let current = '';
  scanXml(archive.textOf(name), {
    isDone: () => items.size >= MAX_ITEMS || order.length >= MAX_ITEMS,
    open: (tag, attributes) => {
      const local = localName(tag);
      current = local === 'meta' ? (attributeOf(attributes, 'property') ?? '') : local;
      if (local === 'item') items.set(attributeOf(attributes, 'id') ?? '', itemOf(folder, attributes));
      if (local === 'itemref') order.push(attributeOf(attributes, 'idref') ?? '');
    },
    text: (text) => {
      if (current !== '' && text.trim() !== '')
        values.set(current, [...(values.get(current) ?? []), text.trim()].slice(0, 10));
    },
    close: () => {
      current = '';
    },
  });
  const parts = [...items.values()];
  return {
    properties: propertiesOf(values),
    spine: spineOf(items, order),
    navigation: parts.find(({ properties }) => /(?:^|\s)nav(?:\s|$)/.test(properties))?.part,
    contents: parts.find(({ type }) => type === 'application/x-dtbncx+xml')?.part,
  };
}

function packageName(archive: ZipArchive): string | undefined {
  let named: string | undefined;
  scanXml(archive.textOf('META-INF/container.xml'), {
    isDone: () => named !== undefined,
    open: (tag, attributes) => {
      if (localName(tag) === 'rootfile') named = resolvePart('', attributeOf(attributes, 'full-path') ?? '');
    },
  });
  if (named !== undefined && archive.names.has(named)) return named;
  return [...archive.names].find((name) => /\.opf$/i.test(name));
}

function itemOf(folder: string, attributes: string): Item {
  return {
    part: partOf(folder, attributeOf(attributes, 'href') ?? ''),
    type: attributeOf(attributes, 'media-type') ?? '',
    properties: attributeOf(attributes, 'properties') ?? '',
  };
}

/** The part that a link in a book names, its fragment left out. */
function partOf(folder: string, href: string): string {
  const path = href.split('#', 1)[0] ?? '';
  try {
    return resolvePart(folder, decodeURIComponent(path));
  } catch {
    return resolvePart(folder, path);
  }
}

/** Pages only, each once. A spine that names none is read as the list of all pages. */
function spineOf(items: ReadonlyMap<string, Item>, order: readonly string[]): readonly string[] {
  const isPage = ({ part, type }: Item) => /html|dtbook/.test(type) || /\.x?html?$/i.test(part);
  const listed = order.map((id) => items.get(id)).filter((item) => item !== undefined && isPage(item));
  const pages = listed.length > 0 ? listed : [...items.values()].filter(isPage);
  return [...new Set(pages.map((item) => item?.part ?? ''))];
}

function propertiesOf(values: Values): FileProperties {
  return {
    title: values.get('title')?.[0],
    author: values.get('creator')?.join(', '),
    subject: values.get('description')?.[0],
    keywords: values.get('subject')?.join(', '),
    language: values.get('language')?.[0],
    created: values.get('date')?.[0],
    modified: values.get('dcterms:modified')?.[0],
  };
}

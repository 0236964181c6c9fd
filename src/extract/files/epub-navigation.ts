import { type PageElement, parsePage, textOf, walkTree } from '../html/page-tree.ts';
import { type BookPackage, partOf } from './epub-package.ts';
import { attributeOf, localName, scanXml } from './xml-scan.ts';
import type { ZipArchive } from './zip.ts';

/** Where a page stands in the table of contents. */
export type BookEntry = { readonly title: string; readonly level: number };

const MAX_ENTRIES = 20_000;
const MAX_TITLE_CHARS = 300;

/** First entry of each page in the table of contents, by its part: of EPUB 3, else of EPUB 2. */
export function readNavigation(
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

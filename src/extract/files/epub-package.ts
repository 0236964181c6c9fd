import type { FileProperties } from '../extraction.ts';
import { resolvePart } from './office-relations.ts';
import { attributeOf, localName, scanXml } from './xml-scan.ts';
import type { ZipArchive } from './zip.ts';

/** What the package file of a book tells (EPUB 3.3, 5). Names are those of parts in the archive. */
export type BookPackage = {
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
export function readBookPackage(archive: ZipArchive): BookPackage | undefined {
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
export function partOf(folder: string, href: string): string {
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

import type { FileBlock, FileExtraction } from '../extraction.ts';
import { type BookEntry, readNavigation } from './epub-navigation.ts';
import { type BookPackage, readBookPackage } from './epub-package.ts';
import { fileOf, unreadFile } from './file-status.ts';
import { markupBlocks } from './markup-blocks.ts';
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

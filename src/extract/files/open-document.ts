import type { FileExtraction, FileProperties } from '../extraction.ts';
import { fileOf, unreadFile } from './file-status.ts';
import { elementTexts } from './office-relations.ts';
import { readOpenDocumentXml } from './open-document-text.ts';
import { attributeOf, scanXml } from './xml-scan.ts';
import { openZip, type ZipArchive } from './zip.ts';

const EMPTY = { status: 'empty', reason: 'The document has no text' } as const;

/** Text, sheets or slides of an OpenDocument file (ODT, ODS, ODP) with its properties. */
export function readOpenDocument(bytes: Uint8Array): FileExtraction {
  const archive = openZip(bytes);
  if (archive.status !== 'ok') return unreadFile(archive.status, archive.reason);
  if (isEncrypted(archive)) return unreadFile('encrypted', 'The file needs a password');
  const content = archive.textOf('content.xml');
  if (content === '') return unreadFile('malformed', 'The file has no content part');
  const { blocks, links, slides, isCut, sheets } = readOpenDocumentXml(content);
  const { properties, pages } = readMeta(archive.textOf('meta.xml'));
  const pageCount = slides > 0 ? slides : pages;
  const read = { properties, blocks, links, pageCount };
  // Names of sheets alone are no text.
  const isEmpty = blocks.length === sheets;
  const file = isEmpty ? { ...fileOf(read, ''), ...EMPTY } : fileOf(read, EMPTY.reason);
  return isCut ? { ...file, status: 'over-limit', reason: 'The document is too long' } : file;
}

/** The manifest names the key of every part that needs one (ODF 1.3 part 2, 4). */
function isEncrypted(archive: ZipArchive): boolean {
  let found = false;
  scanXml(archive.textOf('META-INF/manifest.xml'), {
    isDone: () => found,
    open: (name) => {
      found ||= name.endsWith('encryption-data');
    },
  });
  return found;
}

/** Properties of `meta.xml` (ODF 1.3 part 3, 4.3). */
function readMeta(xml: string): { readonly properties: FileProperties; readonly pages: number | undefined } {
  const values = elementTexts(xml);
  let pages = 0;
  scanXml(xml, {
    open: (name, attributes) => {
      if (name.endsWith('document-statistic')) pages = Number(attributeOf(attributes, 'meta:page-count')) || 0;
    },
  });
  return {
    pages: pages > 0 ? pages : undefined,
    properties: {
      title: values.get('title'),
      author: values.get('initial-creator') ?? values.get('creator'),
      subject: values.get('subject'),
      keywords: values.get('keyword'),
      language: values.get('language'),
      created: values.get('creation-date'),
      modified: values.get('date'),
    },
  };
}

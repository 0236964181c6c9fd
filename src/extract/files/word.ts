import mammoth from 'mammoth';
import type { FileExtraction, FileProperties } from '../extraction.ts';
import { unreadFile } from './file-status.ts';
import { readZipDirectory, readZipEntry, type ZipEntry } from './zip.ts';

/** Text and properties of a Word document (DOCX and its kin): paragraphs, tables row by row, notes at the end. */
export async function readWord(bytes: Uint8Array): Promise<FileExtraction> {
  const directory = readZipDirectory(bytes);
  if (directory.status !== 'ok') return unreadFile(directory.status, directory.reason);
  const properties = propertiesOf(bytes, directory.entries.get('docProps/core.xml'));
  const { value } = await mammoth.extractRawText({ buffer: Buffer.from(bytes) });
  const text = value.replace(/\n{3,}/g, '\n\n').trim();
  const status = text === '' ? 'empty' : 'ok';
  return { status, reason: text === '' ? 'The document has no text' : '', properties, pages: [text], paged: false };
}

function propertiesOf(bytes: Uint8Array, entry: ZipEntry | undefined): FileProperties {
  const content = entry === undefined ? undefined : readZipEntry(bytes, entry);
  if (content === undefined) return {};
  const xml = Buffer.from(content).toString('utf8').slice(0, MAX_PROPERTIES_CHARS);
  return {
    title: elementText(xml, 'dc:title'),
    author: elementText(xml, 'dc:creator'),
    created: elementText(xml, 'dcterms:created'),
    modified: elementText(xml, 'dcterms:modified'),
  };
}

const MAX_PROPERTIES_CHARS = 64 * 1024;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function elementText(xml: string, name: string): string | undefined {
  const start = xml.indexOf(`<${name}`);
  const open = start < 0 ? -1 : xml.indexOf('>', start);
  const close = open < 0 ? -1 : xml.indexOf(`</${name}>`, open);
  if (close < 0) return undefined;
  const text = xml
    .slice(open + 1, close)
    .replace(/&(amp|lt|gt|quot|apos);/g, (_, entity: string) => ENTITIES[entity] ?? '');
  return text.trim() || undefined;
}

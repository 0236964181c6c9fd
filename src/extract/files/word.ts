import mammoth from 'mammoth';
import type { FileExtraction } from '../extraction.ts';
import { fileOf, paragraphsOf, unreadFile } from './file-status.ts';
import { readOfficeProperties } from './office-properties.ts';
import { openZip } from './zip.ts';

/** Text and properties of a Word document (DOCX and its kin): paragraphs, tables row by row, notes at the end. */
export async function readWord(bytes: Uint8Array): Promise<FileExtraction> {
  const archive = openZip(bytes);
  if (archive.status !== 'ok') return unreadFile(archive.status, archive.reason);
  const properties = readOfficeProperties(archive);
  const { value } = await mammoth.extractRawText({ buffer: Buffer.from(bytes) });
  return fileOf({ properties, blocks: paragraphsOf(value.split('\n')) }, 'The document has no text');
}

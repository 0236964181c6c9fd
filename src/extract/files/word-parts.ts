import type { FileExtraction } from '../extraction.ts';
import { fileOf, unreadFile } from './file-status.ts';
import { readOfficeProperties } from './office-relations.ts';
import { readWordXml, type WordText, wordPart } from './word-xml.ts';
import { openZip, type ZipArchive } from './zip.ts';

export type WordBlocks = Pick<FileExtraction, 'blocks' | 'links'>;

/** Text and properties of a Word document by its parts alone: a millisecond, and memory of the size of the document. */
export function readWordParts(bytes: Uint8Array): Promise<FileExtraction> {
  return readWordArchive(bytes, (_, own) => own);
}

/** As `readWordParts`; `choose` may put other blocks in place of those of the parts. */
export async function readWordArchive(
  bytes: Uint8Array,
  choose: (archive: ZipArchive, own: WordText) => WordBlocks | Promise<WordBlocks>,
): Promise<FileExtraction> {
  const archive = openZip(bytes);
  if (archive.status !== 'ok') return unreadFile(archive.status, archive.reason);
  if (archive.bytesOf(wordPart(archive)) === undefined) return unreadFile('malformed', 'The document has no text part');
  const own = readWordXml(archive);
  const { blocks, links } = await choose(archive, own);
  const read = { properties: readOfficeProperties(archive), blocks: [...blocks, ...own.asides], links };
  return fileOf(read, 'The document has no text');
}

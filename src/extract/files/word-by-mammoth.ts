import mammoth from 'mammoth';
import type { FileExtraction } from '../extraction.ts';
import { fileOf, unreadFile } from './file-status.ts';
import { markupBlocks } from './markup-blocks.ts';
import { readOfficeProperties } from './office-relations.ts';
import { wordPart } from './word-xml.ts';
import { openZip } from './zip.ts';

/** 50,000 runs of text (1.4 MB) cost mammoth 1.3 s and 323 MB: larger parts would take a child to its limit. */
const MAX_PART_BYTES = 1024 * 1024;

/**
 * Text of a Word document by mammoth: ten times as slow as by its parts, without numbers of lists, remarks and text
 * boxes. Its HTML is parsed as any page is, and kept nowhere.
 */
export async function readWordByMammoth(bytes: Uint8Array): Promise<FileExtraction> {
  const archive = openZip(bytes);
  if (archive.status !== 'ok') return unreadFile(archive.status, archive.reason);
  const size = archive.bytesOf(wordPart(archive))?.length ?? 0;
  if (size > MAX_PART_BYTES) return unreadFile('over-limit', 'The text of the document is longer than 1 MiB');
  try {
    const { value } = await mammoth.convertToHtml(
      { buffer: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) },
      { styleMap: STYLES, includeEmbeddedStyleMap: false, externalFileAccess: false, convertImage: NO_IMAGES },
    );
    const read = { ...markupBlocks(value.replace(NOTE_MARKS, '')), properties: readOfficeProperties(archive) };
    return fileOf(read, 'The document has no text');
  } catch {
    return unreadFile('malformed', 'The document has no text part');
  }
}

/** Numbers and arrows by which mammoth links notes: they stand nowhere in the document. */
const NOTE_MARKS = /<sup><a [^>]*>\[\d+\]<\/a><\/sup>|<a href="#(?:foot|end)note-ref-\d+">↑<\/a>/g;
const STYLES = ["p[style-name='Title'] => h1:fresh"];
const NO_IMAGES = mammoth.images.imgElement(() => Promise.resolve({ src: '' }));

import mammoth from 'mammoth';
import type { FileBlock, FileExtraction } from '../extraction.ts';
import { countWords } from '../word-characters.ts';
import { markupBlocks } from './markup-blocks.ts';
import { readWordArchive, type WordBlocks } from './word-parts.ts';
import { wordPart } from './word-xml.ts';

/**
 * 50,000 runs of text (1.4 MB) cost mammoth 1.3 s and 323 MB, the own reader 55 ms and 3 MB: larger parts would take a
 * child to its limit.
 */
const MAX_PART_BYTES = 1024 * 1024;
const MAX_PARAGRAPHS = 20_000;
/** From this share of words more, mammoth has left text boxes or content controls out. */
const MORE_WORDS = 1.1;

/**
 * Text and properties of a Word document (DOCX and its kin): headings, lists and tables as mammoth tells them, or as
 * the parts do where mammoth gives less.
 */
export async function readWord(bytes: Uint8Array): Promise<FileExtraction> {
  return readWordArchive(bytes, async (archive, own) => {
    const size = archive.bytesOf(wordPart(archive))?.length ?? 0;
    const isSmall = size <= MAX_PART_BYTES && own.paragraphs <= MAX_PARAGRAPHS;
    // Mammoth shows what is hidden, and writes no numbers.
    const isPlain = own.hiddenChars === 0 && own.numbered === 0;
    const converted = isSmall && isPlain ? await convert(bytes) : undefined;
    return converted === undefined || hasMoreText(own, converted) ? own : converted;
  });
}

/** Undefined when mammoth does not read it. Its HTML is parsed as any page is, and kept nowhere. */
async function convert(bytes: Uint8Array): Promise<WordBlocks | undefined> {
  try {
    const { value } = await mammoth.convertToHtml(
      { buffer: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) },
      { styleMap: STYLES, includeEmbeddedStyleMap: false, externalFileAccess: false, convertImage: NO_IMAGES },
    );
    return markupBlocks(value.replace(NOTE_MARKS, ''));
  } catch {
    return undefined;
  }
}

/** Numbers and arrows by which mammoth links notes: they stand nowhere in the document. */
const NOTE_MARKS = /<sup><a [^>]*>\[\d+\]<\/a><\/sup>|<a href="#(?:foot|end)note-ref-\d+">↑<\/a>/g;
const STYLES = ["p[style-name='Title'] => h1:fresh"];
const NO_IMAGES = mammoth.images.imgElement(() => Promise.resolve({ src: '' }));

function hasMoreText(own: WordBlocks, converted: WordBlocks): boolean {
  const headings = ({ blocks }: WordBlocks) => blocks.filter(({ kind }) => kind === 'heading').length;
  return wordsOf(own.blocks) > wordsOf(converted.blocks) * MORE_WORDS || headings(own) > headings(converted);
}

function wordsOf(blocks: readonly FileBlock[]): number {
  return blocks.reduce((words, { text }) => words + countWords(text), 0);
}

import { Readable } from 'node:stream';
import WordOleExtractor from 'word-extractor/lib/word-ole-extractor.js';
import type { FileExtraction } from '../extraction.ts';
import { fileOf, unreadFile } from './file-status.ts';
import { legacyBlocks, legacyLinks, withoutMarks } from './legacy-word-blocks.ts';
import { isEncryptedWord, readPieces, type WordPieces } from './legacy-word-pieces.ts';
import { type OleFile, openOle } from './ole.ts';
import { summaryOf } from './ole-properties.ts';

/**
 * Text and properties of a Word document of before 2007: by word-extractor, or by the table of its pieces where that
 * fails (Word 6 and 95, damaged files). The streams come from `ole.ts`: of a damaged header word-extractor makes a table
 * as long as the header claims, and follows a cycle of sectors without end.
 */
export function readLegacyWord(bytes: Uint8Array): Promise<FileExtraction> {
  return readOle(bytes, async (pieces, ole) => (await extractTexts(pieces, ole)) ?? textsOf(pieces));
}

/** As `readLegacyWord`, by the pieces alone. */
export function readLegacyWordPieces(bytes: Uint8Array): Promise<FileExtraction> {
  return readOle(bytes, textsOf);
}

type Texts = readonly string[] | undefined;

async function readOle(
  bytes: Uint8Array,
  read: (pieces: WordPieces | undefined, ole: OleFile) => Texts | Promise<Texts>,
): Promise<FileExtraction> {
  const ole = openOle(bytes);
  if (ole === undefined) return unreadFile('malformed', 'The document has no directory');
  const { properties, pages } = summaryOf(ole.streamOf('\u0005SummaryInformation'));
  if (isEncryptedWord(ole)) return { ...unreadFile('encrypted', 'The file needs a password'), properties };
  const pieces = readPieces(ole);
  const texts = await read(pieces, ole);
  if (texts === undefined)
    return { ...unreadFile('malformed', 'The text of the document cannot be found'), properties };
  const links = legacyLinks(pieces?.body ?? '');
  return fileOf(
    { properties, blocks: texts.flatMap(legacyBlocks), links, pageCount: pages },
    'The document has no text',
  );
}

function textsOf(pieces: WordPieces | undefined): Texts {
  return pieces === undefined ? undefined : [pieces.body, ...pieces.rest].map(withoutMarks);
}

/** Undefined when the package does not read the file, or would copy without bound. It leaves no field or mark in its texts. */
async function extractTexts(pieces: WordPieces | undefined, ole: OleFile): Promise<Texts> {
  const content = ole.streamOf('WordDocument');
  if (content === undefined || pieces?.isBounded !== true) return undefined;
  const stream = (name: string) => Readable.from([ole.streamOf(name) ?? new Uint8Array()]);
  try {
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.length);
    const document = await new WordOleExtractor().extractWordDocument({ stream }, bytes);
    const options = { filterUnicode: false };
    return [
      document.getBody(options),
      document.getFootnotes(options),
      document.getEndnotes(options),
      document.getTextboxes({ ...options, includeHeadersAndFooters: false }),
    ];
  } catch {
    return undefined;
  }
}

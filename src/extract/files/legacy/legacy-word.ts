import { Readable } from 'node:stream';
import WordOleExtractor from 'word-extractor/lib/word-ole-extractor.js';
import type { FileBlock, FileExtraction } from '../../extraction.ts';
import { fileOf, paragraphsOf, unreadFile } from '../file-status.ts';
import { type TableRow, tableBlocksOf, tableRow } from '../table-text.ts';
import { type OleFile, openOle, summaryOf } from './ole.ts';

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

/** A field: begin, instruction, separator, result, end (MS-DOC 2.8.25). */
const BEGIN = '\x13';
const SEPARATOR = '\x14';
const END = '\x15';
const INNER = `[^${BEGIN}${SEPARATOR}${END}]*`;
const FIELD = new RegExp(`${BEGIN}${INNER}(?:${SEPARATOR}(${INNER}))?${END}`, 'g');
const LINK = new RegExp(`^${BEGIN}\\s*HYPERLINK\\s[^"]{0,100}"([^"]+)"[^${SEPARATOR}]*${SEPARATOR}(.*)${END}$`, 'is');
const MAX_NESTED_FIELDS = 8;
const MAX_LINKS = 20_000;

/** Links of a text with the marks of Word. */
function legacyLinks(text: string): FileExtraction['links'] {
  const links: { url: string; text: string }[] = [];
  for (const [field] of text.matchAll(FIELD)) {
    const [, url, label = ''] = LINK.exec(field) ?? [];
    if (url !== undefined && links.length < MAX_LINKS) links.push({ url, text: tidy(label) });
  }
  return links;
}

/** A field is shown by its result; two marks in a row end a row of a table. */
function withoutMarks(text: string): string {
  let shown = text.replaceAll('\x07\x07', '\t\n').replaceAll('\x07', '\t').replaceAll('\x0b', '\n');
  for (let depth = 0; depth < MAX_NESTED_FIELDS && shown.includes(BEGIN); depth++)
    shown = shown.replace(FIELD, (_, result?: string) => result ?? '');
  return shown;
}

/** Paragraphs and tables of a text: a row is a line of cells that each end with a tab. */
function legacyBlocks(text: string): readonly FileBlock[] {
  const blocks: FileBlock[] = [];
  let rows: TableRow[] = [];
  const endTable = () => {
    blocks.push(...tableBlocksOf(rows));
    rows = [];
  };
  for (const line of text.split(/[\r\n\f]/)) {
    const cells = line.endsWith('\t') ? tableRow(line.split('\t').map(tidy)) : undefined;
    if (cells !== undefined && cells.size > 1) {
      rows.push(cells);
      continue;
    }
    endTable();
    blocks.push(...paragraphsOf([tidy(line)]));
  }
  endTable();
  return blocks;
}

/** Anchors of notes, pictures and shapes are control characters. */
function tidy(text: string): string {
  return text
    .replaceAll('\x1e', '-')
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\u00ad]/gu, '')
    .trim();
}

/** Texts of a document with the marks of Word in them. */
type WordPieces = {
  readonly body: string;
  readonly rest: readonly string[];
  /** Of Word 97 and later, and its pieces name no more bytes than it has: a reader may copy every piece. */
  readonly isBounded: boolean;
};

/** The characters of a piece and where they stand, as the table writes it. */
type Piece = { readonly chars: number; readonly place: number };

type PieceTable = {
  readonly pieces: readonly Piece[];
  /** The table is as long as it says, and none of its pieces was left out. */
  readonly isWhole: boolean;
};

const WORD_97 = 0xc1;
const ENCRYPTED = 0x0100;
const COMPLEX = 0x0004;
const IN_TABLE_1 = 0x0200;
const MAX_PIECES = 100_000;
const PIECE_TABLE = 2;
const PROPERTIES = 1;
/** Bits of the place of a piece. */
const NARROW = 0x40000000;
const PLACE = 0x3fffffff;

/** The flag of the header (MS-DOC 2.5.2). */
function isEncryptedWord(ole: OleFile): boolean {
  const header = headerOf(ole);
  return header !== undefined && (header.readUInt16LE(10) & ENCRYPTED) !== 0;
}

/** Text of the document and its notes by the header and the table of pieces; undefined when they are not there. */
function readPieces(ole: OleFile): WordPieces | undefined {
  const header = headerOf(ole);
  if (header === undefined) return undefined;
  const isOld = header.readUInt16LE(2) < WORD_97;
  const isComplex = (header.readUInt16LE(10) & COMPLEX) !== 0;
  if (isOld) return isComplex ? oldPieces(header) : oldText(header);
  return piecesOf(header, ole.streamOf((header.readUInt16LE(10) & IN_TABLE_1) !== 0 ? '1Table' : '0Table'));
}

const MIN_HEADER_BYTES = 0x60;

function headerOf(ole: OleFile): Buffer | undefined {
  const bytes = ole.streamOf('WordDocument');
  if (bytes === undefined || bytes.length < MIN_HEADER_BYTES) return undefined;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Word 6 and 95: one run of bytes (`fcMin`, `fcMac`). */
function oldText(header: Buffer): WordPieces | undefined {
  const start = header.readUInt32LE(0x18);
  const end = Math.min(header.length, header.readUInt32LE(0x1c));
  if (start >= end) return undefined;
  return partsOfOld(header, new TextDecoder(oldCharset(header)).decode(header.subarray(start, end)));
}

/** Word 6 and 95, saved fast: the table of pieces stands in the same stream. */
function oldPieces(header: Buffer): WordPieces | undefined {
  if (header.length < 0x168) return undefined;
  const at = header.readUInt32LE(0x160);
  const table = pieceTable(header, at, Math.min(header.length, at + header.readUInt32LE(0x164)));
  return table === undefined ? undefined : partsOfOld(header, textOf(header, table, oldCharset(header)));
}

/** The document, then its footnotes (`ccpText`, `ccpFtn`). */
function partsOfOld(header: Buffer, text: string): WordPieces {
  const body = header.readUInt32LE(0x34);
  const notes = header.readUInt32LE(0x38);
  return { body: text.slice(0, body), rest: [text.slice(body, body + notes)], isBounded: false };
}

/** Languages of the alphabets that windows-1252 lacks, by the lower bits of their number. */
const OLD_CHARSETS: readonly (readonly [string, readonly number[]])[] = [
  ['windows-1250', [0x05, 0x0e, 0x15, 0x18, 0x1a, 0x1b, 0x24]],
  ['windows-1251', [0x02, 0x19, 0x22, 0x23, 0x2f]],
  ['windows-1253', [0x08]],
  ['windows-1254', [0x1f]],
  ['windows-1255', [0x0d]],
  ['windows-1256', [0x01, 0x29]],
  ['windows-1257', [0x25, 0x26, 0x27]],
];

/** By the language of the program that wrote it (`lid`). */
function oldCharset(header: Buffer): string {
  const language = header.readUInt16LE(6) & 0x3ff;
  return OLD_CHARSETS.find(([, languages]) => languages.includes(language))?.[0] ?? 'windows-1252';
}

function piecesOf(header: Buffer, stream: Uint8Array | undefined): WordPieces | undefined {
  if (stream === undefined || header.length < 0x1aa) return undefined;
  const buffer = Buffer.from(stream.buffer, stream.byteOffset, stream.length);
  const at = header.readUInt32LE(0x1a2);
  const table = pieceTable(buffer, at, Math.min(buffer.length, at + header.readUInt32LE(0x1a6)));
  if (table === undefined) return undefined;
  const text = textOf(header, table);
  // Characters of the document, footnotes, headers, macros, comments, endnotes.
  const counts = [0x4c, 0x50, 0x54, 0x58, 0x5c].map((position) => header.readUInt32LE(position));
  const [body = 0, notes = 0, headers = 0, , comments = 0] = counts;
  const endnotesAt = body + notes + headers + (counts[3] ?? 0) + comments;
  const endnotes = header.length >= 0x64 ? header.readUInt32LE(0x60) : 0;
  return {
    body: text.slice(0, body),
    rest: [text.slice(body, body + notes), text.slice(endnotesAt, endnotesAt + endnotes)],
    isBounded: isBounded(header, table),
  };
}

/** Behind changes of format: count, borders in characters, then 8 bytes per piece. */
function pieceTable(buffer: Buffer, start: number, end: number): PieceTable | undefined {
  let at = start;
  while (at + 5 <= end && buffer[at] === PROPERTIES) at += 3 + buffer.readUInt16LE(at + 1);
  if (at + 5 > end || buffer[at] !== PIECE_TABLE) return undefined;
  const bytes = buffer.readUInt32LE(at + 1);
  const table = buffer.subarray(at + 5, Math.min(end, at + 5 + bytes));
  const count = Math.max(0, Math.floor((table.length - 4) / 12));
  const pieces = Array.from({ length: Math.min(MAX_PIECES, count) }, (_, i) => ({
    chars: table.readUInt32LE((i + 1) * 4) - table.readUInt32LE(i * 4),
    place: table.readUInt32LE((count + 1) * 4 + i * 8 + 2),
  }));
  return { pieces, isWhole: table.length === bytes && count <= MAX_PIECES };
}

/** Borders that fall, and pieces that name the same bytes again and again, are damage. */
function isBounded(header: Buffer, { pieces, isWhole }: PieceTable): boolean {
  let bytes = 0;
  for (const { chars, place: position } of pieces)
    bytes += chars < 0 ? Number.POSITIVE_INFINITY : chars * charBytes(position);
  return isWhole && bytes <= header.length;
}

function charBytes(position: number): 1 | 2 {
  return (position & NARROW) !== 0 ? 1 : 2;
}

/** With an encoding every piece is of single bytes, and its place is written as it is. */
function textOf(header: Buffer, { pieces }: PieceTable, oldEncoding?: string): string {
  const parts: string[] = [];
  let left = header.length;
  for (const { chars, place: position } of pieces) {
    if (left <= 0) break;
    const isNarrow = oldEncoding !== undefined || charBytes(position) === 1;
    const from = oldEncoding === undefined && isNarrow ? (position & PLACE) >> 1 : position & PLACE;
    if (chars <= 0 || from >= header.length) continue;
    // Pieces that name the same bytes again and again give no more text than the file has bytes.
    const bytes = header.subarray(from, from + Math.min(left, chars * (isNarrow ? 1 : 2)));
    parts.push(new TextDecoder(isNarrow ? (oldEncoding ?? 'windows-1252') : 'utf-16le').decode(bytes));
    left -= bytes.length;
  }
  return parts.join('');
}

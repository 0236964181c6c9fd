import { EXTRACT_LIMITS } from '../extract-limits.ts';
import type { FileBlock, FileExtraction } from '../extraction.ts';
import { foldLines } from '../html/page-tree.ts';
import { type InlineReader, inlineText, withAttributes } from './asciidoc-inline.ts';
import { fileOf, withMergedLists } from './file-status.ts';
import { markupBlocks } from './markup-blocks.ts';
import { readDelimited } from './plain-formats.ts';
import { cellText, type TableRow, tableBlocksOf } from './table-text.ts';

const MAX_LINE_CHARS = 20_000;
const MAX_VALUE_CHARS = 1_000;
const MAX_COLUMNS = 200;
/** More than any format of a cell has. */
const MAX_FORMAT_CHARS = 20;

const DELIMITER = /^(?:-{4,}|\.{4,}|\+{4,}|\/{4,}|_{4,}|={4,}|\*{4,}|--|`{3,}[\w+-]{0,40}|[|,:]={3,})$/;
/** A fence ends by itself without the name of its language. */
const FENCE = /^`{3,}/;
const COMMENT = /^\/\/(?!\/)/;
/** Breaks of lines and pages, the join of a block with its entry, and macros that show nothing of their own. */
const IGNORED = /^(?:'{3,}|<{3,}|-{3}|\*{3}|\+|(?:include|ifdef|ifndef|ifeval|endif|toc|video|audio)::\S*\[.*\])$/;
const ATTRIBUTE = /^:(!?[\w-]{1,100}!?):(?:\s+(.*))?$/;
const BLOCK_ATTRIBUTES = /^\[(?:[\w.#%{,"'[].*)?\]$/;
const BLOCK_TITLE = /^\.([^\s.].*)$/;
const BLOCK_IMAGE = /^image::\S+\[.*\]$/;
const HEADING = /^(={1,6}|#{1,6})\s+(\S.*)$/;
const UNDERLINE = /^([=\-~^+])\1{2,}$/;
const UNDERLINE_LEVELS = '=-~^+';
const ENTRY = /^\s*(?:\*{1,6}|-|\.{1,6}|\d{1,9}\.|[a-z]\.|<(?:\d{1,3}|\.)>)\s+(?:\[[ x*]\]\s+)?(\S.*)$/i;
const TERM = /^\s*(\S.*?)(?::{2,4}|;;)(?:\s+(.*))?$/;
/** A name of a few words, then an address. */
const AUTHOR = /^\s*(\p{L}[^\s<>;]*(?: [^\s<>;]+){0,3})(?: <[^<>]*>)?$/u;
const DATE = /\d{4}-\d{2}-\d{2}/;
/** Span of columns, then alignment and style of a cell, before the bar that begins it. */
const CELL_FORMAT = /(?:^|\s)(?:(\d{1,3})(?:\.\d{1,3})?[+*]|\.\d{1,3}\+)?[<^>]?(?:\.[<^>])?[adehlmsv]?$/;

type OpenBlock = {
  readonly kind: 'paragraph' | 'quote' | 'list';
  readonly lines: string[];
  /** Below a `+`: the list goes on behind it. */
  readonly isJoined?: boolean;
};

type Reader = InlineReader & {
  readonly lines: readonly string[];
  readonly blocks: FileBlock[];
  /** The next line with the same delimiter, by the line of each. */
  readonly closeByLine: ReadonlyMap<number, number>;
  at: number;
  /** The block that the next line may belong to. */
  open: OpenBlock | undefined;
  /** Of the next block, as they stand in the file: `[source,js]`. */
  blockAttributes: string;
  /** Line that ends the open quote; 0 for none. */
  quoteEnd: number;
};

/**
 * AsciiDoc: headings, lists, tables, blocks of code and quotes, links; the header as properties. Included files are
 * not fetched, and of two texts between conditions both are kept. O(length).
 */
export function readAsciiDoc(text: string): FileExtraction {
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.slice(0, MAX_LINE_CHARS).trimEnd());
  const reader: Reader = {
    lines,
    blocks: [],
    links: [],
    attributes: new Map(),
    addedChars: 0,
    closeByLine: closesOf(lines),
    at: 0,
    open: undefined,
    blockAttributes: '',
    quoteEnd: 0,
  };
  while (reader.at < lines.length && reader.blocks.length < EXTRACT_LIMITS.blocks) readLine(reader);
  endBlock(reader);
  const { blocks, links } = reader;
  const file = fileOf(
    { properties: propertiesOf(reader), blocks: withMergedLists(blocks), links },
    'The file has no text',
  );
  return reader.at < lines.length ? { ...file, status: 'over-limit', reason: 'The text is too long' } : file;
}

function closesOf(lines: readonly string[]): ReadonlyMap<number, number> {
  const closes = new Map<number, number>();
  const nextByDelimiter = new Map<string, number>();
  for (let at = lines.length - 1; at >= 0; at--) {
    const line = lines[at] ?? '';
    if (!DELIMITER.test(line)) continue;
    const next = nextByDelimiter.get(FENCE.exec(line)?.[0] ?? line);
    if (next !== undefined) closes.set(at, next);
    nextByDelimiter.set(line, at);
  }
  return closes;
}

function propertiesOf({ attributes }: Reader): FileExtraction['properties'] {
  return {
    title: attributes.get('doctitle'),
    author: attributes.get('author'),
    created: attributes.get('revdate'),
    language: attributes.get('lang'),
    keywords: attributes.get('keywords'),
    subject: attributes.get('description'),
  };
}

/** What a line starts, tried in this order; the first that takes it moves on. */
const STARTS: readonly ((reader: Reader, line: string) => boolean)[] = [
  readBlank,
  readUnderline,
  readDelimitedBlock,
  readIgnored,
  readAttribute,
  readHeading,
  readBlockImage,
  readBlockTitle,
  readBlockAttributes,
  readEntry,
  readTerm,
  readCodeParagraph,
];

function readLine(reader: Reader): void {
  const line = reader.lines[reader.at] ?? '';
  if (STARTS.some((start) => start(reader, line))) return;
  const isQuote = reader.at < reader.quoteEnd || /^\[(?:quote|verse)\b/.test(reader.blockAttributes);
  reader.blockAttributes = '';
  reader.open ??= {
    kind: isQuote ? 'quote' : 'paragraph',
    lines: [],
    isJoined: reader.lines[reader.at - 1] === '+',
  };
  reader.open.lines.push(line);
  reader.at++;
}

function readBlank(reader: Reader, line: string): boolean {
  if (line.trim() !== '') return false;
  endBlock(reader);
  reader.at++;
  return true;
}

/** A heading of the older kind: a line of one mark, as long as the line above it, give or take one. */
function readUnderline(reader: Reader, line: string): boolean {
  const mark = UNDERLINE.exec(line)?.[1];
  const [title = '', ...others] = reader.open?.kind === 'paragraph' ? reader.open.lines : [];
  if (mark === undefined || others.length > 0 || Math.abs(title.length - line.length) > 1) return false;
  reader.open = undefined;
  addHeading(reader, UNDERLINE_LEVELS.indexOf(mark) + 1, title);
  return true;
}

/** Of blocks that hold others only the delimiters are taken, as those that nothing closes. */
function readDelimitedBlock(reader: Reader, line: string): boolean {
  if (!DELIMITER.test(line)) return false;
  endBlock(reader);
  const mark = line[0] ?? '';
  const close = reader.closeByLine.get(reader.at) ?? 0;
  const from = reader.at + 1;
  const isTaken = close > 0 && '-.+/`|,:'.includes(mark) && line !== '--';
  if (mark === '_' && reader.quoteEnd < from) reader.quoteEnd = close;
  if (isTaken) addDelimited(reader, mark, reader.lines.slice(from, close));
  if (isTaken || mark === '_') reader.blockAttributes = '';
  reader.at = isTaken ? close + 1 : from;
  return true;
}

function addDelimited(reader: Reader, mark: string, lines: readonly string[]): void {
  const text = lines.join('\n');
  if (mark === '|') reader.blocks.push(...tableBlocksOf(rowsOf(reader, lines)));
  else if (mark === ',') reader.blocks.push(...readDelimited(text).blocks);
  else if (mark === ':') reader.blocks.push(...readDelimited(`sep=:\n${text}`).blocks);
  else if (mark === '+') reader.blocks.push(...markupBlocks(text).blocks);
  else if (mark !== '/') addCode(reader, lines);
}

function readIgnored(reader: Reader, line: string): boolean {
  if (!COMMENT.test(line)) {
    if (!IGNORED.test(line)) return false;
    endBlock(reader);
  }
  reader.at++;
  return true;
}

/** Within a paragraph such a line is text. A backslash at its end joins the next one. */
function readAttribute(reader: Reader, line: string): boolean {
  const [, name, first = ''] = ATTRIBUTE.exec(line) ?? [];
  if (name === undefined || reader.open?.kind === 'paragraph') return false;
  let value = first;
  while (value.endsWith('\\') && reader.at + 1 < reader.lines.length) {
    reader.at++;
    value = `${value.slice(0, -1).trimEnd()} ${(reader.lines[reader.at] ?? '').trim()}`.slice(0, MAX_LINE_CHARS);
  }
  reader.at++;
  if (name.includes('!')) reader.attributes.delete(name.replace('!', ''));
  else reader.attributes.set(name, withAttributes(reader, value).slice(0, MAX_VALUE_CHARS));
  return true;
}

function readHeading(reader: Reader, line: string): boolean {
  const [, marks = '', text = ''] = HEADING.exec(line) ?? [];
  if (marks === '') return false;
  endBlock(reader);
  addHeading(reader, marks.length, text.endsWith(` ${marks}`) ? text.slice(0, -marks.length).trim() : text);
  return true;
}

/** The first heading of the highest level is the title of the file, below which its header stands. */
function addHeading(reader: Reader, level: number, text: string): void {
  const isTitle = level === 1 && reader.blocks.length === 0;
  reader.blockAttributes = '';
  reader.at++;
  if (isTitle) readHeader(reader);
  const title = inlineText(reader, text);
  if (title === '') return;
  if (isTitle) reader.attributes.set('doctitle', title);
  reader.blocks.push({ kind: 'heading', level, text: title, grounding: true });
}

/** Lines up to the first blank one: authors, the revision, attributes. */
function readHeader(reader: Reader): void {
  for (let lines = 0; (reader.lines[reader.at] ?? '') !== ''; ) {
    const line = reader.lines[reader.at] ?? '';
    if (readIgnored(reader, line) || readAttribute(reader, line)) continue;
    const authors = line.split(';').map((author) => AUTHOR.exec(author)?.[1]);
    const date = lines === 1 ? DATE.exec(line)?.[0] : undefined;
    if (lines === 0 && !authors.includes(undefined)) reader.attributes.set('author', authors.join('; '));
    else if (date !== undefined) reader.attributes.set('revdate', date);
    else return;
    lines++;
    reader.at++;
  }
}

function readBlockImage(reader: Reader, line: string): boolean {
  if (!BLOCK_IMAGE.test(line)) return false;
  endBlock(reader);
  add(reader, 'paragraph', line.replace('::', ':'));
  reader.at++;
  return true;
}

function readBlockTitle(reader: Reader, line: string): boolean {
  const title = BLOCK_TITLE.exec(line)?.[1];
  if (title === undefined || reader.open?.kind === 'paragraph') return false;
  endBlock(reader);
  add(reader, 'paragraph', title);
  reader.at++;
  return true;
}

function readBlockAttributes(reader: Reader, line: string): boolean {
  if (!BLOCK_ATTRIBUTES.test(line)) return false;
  endBlock(reader);
  if (!line.startsWith('[[')) reader.blockAttributes = line;
  reader.at++;
  return true;
}

function readEntry(reader: Reader, line: string): boolean {
  const text = ENTRY.exec(line)?.[1];
  return text !== undefined && openEntry(reader, text);
}

function readTerm(reader: Reader, line: string): boolean {
  const [, term, meaning = ''] = TERM.exec(line) ?? [];
  if (term === undefined || !openEntry(reader, `${term}: ${meaning}`)) return false;
  // What it means may stand below a blank line.
  while (meaning === '' && reader.lines[reader.at] === '') reader.at++;
  return true;
}

/** A list does not begin within a paragraph, but goes on there. */
function openEntry(reader: Reader, text: string): boolean {
  if (reader.open !== undefined && reader.open.kind !== 'list' && !reader.open.isJoined) return false;
  endBlock(reader);
  reader.blockAttributes = '';
  reader.open = { kind: 'list', lines: [text] };
  reader.at++;
  return true;
}

/** Lines up to a blank one that are indented, or that stand below `[source]` and its kin. */
function readCodeParagraph(reader: Reader, line: string): boolean {
  const isCode = /^\s/.test(line) || /^\[(?:source|listing|literal)\b/.test(reader.blockAttributes);
  if (!isCode || reader.open !== undefined) return false;
  const from = reader.at;
  while (!['', '+'].includes(reader.lines[reader.at] ?? '')) reader.at++;
  reader.blockAttributes = '';
  addCode(reader, reader.lines.slice(from, reader.at));
  return true;
}

/** Rows of as many columns as `cols` says, else as the first line with cells has. */
function rowsOf(reader: Reader, lines: readonly string[]): readonly TableRow[] {
  const first = lines.findIndex((line) => line !== '');
  const named = /\bcols="?([^"\]]*)/.exec(reader.blockAttributes)?.[1];
  const columns = Math.min(
    MAX_COLUMNS,
    named === undefined ? spansOf(cellsOf(lines.slice(first, first + 1))) : countColumns(named),
  );
  const rows: Map<number, string>[] = [];
  let place = 0;
  for (const { text, span } of cellsOf(lines)) {
    const row = Math.floor(place / columns);
    const shown = cellText(inlineText(reader, text));
    rows[row] ??= new Map();
    if (shown !== '') rows[row].set(place % columns, shown);
    place += Math.min(span, columns);
  }
  return rows;
}

function countColumns(columns: string): number {
  return columns.split(/[,;]/).reduce((count, column) => count + Number(/^\s*(\d{1,3})\*/.exec(column)?.[1] ?? 1), 0);
}

type Cell = { readonly text: string; readonly span: number };

/** What stands before a bar says how the cell behind it is shown. */
function cellsOf(lines: readonly string[]): readonly Cell[] {
  const pieces = lines.join('\n').split(/(?<!\\)\|/);
  const cells: Cell[] = [];
  let span = 1;
  for (const [i, piece] of pieces.entries()) {
    const format = i === pieces.length - 1 ? undefined : CELL_FORMAT.exec(piece.slice(-MAX_FORMAT_CHARS));
    const text = piece.slice(0, piece.length - (format?.[0].length ?? 0)).replaceAll('\\|', '|');
    if (i > 0) cells.push({ text, span });
    span = Math.max(1, Number(format?.[1] ?? 1));
  }
  return cells;
}

function spansOf(cells: readonly Cell[]): number {
  return Math.max(
    1,
    cells.reduce((sum, { span }) => sum + span, 0),
  );
}

function endBlock(reader: Reader): void {
  if (reader.open === undefined) return;
  const { kind, lines } = reader.open;
  reader.open = undefined;
  add(reader, kind, lines.map((line) => line.trim().replace(/ \+$/, '')).join(' '));
}

function add(reader: Reader, kind: FileBlock['kind'], text: string): void {
  const shown = inlineText(reader, text);
  if (shown !== '') reader.blocks.push({ kind, level: 0, text: shown, grounding: true });
}

/** Without the indent that all lines have. */
function addCode({ blocks }: Reader, lines: readonly string[]): void {
  const indent = lines.reduce(
    (least, line) => (line === '' ? least : Math.min(least, line.search(/\S/))),
    MAX_LINE_CHARS,
  );
  const text = foldLines(lines.map((line) => line.slice(indent)).join('\n'));
  if (text !== '') blocks.push({ kind: 'code', level: 0, text, grounding: true });
}

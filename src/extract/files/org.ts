import { EXTRACT_LIMITS } from '../extract-limits.ts';
import type { FileBlock, FileExtraction } from '../extraction.ts';
import { fileOf, withMergedLists } from './file-status.ts';

const MAX_LINE_CHARS = 20_000;

const HEADING = /^(\*{1,10})\s+(.+?)(?:\s+:[\w@#%:]{1,200}:)?\s*$/;
/** State and priority before the text of a heading. */
const TODO = /^(?:(?:TODO|DONE|NEXT|WAITING|CANCELLED)\s+)?(?:\[#[A-Z]\]\s+)?/;
const KEYWORD = /^\s*#\+(\w[\w-]{0,40}):\s*(.*)$/;
const BLOCK_START = /^\s*#\+begin_(\w{1,40})/i;
const BLOCK_END = /^\s*#\+end_(\w{1,40})/i;
const ENTRY = /^\s*(?:[-+]|\d{1,9}[.)]|[a-z][.)])\s+(?:\[[ X-]\]\s+)?(?:@\d\s+)?(.*)$/;
const TABLE_ROW = /^\s*\|(.*)$/;
const TABLE_RULE = /^\s*\|[-+|]*$/;
const DRAWER_START = /^\s*:[A-Z_]{1,40}:\s*$/i;
const DRAWER_END = /^\s*:END:\s*$/i;
const PLANNING = /^\s*(?:SCHEDULED|DEADLINE|CLOSED):/;
const COMMENT = /^\s*#(?:\s|$)/;
const FIXED_WIDTH = /^\s*:\s(.*)$/;
const RULE = /^-{5,}\s*$/;
const LINK = /\[\[([^[\]\n]{1,2000})\](?:\[([^[\]\n]{1,2000})\])?\]/g;
/** With its brackets, parted from what stands around it. */
const LINK_ALONE = /(\[\[[^[\]\n]{1,2000}\](?:\[[^[\]\n]{1,2000}\])?\])/;
const EMPHASIS = /(?<![\p{L}\p{N}])([*/_=~+])(?=\S)([^\n]{1,500}?)(?<=\S)\1(?![\p{L}\p{N}])/gu;
const URL_TYPE = /^(?:https?|ftp|mailto):/;

type Reader = {
  readonly lines: readonly string[];
  readonly blocks: FileBlock[];
  readonly links: { url: string; text: string }[];
  /** Lines that end blocks and drawers, by their name, those that were passed left out. */
  readonly ends: ReadonlyMap<string, number[]>;
  at: number;
  /** Lines of the open paragraph. */
  paragraph: string[];
};

/**
 * Org (Emacs): headings, lists, tables, blocks of code and quotes, links; `#+TITLE` and its kin as properties. Drawers,
 * comments and dates of plans are left out. O(length).
 */
export function readOrg(text: string): FileExtraction {
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.slice(0, MAX_LINE_CHARS));
  const reader: Reader = { lines, blocks: [], links: [], ends: endsOf(lines), at: 0, paragraph: [] };
  while (reader.at < lines.length && reader.blocks.length < EXTRACT_LIMITS.blocks) readLine(reader);
  endParagraph(reader);
  const properties = propertiesOf(lines);
  const file = fileOf(
    { properties, blocks: withMergedLists(reader.blocks), links: reader.links },
    'The file has no text',
  );
  return reader.at < lines.length ? { ...file, status: 'over-limit', reason: 'The text is too long' } : file;
}

function propertiesOf(lines: readonly string[]): FileExtraction['properties'] {
  const keywordOf = (name: string) => {
    const found = lines.find((line) => KEYWORD.exec(line)?.[1]?.toLowerCase() === name);
    return found === undefined ? '' : plain(KEYWORD.exec(found)?.[2] ?? '').trim();
  };
  const named = { title: keywordOf('title'), author: keywordOf('author'), language: keywordOf('language') };
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== ''));
}

/** What a line starts, tried in this order; the first that takes it moves on. */
const STARTS: readonly ((reader: Reader, line: string) => boolean)[] = [
  readHeading,
  readBlock,
  readDrawer,
  readTable,
  readIgnored,
  readFixedWidth,
  readEntry,
];

function readLine(reader: Reader): void {
  const line = reader.lines[reader.at] ?? '';
  if (STARTS.some((start) => start(reader, line))) return;
  reader.paragraph.push(line);
  reader.at++;
}

function readHeading(reader: Reader, line: string): boolean {
  const [, stars = '', text = ''] = HEADING.exec(line) ?? [];
  if (stars === '') return false;
  endParagraph(reader);
  add(reader, { kind: 'heading', level: Math.min(stars.length, 6) }, inline(reader, text.replace(TODO, '')));
  reader.at++;
  return true;
}

/** Without its end such a line is text. */
function readBlock(reader: Reader, line: string): boolean {
  const name = BLOCK_START.exec(line)?.[1]?.toLowerCase();
  if (name === undefined) return false;
  const inner = takeUntil(reader, name);
  if (inner === undefined) return false;
  if (name === 'quote' || name === 'verse') add(reader, { kind: 'quote', level: 0 }, inline(reader, inner.join('\n')));
  else if (name !== 'comment') add(reader, { kind: 'code', level: 0 }, inner.join('\n').trimEnd());
  return true;
}

function readDrawer(reader: Reader, line: string): boolean {
  return DRAWER_START.test(line) && !DRAWER_END.test(line) && takeUntil(reader, DRAWER) !== undefined;
}

/** Lines up to the one that ends them, and moves behind it; undefined, and moves nowhere, when nothing does. */
function takeUntil(reader: Reader, name: string): readonly string[] | undefined {
  const ends = reader.ends.get(name) ?? [];
  while ((ends[0] ?? Number.POSITIVE_INFINITY) <= reader.at) ends.shift();
  const end = ends[0];
  if (end === undefined) return undefined;
  endParagraph(reader);
  const inner = reader.lines.slice(reader.at + 1, end);
  reader.at = end + 1;
  return inner;
}

const DRAWER = ' drawer';

function endsOf(lines: readonly string[]): ReadonlyMap<string, number[]> {
  const ends = new Map<string, number[]>();
  for (const [at, line] of lines.entries()) {
    const name = DRAWER_END.test(line) ? DRAWER : BLOCK_END.exec(line)?.[1]?.toLowerCase();
    if (name === undefined) continue;
    const known = ends.get(name);
    if (known === undefined) ends.set(name, [at]);
    else known.push(at);
  }
  return ends;
}

function readTable(reader: Reader, line: string): boolean {
  if (!TABLE_ROW.test(line)) return false;
  endParagraph(reader);
  const rows: string[] = [];
  for (; TABLE_ROW.test(reader.lines[reader.at] ?? ''); reader.at++) {
    const row = reader.lines[reader.at] ?? '';
    if (TABLE_RULE.test(row)) continue;
    const cells = row
      .replace(/^\s*\|/, '')
      .replace(/\|\s*$/, '')
      .split('|');
    rows.push(cells.map((cell) => inline(reader, cell).trim()).join(' | '));
  }
  add(reader, { kind: 'table', level: 0 }, rows.join('\n'));
  return true;
}

function readIgnored(reader: Reader, line: string): boolean {
  if (line.trim() !== '' && ![KEYWORD, COMMENT, PLANNING, RULE].some((pattern) => pattern.test(line))) return false;
  endParagraph(reader);
  reader.at++;
  return true;
}

function readFixedWidth(reader: Reader, line: string): boolean {
  if (!FIXED_WIDTH.test(line)) return false;
  endParagraph(reader);
  const code: string[] = [];
  for (; FIXED_WIDTH.test(reader.lines[reader.at] ?? ''); reader.at++) {
    code.push(FIXED_WIDTH.exec(reader.lines[reader.at] ?? '')?.[1] ?? '');
  }
  add(reader, { kind: 'code', level: 0 }, code.join('\n'));
  return true;
}

function readEntry(reader: Reader, line: string): boolean {
  const text = ENTRY.exec(line)?.[1];
  if (text === undefined) return false;
  endParagraph(reader);
  add(reader, { kind: 'list', level: 0 }, inline(reader, text));
  reader.at++;
  return true;
}

function endParagraph(reader: Reader): void {
  if (reader.paragraph.length === 0) return;
  const text = reader.paragraph.map((line) => line.trim()).join(' ');
  reader.paragraph = [];
  add(reader, { kind: 'paragraph', level: 0 }, inline(reader, text));
}

function add(reader: Reader, block: Pick<FileBlock, 'kind' | 'level'>, text: string): void {
  if (text.trim() !== '') reader.blocks.push({ ...block, text: text.trim(), grounding: true });
}

/** Links are kept beside the text, which shows what they show. */
function inline(reader: Reader, text: string): string {
  for (const [, url = '', shown] of text.matchAll(LINK)) {
    if (URL_TYPE.test(url)) reader.links.push({ url, text: shown?.replace(EMPHASIS, '$2') ?? url });
  }
  return plain(text);
}

function plain(text: string): string {
  return text
    .split(LINK_ALONE)
    .map((part, at) => (at % 2 === 1 ? shownBy(part) : part.replace(EMPHASIS, '$2')))
    .join('');
}

/** Of a link its text, else its address. */
function shownBy(link: string): string {
  return link.replace(LINK, (_link, url: string, text?: string) => text?.replace(EMPHASIS, '$2') ?? url);
}

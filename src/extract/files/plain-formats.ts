import type { FileBlock, FileExtraction, FileProperties } from '../extraction.ts';
import { fileOf, paragraphsOf } from './file-status.ts';
import { type TableRow, tableBlocksOf, tableRow } from './table-text.ts';

const SEPARATORS = [',', ';', '\t', '|'] as const;
const MAX_ROWS = 5_000;
const MAX_COLUMNS = 200;
/** Lines by which the separator is told. */
const SAMPLE_LINES = 20;
const SAMPLE_CHARS = 20_000;
const MAX_CELL_CHARS = 32_768;

const MAX_BLOCKS = 20_000;
/** A value without a blank that is longer is data: a key, a picture. */
const MAX_WORD_CHARS = 200;
const TITLE_KEYS = new Set(['title', 'name', 'headline']);

const STEPS: Readonly<Record<string, number>> = { '{': 1, '[': 1, '}': -1, ']': -1 };

const MAX_BLANKS = 100;

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: ' ', f: ' ' };

/** Rows of comma separated values and their kin (RFC 4180) as one table; the separator is told by the first lines. */
export function readDelimited(text: string): FileExtraction {
  const { rows, isCut } = rowsOf(text, separatorOf(text));
  const file = fileOf({ blocks: tableBlocksOf(rows) }, 'The file has no text');
  return isCut ? { ...file, status: 'over-limit', reason: 'The table has too many rows' } : file;
}

/** The one that stands equally often in most lines; Excel may name it in the first. */
function separatorOf(text: string): string {
  const named = /^sep=(.)\r?\n/i.exec(text)?.[1];
  if (named !== undefined) return named;
  const lines = text
    .slice(0, SAMPLE_CHARS)
    .replace(/"[^"]*"/g, '')
    .split(/\r\n|\r|\n/)
    .filter((line) => line.trim() !== '')
    .slice(0, SAMPLE_LINES);
  const scored = SEPARATORS.map((separator) => ({ separator, score: evenness(lines, separator) }));
  return scored.reduce((best, other) => (other.score > best.score ? other : best)).separator;
}

/** Lines with the most usual count, then the count. */
function evenness(lines: readonly string[], separator: string): number {
  const lineCounts = new Map<number, number>();
  for (const line of lines) {
    const count = line.split(separator).length - 1;
    if (count > 0) lineCounts.set(count, (lineCounts.get(count) ?? 0) + 1);
  }
  let best = 0;
  for (const [count, share] of lineCounts) best = Math.max(best, share + Math.min(count, MAX_COLUMNS) / 1_000);
  return best;
}

function rowsOf(text: string, separator: string): { readonly rows: readonly TableRow[]; readonly isCut: boolean } {
  const rows: TableRow[] = [];
  let cells: string[] = [];
  let at = /^sep=.\r?\n/i.exec(text)?.[0].length ?? 0;
  while (at < text.length) {
    if (rows.length >= MAX_ROWS) return { rows, isCut: true };
    const { value, end } = text[at] === '"' ? quotedCell(text, at, separator) : plainCell(text, at, separator);
    if (cells.length < MAX_COLUMNS) cells.push(value.slice(0, MAX_CELL_CHARS));
    at = end;
    if (text[at] === separator) {
      at++;
      continue;
    }
    at += text.startsWith('\r\n', at) ? 2 : 1;
    const row = tableRow(cells);
    if (row.size > 0) rows.push(row);
    cells = [];
  }
  const last = tableRow(cells);
  if (last.size > 0) rows.push(last);
  return { rows, isCut: false };
}

type Cell = { readonly value: string; readonly end: number };

/** Up to the separator or the end of the line. */
function plainCell(text: string, at: number, separator: string): Cell {
  let end = at;
  while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end++;
  return { value: text.slice(at, end), end };
}

/** `""` within quotes is one of them. What stands behind the quotes belongs to the cell. */
function quotedCell(text: string, at: number, separator: string): Cell {
  let end = text.indexOf('"', at + 1);
  while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
  if (end < 0) return plainCell(text, at, separator);
  const rest = plainCell(text, end + 1, separator);
  return { value: text.slice(at + 1, end).replaceAll('""', '"') + rest.value, end: rest.end };
}

/**
 * String values of JSON, also of one value per line or cut: those of one object or list become a paragraph. Keys,
 * numbers and data in strings are left out. Without a tree, O(length).
 */
export function readJsonText(json: string): FileExtraction {
  const blocks: FileBlock[] = [];
  let lines: string[] = [];
  let properties: FileProperties = {};
  const flush = () => {
    if (lines.length > 0) blocks.push({ kind: 'paragraph', level: 0, text: lines.join('\n'), grounding: true });
    lines = [];
  };
  for (const token of tokensOf(json)) {
    if (blocks.length >= MAX_BLOCKS) break;
    if (token.kind === 'border') flush();
    else if (isText(token.text)) {
      if (token.depth === 1 && properties.title === undefined && TITLE_KEYS.has(token.key))
        properties = { title: token.text };
      lines.push(token.text);
    }
  }
  flush();
  const file = fileOf({ blocks, properties }, 'The file has no text');
  if (blocks.length < MAX_BLOCKS) return file;
  return { ...file, status: 'over-limit', reason: 'The file has too many values' };
}

type Token =
  | { readonly kind: 'border' }
  | { readonly kind: 'value'; readonly key: string; readonly text: string; readonly depth: number };

/** Brackets and string values, in order; the last may be cut. */
function* tokensOf(json: string): Generator<Token> {
  let depth = 0;
  let key = '';
  for (let at = 0; at < json.length; at++) {
    const unit = json[at] ?? '';
    const step = STEPS[unit];
    if (step !== undefined) {
      depth = Math.max(0, depth + step);
      yield { kind: 'border' };
    }
    if (unit === ',') key = '';
    if (unit !== '"') continue;
    const end = stringEnd(json, at);
    const text = unescaped(json.slice(at + 1, end))
      .replace(/\s+/g, ' ')
      .trim();
    at = end;
    if (isKey(json, at + 1)) key = text;
    else yield { kind: 'value', key, text, depth };
  }
}

/** Place of the quote that ends a string, or of the end; an odd number of backslashes before it makes it text. */
function stringEnd(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let before = end - 1;
    while (json[before] === '\\') before--;
    if ((end - 1 - before) % 2 === 0) return end;
  }
  return json.length;
}

function isKey(json: string, from: number): boolean {
  return json
    .slice(from, from + MAX_BLANKS)
    .trimStart()
    .startsWith(':');
}

function isText(text: string): boolean {
  return text !== '' && (text.length <= MAX_WORD_CHARS || /\s/.test(text.slice(0, MAX_WORD_CHARS)));
}

function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\(?:u([0-9a-f]{4})|(.))/gis, (_, code?: string, letter = '') =>
    code === undefined ? (ESCAPES[letter] ?? letter) : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** Runs of lines between blank lines. */
export function readPlainText(text: string): FileExtraction {
  const lines = text.replace(/\r\n?/g, '\n');
  return fileOf({ blocks: paragraphsOf(lines.split(/\n[^\S\n]*\n/)) }, 'The file has no text');
}

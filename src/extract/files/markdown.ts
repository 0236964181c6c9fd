import { EXTRACT_LIMITS } from '../extract-limits.ts';
import type { FileBlock, FileExtraction, FileProperties } from '../extraction.ts';
import { foldLines } from '../html/page-tree.ts';
import { fileOf, withMergedLists } from './file-status.ts';
import { tableBlocksOf, tableRow } from './table-text.ts';

const HEADING = /^ {0,3}(#{1,6})(?=\s|$)/;
/** Marks behind a heading, and the anchor that some programs set. */
const HEADING_END = /\s#{1,20}$|\s?\{#[\w-]{1,100}\}$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const UNDERLINE = /^ {0,3}(=+|-+)\s*$/;
const RULE = /^(?:\*{3,}|-{3,}|_{3,})$/;
const MAX_RULE_CHARS = 1_000;
const ENTRY = /^(\s*)(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?(.*)$/s;
const QUOTE = /^ {0,3}> ?(.*)$/s;
const BORDER_CELL = /^:?-+:?$/;
const TARGET = /^ {0,3}\[([^\]\n]{1,500})\]:\s*<?([^\s>]{1,2000})>?/;
const MAX_LINE_CHARS = 100_000;
const MAX_DEPTH = 8;

type Reader = {
  readonly lines: readonly string[];
  readonly blocks: FileBlock[];
  readonly links: { url: string; text: string }[];
  readonly targets: Map<string, string>;
  at: number;
  /** Lines of the open paragraph. */
  paragraph: string[];
};

/** Markdown (CommonMark, tables of GitHub): headings, lists, code, quotes, tables; front matter as properties. */
export function readMarkdown(text: string): FileExtraction {
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.slice(0, MAX_LINE_CHARS));
  const front = readFrontMatter(lines);
  const reader: Reader = { lines, blocks: [], links: [], targets: targetsOf(lines), at: front.lines, paragraph: [] };
  while (reader.at < lines.length && reader.blocks.length < EXTRACT_LIMITS.blocks) readLine(reader);
  endParagraph(reader);
  const read = { properties: front.properties, blocks: withMergedLists(reader.blocks), links: reader.links };
  const file = fileOf(read, 'The file has no text');
  return reader.at < lines.length ? { ...file, status: 'over-limit', reason: 'The text is too long' } : file;
}

function targetsOf(lines: readonly string[]): Map<string, string> {
  const targets = new Map<string, string>();
  for (const line of lines) {
    const [, name, url] = line.includes(']:') ? (TARGET.exec(line) ?? []) : [];
    if (name !== undefined && url !== undefined) targets.set(name.toLowerCase(), url);
  }
  return targets;
}

/** Each ends where another of its kind starts, or after a bounded length: linear together. */
const IMAGE = /!\[([^[\]\n]{0,500})\]\([^()\s]{0,2000}(?:\s+"[^"\n]{0,500}")?\)/g;
const LINK =
  /\[([^[\]\n]{1,500})\]\(<?([^()<>\s]{1,2000}(?:\([^()\s]{0,500}\)[^()<>\s]{0,500})?)>?(?:\s+["'(][^\n]{0,500}?["')])?\)/g;
const REFERENCE = /\[([^[\]\n]{1,500})\]\[([^[\]\n]{0,500})\]/g;
const AUTOLINK = /<((?:https?|mailto):[^<>\s]{1,2000})>/g;
const TAG = /<(?:\/?[a-z][^<>]{0,1000}|!--[^<>]{0,1000}--)>/gi;
const EMPHASIS = /(?<!\\)(\*\*\*|\*\*|\*|~~)(?=\S)([^*~\n]{1,1000}?)(?<!\\)\1/g;
const UNDERLINES = /(?<![\p{L}\p{N}_])(__|_)(?=\S)([^_\n]{1,1000}?)\1(?![\p{L}\p{N}_])/gu;

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

/** What a line starts, tried in this order; the first that takes it moves on. */
const STARTS: readonly ((reader: Reader, line: string) => boolean)[] = [
  readBlank,
  readFence,
  readHeading,
  readUnderline,
  readTable,
  readRule,
  readEntry,
  readQuote,
  readCode,
  readTarget,
];

function readLine(reader: Reader): void {
  const line = reader.lines[reader.at] ?? '';
  if (STARTS.some((start) => start(reader, line))) return;
  reader.paragraph.push(line);
  reader.at++;
}

function readBlank(reader: Reader, line: string): boolean {
  if (line.trim() !== '') return false;
  endParagraph(reader);
  reader.at++;
  return true;
}

function readFence(reader: Reader, line: string): boolean {
  const fence = FENCE.exec(line)?.[1];
  if (fence === undefined) return false;
  endParagraph(reader);
  const code: string[] = [];
  for (reader.at++; reader.at < reader.lines.length; reader.at++) {
    const inner = reader.lines[reader.at] ?? '';
    const close = FENCE.exec(inner)?.[1];
    if (close?.startsWith(fence) === true && inner.trim() === close) break;
    code.push(inner);
  }
  reader.at++;
  addCode(reader, code);
  return true;
}

function readHeading(reader: Reader, line: string): boolean {
  const [start, marks] = HEADING.exec(line) ?? [];
  if (start === undefined || marks === undefined) return false;
  endParagraph(reader);
  addHeading(reader, marks.length, line.slice(start.length));
  reader.at++;
  return true;
}

/** `===` or `---` makes a heading of the paragraph above it. */
function readUnderline(reader: Reader, line: string): boolean {
  const mark = reader.paragraph.length === 0 ? undefined : UNDERLINE.exec(line)?.[1];
  if (mark === undefined) return false;
  const text = reader.paragraph.join(' ');
  reader.paragraph = [];
  addHeading(reader, mark.startsWith('=') ? 1 : 2, text);
  reader.at++;
  return true;
}

function readTable(reader: Reader, line: string): boolean {
  const border = reader.lines[reader.at + 1] ?? '';
  if (!line.includes('|') || !isTableBorder(border)) return false;
  endParagraph(reader);
  const rows = [cellsOf(reader, line)];
  for (reader.at += 2; reader.at < reader.lines.length; reader.at++) {
    const row = reader.lines[reader.at] ?? '';
    if (!row.includes('|')) break;
    rows.push(cellsOf(reader, row));
  }
  reader.blocks.push(...tableBlocksOf(rows.map(tableRow)));
  return true;
}

function isTableBorder(line: string): boolean {
  const cells = withoutEdges(line).split('|');
  return line.includes('-') && cells.every((cell) => BORDER_CELL.test(cell.trim()));
}

function withoutEdges(line: string): string {
  return line.trim().replace(/^\||\|$/g, '');
}

function cellsOf(reader: Reader, line: string): readonly string[] {
  return withoutEdges(line)
    .split(/(?<!\\)\|/)
    .map((cell) => inlineText(cell.replaceAll('\\|', '|'), reader));
}

function readRule(reader: Reader, line: string): boolean {
  if (line.length > MAX_RULE_CHARS || !RULE.test(line.replace(/\s/g, ''))) return false;
  endParagraph(reader);
  reader.at++;
  return true;
}

/** An entry of a list with the lines that go on with it. */
function readEntry(reader: Reader, line: string): boolean {
  const [, indent = '', first] = ENTRY.exec(line) ?? [];
  if (first === undefined) return false;
  endParagraph(reader);
  const texts = [first];
  for (reader.at++; reader.at < reader.lines.length; reader.at++) {
    const next = reader.lines[reader.at] ?? '';
    if (next.trim() === '' || ENTRY.test(next) || FENCE.test(next.trimStart()) || HEADING.test(next)) break;
    texts.push(next.trim());
  }
  const depth = Math.min(MAX_DEPTH, Math.floor(indent.replaceAll('\t', '    ').length / 2));
  addBlock(reader, 'list', inlineText(texts.join(' '), reader), '  '.repeat(depth));
  return true;
}

function readQuote(reader: Reader, line: string): boolean {
  if (!QUOTE.test(line)) return false;
  endParagraph(reader);
  const texts: string[] = [];
  for (; reader.at < reader.lines.length; reader.at++) {
    const inner = QUOTE.exec(reader.lines[reader.at] ?? '')?.[1];
    if (inner === undefined) break;
    texts.push(inner.replace(/^(?:> ?)+/, '').replace(/^\[!\w+\]\s*$/, ''));
  }
  addBlock(reader, 'quote', inlineText(texts.join(' '), reader));
  return true;
}

/** Lines that are indented by four, unless they go on with a list or a paragraph. */
function readCode(reader: Reader, line: string): boolean {
  const isFree = reader.paragraph.length === 0 && reader.blocks.at(-1)?.kind !== 'list';
  if (!isFree || !/^(?: {4}|\t)/.test(line)) return false;
  const code: string[] = [];
  for (; reader.at < reader.lines.length; reader.at++) {
    const inner = reader.lines[reader.at] ?? '';
    if (inner.trim() !== '' && !/^(?: {4}|\t)/.test(inner)) break;
    code.push(inner.replace(/^(?: {4}|\t)/, ''));
  }
  addCode(reader, code);
  return true;
}

function readTarget(reader: Reader, line: string): boolean {
  if (reader.paragraph.length > 0 || !TARGET.test(line)) return false;
  reader.at++;
  return true;
}

function endParagraph(reader: Reader): void {
  const text = reader.paragraph.join(' ');
  reader.paragraph = [];
  addBlock(reader, 'paragraph', inlineText(text, reader));
}

function addHeading(reader: Reader, level: number, markdown: string): void {
  const text = inlineText(markdown.trim().replace(HEADING_END, ''), reader);
  if (text !== '') reader.blocks.push({ kind: 'heading', level, text, grounding: true });
}

function addBlock({ blocks }: Reader, kind: FileBlock['kind'], text: string, indent = ''): void {
  if (text !== '') blocks.push({ kind, level: 0, text: indent + text, grounding: true });
}

function addCode({ blocks }: Reader, lines: readonly string[]): void {
  const text = foldLines(lines.join('\n'));
  if (text.trim() !== '') blocks.push({ kind: 'code', level: 0, text, grounding: true });
}

const FENCES: Readonly<Record<string, string>> = { '---': '---', '+++': '+++' };
const MAX_LINES = 200;
/** `key: value` of YAML, `key = value` of TOML, at the start of a line. */
const FRONT_MATTER_ENTRY = /^([A-Za-z][\w-]{0,40})\s*[:=]\s*(.*)$/;

/** Properties that stand between fences above a text, and the number of lines that they take; 0 for none. */
function readFrontMatter(lines: readonly string[]): {
  readonly properties: FileProperties;
  readonly lines: number;
} {
  const close = FENCES[lines[0]?.trimEnd() ?? ''];
  const end =
    close === undefined
      ? -1
      : lines.slice(1, MAX_LINES).findIndex((line) => line.trimEnd() === close || line.trimEnd() === '...');
  if (end < 0) return { properties: {}, lines: 0 };
  const values = new Map<string, string>();
  let open = '';
  for (const line of lines.slice(1, end + 1)) {
    const [, key, value = ''] = FRONT_MATTER_ENTRY.exec(line) ?? [];
    const entry = /^\s*-\s+(.*)$/.exec(line)?.[1];
    if (key !== undefined) {
      open = key.toLowerCase();
      if (!values.has(open)) values.set(open, entryText(value));
    } else if (entry !== undefined && open !== '') {
      values.set(open, [values.get(open) ?? '', entryText(entry)].filter((text) => text !== '').join(', '));
    }
  }
  return { properties: propertiesOf(values), lines: end + 2 };
}

/** Without quotes, a list without its brackets; `|` and `>` only open a text. */
function entryText(text: string): string {
  const value = text.replace(/\s#.*$/s, '').trim();
  if (/^[|>][+-]?$/.test(value)) return '';
  const inner = /^\[(.*)\]$/.exec(value)?.[1];
  if (inner !== undefined) return inner.split(',').map(entryText).join(', ');
  return value.replace(/^(["'])(.*)\1$/, '$2').trim();
}

function propertiesOf(values: ReadonlyMap<string, string>): FileProperties {
  const first = (...names: readonly string[]) =>
    names.map((name) => values.get(name)).find((value) => value !== undefined && value !== '');
  return {
    title: first('title'),
    author: first('author', 'authors'),
    subject: first('description', 'summary', 'abstract'),
    keywords: first('keywords', 'tags'),
    language: first('lang', 'language', 'locale'),
    created: first('date', 'created', 'published'),
    modified: first('lastmod', 'updated', 'modified', 'last_modified_at'),
  };
}

type Link = { readonly url: string; readonly text: string };

/** Text of a run of Markdown as it is shown, its links collected. Code in it stays as it is written. */
function inlineText(
  markdown: string,
  { links, targets }: { links: Link[]; targets: ReadonlyMap<string, string> },
): string {
  // Every second part stands between backticks.
  return markdown
    .split(/(`{1,3}[^`\n]{1,1000}`{1,3})/)
    .map((part, index) => (index % 2 === 1 ? part.replace(/^`+ ?| ?`+$/g, '') : plainText(part, links, targets)))
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
}

function plainText(markdown: string, links: Link[], targets: ReadonlyMap<string, string>): string {
  const add = (url: string | undefined, text: string) => {
    if (url !== undefined) links.push({ url, text });
    return text;
  };
  return markdown
    .replace(IMAGE, '$1')
    .replace(LINK, (_, text: string, url: string) => add(url, text))
    .replace(REFERENCE, (_, text: string, name: string) => add(targets.get((name || text).toLowerCase()), text))
    .replace(AUTOLINK, (_, url: string) => add(url, url))
    .replace(TAG, ' ')
    .replace(EMPHASIS, '$2')
    .replace(UNDERLINES, '$2')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/&(amp|lt|gt|quot|nbsp);/g, (_, name: string) => ENTITIES[name] ?? ' ');
}

import { Lexer, type Token, type Tokens } from 'marked';
import { EXTRACT_LIMITS } from '../extract-limits.ts';
import type { FileBlock, FileExtraction, FileProperties } from '../extraction.ts';
import { foldLines } from '../html/page-tree.ts';
import { fileOf, withMergedLists } from './file-status.ts';
import { tableBlocksOf, tableRow } from './table-text.ts';

const MAX_LINE_CHARS = 100_000;
/** More than 20 quotes in quotes: the lexer calls itself for each. */
const QUOTES = /^((?:[ \t]*>){20})(?:[ \t]*>)+/gm;
/** Entries of lists in lists are shown with that many steps of indent at most. */
const MAX_DEPTH = 8;
/** A longer run is read in parts: marks of emphasis cost the square of its length. */
const MAX_RUN_CHARS = 10_000;

type Reader = {
  readonly lexer: Lexer;
  readonly blocks: FileBlock[];
  readonly links: { url: string; text: string }[];
};

/**
 * Markdown (CommonMark, tables of GitHub): headings, lists, code, quotes, tables; front matter as properties. Blocks and
 * marks are found by `marked`: 0.3 ms for 1 KB of prose, some seconds for a file that is built to be slow.
 */
export function readMarkdown(text: string): FileExtraction {
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.slice(0, MAX_LINE_CHARS));
  const front = readFrontMatter(lines);
  const lexer = new Lexer({ gfm: true });
  const body = lines.slice(front.lines).join('\n').replace(QUOTES, '$1');
  const tokens = lexer.blockTokens(body, lexer.tokens);
  const reader: Reader = { lexer, blocks: [], links: [] };
  const isWhole = readBlocks(reader, tokens, { depth: 0 });
  const read = { properties: front.properties, blocks: withMergedLists(reader.blocks), links: reader.links };
  const file = fileOf(read, 'The file has no text');
  return isWhole ? file : { ...file, status: 'over-limit', reason: 'The text is too long' };
}

/** Where a block stands: in a quote, or in that many lists. */
type Position = { readonly depth: number; readonly isQuoted?: boolean };

/** False when there are more blocks than a file may have. */
function readBlocks(reader: Reader, tokens: readonly Token[], position: Position): boolean {
  for (const token of tokens) {
    if (reader.blocks.length >= EXTRACT_LIMITS.blocks) return false;
    readBlock(reader, token, position);
  }
  return true;
}

function readBlock(reader: Reader, token: Token, position: Position): void {
  const paragraph = position.isQuoted ? 'quote' : 'paragraph';
  switch (token.type) {
    case 'heading':
      addHeading(reader, token as Tokens.Heading);
      break;
    case 'code':
      addCode(reader, (token as Tokens.Code).text);
      break;
    case 'blockquote':
      readBlocks(reader, (token as Tokens.Blockquote).tokens, { ...position, isQuoted: true });
      break;
    case 'list':
      readList(reader, token as Tokens.List, position);
      break;
    case 'table':
      readTable(reader, token as Tokens.Table);
      break;
    case 'html':
      addBlock(reader, paragraph, plainText(token.raw.replace(TAG, ' ')));
      break;
    case 'paragraph':
    case 'text':
      addBlock(reader, paragraph, inlineText(reader, (token as Tokens.Text).text));
      break;
    default:
      // What separates blocks, and targets of references.
      break;
  }
}

/** Entries one below the other, those of inner lists indented; other blocks of an entry stand behind it. */
function readList(reader: Reader, list: Tokens.List, position: Position): void {
  for (const { tokens } of list.items) {
    const [first, ...rest] = tokens.filter(({ type }) => type !== 'checkbox');
    const isText = first?.type === 'text' || first?.type === 'paragraph';
    const indent = '  '.repeat(Math.min(position.depth, MAX_DEPTH));
    if (isText) addBlock(reader, 'list', inlineText(reader, (first as Tokens.Text).text), indent);
    const inner = isText ? rest : tokens;
    if (!readBlocks(reader, inner, { ...position, depth: position.depth + 1 })) return;
  }
}

function readTable(reader: Reader, { header, rows }: Tokens.Table): void {
  const texts = [header, ...rows].map((cells) => cells.map(({ text }) => inlineText(reader, text)));
  reader.blocks.push(...tableBlocksOf(texts.map(tableRow)));
}

/** The anchor that some programs set behind a heading. */
const ANCHOR = /\s?\{#[\w-]{1,100}\}$/;
/** The kind of a note of GitHub, above its text. */
const NOTE_KIND = /^\[!\w{1,20}\]\s*/;

function addHeading(reader: Reader, { depth: level, text: markdown }: Tokens.Heading): void {
  const text = inlineText(reader, markdown.trim().replace(ANCHOR, ''));
  if (text !== '') reader.blocks.push({ kind: 'heading', level, text, grounding: true });
}

function addBlock({ blocks }: Reader, kind: FileBlock['kind'], shown: string, indent = ''): void {
  const text = kind === 'quote' ? shown.replace(NOTE_KIND, '') : shown;
  if (text !== '') blocks.push({ kind, level: 0, text: indent + text, grounding: true });
}

function addCode({ blocks }: Reader, code: string): void {
  const text = foldLines(code);
  if (text.trim() !== '') blocks.push({ kind: 'code', level: 0, text, grounding: true });
}

const TAG = /<(?:\/?[a-z][^<>]{0,1000}|!--[^<>]{0,1000}--)>/gi;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' };

/** Text of a run of Markdown as it is shown, its links collected. Code in it stays as it is written. */
function inlineText(reader: Reader, markdown: string): string {
  const parts: string[] = [];
  for (let from = 0; from < markdown.length; from += MAX_RUN_CHARS) {
    const tokens = reader.lexer.inlineTokens(markdown.slice(from, from + MAX_RUN_CHARS));
    parts.push(textOf(reader, tokens));
  }
  return parts.join('').replace(/\s+/g, ' ').trim();
}

function textOf(reader: Reader, tokens: readonly Token[]): string {
  return tokens.map((token) => shownText(reader, token)).join('');
}

function shownText(reader: Reader, token: Token): string {
  switch (token.type) {
    case 'codespan':
    case 'escape':
      return (token as Tokens.Codespan).text;
    case 'br':
    case 'html':
      return ' ';
    case 'image':
      return decoded((token as Tokens.Image).text);
    case 'link': {
      const { href: url, tokens } = token as Tokens.Link;
      const text = textOf(reader, tokens);
      reader.links.push({ url, text });
      return text;
    }
    default:
      return 'tokens' in token && token.tokens ? textOf(reader, token.tokens) : decoded((token as Tokens.Text).text);
  }
}

/** Text of a piece of HTML without its tags. */
function plainText(text: string): string {
  return decoded(text).replace(/\s+/g, ' ').trim();
}

function decoded(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|nbsp);/g, (_, name: string) => ENTITIES[name] ?? '');
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

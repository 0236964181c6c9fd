import type { FileBlock, FileExtraction, FileProperties } from '../extraction.ts';
import { fileOf } from './file-status.ts';

const MAX_BLOCKS = 20_000;
/** A value without a blank that is longer is data: a key, a picture. */
const MAX_WORD_CHARS = 200;
const TITLE_KEYS = new Set(['title', 'name', 'headline']);

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

const STEPS: Readonly<Record<string, number>> = { '{': 1, '[': 1, '}': -1, ']': -1 };

/** Place of the quote that ends a string, or of the end; an odd number of backslashes before it makes it text. */
function stringEnd(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let before = end - 1;
    while (json[before] === '\\') before--;
    if ((end - 1 - before) % 2 === 0) return end;
  }
  return json.length;
}

const MAX_BLANKS = 100;

function isKey(json: string, from: number): boolean {
  return json
    .slice(from, from + MAX_BLANKS)
    .trimStart()
    .startsWith(':');
}

function isText(text: string): boolean {
  return text !== '' && (text.length <= MAX_WORD_CHARS || /\s/.test(text.slice(0, MAX_WORD_CHARS)));
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: ' ', f: ' ' };

function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\(?:u([0-9a-f]{4})|(.))/gis, (_, code?: string, letter = '') =>
    code === undefined ? (ESCAPES[letter] ?? letter) : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

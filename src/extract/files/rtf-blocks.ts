import type { FileBlock, FileExtraction } from '../extraction.ts';
import { asideBlocks } from './file-asides.ts';
import { type TableRow, tableBlocksOf, tableRow } from './table-text.ts';

/** How the open paragraph is set. */
export type RtfStyle = { level: number | undefined; isListed: boolean; inTable: boolean };

/** Collects paragraphs, lists and tables in their order, notes and then remarks at the end. */
export type RtfBlocks = {
  readonly style: RtfStyle;
  readonly add: (text: string, isHidden: boolean) => void;
  /** `label` is the number of an entry of a list, or `''`. */
  readonly endParagraph: (label: string) => void;
  readonly endCell: () => void;
  readonly endRow: () => void;
  /** What is added until `closeNote` is a note of its own. */
  readonly openNote: () => void;
  /** The same for a remark. */
  readonly openRemark: () => void;
  readonly closeNote: () => void;
  readonly result: () => readonly FileBlock[];
};

/** Of a row. */
const MAX_CELLS = 1_000;

type Draft = { seen: string; hidden: string; readonly isRemark: boolean };

export function createRtfBlocks(): RtfBlocks {
  const blocks: FileBlock[] = [];
  const notes: FileBlock[] = [];
  const remarks: string[] = [];
  const outer: Draft[] = [];
  let draft: Draft = { seen: '', hidden: '', isRemark: false };
  let cells: string[] = [];
  let rows: TableRow[] = [];
  const style: RtfStyle = { level: undefined, isListed: false, inTable: false };

  const endTable = () => {
    blocks.push(...tableBlocksOf(rows));
    rows = [];
  };
  const flush = () => {
    if (outer.length === 0) endTable();
    const { seen, hidden, isRemark } = draft;
    const target = outer.length > 0 ? notes : blocks;
    if (isRemark) remarks.push(seen, hidden);
    else target.push(...blocksOf(seen, style, true), ...blocksOf(hidden, style, false));
    draft = { seen: '', hidden: '', isRemark };
  };
  const open = (isRemark: boolean) => {
    outer.push(draft);
    draft = { seen: '', hidden: '', isRemark };
  };
  const closeNote = () => {
    flush();
    draft = outer.pop() ?? draft;
  };
  return {
    style,
    add(text, isHidden) {
      if (isHidden) draft.hidden += text;
      else draft.seen += text;
    },
    endParagraph(label) {
      if (label !== '' && draft.seen.trim() !== '') draft.seen = `${label} ${draft.seen.trimStart()}`;
      if (style.inTable && outer.length === 0) draft.seen += ' ';
      else flush();
    },
    endCell() {
      if (cells.length < MAX_CELLS) cells.push(draft.seen);
      draft.seen = '';
    },
    endRow() {
      rows.push(tableRow(cells));
      cells = [];
    },
    openNote: () => open(false),
    openRemark: () => open(true),
    closeNote,
    result() {
      while (outer.length > 0) closeNote();
      if (cells.length > 0) rows.push(tableRow(cells));
      flush();
      return [...blocks, ...notes, ...asideBlocks(remarks)];
    },
  };
}

function blocksOf(raw: string, { level, isListed }: RtfStyle, grounding: boolean): readonly FileBlock[] {
  const lines = raw.split('\n').map((line) => line.replace(/\s+/g, ' ').trim());
  const text = lines.filter((line) => line !== '').join('\n');
  if (text === '') return [];
  if (level !== undefined) return [{ kind: 'heading', level, text: text.replaceAll('\n', ' '), grounding }];
  return [{ kind: isListed ? 'list' : 'paragraph', level: 0, text, grounding }];
}

/** Properties of the `\info` group. */
export type RtfInfo = {
  /** `depth` is that of the group, so that its end is known. */
  readonly control: (word: string, value: number | undefined, depth: number) => void;
  readonly add: (text: string) => void;
  readonly close: (depth: number) => void;
  readonly result: () => Pick<FileExtraction, 'properties' | 'pageCount'>;
};

const TEXTS = new Set(['title', 'author', 'subject', 'keywords']);
const TIMES = new Set(['creatim', 'revtim']);
const UNITS = new Set(['yr', 'mo', 'dy', 'hr', 'min']);
const MAX_CHARS = 4_000;

export function createRtfInfo(): RtfInfo {
  const texts = new Map<string, string>();
  const times = new Map<string, Map<string, number>>();
  let open: { readonly name: string; readonly depth: number } | undefined;
  let pageCount: number | undefined;
  return {
    control(word, value, depth) {
      if (word === 'nofpages' && value !== undefined && value > 0) pageCount = value;
      // Files that say it twice do so in two encodings.
      if (TEXTS.has(word)) texts.delete(word);
      if (TEXTS.has(word) || TIMES.has(word)) open = { name: word, depth };
      if (!UNITS.has(word) || open === undefined || value === undefined) return;
      times.set(open.name, (times.get(open.name) ?? new Map()).set(word, value));
    },
    add(text) {
      if (open === undefined || !TEXTS.has(open.name)) return;
      texts.set(open.name, `${texts.get(open.name) ?? ''}${text}`.slice(0, MAX_CHARS));
    },
    close(depth) {
      if (open !== undefined && depth <= open.depth) open = undefined;
    },
    result: () => ({
      pageCount,
      properties: {
        title: textOf(texts.get('title')),
        author: textOf(texts.get('author')),
        subject: textOf(texts.get('subject')),
        keywords: textOf(texts.get('keywords')),
        created: dateOf(times.get('creatim')),
        modified: dateOf(times.get('revtim')),
      },
    }),
  };
}

function textOf(text: string | undefined): string | undefined {
  const trimmed = (text ?? '').trim();
  return trimmed === '' ? undefined : trimmed;
}

/** Local time, no zone is stated. */
function dateOf(time: ReadonlyMap<string, number> | undefined): string | undefined {
  const [year = 0, month = 1, day = 1] = ['yr', 'mo', 'dy'].map((unit) => time?.get(unit));
  if (year < 1980 || year > 9999) return undefined;
  const two = (value: number) => String(value).padStart(2, '0');
  const date = `${year}-${two(month)}-${two(day)}`;
  return time?.has('hr') === true ? `${date}T${two(time.get('hr') ?? 0)}:${two(time.get('min') ?? 0)}` : date;
}

export type RtfHandler = {
  readonly open: () => void;
  readonly close: () => void;
  /** `\word12`; the value is undefined when there is none. Symbols like `\~` are words, too. */
  readonly control: (word: string, value: number | undefined) => void;
  /** Characters of codes up to 255, to be decoded by the charset of their font. */
  readonly bytes: (run: string) => void;
  /** True ends the scan. */
  readonly isDone: () => boolean;
};

const CONTROL = /\\(?:([a-z]{1,32})(-?\d{1,10})? ?|'([0-9a-f]{2})|(.))/isy;
const RUN = /[^\\{}\r\n]+/y;

/** Walks over RTF (1.9.1) whose bytes are the characters of `text`, O(length); lines of the file are no text. Never throws. */
export function scanRtf(text: string, handler: RtfHandler): void {
  let at = 0;
  while (at < text.length && !handler.isDone()) at = scanToken(text, at, handler);
}

/** The place behind the token that starts at `at`. */
function scanToken(text: string, at: number, handler: RtfHandler): number {
  switch (text[at]) {
    case '{':
      handler.open();
      return at + 1;
    case '}':
      handler.close();
      return at + 1;
    case '\\':
      return scanControl(text, at, handler);
    case '\r':
    case '\n':
      return at + 1;
    default: {
      RUN.lastIndex = at;
      const run = RUN.exec(text)?.[0] ?? '';
      handler.bytes(run);
      return at + Math.max(1, run.length);
    }
  }
}

/** The place behind the control; that of `\bin` is behind its bytes. */
function scanControl(text: string, at: number, handler: RtfHandler): number {
  CONTROL.lastIndex = at;
  const match = CONTROL.exec(text);
  if (match === null) return at + 1;
  const [whole, word, digits, hex, symbol] = match;
  const end = at + whole.length;
  const value = digits === undefined ? undefined : Number(digits);
  if (hex !== undefined) handler.bytes(String.fromCharCode(Number.parseInt(hex, 16)));
  else if (word === 'bin') return end + Math.max(0, value ?? 0);
  else handler.control(word ?? symbol ?? '', value);
  return end;
}

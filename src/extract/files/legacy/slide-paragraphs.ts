import { MAX_BLOCKS } from '../file-status.ts';
import type { SlideParagraph } from './slide-text.ts';

/** A text of slides of before 2007: its kind (MS-PPT 2.13.33) and its paragraphs. */
export type LegacySlideText = { readonly kind: number; readonly paragraphs: readonly SlideParagraph[] };

type OpenText = { readonly kind: number; chars: string; styles: Buffer | undefined; readonly marks: number[] };

const HEADER = 0x0f9f;
const CHARS = 0x0fa0;
const BYTES = 0x0fa8;
const STYLES = 0x0fa1;
/** Stand-ins for the number, date, header and footer of a slide. */
const MARKS = new Set([0x0fd8, 0x0ff7, 0x0ff8, 0x0ff9, 0x0ffa, 0x1015]);
const OTHER = 4;
const MAX_DEPTH = 8;

/** Texts in a row of records, each from its header to the next. */
export function slideTexts(records: Iterable<SlideRecord>, budget: SlideBudget): readonly LegacySlideText[] {
  const texts: OpenText[] = [];
  for (const record of records) {
    const text = textFor(texts, record);
    if (text !== undefined) addRecord(text, record, budget);
  }
  return texts.map((text) => ({ kind: text.kind, paragraphs: paragraphsOf(text, budget) }));
}

/** The last text, or one that the record begins: some have no header. */
function textFor(texts: OpenText[], { type, data }: SlideRecord): OpenText | undefined {
  if (type === HEADER) texts.push(openText(data.length < 4 ? OTHER : data.readUInt32LE(0)));
  else if (texts.length === 0 && (type === CHARS || type === BYTES)) texts.push(openText(OTHER));
  return texts.at(-1);
}

function addRecord(text: OpenText, { type, data }: SlideRecord, budget: SlideBudget): void {
  if (type === CHARS) text.chars = takeChars(data, 'utf16le', budget);
  else if (type === BYTES) text.chars = takeChars(data, 'latin1', budget);
  else if (type === STYLES) text.styles = data;
  else if (MARKS.has(type) && data.length >= 4) text.marks.push(data.readUInt32LE(0));
}

function openText(kind: number): OpenText {
  return { kind, chars: '', styles: undefined, marks: [] };
}

function takeChars(data: Buffer, encoding: 'utf16le' | 'latin1', budget: SlideBudget): string {
  const size = encoding === 'latin1' ? 1 : 2;
  const chars = data.toString(encoding, 0, Math.max(0, budget.charsLeft) * size);
  budget.charsLeft -= chars.length;
  if (chars.length < Math.floor(data.length / size)) budget.isCut = true;
  return chars;
}

function paragraphsOf({ chars, styles, marks }: OpenText, budget: SlideBudget): readonly SlideParagraph[] {
  const runs = styles === undefined ? [] : runsOf(styles, chars.length);
  const positions = new Set(marks);
  let at = 0;
  let run = 0;
  return linesOf(chars, budget).map((line) => {
    while (run < runs.length - 1 && at >= (runs[run]?.end ?? 0)) run++;
    const start = at;
    at += line.length + 1;
    const shown =
      positions.size === 0 ? line : [...line.split('')].filter((_, i) => !positions.has(start + i)).join('');
    return { text: shown.replaceAll('\v', '\n'), depth: runs[run]?.depth ?? 0, isListed: runs[run]?.isListed };
  });
}

/** An empty line costs as much memory as one with text. */
function linesOf(chars: string, budget: SlideBudget): readonly string[] {
  const lines = chars.split('\r', budget.paragraphsLeft + 1);
  if (lines.length > budget.paragraphsLeft) {
    budget.isCut = true;
    lines.pop();
  }
  budget.paragraphsLeft -= lines.length;
  return lines;
}

type Run = { readonly end: number; readonly depth: number; readonly isListed: boolean | undefined };

const HAS_BULLET = 1;
const BULLET_FLAGS = 0x0f;
const TAB_STOPS = 1 << 20;
/** Masks of the members before and behind the tab stops with their bytes, in the order of the file (MS-PPT 2.9.20). */
const MEMBERS: readonly (readonly [number, number])[] = [
  [1 << 7, 2],
  [1 << 4, 2],
  [1 << 6, 2],
  [1 << 5, 4],
  [1 << 11, 2],
  [1 << 12, 2],
  [1 << 13, 2],
  [1 << 14, 2],
  [1 << 8, 2],
  [1 << 10, 2],
  [1 << 15, 2],
];
const LATER_MEMBERS: readonly (readonly [number, number])[] = [
  [1 << 16, 2],
  [7 << 17, 2],
  [1 << 21, 2],
];

/** Depths and bullets of paragraphs by the place where each run ends; those of a damaged list so far. */
function runsOf(styles: Buffer, chars: number): readonly Run[] {
  const runs: Run[] = [];
  let at = 0;
  let end = 0;
  while (end < chars && at + 10 <= styles.length) {
    end += Math.max(1, styles.readUInt32LE(at));
    const depth = Math.min(MAX_DEPTH, styles.readUInt16LE(at + 4));
    const mask = styles.readUInt32LE(at + 6);
    at += 10;
    const hasFlags = (mask & BULLET_FLAGS) !== 0 && at + 2 <= styles.length;
    const flags = hasFlags ? styles.readUInt16LE(at) : 0;
    runs.push({ end, depth, isListed: (mask & HAS_BULLET) === 0 ? undefined : (flags & HAS_BULLET) !== 0 });
    at += (hasFlags ? 2 : 0) + bytesOf(MEMBERS, mask);
    if ((mask & TAB_STOPS) !== 0 && at + 2 <= styles.length) at += 2 + styles.readUInt16LE(at) * 4;
    at += bytesOf(LATER_MEMBERS, mask);
  }
  return runs;
}

function bytesOf(members: readonly (readonly [number, number])[], mask: number): number {
  return members.reduce((sum, [bit, bytes]) => sum + ((mask & bit) === 0 ? 0 : bytes), 0);
}

/** A record of slides of before 2007 (MS-PPT 2.3.1). */
export type SlideRecord = {
  readonly type: number;
  readonly instance: number;
  /** Contents, cut where what holds them ends. */
  readonly data: Buffer;
};

/** What may still be read of a file: parts of it may overlap. */
export type SlideBudget = { recordsLeft: number; charsLeft: number; paragraphsLeft: number; isCut: boolean };

const HEADER_BYTES = 8;

export function openSlideBudget(): SlideBudget {
  return { recordsLeft: 2_000_000, charsLeft: 6 * 1024 * 1024, paragraphsLeft: MAX_BLOCKS, isCut: false };
}

/** The record at a place; undefined when no header fits there. */
export function slideRecordAt(bytes: Buffer, at: number): SlideRecord | undefined {
  if (at < 0 || at + HEADER_BYTES > bytes.length) return undefined;
  const start = at + HEADER_BYTES;
  return {
    type: bytes.readUInt16LE(at + 2),
    instance: bytes.readUInt16LE(at) >> 4,
    data: bytes.subarray(start, start + bytes.readUInt32LE(at + 4)),
  };
}

/** Records in the contents of another one, in their order. */
export function* slideRecords(bytes: Buffer, budget: SlideBudget): Generator<SlideRecord, void> {
  let at = 0;
  for (let record = slideRecordAt(bytes, at); record !== undefined; record = slideRecordAt(bytes, at)) {
    if (--budget.recordsLeft < 0) {
      budget.isCut = true;
      return;
    }
    yield record;
    at += HEADER_BYTES + record.data.length;
  }
}

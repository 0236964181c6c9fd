import type { SectionBlock } from '../core/document.ts';
import { countWords } from '../text/count-words.ts';

/** Blocks under the headings that are open there, outermost first. */
export type PlainSection = { readonly headings: readonly string[]; readonly blocks: readonly SectionBlock[] };

/** A heading by its shape (answers design 3; 2 points of rank ≤ 5 behind real headings). */
const MAX_HEADING_CHARS = 110;
const MAX_HEADING_WORDS = 16;
const HAS_LETTER = /\p{L}/u;
const NO_HEADING_START = /^[-–—*•·#>\d([{<$.]/;
/** Signs of code, and of the cells of a row. */
const NO_HEADING_SIGN = /[|=;{}]/;
const NO_HEADING_END = /[.:;,!…。：；，、！|=]["'”’)\]]*$/;
/** Lines that look like headings, one behind another, are a path of headings when they are few, else a list of links. */
const MAX_HEADINGS_IN_ROW = 3;

const ITEM = /^\s*(?:[-*•·–]|\d{1,3}[.)])\s/;
/** Of a row of a table. */
const MIN_PIPES = 2;
const CODE = /^(?: {4}|\t)/;
const FENCE = /^\s*(?:```|~~~)[\w+#-]{0,20}\s*$/;
const SENTENCE_END = /[.!?:;…。！？]["'”’)\]]*$/;
const LOWER_CASE_START = /^\s*[\p{Ll}]/u;
/** A shorter line was not broken because the line was full. */
const MIN_WRAPPED_CHARS = 40;

type Kind = SectionBlock['kind'];
type Line = { readonly kind: Kind; readonly text: string; readonly isHeading: boolean; readonly isAfterGap: boolean };

/**
 * Sections of a text without markup: headings by their shape, lists, tables and code by their signs, and lines that
 * were broken at a margin put together. O(length).
 */
export function sectionsOfPlainText(text: string): readonly PlainSection[] {
  const lines = linesOf(text);
  const sections: { headings: readonly string[]; blocks: SectionBlock[] }[] = [];
  for (let at = 0; at < lines.length; ) {
    const run = headingRun(lines, at);
    const isHeading = at + run.length < lines.length && run.length > 0;
    const own = isHeading ? run.slice(run.length > MAX_HEADINGS_IN_ROW ? -1 : 0) : [];
    const plain = run.slice(0, run.length - own.length);
    const body = bodyFrom(lines, at + run.length);
    const before = sections.at(-1);
    if (plain.length > 0) {
      const blocks = blocksOf(plain);
      if (before === undefined) sections.push({ headings: [], blocks });
      else before.blocks.push(...blocks);
    }
    if (body.length > 0) sections.push({ headings: own.map((line) => line.text.trim()), blocks: blocksOf(body) });
    at += run.length + body.length;
  }
  return sections;
}

function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  let isFenced = false;
  let isAfterGap = false;
  for (const written of text.split(/\r\n?|\n/)) {
    if (FENCE.test(written)) {
      isFenced = !isFenced;
      continue;
    }
    if (written.trim() === '') {
      isAfterGap = true;
      continue;
    }
    const kind = isFenced ? 'code' : kindOf(written);
    lines.push({
      kind,
      text: written,
      isHeading: kind === 'paragraph' && looksLikeHeading(written.trim()),
      isAfterGap,
    });
    isAfterGap = false;
  }
  return lines;
}

function kindOf(line: string): Kind {
  if (ITEM.test(line)) return 'list';
  if (CODE.test(line)) return 'code';
  return line.split('|').length > MIN_PIPES ? 'table' : 'paragraph';
}

function looksLikeHeading(line: string): boolean {
  if (line.length > MAX_HEADING_CHARS || NO_HEADING_START.test(line) || NO_HEADING_END.test(line)) return false;
  return HAS_LETTER.test(line) && !NO_HEADING_SIGN.test(line) && countWords(line) <= MAX_HEADING_WORDS;
}

/** The lines from `at` on that look like headings; those that end the text are none. */
function headingRun(lines: readonly Line[], at: number): readonly Line[] {
  let end = at;
  while (isHeadingAt(lines, end)) end++;
  return lines.slice(at, end);
}

/** A line that goes on in the next one is the beginning of a paragraph. */
function isHeadingAt(lines: readonly Line[], index: number): boolean {
  const line = lines[index];
  const next = lines[index + 1];
  return line?.isHeading === true && (next === undefined || !continues(line, next));
}

/** The lines from `at` on up to the next that looks like a heading. */
function bodyFrom(lines: readonly Line[], at: number): readonly Line[] {
  let end = at;
  while (end < lines.length && (!isHeadingAt(lines, end) || isContinued(lines, end, at))) end++;
  return lines.slice(at, end);
}

/** A short line in the middle of a paragraph that was broken at a margin. */
function isContinued(lines: readonly Line[], index: number, first: number): boolean {
  const line = lines[index];
  const before = lines[index - 1];
  return index > first && line !== undefined && before !== undefined && continues(before, line);
}

function blocksOf(lines: readonly Line[]): SectionBlock[] {
  const blocks: { kind: Kind; text: string }[] = [];
  let before: Line | undefined;
  for (const line of lines) {
    const last = blocks.at(-1);
    if (last !== undefined && before !== undefined && continues(before, line)) last.text += ` ${line.text.trim()}`;
    else if (last !== undefined && last.kind === line.kind && line.kind !== 'paragraph') last.text += `\n${line.text}`;
    else blocks.push({ kind: line.kind, text: line.text });
    before = line;
  }
  return blocks;
}

/** Whether a line goes on with the sentence of the line before, which was full. */
function continues(before: Line, line: Line): boolean {
  if (line.kind !== 'paragraph' || line.isAfterGap || before.kind === 'code' || before.kind === 'table') return false;
  return before.text.length >= MIN_WRAPPED_CHARS && LOWER_CASE_START.test(line.text) && !SENTENCE_END.test(before.text);
}

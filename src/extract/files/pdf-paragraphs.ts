import type { FileBlock } from '../extraction.ts';
import { withMergedLists } from './file-status.ts';
import type { PdfLine } from './pdfium-page.ts';

/** Lines joined to paragraphs and entries of lists, in their order. */
export function joinParagraphs(lines: readonly PdfLine[], page: number): readonly FileBlock[] {
  const longest = lines.reduce((most, { text }) => Math.max(most, text.length), 0);
  const pitch = usualPitch(lines);
  const blocks: FileBlock[] = [];
  let previous: PdfLine | undefined;
  for (const [index, line] of lines.entries()) {
    const last = blocks.at(-1);
    const goesOn = previous !== undefined && continues({ lines, index, previous, line, longest, pitch });
    previous = line;
    if (last !== undefined && goesOn) blocks[blocks.length - 1] = { ...last, text: joined(last.text, line.text) };
    else blocks.push(blockOf(line, page));
  }
  return withMergedLists(blocks);
}

const BULLET = /^[•●▪■◦○‣⁃∙·–✓➢➤❖]\s+(?=\S)/u;

function blockOf({ text, isHidden }: PdfLine, page: number): FileBlock {
  const bare = text.replace(BULLET, '');
  return { kind: bare === text ? 'paragraph' : 'list', level: 0, text: bare, page, grounding: !isHidden };
}

/** A word that was divided becomes one again; marks of punctuation follow without a blank. */
function joined(text: string, next: string): string {
  if (/\p{L}-$/u.test(text) && /^\p{Ll}/u.test(next)) return text.slice(0, -1) + next;
  return /^[,.;:)\]]/.test(next) || /-$/.test(text) ? text + next : `${text} ${next}`;
}

type LinePosition = {
  readonly lines: readonly PdfLine[];
  /** Of `line`. */
  readonly index: number;
  readonly previous: PdfLine;
  readonly line: PdfLine;
  /** Characters of the longest line of the page. */
  readonly longest: number;
  /** Usual distance of two lines, 0 when there is none. */
  readonly pitch: number;
};

function continues(position: LinePosition): boolean {
  const { previous, line } = position;
  if (previous.isHidden !== line.isHidden || isEntry(line.text) || LEADER.test(previous.text)) return false;
  const [above, below] = [previous.box, line.box];
  if (above === undefined || below === undefined) return fillsLine(position);
  const drop = above.bottom - below.bottom;
  // Raised and lowered letters, and what follows them, come in lines of their own.
  if (Math.abs(drop) < SAME_LINE * above.height) return below.left >= above.right - above.height;
  if (isOtherSize(above.height, below.height)) return false;
  // The next column or the next part of a table.
  if (drop < 0) return !endsSentence(previous.text) && /^\p{Ll}/u.test(line.text);
  if (position.pitch > 0 && drop > position.pitch * WIDE_PITCH) return false;
  return !isIndented(position) && leavesNoRoom(position);
}

/** Dots that lead to a page number. */
const LEADER = /(?:\. ?){4,}\S{0,6}$/;
const NUMBERED = /^(?:\(?\d{1,2}[.)]\s+\S|\d{1,2}(?:\.\d{1,2}){1,3}\.?\s+\p{Lu})/u;

function isEntry(text: string): boolean {
  return BULLET.test(text) || NUMBERED.test(text);
}

const SAME_LINE = 0.4;
const OTHER_SIZE = 0.15;
const WIDE_PITCH = 1.35;
/** In heights of a line. */
const INDENT = 0.7;
/** A line shorter than this share of the page's longest one ends its paragraph. */
const SHORT_LINE = 0.6;
/** Lines on each side that tell how wide a column is. */
const NEIGHBOURS = 6;

/** Without places on the page the length of the text must do. */
function fillsLine({ previous, longest }: LinePosition): boolean {
  return previous.text.length >= longest * SHORT_LINE && !endsSentence(previous.text);
}

function endsSentence(text: string): boolean {
  return /[.!?:。！？]["'”’)]?$/.test(text);
}

function isOtherSize(a: number, b: number): boolean {
  return Math.abs(a - b) > OTHER_SIZE * Math.max(a, b);
}

/** A first line stands to the right of the line before it and of the one after it. */
function isIndented({ lines, index, previous, line }: LinePosition): boolean {
  const after = lines[index + 1]?.box;
  if (previous.box === undefined || line.box === undefined || after === undefined) return false;
  const least = INDENT * line.box.height;
  return line.box.left - previous.box.left > least && line.box.left - after.left > least;
}

/** The first word of this line had no room at the end of the one before: the line was not ended on purpose. */
function leavesNoRoom({ lines, index, previous, line }: LinePosition): boolean {
  const { box } = previous;
  if (box === undefined || line.box === undefined) return true;
  let edge = box.right;
  for (const { box: neighbours } of lines.slice(Math.max(0, index - NEIGHBOURS), index + NEIGHBOURS)) {
    const isSameColumn = neighbours !== undefined && Math.abs(neighbours.left - box.left) < 4 * box.height;
    if (isSameColumn && !isOtherSize(neighbours.height, box.height)) edge = Math.max(edge, neighbours.right);
  }
  const firstWord = line.text.search(/\s|$/);
  const perChar = Math.max(0, line.box.right - line.box.left) / Math.max(1, line.text.length);
  return edge - box.right < (firstWord + 2) * perChar;
}

/** Median distance of neighbouring lines of one size. */
function usualPitch(lines: readonly PdfLine[]): number {
  const drops: number[] = [];
  for (const [index, { box }] of lines.entries()) {
    const above = lines[index - 1]?.box;
    if (above === undefined || box === undefined || isOtherSize(above.height, box.height)) continue;
    const drop = above.bottom - box.bottom;
    if (drop > SAME_LINE * above.height && drop < 3 * above.height) drops.push(drop);
  }
  return drops.sort((a, b) => a - b)[Math.floor(drops.length / 2)] ?? 0;
}

import type { FileBlock, FileExtraction } from '../../extraction.ts';
import { foldText } from '../../html/page-tree.ts';
import { fileOf, unreadFile, withMergedLists } from '../file-status.ts';
import { headingsByStyle, type LineHeading } from './pdf-headings.ts';
import type { OutlineEntry } from './pdfium.ts';
import type { PdfLine } from './pdfium-page.ts';

/** Lines that stand at the same end of at least this share of the pages, from this many pages on, are page furniture. */
const REPEATED_SHARE = 0.3;
const MIN_PAGES = 4;
const EDGE_LINES = 2;
/** Lines that one entry of the outline may take. */
const MAX_HEADING_LINES = 3;

/**
 * Blocks as people read them: running titles once, words joined over line ends, ligatures opened, lines to paragraphs,
 * headings where they stand: entries of the outline, else lines that stand out by their letters.
 */
export function pdfBlocks(
  pages: readonly (readonly PdfLine[])[],
  outline: readonly OutlineEntry[],
): readonly FileBlock[] {
  const lines = withoutRunningLines(pages.map(tidyLines));
  const headings = headingsOf(lines, outline);
  return lines.flatMap((page, index) => pageBlocks(page, headings[index] ?? [], index + 1));
}

/** An outline with so few entries on the pages, for so many pages, is none of their headings. */
const MIN_ENTRIES = 2;
const PAGES_PER_ENTRY = 10;

/** Entries of the outline where they stand, else what stands out from the text. */
function headingsOf(
  pages: readonly (readonly PdfLine[])[],
  outline: readonly OutlineEntry[],
): readonly (readonly FoundHeading[])[] {
  const entries = Map.groupBy(outline, ({ page }) => page);
  const named = pages.map((lines, index) => headingsAmong(lines, entries.get(index) ?? []));
  const count = named.reduce((sum, { length }) => sum + length, 0);
  if (count >= Math.max(MIN_ENTRIES, pages.length / PAGES_PER_ENTRY)) return named;
  const styled = headingsByStyle(pages).map((found, index) =>
    found.map((heading) => titled(heading, pages[index] ?? [])),
  );
  return styled.flat().length > count ? styled : named;
}

function titled(heading: LineHeading, lines: readonly PdfLine[]): FoundHeading {
  const own = lines.slice(heading.at, heading.at + heading.count);
  return { ...heading, title: own.reduce((text, line) => (text === '' ? line.text : joined(text, line.text)), '') };
}

/** Blocks of pages one by one, as they are read: what the pages so far repeat is left out. */
export function pageByPage(): (lines: readonly PdfLine[], page: number) => readonly FileBlock[] {
  const running = runningLines();
  return (read, page) => {
    const lines = tidyLines(read);
    running.add(lines);
    return pageBlocks(
      running.without(lines, (key) => running.isRepeated(key)),
      [],
      page,
    );
  };
}

/** Stands for a hyphen at which two lines were joined. */
const JOINED = /\ufffe/g;

function tidyLines(lines: readonly PdfLine[]): readonly PdfLine[] {
  return lines.map(tidyLine).filter(({ text }) => text !== '');
}

function tidyLine(line: PdfLine): PdfLine {
  const text = line.text
    .replace(JOINED, (_, at: number, whole: string) => (/\p{Ll}/u.test(whole.charAt(at + 1)) ? '' : '-'))
    .replace(/[\ufb00-\ufb06]/g, (ligature) => ligature.normalize('NFKC'))
    .replace(CONTROLS, ' ');
  return { ...line, text: foldText(text) };
}

/** Fonts without a map of characters give them. */
const CONTROLS = /\p{Cc}/gu;

function withoutRunningLines(pages: readonly (readonly PdfLine[])[]): readonly (readonly PdfLine[])[] {
  const running = runningLines();
  for (const page of pages) running.add(page);
  const firstPages = new Map<string, number>();
  return pages.map((page, index) =>
    running.without(page, (key) => {
      if (!running.isRepeated(key)) return false;
      if (!firstPages.has(key)) firstPages.set(key, index);
      return firstPages.get(key) !== index;
    }),
  );
}

/** Lines that the pages that were added repeat at their ends, but for their numbers. */
function runningLines() {
  const counts = new Map<string, number>();
  let pages = 0;
  return {
    add(page: readonly PdfLine[]) {
      pages++;
      for (const key of new Set(edgeLines(page).map(keyOf))) counts.set(key, (counts.get(key) ?? 0) + 1);
    },
    isRepeated: (key: string) => pages >= MIN_PAGES && (counts.get(key) ?? 0) >= pages * REPEATED_SHARE,
    without(page: readonly PdfLine[], isLeftOut: (key: string) => boolean): readonly PdfLine[] {
      const kept = page.filter((line, at) => {
        const isEdge = at < EDGE_LINES || at >= page.length - EDGE_LINES;
        return !isEdge || !isLeftOut(keyOf(line));
      });
      // A page of nothing else says something by it.
      return kept.length === 0 ? page : kept;
    },
  };
}

function edgeLines(page: readonly PdfLine[]): readonly PdfLine[] {
  return page.length <= 2 * EDGE_LINES ? page : [...page.slice(0, EDGE_LINES), ...page.slice(-EDGE_LINES)];
}

/** Page numbers differ; the rest of a running line does not. */
function keyOf({ text }: PdfLine): string {
  return text.replace(/\d+/g, '0');
}

function pageBlocks(lines: readonly PdfLine[], headings: readonly FoundHeading[], page: number): readonly FileBlock[] {
  const blocks: FileBlock[] = [];
  let from = 0;
  for (const { at, count, title, level } of headings) {
    blocks.push(...joinParagraphs(lines.slice(from, at), page));
    blocks.push({ kind: 'heading', level, text: title, page, grounding: true });
    from = at + count;
  }
  blocks.push(...joinParagraphs(lines.slice(from), page));
  return blocks;
}

type FoundHeading = LineHeading & { readonly title: string };

/** Lines that are the title of an entry, in order of the page; an entry that stands nowhere is none. */
function headingsAmong(lines: readonly PdfLine[], entries: readonly OutlineEntry[]): readonly FoundHeading[] {
  if (entries.length === 0) return [];
  const keys = lines.map(({ text, isHidden }) => (isHidden ? '' : lettersOf(text)));
  const found = new Map<number, FoundHeading>();
  for (const { title, level } of entries) {
    const wanted = lettersOf(title);
    const position = wanted === '' ? undefined : findLines(keys, wanted, found);
    if (position === undefined) continue;
    const text = lines.slice(position.at, position.at + position.count).map((line) => line.text);
    found.set(position.at, { ...position, title: text.join(' '), level });
  }
  const ordered = [...found.values()].sort((a, b) => a.at - b.at);
  return ordered.filter(({ at }, index) => at >= endOf(ordered[index - 1]));
}

function endOf(heading: FoundHeading | undefined): number {
  return heading === undefined ? 0 : heading.at + heading.count;
}

function findLines(keys: readonly string[], wanted: string, taken: ReadonlyMap<number, unknown>) {
  for (let at = 0; at < keys.length; at++) {
    if (taken.has(at)) continue;
    let key = '';
    for (let count = 1; count <= MAX_HEADING_LINES && at + count <= keys.length; count++) {
      key += keys[at + count - 1];
      if (key.length > wanted.length + MAX_NUMBER_CHARS) break;
      if (isSame(key, wanted)) return { at, count };
    }
  }
  return undefined;
}

/** Of the number that stands before a title on the page or in the outline, but not in both. */
const MAX_NUMBER_CHARS = 8;

function isSame(key: string, wanted: string): boolean {
  if (key === wanted) return true;
  const [long, short] = key.length > wanted.length ? [key, wanted] : [wanted, key];
  if (short === '' || !long.endsWith(short) || long.length - short.length > MAX_NUMBER_CHARS) return false;
  return /^(?:(?:chapter|section|part|appendix|kapitel|abschnitt|teil)?(?:\d+|[ivx]+|[a-z]))$/.test(
    long.slice(0, long.length - short.length),
  );
}

/** Letters and digits alone: spacing, dots and case differ between page and outline. */
function lettersOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

/** Lines joined to paragraphs and entries of lists, in their order. */
function joinParagraphs(lines: readonly PdfLine[], page: number): readonly FileBlock[] {
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

/** Reliability: file parsers. */
export const MAX_PDF_PAGES = 2_000;

/** What was read of a PDF, with its status; `reason` is why when it has no text. */
export function pdfFile(
  read: Partial<FileExtraction> & { readonly pageCount: number },
  reason = 'The pages have no text',
): FileExtraction {
  if (read.pageCount <= MAX_PDF_PAGES) return fileOf(read, reason);
  return { ...unreadFile('over-limit', `The file has more than ${MAX_PDF_PAGES} pages`), ...read };
}

/** What is noted of pages that could not be read. */
export function unreadNotes(pages: number): readonly string[] {
  return pages === 0 ? [] : [`${pages} pages could not be read`];
}

import type { FileBlock } from '../extraction.ts';
import { foldText } from '../html/page-tree.ts';
import { joinParagraphs } from './pdf-paragraphs.ts';
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
 * entries of the outline as headings where they stand.
 */
export function pdfBlocks(
  pages: readonly (readonly PdfLine[])[],
  outline: readonly OutlineEntry[],
): readonly FileBlock[] {
  const lines = pages.map((page) => page.map(tidyLine).filter(({ text }) => text !== ''));
  const entries = Map.groupBy(outline, ({ page }) => page);
  return withoutRunningLines(lines).flatMap((page, index) => pageBlocks(page, entries.get(index) ?? [], index + 1));
}

/** Stands for a hyphen at which two lines were joined. */
const JOINED = /\ufffe/g;

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
  if (pages.length < MIN_PAGES) return pages;
  const counts = new Map<string, number>();
  for (const page of pages) {
    for (const key of new Set(edgeLines(page).map(keyOf))) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const firstPages = new Map<string, number>();
  return pages.map((page, index) => {
    const kept = page.filter((line, at) => {
      const key = keyOf(line);
      const isEdge = at < EDGE_LINES || at >= page.length - EDGE_LINES;
      if (!isEdge || (counts.get(key) ?? 0) < pages.length * REPEATED_SHARE) return true;
      if (!firstPages.has(key)) firstPages.set(key, index);
      return firstPages.get(key) === index;
    });
    // A page of nothing else says something by it.
    return kept.length === 0 ? page : kept;
  });
}

function edgeLines(page: readonly PdfLine[]): readonly PdfLine[] {
  return page.length <= 2 * EDGE_LINES ? page : [...page.slice(0, EDGE_LINES), ...page.slice(-EDGE_LINES)];
}

/** Page numbers differ; the rest of a running line does not. */
function keyOf({ text }: PdfLine): string {
  return text.replace(/\d+/g, '0');
}

function pageBlocks(lines: readonly PdfLine[], entries: readonly OutlineEntry[], page: number): readonly FileBlock[] {
  const blocks: FileBlock[] = [];
  let from = 0;
  for (const { at, count, title, level } of headingsAmong(lines, entries)) {
    blocks.push(...joinParagraphs(lines.slice(from, at), page));
    blocks.push({ kind: 'heading', level, text: title, page, grounding: true });
    from = at + count;
  }
  blocks.push(...joinParagraphs(lines.slice(from), page));
  return blocks;
}

type FoundHeading = {
  readonly at: number;
  readonly count: number;
  readonly title: string;
  readonly level: number;
};

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

import type { PdfLine } from './pdfium-page.ts';

export type LineHeading = {
  /** Index of its first line, and how many it takes. */
  readonly at: number;
  readonly count: number;
  /** 1 is the highest. */
  readonly level: number;
};

/** Letters of a heading are larger than those of the text by this, or bold and hardly smaller. */
const LARGER = 1.12;
const HARDLY_SMALLER = 0.95;
/** Sizes of one level differ by less. */
const SAME_SIZE = 0.04;
const MAX_LINES = 4;
const MAX_CHARS = 200;
const LETTER_SHARE = 0.5;
const MAX_LEVEL = 6;
/** A style of more headings a page, or of more of the text, is that of text. */
const MAX_PER_PAGE = 6;
const MAX_SHARE = 0.15;
/** Documents of so few pages need not repeat the style of a heading. */
const FEW_PAGES = 3;

/**
 * Headings of the pages of a PDF by size and weight of their lines, for one whose outline names none: lines that stand out
 * from the text, alone, before text, in a style that the document repeats, and its title. Pages come without running
 * titles. O(lines).
 */
export function headingsByStyle(pages: readonly (readonly PdfLine[])[]): readonly (readonly LineHeading[])[] {
  const body = bodyStyle(pages);
  if (body === undefined) return pages.map(() => []);
  const found = pages.flatMap((lines, page) => candidatesOn(lines, body).map((run) => ({ ...run, page })));
  const title = titleAmong(found, pages[0] ?? [], body);
  const levels = levelsOf(found, { title, pages, body });
  return pages.map((_, page) =>
    found.flatMap((candidate) => {
      const level = candidate.page === page ? levels.get(candidate) : undefined;
      return level === undefined ? [] : [{ at: candidate.at, count: candidate.count, level }];
    }),
  );
}

type BodyStyle = {
  readonly size: number;
  /** Most of the text is bold: weight says nothing. */
  readonly isBold: boolean;
  readonly chars: number;
};

/** A size of so much of the text, on so many lines, is one of text, also where listings and notes in a smaller one are more. */
const COMMON_SHARE = 0.2;
const COMMON_LINES = 10;

/** The largest size that is common, else that of most letters. */
function bodyStyle(pages: readonly (readonly PdfLine[])[]): BodyStyle | undefined {
  const bySize = new Map<number, { chars: number; lines: number }>();
  let chars = 0;
  let bold = 0;
  for (const { style, text } of pages.flat()) {
    if (style === undefined) continue;
    chars += text.length;
    if (style.isBold) bold += text.length;
    const known = bySize.get(style.size) ?? { chars: 0, lines: 0 };
    bySize.set(style.size, { chars: known.chars + text.length, lines: known.lines + 1 });
  }
  const [most] = [...bySize].sort((a, b) => b[1].chars - a[1].chars);
  const common = [...bySize].flatMap(([size, of]) =>
    of.chars >= COMMON_SHARE * chars && of.lines >= COMMON_LINES ? [size] : [],
  );
  return most && { size: Math.max(most[0], ...common), isBold: bold > chars / 2, chars };
}

type Run = { readonly at: number; readonly count: number; readonly size: number; readonly isLarger: boolean };
type Candidate = Run & { readonly page: number };

/** Runs of lines in one style that stands out, where they look like a heading. */
function candidatesOn(lines: readonly PdfLine[], body: BodyStyle): readonly Run[] {
  const widest = lines.reduce((most, { box }) => Math.max(most, box === undefined ? 0 : box.right - box.left), 0);
  const runs: Run[] = [];
  for (let at = 0; at < lines.length; ) {
    const size = standingOut(lines[at], body);
    let end = at + 1;
    while (size !== undefined && goesOn(lines[end - 1], lines[end], body)) end++;
    const run = { at, count: end - at, size: size ?? 0, isLarger: (size ?? 0) >= body.size * LARGER };
    if (size !== undefined && isHeading(lines, run, { body, widest })) runs.push(run);
    at = end;
  }
  return runs;
}

/** Size of a line that stands out from the text; undefined for every other. */
function standingOut(line: PdfLine | undefined, body: BodyStyle): number | undefined {
  if (line?.style === undefined || line.box === undefined || line.isHidden) return undefined;
  const { size, isBold } = line.style;
  const isLarger = size >= body.size * LARGER;
  return isLarger || (isBold && !body.isBold && size >= body.size * HARDLY_SMALLER) ? size : undefined;
}

const WIDE_DROP = 1.8;

/** Whether the next line belongs to the same heading: below it, in its style. */
function goesOn(line: PdfLine | undefined, next: PdfLine | undefined, body: BodyStyle): boolean {
  const [size, nextSize] = [standingOut(line, body), standingOut(next, body)];
  if (size === undefined || nextSize === undefined || !isSameSize(size, nextSize)) return false;
  if (line?.box === undefined || next?.box === undefined || NUMBERED.test(next.text)) return false;
  const drop = line.box.bottom - next.box.bottom;
  return drop > 0 && drop <= WIDE_DROP * size && next.box.left < line.box.right && next.box.right > line.box.left;
}

/** `2.1 Growth`, `Chapter 3`: begins a heading, and is not the second line of one. */
const NUMBERED = /^(?:\d{1,2}(?:\.\d{1,2}){0,3}\.?|[IVX]{1,5}\.|[A-Z]\.\d+(?:\.\d+)*)\s+\p{L}/u;
/** Text under pictures and tables stands out, too. */
const CAPTION =
  /^(?:fig(?:ure|ura|\.)?|abb(?:ildung|\.)?|tab(?:le|elle|leau|ella|la|\.)?|listing|algorithm|program|exhibit|chart)\s*\d/iu;
const ENDS_AS_TEXT = /[.,;:]$/;
const BEGINS_AS_CODE = /^[#<>{}[\]=/\\|]/;
/** A word, or two characters of a script without blanks: notes and formulas have letters, too. */
const WORD =
  /[\p{L}\p{M}]{3}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]{2}/u;
/** A line of a table of contents. */
const LEADER = /(?:\. ?){4,}\S{0,6}$/;
const ENDS_IN_NUMBER = /\s\d{1,4}$/;

type PageContext = {
  readonly body: BodyStyle;
  /** Width of the widest line of the page. */
  readonly widest: number;
};
/** A bold line of the size of the text is short: a full one is text. */
const FULL_LINE = 0.85;

function isHeading(lines: readonly PdfLine[], run: Run, { body, widest }: PageContext): boolean {
  const own = lines.slice(run.at, run.at + run.count);
  const text = own.map((line) => line.text).join(' ');
  if (run.count > MAX_LINES || text.length > MAX_CHARS || !hasWords(text) || isOfContents(lines, run)) return false;
  if (ENDS_AS_TEXT.test(text) || BEGINS_AS_CODE.test(text) || CAPTION.test(text) || sharesItsLine(lines, run))
    return false;
  const isShort = own.every(({ box }) => box !== undefined && box.right - box.left < FULL_LINE * widest);
  if (!run.isLarger && !isShort) return false;
  const next = lines[run.at + run.count];
  return run.isLarger || (next !== undefined && standingOut(next, body) === undefined);
}

function hasWords(text: string): boolean {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return WORD.test(text) && letters >= LETTER_SHARE * text.replace(/\s/g, '').length;
}

/** An entry of a table of contents: dots lead to its number, or it and a line beside it end in one. */
function isOfContents(lines: readonly PdfLine[], { at, count }: Run): boolean {
  const text = (index: number) => lines[index]?.text ?? '';
  const last = text(at + count - 1);
  if (LEADER.test(last)) return true;
  const beside = [text(at - 1), text(at + count)];
  return ENDS_IN_NUMBER.test(last) && beside.some((line) => ENDS_IN_NUMBER.test(line) || LEADER.test(line));
}

const SAME_LINE = 0.4;

/** Cells of a table, labels beside text: something else stands on the same line, and follows or precedes it. */
function sharesItsLine(lines: readonly PdfLine[], { at, count }: Run): boolean {
  const isBeside = (a: PdfLine | undefined, b: PdfLine | undefined) => {
    if (a?.box === undefined || b?.box === undefined) return false;
    return Math.abs(a.box.bottom - b.box.bottom) < SAME_LINE * Math.max(a.box.height, b.box.height);
  };
  return isBeside(lines[at - 1], lines[at]) || isBeside(lines[at + count - 1], lines[at + count]);
}

function isSameSize(a: number, b: number): boolean {
  return Math.abs(a - b) <= SAME_SIZE * Math.max(a, b);
}

/** Characters of a line of running text. */
const TEXT_CHARS = 40;

/** The first of the largest on the first page, above its text. */
function titleAmong(found: readonly Candidate[], first: readonly PdfLine[], body: BodyStyle): Candidate | undefined {
  const above = endOfTitlePart(first, body);
  const there = found.filter(({ page, at, isLarger }) => page === 0 && at < above && isLarger);
  const largest = there.reduce((most, { size }) => Math.max(most, size), 0);
  return there.find(({ size }) => size === largest);
}

/** An abstract is set in somewhat smaller letters than the text. */
const ABSTRACT_SIZE = 0.85;

/** Where the text of the first page begins: what stands above it are title, authors, addresses. */
function endOfTitlePart(first: readonly PdfLine[], body: BodyStyle): number {
  const isText = (line: PdfLine | undefined) =>
    (line?.style?.size ?? 0) >= ABSTRACT_SIZE * body.size &&
    standingOut(line, body) === undefined &&
    (line?.text.length ?? 0) >= TEXT_CHARS;
  const at = first.findIndex((line, index) => isText(line) && isText(first[index + 1]));
  return at < 0 ? first.length : at;
}

type Judged = {
  readonly title: Candidate | undefined;
  readonly pages: readonly (readonly PdfLine[])[];
  readonly body: BodyStyle;
};

/** Levels of those that are headings, by size: the larger, the higher. */
function levelsOf(found: readonly Candidate[], { title, pages, body }: Judged): ReadonlyMap<Candidate, number> {
  const titlePart = endOfTitlePart(pages[0] ?? [], body);
  const below = found.filter((each) => each !== title && (each.page > 0 || each.at + each.count >= titlePart));
  const styles: Candidate[][] = [];
  for (const each of below.toSorted((a, b) => b.size - a.size)) {
    const last = styles.at(-1);
    if (last?.[0] !== undefined && isSameSize(last[0].size, each.size)) last.push(each);
    else styles.push([each]);
  }
  const kept = styles.filter((style) => isHeadingStyle(style, { pages, body, title }));
  const levels = new Map<Candidate, number>();
  if (title !== undefined) levels.set(title, 1);
  const top = title === undefined || kept[0]?.some(({ size }) => isSameSize(size, title.size)) ? 1 : 2;
  for (const [rank, style] of kept.entries()) {
    for (const each of style) levels.set(each, Math.min(MAX_LEVEL, top + rank));
  }
  return levels;
}

/** A style that recurs, and is not that of much of the text. */
function isHeadingStyle(style: readonly Candidate[], { pages, body }: Judged): boolean {
  const onPages = new Set(style.map(({ page }) => page)).size;
  if (onPages < 2 && pages.length > FEW_PAGES) return false;
  let chars = 0;
  for (const { page, at, count } of style) {
    for (const { text } of pages[page]?.slice(at, at + count) ?? []) chars += text.length;
  }
  return style.length <= MAX_PER_PAGE * onPages && chars <= MAX_SHARE * body.chars;
}

import { hash } from 'node:crypto';
import { withoutSectionNumber } from '../../../text/title-name.ts';
import type { BlockDocumentFrequency } from '../template-blocks.ts';

/** What a text is to its page: the same text in another role is counted apart. */
export const TEXT_ROLES = [
  'title',
  /** A run of parts of the head's title. */
  'title part',
  'main heading',
  /** The first word or two of a main heading. */
  'heading start',
  /** The title begins with the number of its section; the text is `''`. */
  'numbered title',
  'heading',
  /** Breadcrumbs from the first one on. */
  'crumbs',
  'image',
] as const;
export type TextRole = (typeof TEXT_ROLES)[number];

/** What the other known pages of a site say of a text. */
export type SiteTexts = {
  /** How many there are; 0 while they are too few to judge by. */
  readonly pages: number;
  /** Share of them, or of those of the folder where that is larger, on which the text has the role. */
  share(role: TextRole, text: string): number;
  /** Share of those of the host. */
  shareOfHost(role: TextRole, text: string): number;
  /** Whether the text is on so many of them that it names the site, a part of it, or nothing. */
  isRepeated(role: TextRole, text: string): boolean;
};

export const UNKNOWN_SITE: SiteTexts = { pages: 0, share: () => 0, shareOfHost: () => 0, isRepeated: () => false };

/** Three of a random 64. */
const REPEATED_SHARE = 0.04;
/** Two pages with the same title are at times two parts of one article. */
const REPEATED_PAGES = 3;
/** Few pages of a folder are known, and like pages lie in it. */
const REPEATED_IN_FOLDER = 0.5;

export type KnownPages = {
  /** Of the host, beside this one. */
  readonly pages: number;
  readonly ofHost: BlockDocumentFrequency;
  readonly ofFolder: BlockDocumentFrequency;
};

/** The counts of a host and of a folder, read by `textHash`. */
export function openSiteTexts({ pages, ofHost, ofFolder }: KnownPages): SiteTexts {
  return {
    pages,
    share(role, text) {
      const key = textHash(role, text);
      return Math.max(ofHost(key), ofFolder(key));
    },
    shareOfHost: (role, text) => ofHost(textHash(role, text)),
    isRepeated(role, text) {
      const key = textHash(role, text);
      const share = ofHost(key);
      const isOfHost = share >= REPEATED_SHARE && Math.round(share * pages) >= REPEATED_PAGES;
      return isOfHost || ofFolder(key) >= REPEATED_IN_FOLDER;
    },
  };
}

/** What stands on so many pages says nothing of one, even where all of them have the same title. */
export const COMMON_SHARE = 0.3;

/** What a page says of itself: its title in the head and a main heading. */
type PageHeading = { readonly title: string; readonly heading: string };

/** Whether a main heading is the name of the site or a mark of it: many pages of other titles have it, too. */
export function isMark({ title, heading }: PageHeading, site: SiteTexts): boolean {
  if (!site.isRepeated('main heading', heading)) return false;
  const share = site.share('main heading', heading);
  const shareOfTitle = site.share('title', title);
  if (foldedText(title) === foldedText(heading) && !site.isRepeated('title', title)) return false;
  return share >= COMMON_SHARE || shareOfTitle < share / 2;
}

const HASH_DIGITS = 16;

/** 64 bits as 16 hexadecimal digits, as the hash of a block. Case and blanks count for nothing. */
export function textHash(role: TextRole, text: string): string {
  return hash('sha256', `${role}\n${foldedText(text)}`).slice(0, HASH_DIGITS);
}

export function foldedText(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim();
}

/** Texts of a page by their roles. */
export type PageTexts = {
  /** Of the head. */
  readonly titles: readonly string[];
  readonly mainHeadings: readonly string[];
  /** All of them, in document order. */
  readonly headings: readonly string[];
  /** Each with those before it. */
  readonly crumbs: readonly string[];
  readonly images: readonly string[];
};

const MAX_MAIN_HEADINGS = 8;
const MAX_HEADINGS = 24;
const HEADING_STARTS = [1, 2];

/** What the statistics of a host keep of the texts of a page: about 30 hashes, 100 at most. */
export function countedTexts(page: PageTexts): readonly string[] {
  const titles = page.titles.filter((title) => title !== '');
  const main = page.mainHeadings.slice(0, MAX_MAIN_HEADINGS);
  const unnumbered = [...titles, ...main].map((text) => [text, withoutSectionNumber(text)] as const);
  const names = unnumbered.filter(([text, name]) => name !== text).map(([, name]) => name);
  const texts: readonly (readonly [TextRole, readonly string[]])[] = [
    ['title', titles],
    ['title part', [...titles.flatMap(titleRuns), ...names]],
    ['main heading', main],
    ['heading start', main.flatMap(headingStarts)],
    ['numbered title', names.length > 0 ? [''] : []],
    ['heading', page.headings.slice(0, MAX_HEADINGS)],
    ['crumbs', page.crumbs],
    ['image', page.images],
  ];
  return [...new Set(texts.flatMap(([role, values]) => values.map((text) => textHash(role, text))))];
}

/** `Class` of `Class Foo`, `Annotation Interface` of `Annotation Interface Foo`. */
function headingStarts(heading: string): readonly string[] {
  const words = heading.split(' ');
  return HEADING_STARTS.filter((count) => count < words.length).map((count) => words.slice(0, count).join(' '));
}

/** Between parts of a title: bars, dashes and dots between blanks, a colon before one, and what brackets hold at its end. */
const PART_BORDER = /\s+(?:[|–—»·•:‹›~-]{1,2})\s+|\s*[|»]\s*|:\s+|\s+(?=\([^()]*\)$)/g;
/** More parts are counted as one with those around them, in the middle. */
const MAX_PARTS = 6;

/** Places of a title where a part begins and where it ends, in order. */
type TitlePart = { readonly from: number; readonly to: number };

function partsOf(title: string): readonly TitlePart[] {
  const borders = [...title.matchAll(PART_BORDER)].map(
    ({ 0: border, index }) => [index, index + border.length] as const,
  );
  const starts = [0, ...borders.map(([, end]) => end)];
  const ends = [...borders.map(([start]) => start), title.length];
  const parts = starts.map((from, at) => ({ from, to: ends[at] ?? from })).filter(({ from, to }) => from < to);
  const excess = parts.length - MAX_PARTS;
  const middle = parts[MAX_PARTS / 2];
  if (excess <= 0 || middle === undefined) return parts;
  const joined = { from: middle.from, to: parts[MAX_PARTS / 2 + excess]?.to ?? middle.to };
  return [...parts.slice(0, MAX_PARTS / 2), joined, ...parts.slice(MAX_PARTS / 2 + excess + 1)];
}

/** A title and each run of its parts: at most 21. */
export function titleRuns(title: string): readonly string[] {
  const parts = partsOf(title);
  return parts.flatMap((first, at) => parts.slice(at).map((last) => title.slice(first.from, last.to)));
}

/**
 * A title without what other ones of its site begin or end with: its shortest run of parts that no more pages have than
 * have all of it. `Foo` of `Foo — Lumo documentation` and of `Lumo: Foo`. Of a run that a heading of the page says, too,
 * only the name of the site is cut: `Rules: Foo` where a tenth of the pages are `Rules` of something.
 */
export function ownPart(title: string, site: SiteTexts, headings: readonly string[] = []): string {
  const parts = partsOf(title);
  const runOf = (from: number, to: number) => title.slice(parts[from]?.from, parts[to - 1]?.to);
  const most = site.share('title part', runOf(0, parts.length));
  const [saidFrom, saidTo] = saidRun(parts.length, runOf, headings);
  const isCommon = (run: string) => site.share('title part', run) >= COMMON_SHARE;
  const isCommonOfHost = (from: number, to: number) =>
    from >= to || site.shareOfHost('title part', runOf(from, to)) >= COMMON_SHARE;
  const mayCut = (cut: string, rest: string) => {
    // Of a title that others have, too, every part may be needed but the name of the site.
    const isShared = site.share('title part', cut) > most && (most === 0 || isCommon(cut));
    return isShared && site.isRepeated('title part', cut) && site.share('title part', rest) <= most;
  };
  let [from, to] = [0, parts.length];
  for (let at = from + 1; at < to; at++)
    if (isCommonOfHost(Math.max(at, saidFrom), saidTo) && mayCut(runOf(at, to), runOf(from, at))) to = at;
  for (let at = to - 1; at > from; at--)
    if (isCommonOfHost(saidFrom, Math.min(at, saidTo)) && mayCut(runOf(from, at), runOf(at, to))) from = at;
  return parts.length === 0 ? title : runOf(from, to);
}

/** From where to where the longest run of parts reaches that is a heading, too; an empty run where none is. */
function saidRun(
  parts: number,
  runOf: (from: number, to: number) => string,
  headings: readonly string[],
): readonly [from: number, to: number] {
  const said = new Set(headings.map(foldedText));
  for (let length = parts; length > 1; length--)
    for (let from = 0; from + length <= parts; from++)
      if (said.has(foldedText(runOf(from, from + length)))) return [from, from + length];
  return [parts, parts];
}

import { withoutSectionNumber } from '../../../text/title-name.ts';
import { COMMON_SHARE, foldedText, isMark, ownPart, type SiteTexts } from './site-texts.ts';

export type PickedTitle = { readonly text: string; readonly source: string };

/** What a page is called by itself, and all else that it may be called. */
export type NamedPage = {
  readonly picked: PickedTitle;
  /** Titles of the head: of the page, and for social media. */
  readonly heads: readonly PickedTitle[];
  /** Its other candidates, the likeliest first. */
  readonly others: readonly PickedTitle[];
  readonly mainHeadings: readonly string[];
  /** These, and the first ones below them. */
  readonly headings: readonly string[];
};

export type OwnTitle = PickedTitle & {
  /** What the head says of this page alone, and in all; undefined when it says nothing. */
  readonly head: Pick<Head, 'text' | 'whole'> | undefined;
  /** Heading and head of the page agree, and no other page is called so: more pages would not change it. */
  readonly isSettled: boolean;
};

/** A kind of thing before its name: `Class`, `Annotation Interface`. Three words say what a page is: `Source code for`. */
const MAX_KIND_WORDS = 2;
/** A site that numbers so many of its titles numbers sections. */
const NUMBERED_SHARE = 0.1;
/** Beginnings of headings that two of a random 64 have are no chance, where the head has the rest. */
const KIND_SHARE = 0.02;

/**
 * The title of a page among those of its site: what other pages are called, too, gives way to the title of the head that
 * no other has, without what the titles of the site share at their ends; what names the site gives way to anything else.
 */
export function ownTitle(page: NamedPage, site: SiteTexts): OwnTitle {
  const judged = judge(page, site);
  const { head, shareOf, isOwn } = judged;
  const { text: picked } = page.picked;
  const fromHead =
    head !== undefined &&
    (prefersHead(picked, head, shareOf(picked)) || isBeginningOf(picked, head, page.mainHeadings));
  const best = fromHead ? head : page.picked;
  if (!isOwn(best.text)) {
    const other = replacement(page, best, judged, site);
    if (other !== undefined) return { ...other, head, isSettled: false };
  }
  const text = isSame(best.text, head?.text) ? best.text : ownPart(best.text, site, page.headings);
  const isSettled = isSame(text, head?.text) && shareOf(text) === 0;
  const named = head?.share === 0 ? byKind(text, { head: head.text, headings: page.mainHeadings }, site) : text;
  return { ...best, text: named, head, isSettled };
}

type Judged = {
  readonly head: Head | undefined;
  readonly shareOf: (text: string) => number;
  readonly isOwn: (text: string) => boolean;
};

function judge({ heads, headings }: NamedPage, site: SiteTexts): Judged {
  const head = rarestHead(heads, headings, site);
  return {
    head,
    shareOf: (text) => (isSame(text, head?.text) ? (head?.share ?? 0) : sharedBy(text, site)),
    isOwn: (text) => {
      if (isSame(text, head?.text)) return !isCommon(head, site);
      const title = heads[0]?.text ?? '';
      return !isMark({ title, heading: text }, site) && !site.isRepeated('title part', text);
    },
  };
}

/** It is rarer, or says more and is as rare, or the other one is a numbered section of what it says. */
function prefersHead(picked: string, head: Head, share: number): boolean {
  if (head.share < share) return true;
  if (share > 0 && head.share === share) return foldedText(head.whole).includes(foldedText(picked));
  return head.share === 0 && isNumbered(picked) && !isNumbered(head.text);
}

/** Head and heading both say more: `unittest.mock — getting started`, and a page of `unittest.mock` is another one. */
function isBeginningOf(picked: string, head: Head, mainHeadings: readonly string[]): boolean {
  if (head.share > 0 || !mainHeadings.some((heading) => isSame(heading, head.text))) return false;
  return foldedText(head.text).startsWith(`${foldedText(picked)} `);
}

function isNumbered(title: string): boolean {
  return withoutSectionNumber(title) !== title;
}

/** What half of a site is called is its name; what less are called says what kind of page it is. */
const SITE_NAME_SHARE = 0.5;

/** What else a page may be called of which too many are called the same. */
function replacement(
  { others }: NamedPage,
  best: PickedTitle,
  { shareOf, isOwn }: Judged,
  site: SiteTexts,
): PickedTitle | undefined {
  const share = shareOf(best.text);
  const other = others.find(
    (candidate) => mayReplace(candidate, share, site) && isOwn(candidate.text) && shareOf(candidate.text) < share,
  );
  if (other?.source !== 'url') return other && { ...other, text: ownPart(other.text, site) };
  if (site.shareOfHost('title part', best.text) >= SITE_NAME_SHARE) return other;
  return { ...other, text: `${ownPart(best.text, site)}: ${other.text}` };
}

type Head = PickedTitle & {
  /** As it stands, with the names of the site. */
  readonly whole: string;
  /** Share of the known pages that have the same. */
  readonly share: number;
};

function rarestHead(heads: readonly PickedTitle[], headings: readonly string[], site: SiteTexts): Head | undefined {
  const known = heads
    .filter(({ text }) => /\p{L}/u.test(text))
    .map(({ text, source }) => ({
      text: ownPart(text, site, headings),
      source,
      whole: text,
      share: site.share('title', text),
    }));
  return known.toSorted((a, b) => a.share - b.share)[0];
}

/** A heading of the text, or the address, is better than what a good part of the site is called. */
function mayReplace({ text, source }: PickedTitle, share: number, site: SiteTexts): boolean {
  if (source !== 'heading' && source !== 'url') return true;
  if (source === 'url' && site.pages < MIN_PAGES_BY_ADDRESS) return false;
  return share >= COMMON_SHARE && /\p{L}{3}/u.test(text) && !NO_NAME.test(text) && !site.isRepeated('heading', text);
}

/** A third of fewer pages are at times copies of one. */
const MIN_PAGES_BY_ADDRESS = 20;

/** Of addresses. */
const NO_NAME = /^(?:index|default|home|main)$/i;

function isCommon(head: Head | undefined, site: SiteTexts): boolean {
  return head !== undefined && site.isRepeated('title', head.whole);
}

function sharedBy(text: string, site: SiteTexts): number {
  return Math.max(site.share('main heading', text), site.share('title part', text));
}

/** Case and blanks count for nothing. */
export function isSame(text: string, other: string | undefined): boolean {
  return other !== undefined && foldedText(text) === foldedText(other);
}

type Named = { readonly head: string; readonly headings: readonly string[] };

/** Behind a name in a heading: nothing, or its parameters. */
const PARAMETERS = /^(?:$|[<([])/;

/**
 * Where the head says `Foo` and many headings of the site begin alike: `Foo` for `Class Foo<T>`, and `Source code for
 * Foo` for `Foo`.
 */
function byKind(title: string, { head, headings }: Named, site: SiteTexts): string {
  const placeIn = (text: string) => text.indexOf(` ${head}`);
  const heading = headings.find(
    (text) => placeIn(text) > 0 && PARAMETERS.test(text.slice(placeIn(text) + 1 + head.length)),
  );
  if (heading === undefined || (title !== heading && title !== head)) return title;
  const words = heading.slice(0, placeIn(heading)).split(' ');
  const isKind = site.share('heading start', words.slice(0, MAX_KIND_WORDS).join(' ')) >= KIND_SHARE;
  if (!isKind) return title;
  return words.length <= MAX_KIND_WORDS ? head : heading;
}

/**
 * A title without the number of its section, where another text of the page says the same without it, or many titles of
 * the site have one: `3. Advent` and `1. FC` are names. What several sections are called keeps its number.
 */
export function withoutNumber(title: string, others: readonly string[], site: SiteTexts): string {
  const name = withoutSectionNumber(title);
  if (name === title || sharedBy(name, site) > sharedBy(title, site)) return title;
  const isNumber = site.share('numbered title', '') >= NUMBERED_SHARE || others.some((other) => isSame(name, other));
  return isNumber ? name : title;
}

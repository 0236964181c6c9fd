import { columnsOf } from '../../page-language.ts';
import type { TextBlock } from '../blocks.ts';
import { headingText } from '../heading-parts.ts';
import { metaOf, type PageFacts } from '../page-facts.ts';
import { foldText, type PageElement, textOf, withoutPermalink } from '../page-tree.ts';
import { type DataItem, isOfType, textAt } from '../structured-data.ts';
import { COMMON_SHARE, isMark, type SiteTexts, UNKNOWN_SITE } from './site-texts.ts';

export type ItemTitle = { readonly text: string; readonly kind: 'article' | 'product' | 'page' };

export type NamedHeading = { readonly element: PageElement; readonly text: string };

/** All that a page says about its title. */
export type TitleInputs = {
  readonly h1: readonly PageElement[];
  /** The one element that is called title, of a page without `h1`. */
  readonly named: readonly NamedHeading[];
  readonly title: string;
  readonly ogTitle: string;
  readonly twitterTitle: string;
  readonly siteName: string;
  readonly url: string;
  /** Texts of its other headings. */
  readonly headings: readonly string[];
  /** Headlines and names of structured data. */
  readonly items: readonly ItemTitle[];
};

export type TitleCandidate = {
  readonly text: string;
  /** Where it stands, for people: `h1`, `og:title`, `title`, `json-ld`. */
  readonly source: string;
  /** Features that are not 0. */
  readonly features: Readonly<Partial<Record<TitleFeature, number>>>;
};

export const TITLE_FEATURES = [
  ...([
    'h1',
    'only h1',
    'first h1',
    'start of h1',
    'h1 without article',
    'h1 in margin',
    'h1 named title',
    'heading',
  ] as const),
  ...(['head', 'head start', 'head beginning', 'head without site', 'social', 'head of home page'] as const),
  ...(['article item', 'product item', 'page item'] as const),
  ...(['share in title', 'share in og:title', 'likeness to h1', 'share in slug', 'share of slug'] as const),
  ...(['two agree', 'three agree'] as const),
  ...(['one word', 'length', 'bar', 'dash', 'colon', 'ends with site', 'has site'] as const),
] as const;
export type TitleFeature = (typeof TITLE_FEATURES)[number];

const MIN_CHARS = 2;
const MAX_CHARS = 400;
const MAX_H1 = 8;
/** Read to know whether there is only one. */
const MAX_READ_H1 = 20;
const MAX_PARTS = 6;
const MAX_H1_CHARS = 1_000;
const SEPARATOR = /(\s+[|–—»·•:‹›~-]{1,2}\s+|\s*[|»]\s*)/;

type Source = 'h1' | 'title' | 'og:title' | 'twitter:title' | 'json-ld';
type Draft = {
  readonly text: string;
  readonly roles: Set<TitleFeature>;
  readonly sources: Set<Source>;
  heading?: PageElement;
};

/** Texts of the page that may be its title, each once, with what speaks for it; marks of the site are none. */
export function titleCandidates(inputs: TitleInputs, site: SiteTexts = UNKNOWN_SITE): readonly TitleCandidate[] {
  const drafts = new Map<string, Draft>();
  const add: Add = (text, source, ...roles) => {
    const folded = text.replace(/\s+/g, ' ').trim();
    if (folded.length < MIN_CHARS || folded.length > MAX_CHARS) return undefined;
    const key = folded.toLowerCase();
    const draft = drafts.get(key) ?? { text: folded, roles: new Set<TitleFeature>(), sources: new Set<Source>() };
    drafts.set(key, draft);
    draft.sources.add(source);
    for (const role of roles) draft.roles.add(role);
    return draft;
  };
  const isSite = siteTest(inputs, site);
  addHead(add, isSite, inputs);
  const markShare = (text: string) =>
    isMark({ title: inputs.title, heading: text }, site) ? site.share('main heading', text) : 0;
  // What names the site stands before the headings of the page; a mark of few pages is one of these.
  const headings = mainHeadings(inputs).filter(({ text }) => markShare(text) < COMMON_SHARE);
  for (const [index, { element, text }] of headings.slice(0, MAX_H1).entries()) {
    if (markShare(text) > 0) continue;
    const draft = add(text, 'h1', 'h1', ...(index === 0 ? (['first h1'] as const) : []));
    if (draft !== undefined) draft.heading ??= element;
    const [start = ''] = text.split(SEPARATOR);
    if (start.length < text.length) add(start, 'h1', 'start of h1');
  }
  for (const { text, kind } of inputs.items) add(text, 'json-ld', `${kind} item`);
  const page = pageOf(
    inputs,
    headings.map(({ text }) => text),
    isSite,
  );
  return [...drafts.values()].map((draft) => ({
    text: draft.text,
    source: [...draft.sources].sort((a, b) => SOURCES.indexOf(a) - SOURCES.indexOf(b))[0] ?? 'none',
    features: featuresOf(draft, page),
  }));
}

type TitledSource = {
  readonly url: string;
  readonly facts: PageFacts;
  readonly items: readonly DataItem[];
  readonly blocks: readonly TextBlock[];
};

/** All that the page says about its title. */
export function titleInputs(page: TitledSource): TitleInputs {
  const { url, facts, items, blocks } = page;
  return {
    h1: facts.h1,
    named: namedHeadings(blocks),
    title: facts.title,
    ogTitle: foldText(metaOf(facts, 'og:title')),
    twitterTitle: foldText(metaOf(facts, 'twitter:title')),
    siteName: foldText(metaOf(facts, 'og:site_name')),
    url,
    headings: blocks
      .filter(isSubheading)
      .slice(0, MAX_SUBHEADINGS)
      .map(({ text }) => text.slice(0, MAX_HEADING_CHARS)),
    items: items.slice(0, MAX_TITLE_ITEMS).flatMap(itemTitles),
  };
}

/** Of generators that write no `h1`: the page's one element of the class `title`. */
function namedHeadings(blocks: readonly TextBlock[]): readonly NamedHeading[] {
  const named = blocks.filter(({ element }) => TITLE_CLASS.test(element.attributes['class'] ?? ''));
  return named.length === 1
    ? named.map(({ element, text }) => ({ element, text: text.slice(0, MAX_HEADING_CHARS) }))
    : [];
}

const TITLE_CLASS = /(?:^|\s)title(?:$|\s)/;

function isSubheading({ kind, level }: TextBlock): boolean {
  return kind === 'heading' && level > 1 && level <= 3;
}

const MAX_TITLE_ITEMS = 60;
const MAX_SUBHEADINGS = 10;
const MAX_HEADING_CHARS = 300;
const TITLED_ITEMS: readonly (readonly [ItemTitle['kind'], RegExp])[] = [
  ['article', /(?:Article|Posting|Report|Review|Recipe|HowTo|VideoObject|QAPage|Question)$/],
  ['product', /^Product$/],
  ['page', /(?:WebPage|CollectionPage|ItemPage)$/],
];

function itemTitles(item: DataItem): readonly ItemTitle[] {
  const kind = TITLED_ITEMS.find(([, pattern]) => isOfType(item, pattern))?.[0];
  const texts = [textAt(item.data, 'headline'), textAt(item.data, 'name')].filter((text) => text !== '');
  return kind === undefined ? [] : texts.map((text) => ({ text: foldText(text), kind }));
}

/** Every `h1` of the page, or what stands for one. */
export function mainHeadings(inputs: TitleInputs): readonly NamedHeading[] {
  const headings = inputs.h1
    .slice(0, MAX_READ_H1)
    .map((element) => ({ element, text: headingOf(element, inputs) }))
    .filter(({ text }) => text.length >= MIN_CHARS);
  return headings.length > 0 ? headings : inputs.named;
}

/** Its text without what stands beside it, unless the head says that, too: shops have sizes that are buttons. */
function headingOf(element: PageElement, { title, ogTitle }: TitleInputs): string {
  const whole = withoutPermalink(textOf(element, MAX_H1_CHARS));
  if ([title, ogTitle].some((head) => folded(head).includes(folded(whole)))) return whole;
  return withoutPermalink(headingText(element, MAX_H1_CHARS));
}

const SOURCES: readonly Source[] = ['h1', 'og:title', 'twitter:title', 'title', 'json-ld'];

type Add = (text: string, source: Source, ...roles: readonly TitleFeature[]) => Draft | undefined;
type IsSite = (text: string) => boolean;

/** The titles of the head, their parts, and runs of parts from either end. */
function addHead(add: Add, isSite: IsSite, { title, ogTitle, twitterTitle }: TitleInputs): void {
  const heads = [
    ['title', title, []],
    ['og:title', ogTitle, ['social']],
    ['twitter:title', twitterTitle, ['social']],
  ] as const;
  for (const [source, text, social] of heads) {
    add(text, source, 'head', ...social);
    addParts((part, ...roles) => add(part, source, ...roles), { isSite, pieces: text.split(SEPARATOR), social });
  }
}

type AddPart = (text: string, ...roles: readonly TitleFeature[]) => unknown;

type HeadParts = {
  readonly isSite: IsSite;
  /** Parts on even places, what separates them on odd ones. */
  readonly pieces: readonly string[];
  readonly social: readonly TitleFeature[];
};

function addParts(add: AddPart, { isSite, pieces, social }: HeadParts): void {
  if (pieces.length === 1) return;
  const namesSite = (some: readonly string[]) => some.every((piece, index) => index % 2 === 1 || isSite(piece));
  const bare = (some: readonly string[]): readonly TitleFeature[] => (namesSite(some) ? ['head without site'] : []);
  const [start = ''] = pieces;
  add(start, 'head start', ...social, ...bare(pieces.slice(2)));
  for (let at = 2; at < Math.min(pieces.length, MAX_PARTS * 2); at += 2) {
    const rest = pieces.slice(at + 2);
    if (rest.length > 0) add(pieces.slice(0, at + 1).join(''), 'head beginning', ...bare(rest));
    add(pieces[at] ?? '');
    add(pieces.slice(at).join(''), ...bare(pieces.slice(0, at)));
  }
}

/** What the features of all candidates of a page are compared with. */
type TitledPage = {
  readonly title: ReadonlySet<string>;
  readonly ogTitle: ReadonlySet<string>;
  readonly h1: readonly ReadonlySet<string>[];
  /** Folded texts. */
  readonly headings: ReadonlySet<string>;
  readonly slug: ReadonlySet<string>;
  readonly isHome: boolean;
  readonly hasArticle: boolean;
  readonly hasOneH1: boolean;
  readonly isSite: IsSite;
  readonly siteNames: readonly string[];
};

function pageOf(inputs: TitleInputs, h1: readonly string[], isSite: IsSite): TitledPage {
  const segments = pathOf(inputs.url)
    .split('/')
    .filter((segment) => segment !== '');
  const title = wordsOf(inputs.title);
  return {
    title,
    ogTitle: inputs.ogTitle === '' ? title : wordsOf(inputs.ogTitle),
    h1: h1.map(wordsOf),
    headings: new Set(inputs.headings.map(folded)),
    slug: wordsOf(segments.at(-1) ?? ''),
    isHome: segments.length === 0,
    hasArticle: inputs.items.some(({ kind }) => kind === 'article'),
    hasOneH1: h1.length === 1,
    isSite,
    siteNames: namesOf(inputs).filter((name) => columnsOf(name) > 2),
  };
}

function featuresOf({ text, roles, sources, heading }: Draft, page: TitledPage): TitleCandidate['features'] {
  const words = wordsOf(text);
  const isH1 = roles.has('h1');
  const pieces = text.split(SEPARATOR);
  const agreeing = [...sources].filter((source) => agrees(source, roles)).length;
  const flags: Partial<Record<TitleFeature, boolean>> = {
    'only h1': isH1 && page.hasOneH1,
    'h1 without article': isH1 && !page.hasArticle,
    'h1 in margin': heading !== undefined && isInMargin(heading),
    'h1 named title': heading !== undefined && isNamedTitle(heading),
    heading: !isH1 && page.headings.has(folded(text)),
    'head of home page': page.isHome && roles.has('head'),
    'two agree': agreeing >= 2,
    'three agree': agreeing >= 3,
    'one word': words.size === 1,
    bar: /[|»·•]/.test(text),
    dash: / [-–—] /.test(text),
    colon: /: /.test(text),
    'ends with site': pieces.length > 1 && page.isSite(pieces.at(-1) ?? ''),
    'has site': page.siteNames.some((name) => folded(text).includes(name)),
  };
  const shares: Partial<Record<TitleFeature, number>> = {
    'share in title': shareIn(words, page.title),
    'share in og:title': shareIn(words, page.ogTitle),
    'likeness to h1': Math.max(0, ...page.h1.map((other) => likeness(words, other))),
    'share in slug': shareIn(words, page.slug),
    'share of slug': shareIn(page.slug, words),
    length: Math.log(1 + countOf(text)),
  };
  // What else the page says of a text tells more than an item does.
  const known = sources.size === 1 ? [...roles] : [...roles].filter((role) => !role.endsWith(' item'));
  const set = [...known, ...TITLE_FEATURES.filter((name) => flags[name] === true)];
  return { ...Object.fromEntries(set.map((name) => [name, 1])), ...shares };
}

/** Parts of headings and names of pages agree with everything. */
function agrees(source: Source, roles: ReadonlySet<TitleFeature>): boolean {
  if (source === 'h1') return roles.has('h1');
  return source !== 'json-ld' || roles.has('article item') || roles.has('product item');
}

function siteTest(inputs: TitleInputs, site: SiteTexts): IsSite {
  const [siteName = '', host = ''] = namesOf(inputs);
  return (text) => {
    const name = folded(text);
    if (name === '') return false;
    if (site.isRepeated('title part', text)) return true;
    const isName =
      siteName !== '' &&
      (name === siteName ||
        (columnsOf(siteName) > 3 && name.includes(siteName) && name.length < siteName.length * 2.5));
    return isName || (host.length > 2 && name.length > 2 && (host.includes(name) || name.includes(host)));
  };
}

/** Name of the site as it says itself, and as its host does. */
function namesOf({ siteName, url }: TitleInputs): readonly string[] {
  const host = (URL.parse(url)?.hostname ?? '').replace(/^www\./, '');
  return [folded(siteName), folded(host.split('.').slice(0, -1).join(''))];
}

function isInMargin(element: PageElement): boolean {
  for (let at: PageElement | undefined = element; at !== undefined; at = at.parent) {
    if (/^(?:footer|aside|dialog|form)$/.test(at.name)) return true;
  }
  return false;
}

function isNamedTitle({ attributes }: PageElement): boolean {
  return /title|headline|heading|name/i.test(`${attributes['class'] ?? ''} ${attributes['itemprop'] ?? ''}`);
}

function pathOf(url: string): string {
  const path = URL.parse(url)?.pathname ?? '';
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const WORD = /[\p{L}\p{N}]+/gu;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

function wordsOf(text: string): ReadonlySet<string> {
  return new Set((text.toLowerCase().match(WORD) ?? []).flatMap(partsOf));
}

/** Chinese and Japanese have no blanks between words: pairs of characters stand for them. */
function partsOf(word: string): readonly string[] {
  const characters = UNSPACED.test(word) ? [...word] : [];
  return characters.length <= 2 ? [word] : characters.slice(1).map((character, at) => `${characters[at]}${character}`);
}

/** A word of Chinese or Japanese has about two characters. */
function countOf(text: string): number {
  const words = text.match(WORD) ?? [];
  return words.reduce((sum, word) => sum + (UNSPACED.test(word) ? Math.ceil([...word].length / 2) : 1), 0);
}

function folded(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

function shareIn(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  return words.size === 0 ? 0 : words.intersection(others).size / words.size;
}

/** Jaccard. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = a.intersection(b).size;
  return common === 0 ? 0 : common / (a.size + b.size - common);
}

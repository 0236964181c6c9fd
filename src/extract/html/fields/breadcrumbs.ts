import { ignoresText } from '../index-directives.ts';
import { metaOf, type PageFacts } from '../page-facts.ts';
import { foldText, NOT_TEXT, type PageElement, textOf, walkTree } from '../page-tree.ts';
import { type DataItem, isOfType, membersAt, textAt } from '../structured-data.ts';
import type { SiteTexts } from '../titles/site-texts.ts';

const MAX_LEVEL_CHARS = 60;
const MAX_LEVELS = 8;
/** Each is read whole, and they may nest. */
const MAX_BREADCRUMBS = 10;
const HOME =
  /^(?:home|home ?page|start|startseite|start ?sida|forsiden?|hjem|hem|etusivu|accueil|inicio|início|principal|startpagina|strona główna|domů|úvod|kezdőlap|acasă|ana ?sayfa|αρχική|главная|головна|الرئيسية|בית|خانه|首页|首頁|ホーム|トップ(?:ページ)?|홈|⌂)$/i;
/** Addresses of home pages, also of one language: `/`, `/de/`. */
const HOME_PATH = /^\/(?:[a-z]{2}(?:-[a-z]{2})?\/?)?$/i;

/** Whether a text is a word for the home page, in any language. */
export function isHomeName(text: string): boolean {
  return HOME.test(text);
}

/** Whether a URL is that of a home page. */
export function isHomeUrl(url: string): boolean {
  return HOME_PATH.test(URL.parse(url)?.pathname ?? '');
}

/** In the place of a level that is the page itself: no text of a page has it. */
const OWN = '\0';
/** In the place of a level that leads home. */
const HOME_LEVEL = '\0home';
const MARKS = /^[\s/›»>→|·•\\-]+|[\s/›»>→|·•\\-]+$/g;

export type PickedCategory = { readonly levels: readonly string[]; readonly source: string };

/** Its breadcrumbs with where they stand, without those that are no way: of fewer than two levels, or of many. */
type Breadcrumbs = readonly (readonly [source: string, levels: readonly string[]])[];

export function readBreadcrumbs(facts: PageFacts, items: readonly DataItem[]): Breadcrumbs {
  const found: Breadcrumbs = [
    ['json-ld', levelsOfItems(items, facts.base)],
    ...facts.marked.breadcrumbs
      .slice(0, MAX_BREADCRUMBS)
      .map((element) => ['breadcrumb', levelsOfElement(element, facts.base)] as const),
    ...unmarkedBreadcrumbs(facts).map((element) => ['links', levelsOfElement(element, facts.base)] as const),
  ];
  return found.filter(([, { length }]) => length >= 2 && length <= MAX_LEVELS);
}

/** What the page is called, by itself and among the pages of its site. */
type NamedPage = { readonly names: readonly string[]; readonly site: SiteTexts };

/** The way from the home page to this page, without both: structured data, then visible breadcrumbs, then the section. */
export function pickCategory(facts: PageFacts, breadcrumbs: Breadcrumbs, { names, site }: NamedPage): PickedCategory {
  for (const [place, [source, found]] of breadcrumbs.entries()) {
    const isRoot = (levels: readonly string[]) => site.shareOfHost('crumbs', crumbRun(levels, place)) >= ROOT_SHARE;
    const whole = withoutEnds(found, []);
    // A way that most pages have to its end is a menu.
    if (whole.length > MAX_ROOT_LEVELS && isRoot(whole)) continue;
    const levels = withoutRoot(withoutEnds(found, names), isRoot);
    if (levels.length > 0) return { levels, source };
  }
  const section = metaOf(facts, 'article:section');
  return section === '' ? { levels: [], source: 'none' } : { levels: [section], source: 'meta article:section' };
}

/** Levels that may be the site itself, beside its home page: `Forums`, `Board index`. */
const MAX_ROOT_LEVELS = 2;
/** What most pages of the host lie below tells none of them from another; those of a section share its name. */
const ROOT_SHARE = 0.5;
/** Breadcrumbs of a page that are counted. */
const MAX_COUNTED = 3;

/** Of the breadcrumbs of a page: the levels from the first one on that may be the site itself, and all of them. */
export function rootCrumbs(breadcrumbs: Breadcrumbs): readonly string[] {
  return breadcrumbs.slice(0, MAX_COUNTED).flatMap(([, found], place) => {
    const levels = withoutEnds(found, []);
    const lengths = new Set([...Array(MAX_ROOT_LEVELS + 1).keys()].slice(1).concat(levels.length));
    return [...lengths]
      .filter((length) => length > 0 && length <= levels.length)
      .map((length) => crumbRun(levels.slice(0, length), place));
  });
}

function withoutRoot(levels: readonly string[], isRoot: (levels: readonly string[]) => boolean): readonly string[] {
  const first = levels.slice(0, MAX_ROOT_LEVELS).findIndex((_, last) => !isRoot(levels.slice(0, last + 1)));
  return levels.slice(first < 0 ? MAX_ROOT_LEVELS : first);
}

/** Of the breadcrumbs that stand at a place among those of the page: some pages have a menu before them. */
function crumbRun(levels: readonly string[], place: number): string {
  return [...(place === 0 ? [] : [String(place)]), ...levels].join('\n');
}

const MAX_CRUMBS_CHARS = 300;
/** Elements before the heading, and around it, that are looked at. */
const MAX_BEFORE = 8;
const MAX_AROUND = 5;

/**
 * Elements right before the main heading that begin with a link to the home page, then a mark, and lead to this page:
 * their last link is to a folder of its address, or the title stands behind it. A menu does neither.
 */
function unmarkedBreadcrumbs({ h1, base, marked }: PageFacts): readonly PageElement[] {
  const [heading] = h1;
  if (heading === undefined || marked.breadcrumbs.length > 0) return [];
  const title = textOf(heading, MAX_CRUMBS_CHARS);
  let inner = heading;
  for (let level = 0; level < MAX_AROUND && inner.parent !== undefined; level++, inner = inner.parent) {
    const beside = inner.parent.children;
    const before = beside.slice(Math.max(0, beside.indexOf(inner) - MAX_BEFORE), beside.indexOf(inner));
    const found = before.findLast((node) => typeof node !== 'string' && leadsHere(node, { base, title }));
    if (found !== undefined && typeof found !== 'string') return [found];
  }
  return [];
}

/** Between breadcrumbs. */
const MARK = /^\s*[/›»>→|·:\\–-]/;

function leadsHere(element: PageElement, page: { readonly base: string; readonly title: string }): boolean {
  const text = textOf(element, MAX_CRUMBS_CHARS);
  if (text === '' || text.length >= MAX_CRUMBS_CHARS) return false;
  const links: PageElement[] = [];
  walkTree(element, {
    enter: (inner) => {
      if (inner.name === 'a') links.push(inner);
      return undefined;
    },
  });
  const [first, last] = [links[0], links.at(-1)];
  if (first === undefined || last === undefined || first === last) return false;
  const home = textOf(first);
  const isParted = text.startsWith(home) && MARK.test(text.slice(home.length));
  const isFromHome = isParted && leadsHome(first.attributes['href'] ?? '', page.base);
  return isFromHome && (text.endsWith(page.title) || isFolderOf(last.attributes['href'] ?? '', page.base));
}

function isFolderOf(address: string, base: string): boolean {
  const [folder, page] = [URL.parse(address, base), URL.parse(base)];
  if (folder === null || page === null || folder.host !== page.host) return false;
  return folder.pathname.endsWith('/') && folder.pathname !== '/' && page.pathname.startsWith(folder.pathname);
}

/** The folders of the URL; the last segment is the page. */
export function pathCategory(url: string): PickedCategory {
  const folders = (URL.parse(url)?.pathname ?? '').split('/').slice(1, -1);
  const levels = folders.map(folderName).filter(isLevel).slice(0, MAX_LEVELS);
  return { levels, source: levels.length === 0 ? 'none' : 'path' };
}

/** As people write it: `garden-tools` is `Garden tools`. */
function folderName(segment: string): string {
  const words = foldText(unescaped(segment).replace(/[-_+]+/g, ' '));
  return words.charAt(0).toLocaleUpperCase('en') + words.slice(1);
}

function unescaped(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The last entry is the page itself when it has no address or the page's own; `OWN` stands for it. */
function levelsOfItems(items: readonly DataItem[], base: string): readonly string[] {
  const list = items.find((item) => isOfType(item, /^BreadcrumbList$/));
  const entries = membersAt(list?.data, 'itemListElement');
  return entries
    .map((entry) => ({
      position: Number(textAt(entry, 'position')),
      name: textAt(entry, 'name') || textAt(entry, 'item.name'),
      address: textAt(entry, 'item') || textAt(entry, 'item.@id'),
    }))
    .sort((a, b) => a.position - b.position)
    .map(({ name, address }, index) => {
      const isOwn = address === '' || URL.parse(address, base)?.href === base;
      if (index === 0 && leadsHome(address, base)) return HOME_LEVEL;
      return isOwn && index === entries.length - 1 ? OWN : foldText(name);
    })
    .filter(isLevel);
}

/** Texts of its list items, or of its links and the text that stands beside them. */
function levelsOfElement(element: PageElement, base: string): readonly string[] {
  const entries: PageElement[] = [];
  const links: PageElement[] = [];
  walkTree(element, {
    enter: (inner) => {
      if (inner.name === 'li') entries.push(inner);
      if (inner.name === 'a') links.push(inner);
      return undefined;
    },
  });
  const chosen = entries.length >= 2 ? entries : links;
  const isOwn = (entry: PageElement) => chosen === entries && entry === chosen.at(-1) && !hasLink(entry);
  const [home] = links;
  const isHome = (index: number) => index === 0 && leadsHome(home?.attributes['href'] ?? '', base);
  const levels = chosen
    .map((entry, index) => (isHome(index) ? HOME_LEVEL : isOwn(entry) ? OWN : levelText(shownTextOf(entry))))
    .filter(isLevel);
  if (chosen !== links || links.length === 0) return levels;
  const own = textOf(element);
  const after = own.slice(own.lastIndexOf(textOf(links.at(-1) ?? element)) + (levels.at(-1)?.length ?? 0));
  const last = levelText(after);
  // What stands behind the last link is the page itself.
  return isLevel(last) ? [...levels, OWN] : levels;
}

/** Classes of texts for screen readers alone. */
const UNSEEN_CLASS =
  /(?:^|\s)(?:u-)?(?:sr-only|visually-?hidden|hidden-visually|screen-?reader(?:-text|-only)?|element-invisible|assistive-text)(?:$|\s)/i;

/** Elements and characters of an entry that are read: a longer one is no level. */
const MAX_ENTRY_SIZE = 500;

/** The text of an entry: without copies for screen readers where others see one, and what two elements repeat once. */
function shownTextOf(entry: PageElement): string {
  const parts: { readonly text: string; readonly isUnseen: boolean }[] = [];
  let unseen = 0;
  let left = MAX_ENTRY_SIZE;
  walkTree(entry, {
    isDone: () => left <= 0,
    enter: (element) => {
      left--;
      if (NOT_TEXT.has(element.name) || ignoresText(element)) return false;
      if (unseen > 0 || UNSEEN_CLASS.test(element.attributes['class'] ?? '')) unseen++;
      return undefined;
    },
    exit: () => {
      unseen = Math.max(0, unseen - 1);
    },
    text: (text) => {
      left -= text.trim().length;
      parts.push({ text, isUnseen: unseen > 0 });
    },
  });
  const seen = parts.filter(({ isUnseen }) => !isUnseen);
  const shown = seen.some(({ text }) => text.trim() !== '') ? seen : parts;
  const texts = shown
    .map(({ text }) => text)
    .filter((text, at, all) => text.trim() === '' || text.trim() !== all[at - 1]?.trim());
  return foldText(texts.join(''));
}

/** Without the marks around it; longer texts are no level. */
function levelText(text: string): string {
  return text.slice(0, 2 * MAX_LEVEL_CHARS).replace(MARKS, '');
}

function hasLink(element: PageElement): boolean {
  let found = false;
  walkTree(element, {
    enter: ({ name }) => {
      found ||= name === 'a';
      return undefined;
    },
  });
  return found;
}

function isLevel(text: string): boolean {
  return text !== '' && text.length <= MAX_LEVEL_CHARS;
}

function leadsHome(address: string, base: string): boolean {
  const url = address === '' ? null : URL.parse(address, base);
  return url !== null && HOME_PATH.test(url.pathname) && url.hostname === URL.parse(base)?.hostname;
}

function withoutEnds(levels: readonly string[], names: readonly string[]): readonly string[] {
  const [first = ''] = levels;
  const from = first === HOME_LEVEL || HOME.test(first) ? 1 : 0;
  const last = levels.at(-1) ?? '';
  const isOwn = last === OWN || names.some((name) => last.toLowerCase() === name.toLowerCase());
  return levels.slice(from, isOwn ? -1 : undefined).filter((level) => level !== OWN && level !== HOME_LEVEL);
}

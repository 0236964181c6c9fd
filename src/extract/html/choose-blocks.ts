import type { TextBlock } from './blocks.ts';
import { isWithin, type PageElement, type PageTree, walkTree } from './page-tree.ts';
import { type ElementSize, measureElements, regionTest } from './regions.ts';

export type ChosenText = {
  /** In document order. */
  readonly blocks: readonly TextBlock[];
  /** Which step found it: `main`, `article`, `body`, `all`, `hidden`. */
  readonly source: string;
  readonly isNavigation: (element: PageElement) => boolean;
};

/** Fewer words are hardly a main text: a wider choice with as many is preferred. */
const MIN_WORDS = 20;
/** Fewer words are none. */
const MIN_ANY_WORDS = 3;
/** So much hidden text beside hardly any visible one is a page that scripts put together. */
const MIN_HIDDEN_WORDS = 200;
/** Without its link lists a page must still say this much, else they are its text (listings). */
const MIN_WORDS_WITHOUT_LINKS = 60;
const MIN_SHARE_WITHOUT_LINKS = 0.6;
/** Where links are most of the text they are what the page is about. */
const MIN_SHARE_OF_LISTING = 0.35;
const MIN_MAIN_SHARE = 0.3;
const MIN_ARTICLE_SHARE = 0.4;
const MIN_ROOT_CHARS = 200;

const LINKED_LIST_SHARE = 0.7;
const MIN_LIST_ENTRIES = 3;
const MAX_LINK_ENTRY_CHARS = 60;
const LINKED_BLOCK_SHARE = 0.8;
const MAX_LINKED_BLOCK_CHARS = 100;

/**
 * The main text: what stands in `main`, the only `article` or the body, without border regions and link lists. Each
 * step that finds too little gives way to a wider one, so that text is rather kept than lost. Rules for blocks win.
 */
export function chooseBlocks(tree: PageTree, all: readonly TextBlock[]): ChosenText {
  const blocks = all.filter(({ rule }) => rule !== 'exclude');
  const included = blocks.filter(({ rule }) => rule === 'include');
  const sizes = measureElements(blocks);
  const body = tree.root;
  const isRegion = regionTest(sizes, body);
  const visible = blocks.filter(({ visibility, kind }) => visibility !== 'hidden' && kind !== 'button');
  const outside = visible.filter(({ element }) => !isRegion(element));
  const root = rootOf(tree, { sizes, isRegion, bodyChars: charsOf(outside) });
  const inside = root === undefined ? outside : outside.filter(({ element }) => isWithin(element, root));
  const steps: readonly (readonly [string, readonly TextBlock[]])[] = [
    [root?.name ?? 'body', withoutLinkLists(inside)],
    ['body', withoutLinkLists(outside)],
    ['all', visible],
  ];
  const sized = steps.map(([source, chosen]) => ({ source, chosen, words: wordsOf(chosen) }));
  const found =
    sized.find(({ words, source }) => words >= MIN_WORDS && source !== 'all') ??
    sized.find(({ words }) => words >= MIN_ANY_WORDS) ??
    sized.findLast(({ words }) => words > 0);
  const hidden = blocks.filter(
    ({ visibility, kind, element }) => visibility === 'hidden' && kind !== 'button' && !isRegion(element),
  );
  if (found === undefined || (found.words < MIN_WORDS && wordsOf(hidden) >= MIN_HIDDEN_WORDS)) {
    const wanted = new Set([...(found?.chosen ?? []), ...hidden, ...included]);
    const shown = withoutLinkLists(blocks.filter((block) => wanted.has(block)));
    const every = withHeadings(blocks, new Set([...shown, ...included]));
    return { blocks: every, source: every.length === 0 ? 'none' : 'hidden', isNavigation: isRegion };
  }
  const chosen = new Set([...found.chosen, ...included]);
  return { blocks: withHeadings(blocks, chosen), source: found.source, isNavigation: isRegion };
}

/** Words of the blocks; headings count. */
export function wordsOf(blocks: readonly TextBlock[]): number {
  return blocks.reduce((sum, { words }) => sum + words, 0);
}

function charsOf(blocks: readonly TextBlock[]): number {
  return blocks.reduce((sum, { text }) => sum + text.length, 0);
}

type RootSearch = {
  readonly sizes: ReadonlyMap<PageElement, ElementSize>;
  readonly isRegion: (element: PageElement) => boolean;
  readonly bodyChars: number;
};

function rootOf(tree: PageTree, { sizes, isRegion, bodyChars }: RootSearch): PageElement | undefined {
  const mains: PageElement[] = [];
  const articles: PageElement[] = [];
  walkTree(tree.root, {
    enter(element) {
      if (element.name === 'main' || element.attributes['role'] === 'main') mains.push(element);
      else if (element.name === 'article' && !isRegion(element)) articles.push(element);
      return undefined;
    },
  });
  const isMost = (element: PageElement, share: number) => {
    const chars = sizes.get(element)?.chars ?? 0;
    return chars >= MIN_ROOT_CHARS && chars >= bodyChars * share;
  };
  const main = mains.find((element) => isMost(element, MIN_MAIN_SHARE));
  const [article] = articles;
  if (main !== undefined || article === undefined || articles.length > 1) return main;
  return isMost(article, MIN_ARTICLE_SHARE) ? article : undefined;
}

function withoutLinkLists(blocks: readonly TextBlock[]): readonly TextBlock[] {
  const lists = new Set([...Map.groupBy(blocks, ({ group }) => group)].filter(isLinkList).map(([group]) => group));
  const rest = blocks.filter((block) => {
    if (block.kind === 'heading') return true;
    return !(block.group !== undefined && lists.has(block.group)) && !isLinkedLine(block);
  });
  const words = wordsOf(rest.filter(({ kind }) => kind !== 'heading'));
  const share = words / Math.max(1, wordsOf(blocks));
  const isEnough = words >= MIN_WORDS_WITHOUT_LINKS && share >= MIN_SHARE_OF_LISTING;
  return isEnough || share >= MIN_SHARE_WITHOUT_LINKS ? rest : blocks;
}

function isLinkList([group, entries]: readonly [PageElement | undefined, readonly TextBlock[]]): boolean {
  if (group === undefined || entries.length < MIN_LIST_ENTRIES) return false;
  const chars = charsOf(entries);
  const linkChars = entries.reduce((sum, entry) => sum + entry.linkChars, 0);
  return linkChars >= chars * LINKED_LIST_SHARE && chars / entries.length <= MAX_LINK_ENTRY_CHARS;
}

function isLinkedLine({ text, linkChars }: TextBlock): boolean {
  return text.length <= MAX_LINKED_BLOCK_CHARS && linkChars >= text.length * LINKED_BLOCK_SHARE;
}

/** A heading stays when text of its section does; the first `h1` always. */
function withHeadings(blocks: readonly TextBlock[], chosen: ReadonlySet<TextBlock>): readonly TextBlock[] {
  const isAlone = [...chosen].every(({ kind }) => kind === 'heading');
  const kept = new Set<TextBlock>();
  const open: TextBlock[] = [];
  for (const block of blocks) {
    if (block.kind !== 'heading') {
      if (chosen.has(block)) for (const heading of open.splice(0)) kept.add(heading);
      continue;
    }
    // Headings that already have text are gone from `open`: deeper ones without text end here.
    while ((open.at(-1)?.level ?? 0) >= block.level) open.pop();
    if (chosen.has(block)) open.push(block);
  }
  const first = blocks.find(({ level, visibility }) => level === 1 && visibility !== 'hidden');
  return blocks.filter((block) => {
    if (block === first) return true;
    return block.kind === 'heading' ? kept.has(block) || (isAlone && chosen.has(block)) : chosen.has(block);
  });
}

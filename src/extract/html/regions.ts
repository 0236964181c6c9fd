import type { TextBlock } from './blocks.ts';
import type { PageElement } from './page-tree.ts';

export type ElementSize = { readonly chars: number; readonly linkChars: number };

/** Visible text below each element that holds some. O(blocks × depth). */
export function measureElements(blocks: readonly TextBlock[]): ReadonlyMap<PageElement, ElementSize> {
  const sizes = new Map<PageElement, { chars: number; linkChars: number }>();
  for (const block of blocks) {
    if (block.visibility === 'hidden') continue;
    for (let at: PageElement | undefined = block.element; at !== undefined; at = at.parent) {
      const size = sizes.get(at) ?? { chars: 0, linkChars: 0 };
      size.chars += block.text.length;
      size.linkChars += block.linkChars;
      sizes.set(at, size);
    }
  }
  return sizes;
}

const REGION_TAGS = new Set(['nav', 'footer', 'aside', 'dialog']);
const REGION_ROLES = new Set([
  ...['navigation', 'contentinfo', 'complementary', 'search', 'menu', 'menubar', 'dialog', 'alertdialog', 'banner'],
]);
const NEVER_REGION = new Set(['html', 'body', 'main', 'article', '#root']);

/** Words that name a region whatever it holds. */
const PLAIN_WORDS = wordTest(
  'footer sidebar cookie cookies consent gdpr newsletter breadcrumb breadcrumbs skip-link skiplink advert advertisement ads',
);
/** Words that name a region only when much of its text is links: content uses them too. */
const LINK_WORDS = wordTest(
  'nav navbar navigation menu submenu related recommended share sharing social pagination pager tags toc-nav',
);
const MIN_LINK_SHARE = 0.3;
/** An element with this share of the page's text is no border region, whatever it is called. */
const MAX_SHARE = 0.5;

/**
 * Whether an element, or one above it, is a border region of the page: navigation, header, footer, sidebar, notice.
 * Answers are remembered; O(depth) for a new element.
 */
export function regionTest(
  sizes: ReadonlyMap<PageElement, ElementSize>,
  body: PageElement,
): (element: PageElement) => boolean {
  const total = sizes.get(body)?.chars ?? 0;
  const known = new Map<PageElement, boolean>();
  return (element) => {
    const chain: PageElement[] = [];
    let at: PageElement | undefined = element;
    while (at !== undefined && !known.has(at)) {
      chain.push(at);
      at = at.parent;
    }
    let answer = at === undefined ? false : (known.get(at) ?? false);
    for (const link of chain.reverse()) {
      answer ||= isRegion(link, sizes.get(link), total);
      known.set(link, answer);
    }
    return answer;
  };
}

function isRegion(element: PageElement, size: ElementSize | undefined, total: number): boolean {
  const { name, attributes } = element;
  if (NEVER_REGION.has(name)) return false;
  if (REGION_TAGS.has(name) || REGION_ROLES.has(attributes['role'] ?? '')) return true;
  const { chars, linkChars } = size ?? { chars: 0, linkChars: 0 };
  if (chars > total * MAX_SHARE) return false;
  const isLinked = linkChars >= chars * MIN_LINK_SHARE;
  if (name === 'header') return isLinked && !isWithinContent(element);
  const words = `${attributes['class'] ?? ''} ${attributes['id'] ?? ''}`.toLowerCase();
  return PLAIN_WORDS.test(words) || (isLinked && LINK_WORDS.test(words));
}

function isWithinContent(element: PageElement): boolean {
  for (let at = element.parent; at !== undefined; at = at.parent) {
    if (at.name === 'main' || at.name === 'article') return true;
  }
  return false;
}

function wordTest(words: string): RegExp {
  return new RegExp(`(?:^|[\\s_-])(?:${words.split(' ').join('|')})(?:$|[\\s_-])`);
}

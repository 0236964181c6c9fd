import { ATTRIBUTE_BITS, attributeOf } from './attribute-bits.ts';
import { NOT_TEXT, type PageElement, walkTree } from './page-tree.ts';

const MAX_ANCHOR_CHARS = 200;
/** Each looks at its siblings; a page that anybody links into has fewer. */
const MAX_HEADINGS = 2_000;
/** Ids that frameworks number anew with every build or view of a page: `:r1:`, `radix-3`, `ember12`. */
const GENERATED = /^(?:[:«]r|radix-|ember\d|react-|headlessui-|mui-\d|ui-id-|yui_|__bvid_|[bps]:\d)/i;
/** Long hexadecimal numbers, which hold both digits and letters; dates and record numbers do not. */
const HASH = /(?<![0-9a-z])(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{8,}(?![0-9a-z])/i;
const CONTAINER = /^(?:section|div|article)$/;

type Candidate = { readonly id: string; readonly isTarget: boolean };

/**
 * What a link to a heading names: its own id, one inside of it, that of the empty element before it, that of the
 * section it opens, or where its permalink leads; each only when it names nothing else on the page and looks as if it
 * would stay. O(nodes), and nothing when no heading has a candidate.
 */
export function anchorsOf(headings: readonly PageElement[]): ReadonlyMap<PageElement, string> {
  const candidates = headings
    .slice(0, MAX_HEADINGS)
    .map((element) => [element, candidatesOf(element).filter(({ id }) => isStable(id))] as const);
  const counts = new Map<string, number>(candidates.flatMap(([, own]) => own.map(({ id }) => [id, 0] as const)));
  const [first] = headings;
  if (first !== undefined && counts.size > 0) countIds(rootOf(first), counts);
  const anchors = new Map<PageElement, string>();
  for (const [element, own] of candidates) {
    const found = own.find(({ id, isTarget }) => {
      const count = counts.get(id) ?? 0;
      // Scripts serve targets that the page does not have.
      return count === 1 || (isTarget && count === 0);
    });
    if (found !== undefined) anchors.set(element, found.id);
  }
  return anchors;
}

function isStable(id: string): boolean {
  return id !== '' && id.length <= MAX_ANCHOR_CHARS && !/\s/.test(id) && !GENERATED.test(id) && !HASH.test(id);
}

function candidatesOf(element: PageElement): readonly Candidate[] {
  const inner = innerLinks(element);
  const ids = [
    element.attributes['id'],
    ...inner.flatMap(({ attributes }) => [attributes['id'], attributes['name']]),
    anchorBefore(element),
    containerAnchor(element),
  ];
  const named = ids.filter((id) => id !== undefined).map((id) => ({ id, isTarget: false }));
  return [...named, ...inner.flatMap(targetOf).map((id) => ({ id, isTarget: true }))];
}

function innerLinks(element: PageElement): readonly PageElement[] {
  const links: PageElement[] = [];
  walkTree(element, {
    enter: (inner) => {
      if (inner.name === 'a') links.push(inner);
      return undefined;
    },
  });
  return links;
}

function targetOf({ attributes }: PageElement): readonly string[] {
  const href = attributes['href'] ?? '';
  if (!href.startsWith('#')) return [];
  try {
    return [decodeURIComponent(href.slice(1))];
  } catch {
    return [];
  }
}

function anchorBefore(element: PageElement): string | undefined {
  const siblings = element.parent?.children ?? [];
  for (let at = siblings.indexOf(element) - 1; at >= 0; at--) {
    const sibling = siblings[at];
    if (typeof sibling === 'string') {
      if (sibling.trim() !== '') return undefined;
    } else if (sibling !== undefined) {
      return isEmpty(sibling) ? (sibling.attributes['id'] ?? sibling.attributes['name']) : undefined;
    }
  }
  return undefined;
}

/** Of the nearest container whose text begins with the heading. */
function containerAnchor(element: PageElement): string | undefined {
  let inner = element;
  for (let at = element.parent; at !== undefined && isFirstText(inner, at); inner = at, at = at.parent) {
    if (CONTAINER.test(at.name) && at.attributes['id'] !== undefined) return at.attributes['id'];
  }
  return undefined;
}

function isFirstText(element: PageElement, parent: PageElement): boolean {
  for (const child of parent.children) {
    if (child === element) return true;
    if (typeof child === 'string' ? child.trim() !== '' : !isEmpty(child)) return false;
  }
  return false;
}

function isEmpty(element: PageElement): boolean {
  let isBlank = true;
  walkTree(element, {
    isDone: () => !isBlank,
    enter: ({ name }) => !NOT_TEXT.has(name),
    text: (text) => {
      isBlank &&= text.trim() === '';
    },
  });
  return isBlank;
}

function rootOf(element: PageElement): PageElement {
  let at = element;
  while (at.parent !== undefined) at = at.parent;
  return at;
}

/** Elements that each id names; an element whose `id` and `name` are the same counts once. */
function countIds(root: PageElement, counts: Map<string, number>): void {
  walkTree(root, {
    enter: (element) => {
      const { name, attributes } = element;
      const id = attributeOf(element, 'id', ATTRIBUTE_BITS.id);
      count(counts, id);
      if (name === 'a' && attributes['name'] !== id) count(counts, attributes['name']);
      return undefined;
    },
  });
}

function count(counts: Map<string, number>, id: string | undefined): void {
  const known = id === undefined ? undefined : counts.get(id);
  if (id !== undefined && known !== undefined) counts.set(id, known + 1);
}

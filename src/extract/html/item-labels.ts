import type { TextBlock } from './blocks.ts';
import type { PageElement } from './page-tree.ts';

/** Elements above a heading of which one may be the item that it stands in. */
const MAX_LEVELS = 6;
/** Fewer items beside each other are no list. */
const MIN_ITEMS = 3;
/** Of the headings in one place of the items: the others say again what one of these says. */
const MAX_DIFFERENT_SHARE = 0.5;
const MAX_CLASS_CHARS = 40;

/**
 * Headings that label the items of a page and say nothing of it, as the ranks of members do in a thread: one in the same
 * place of each of three items and more that stand beside each other, at most half of them different.
 * O(headings · levels).
 */
export function itemLabels(headings: readonly TextBlock[]): ReadonlySet<TextBlock> {
  const labels = placesInItems(headings).filter(({ items, headings: own }) => {
    const different = new Set(own.map(({ text }) => text)).size;
    return items.size >= MIN_ITEMS && items.size === own.length && different <= own.length * MAX_DIFFERENT_SHARE;
  });
  return new Set(labels.flatMap((place) => place.headings));
}

/** The same place of items that have one parent, with the headings that stand there. */
type PlaceInItems = { readonly items: Set<PageElement>; readonly headings: TextBlock[] };

function placesInItems(headings: readonly TextBlock[]): readonly PlaceInItems[] {
  const byParent = new Map<PageElement, Map<string, PlaceInItems>>();
  for (const heading of headings) {
    let path = nameOf(heading.element);
    let item = heading.element.parent;
    for (let level = 0; level < MAX_LEVELS && item?.parent !== undefined; level++, item = item.parent) {
      path += ` < ${nameOf(item)}`;
      const byPath = byParent.get(item.parent) ?? new Map<string, PlaceInItems>();
      const place = byPath.get(path) ?? { items: new Set(), headings: [] };
      place.items.add(item);
      place.headings.push(heading);
      byParent.set(item.parent, byPath.set(path, place));
    }
  }
  return [...byParent.values()].flatMap((byPath) => [...byPath.values()]);
}

function nameOf({ name, attributes }: PageElement): string {
  return `${name}.${(attributes['class'] ?? '').slice(0, MAX_CLASS_CHARS)}`;
}

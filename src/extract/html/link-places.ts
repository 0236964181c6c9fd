import type { TextBlock } from './blocks.ts';
import type { PageElement } from './page-tree.ts';

/**
 * Whether an element lies in the page's navigation: the nearest element around it that holds text holds none of the
 * chosen one. O(elements with text); O(depth) for each answer.
 */
export function navigationTest(
  blocks: readonly TextBlock[],
  chosen: readonly TextBlock[],
): (element: PageElement) => boolean {
  const withText = elementsAround(blocks);
  const withChosen = elementsAround(chosen);
  return (element) => {
    let at: PageElement | undefined = element;
    while (at !== undefined && !withText.has(at)) at = at.parent;
    return at === undefined || !withChosen.has(at);
  };
}

function elementsAround(blocks: readonly TextBlock[]): ReadonlySet<PageElement> {
  const found = new Set<PageElement>();
  for (const { element } of blocks) {
    for (let at: PageElement | undefined = element; at !== undefined && !found.has(at); at = at.parent) found.add(at);
  }
  return found;
}

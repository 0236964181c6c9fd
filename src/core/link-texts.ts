/** A text of links that lead to a document, and how many pages have such a link. */
export type LinkText = { readonly text: string; readonly pages: number };

/** How often a text counts by the number of pages that have it: once, twice from 2, three times from 8. */
export function linkCount(pages: number): number {
  if (pages < 2) return Math.max(0, pages);
  return pages < 8 ? 2 : 3;
}

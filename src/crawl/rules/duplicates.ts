import type { UrlOrigin } from '../../core/crawl-words.ts';

/** Shorter texts are equal by accident (crawling 16). */
export const MIN_DUPLICATE_CHARS = 200;

export type DuplicateUrl = {
  readonly url: string;
  readonly origin: UrlOrigin;
  readonly firstSeenAt: number;
};

/**
 * Which of two URLs with the same content keeps the document: below 0 for the first. https, named by a sitemap,
 * without query, the shorter path, the one seen first, code points (crawling 8.3). A total order.
 */
export function compareDuplicates(a: DuplicateUrl, b: DuplicateUrl): number {
  const [keyA, keyB] = [keyOf(a), keyOf(b)];
  for (const [at, part] of keyA.entries()) {
    const other = keyB[at] ?? 0;
    if (part !== other) return part - other;
  }
  if (a.url === b.url) return 0;
  return a.url < b.url ? -1 : 1;
}

function keyOf({ url, origin, firstSeenAt }: DuplicateUrl): readonly number[] {
  const { protocol, search, pathname } = new URL(url);
  return [
    protocol === 'https:' ? 0 : 1,
    origin === 'sitemap' ? 0 : 1,
    search === '' ? 0 : 1,
    pathname.length,
    firstSeenAt,
  ];
}

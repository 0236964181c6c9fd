import type { Reason, UrlState } from '../../core/crawl-words.ts';

/** Pages that name one URL by accident, and patterns that they have at least (crawling 16). */
const SHARED_PAGES = 5;
const SHARED_PATTERNS = 2;
/** Bits of 64 in which their texts differ by more (crawling 16). */
const SHARED_BITS = 12;
/** Aliases on the way from the page to what stands for it. */
export const MAX_CHAIN = 3;

/** Why a page has a document of its own although it names another URL. */
export type CanonicalFault = Extract<Reason, 'canonical-broken' | 'canonical-shared' | 'canonical-elsewhere'>;

/** A page that names a URL as its own, by pattern and similarity of its text. */
export type CanonicalSource = {
  readonly patternId: number | undefined;
  /** Signed 64 bits as decimal text. */
  readonly similarity: string | undefined;
};

/** May a URL in this state stand for another one? A page that is missing for the first time still has its document. */
export function mayStand(state: UrlState | undefined): boolean {
  return state === undefined || state === 'known' || state === 'live' || state === 'suspected';
}

/** Too few name the URL yet to tell; some may be visited at the same time. */
export function hasFewSources(others: readonly CanonicalSource[]): boolean {
  return others.length + 1 < SHARED_PAGES;
}

/** Do so many pages of different kinds and texts name the same URL that it stands for none of them? */
export function isSharedByAccident(own: CanonicalSource, others: readonly CanonicalSource[]): boolean {
  const differing = others.filter(({ similarity }) => distance(own.similarity, similarity) > SHARED_BITS);
  const patterns = new Set([own, ...differing].map(({ patternId }) => patternId));
  return differing.length + 1 >= SHARED_PAGES && patterns.size >= SHARED_PATTERNS;
}

/** Bits in which two hashes differ; 0 when one is not known. */
function distance(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return 0;
  let bits = 0;
  for (let rest = BigInt.asUintN(64, BigInt(a) ^ BigInt(b)); rest !== 0n; rest &= rest - 1n) bits++;
  return bits;
}

/** 302, 303 and 307 may be meant for today only (RFC 9110 section 15.4). */
export function isTemporary(statuses: readonly number[]): boolean {
  return statuses.some((status) => status !== 301 && status !== 308);
}

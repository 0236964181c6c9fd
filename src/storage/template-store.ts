import type { NewDocument } from '../core/document.ts';

/**
 * Part of the port `EngineStore`: blocks of the pages of a host, by which what its templates repeat is told from what
 * its pages say. Promises:
 * 1. at most `SAMPLED_PAGES` pages of a host are known, those of the lowest ranks (`rankOfPage`) of all that were
 *    recorded, in whatever order; a visit replaces what is known of its page;
 * 2. blocks are recorded with the document of their visit, or not at all;
 * 3. the blocks of a page that was chosen while little was known wait until they are dropped, at most
 *    `MAX_UNVOTED_PAGES` per crawler; a visit replaces or drops them;
 * 4. `rechoose` changes document and URL record together, unless the page was visited since or has left; a document
 *    that stays the same takes no `seq`.
 */
export interface TemplateStore {
  /** In order of their ranks. */
  sampledPages(hostId: number): Promise<readonly SampledPage[]>;
  /** Pages of a crawler that wait, ascending by id after `after`. */
  unvotedPages(of: { crawlerId: number; after: number; limit: number }): Promise<readonly UnvotedPage[]>;
  /** True when the document was put, changed or not. */
  rechoose(input: Rechosen): Promise<boolean>;
  dropUnvoted(urlIds: readonly number[]): Promise<void>;
}

/** Pages of a host whose blocks are known: shares of a random 64 are exact to 6 points (one standard deviation). */
export const SAMPLED_PAGES = 64;
export const MAX_UNVOTED_PAGES = 2_000;

/** Place of a page in the random order of its host: 32 bits. */
export function rankOfPage(urlId: number): number {
  let hash = Math.imul(urlId ^ (urlId >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Hashes of 64 bits as 16 hexadecimal digits. */
export type SampledPage = { readonly urlId: number; readonly blocks: readonly string[] };

/** What a visit says of the blocks of its page. */
export type PageTemplates = {
  readonly blocks: readonly string[];
  /** Everything of which the text was chosen, as the caller writes it; undefined: it was chosen for good. */
  readonly unvoted: string | undefined;
};

export type UnvotedPage = {
  readonly urlId: number;
  readonly hostId: number;
  readonly url: string;
  /** When its blocks were recorded. */
  readonly at: number;
  readonly blocks: string;
};

export type Rechosen = Pick<UnvotedPage, 'urlId' | 'at'> & {
  readonly crawlerId: number;
  readonly document: NewDocument;
  /** Signed 64-bit integers as decimal text. */
  readonly contentHash: string;
  readonly similarity: string;
  readonly contentChars: number;
  readonly now: number;
};

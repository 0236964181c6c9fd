import type { NewDocument } from '../core/document.ts';

/**
 * Part of the port `EngineStore`: blocks of the pages of a host, by which what its templates repeat is told from what
 * its pages say. Promises:
 * 1. at most `SAMPLED_PAGES` pages of a host are known, those of the lowest ranks (`rankOfPage`) of all that were
 *    recorded, in whatever order; a visit replaces what is known of its page;
 * 2. of each folder at most `FOLDER_PAGES` pages are known and of all folders of a host `MAX_FOLDER_PAGES`, those of
 *    the lowest ranks again;
 * 3. blocks are recorded with the document of their visit, or not at all;
 * 4. a page whose text was chosen while few others were known is kept until it is dropped, at most `MAX_PENDING_PAGES`
 *    per crawler and `MAX_PENDING_OF_HOST` per host; a visit replaces or drops it;
 * 5. `rechoose` changes document and URL record together, unless the page was visited since, has left or was
 *    pushed; a document that stays the same takes no `seq`.
 */
export interface TemplateStore {
  /** In order of their ranks. */
  sampledPages(hostId: number): Promise<readonly SampledPage[]>;
  /** By folder, and within it in order of their ranks. */
  folderPages(hostId: number): Promise<readonly FolderPage[]>;
  /** Pages of a crawler that are kept, ascending by id after `after`. */
  listPendingPages(of: { crawlerId: number; after: number; limit: number }): Promise<readonly PendingPage[]>;
  readPendingPage(page: Pick<PendingPage, 'urlId' | 'at'>): Promise<PageBytes | undefined>;
  /** False when nothing was changed. */
  rechoose(input: Rechosen): Promise<boolean>;
  dropPendingPages(urlIds: readonly number[]): Promise<void>;
}

/** Pages of a host whose blocks are known: shares of a random 64 are exact to 6 points (one standard deviation). */
export const SAMPLED_PAGES = 64;
/** Pages known of a folder: shares of a random 20 are exact to 11 points. */
export const FOLDER_PAGES = 20;
/** Rows of 1 KB, 3 KB at most: 318 folders of a documentation of 4,400 pages have 3,000 of them. */
export const MAX_FOLDER_PAGES = 4_000;
export const MAX_PENDING_PAGES = 4_000;
/** The rest of the room is for other hosts. */
export const MAX_PENDING_OF_HOST = 3_000;

/** Place of a page in the random order of its host: 32 bits. */
export function rankOfPage(urlId: number): number {
  let hash = Math.imul(urlId ^ (urlId >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Hashes of 64 bits as 16 hexadecimal digits. */
export type SampledPage = { readonly urlId: number; readonly blocks: readonly string[] };

/** A page of a folder; `blocks` = their hashes, 8 bytes each. */
export type FolderPage = { readonly urlId: number; readonly folder: string; readonly blocks: Uint8Array };

/** A page as it came, and what else its reader was told, as the caller writes it. */
export type PageBytes = { readonly source: string; readonly body: Uint8Array };

/** What a visit says of the blocks of its page. */
export type PageTemplates = {
  readonly blocks: readonly string[];
  /** Where it is one of the pages that are known of a folder; undefined = nowhere. */
  readonly folder: string | undefined;
  /** The page itself, when so few `voters` were known that its text is to be chosen again. */
  readonly kept: (PageBytes & { readonly sampleSize: number }) | undefined;
};

export type PendingPage = {
  readonly urlId: number;
  readonly hostId: number;
  readonly url: string;
  /** When it was recorded. */
  readonly at: number;
  /** Known pages of its host and its folders when its text was chosen last. */
  readonly sampleSize: number;
};

export type Rechosen = Pick<PendingPage, 'urlId' | 'at' | 'sampleSize'> & {
  readonly crawlerId: number;
  readonly document: NewDocument;
  /** Signed 64-bit integers as decimal text. */
  readonly contentHash: string;
  readonly similarity: string;
  readonly contentChars: number;
  readonly now: number;
};

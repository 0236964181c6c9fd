import type { UrlOrigin } from '../core/crawl-words.ts';
import type { NewUrl } from './frontier-store.ts';

/**
 * Part of the port `EngineStore`: what sitemaps and feeds name. Promises:
 * 1. an entry becomes a URL record of depth 0 with the time that the list gives it; one that is known keeps its state;
 * 2. a new entry waits in the run, a known one only when its time is new and later than its last visit, or its document
 *    left lately and the run is a full one; once a run;
 * 3. entries enter only while their run is running and holds fewer rows than its page limit;
 * 4. a run visits each sitemap and feed once, and at most 1,000 of them;
 * 5. the seeds of a run enter once, however many begin it.
 */
export interface SitemapStore {
  addSitemapEntries(input: AddSitemapEntries): Promise<SitemapEntryCounts>;
  /** Puts sitemaps and feeds on the frontier of a run, once a run; resolves with how many are new there. */
  addSitemaps(input: AddSitemaps): Promise<number>;
  /** A sitemap or feed of the run has yet to be read. O(lists of the crawler). */
  isReadingSitemaps(crawlerId: number, runId: number): Promise<boolean>;
}

type OfRun = {
  readonly crawlerId: number;
  readonly activation: number;
  readonly runId: number;
  readonly now: number;
};

export type AddSitemapEntries = OfRun & {
  /** URL record of the list. */
  readonly listId: number;
  readonly kind: 'sitemap' | 'feed';
  readonly entries: readonly SitemapEntry[];
  readonly pageLimit: number;
  /** Known entries with a newer time are visited. */
  readonly heedsTimes: boolean;
};

/** A URL in normal form; `at` is its time in the list. */
export type SitemapEntry = { readonly url: string; readonly at: number | undefined };

export type SitemapEntryCounts = { readonly added: number; readonly changed: number; readonly beyondLimit: number };

export type AddSitemaps = OfRun & {
  readonly foundOn: number | null;
  readonly lists: readonly NewSitemap[];
  /** Of a run that begins: enter in the same write, and with them the lists, unless it has had something to do already. */
  readonly seeds?: readonly NewUrl[];
};

/** A sitemap or feed in normal form; `depth` counts the indexes above it. */
export type NewSitemap = {
  readonly url: string;
  readonly kind: 'sitemap' | 'feed';
  readonly origin: UrlOrigin;
  readonly depth: number;
};

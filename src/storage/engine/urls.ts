import {
  type Reason,
  URL_ORIGINS,
  URL_STATES,
  type UrlKind,
  type UrlOrigin,
  type UrlState,
} from '../../core/crawl-words.ts';
import { keyOfUrl } from '../../core/url.ts';
import { defineStore, fetchAll, fetchFirst, type Operation } from '../sql/operation.ts';
import { factsOf, urlStatements } from './url-records.ts';

/** What a visit may change in a URL record. Hashes are signed 64-bit integers as decimal text. */
export type UrlFacts = {
  readonly kind: UrlKind;
  readonly state: UrlState;
  readonly reason: Reason;
  readonly httpStatus: number | undefined;
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
  readonly extractVersion: number | undefined;
  readonly bodyHash: string | undefined;
  readonly contentHash: string | undefined;
  readonly similarity: string | undefined;
  /** Of a sitemap or feed: its entries. */
  readonly contentChars: number | undefined;
  readonly changedAt: number | undefined;
  readonly intervalMs: number | undefined;
  readonly nextAt: number | undefined;
  readonly misses: number;
  readonly missedAt: number | undefined;
  /** Last reading of the page in a browser; 0: it asked for one in vain; undefined: its text is that of HTTP. */
  readonly renderedAt?: number | undefined;
  /** The page has a field for a password. */
  readonly asksPassword: boolean;
  /** The body had the end tag of a page. */
  readonly hasEndTag: boolean;
  /** Its text was seen once only, by the visit of a queued URL. */
  readonly isUnconfirmed: boolean;
};

/** Part of the port `EngineStore`: records of URLs. One is found by its URL in normal form. */
export interface UrlStore {
  findUrl(crawlerId: number, url: string): Promise<UrlRecord | undefined>;
  /** Pages and files by state. */
  countUrls(crawlerId: number): Promise<ReadonlyMap<UrlState, number>>;
  /** Pages and files of one state, counted up to `limit`: 10,000 in 0.3 ms. */
  countUrlsUpTo(of: { readonly crawlerId: number; readonly state: UrlState; readonly limit: number }): Promise<number>;
}

export type UrlRecord = {
  readonly id: number;
  readonly url: string;
  readonly origin: UrlOrigin;
  readonly depth: number;
  readonly foundOn: number | undefined;
  readonly targetUrl: string | undefined;
  readonly firstSeenAt: number;
  readonly visitedAt: number | undefined;
  readonly visits: number;
  /** Last change in the words of the sitemap. */
  readonly sitemapLastmod: number | undefined;
  readonly waiting: boolean;
  readonly facts: UrlFacts;
};

export const urlStore = defineStore<UrlStore>()({ findUrl, countUrls, countUrlsUpTo }, {});

function* findUrl(crawlerId: number, url: string): Operation<UrlRecord | undefined> {
  const row = yield* fetchFirst(urlStatements.read, { crawlerId, key: keyOfUrl(url) });
  if (row === undefined) return undefined;
  return {
    id: row.id,
    url: row.url,
    origin: URL_ORIGINS[row.origin] as UrlOrigin,
    depth: row.depth,
    foundOn: row.found_on ?? undefined,
    targetUrl: row.target_url ?? undefined,
    firstSeenAt: row.first_seen_at,
    visitedAt: row.visited_at ?? undefined,
    visits: row.visits,
    sitemapLastmod: row.sitemap_lastmod ?? undefined,
    waiting: row.waiting !== null,
    facts: factsOf(row),
  };
}

function* countUrls(crawlerId: number): Operation<ReadonlyMap<UrlState, number>> {
  const rows = yield* fetchAll(urlStatements.countStates, { crawlerId });
  const lists = new Map(
    (yield* fetchAll(urlStatements.countLists, { crawlerId })).map(({ state, count }) => [state, count]),
  );
  const pages = rows.map(
    ({ state, count }) => [URL_STATES[state] as UrlState, count - (lists.get(state) ?? 0)] as const,
  );
  return new Map(pages.filter(([, count]) => count > 0));
}

function* countUrlsUpTo({
  crawlerId,
  state,
  limit,
}: {
  readonly crawlerId: number;
  readonly state: UrlState;
  readonly limit: number;
}): Operation<number> {
  const number = URL_STATES.indexOf(state);
  const lists =
    (yield* fetchAll(urlStatements.countLists, { crawlerId })).find((row) => row.state === number)?.count ?? 0;
  const counted =
    (yield* fetchFirst(urlStatements.countSome, { crawlerId, state: number, limit: limit + lists }))?.count ?? 0;
  return Math.max(0, counted - lists);
}

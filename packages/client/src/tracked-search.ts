import type { AutocompleteResponse, Hit, SearchResponse } from './generated-types.ts';
import { type AutocompleteQuery, createSearchClient, type SearchQuery } from './search-client.ts';
import { type CompletedDocument, createTrackingClient, type Followed, type ShownQuicklink } from './tracking-client.ts';
import type { CallOptions, EngineConnection } from './transport.ts';

/**
 * Searching with tracking that needs no thought: a search is logged when its answer comes, unless it is one of somebody
 * who still types (`searchContext: 'SAYT'`) or an internal one, and a click is logged under the search or the
 * completions that brought what was clicked.
 */
export type TrackedSearch = {
  readonly search: (request: SearchQuery, options?: CallOptions) => Promise<SearchResponse>;
  readonly autocomplete: (request: AutocompleteQuery, options?: CallOptions) => Promise<AutocompleteResponse>;
  /** Of a hit, quicklink or completed document as an answer had it; anything else is not logged. */
  readonly logClick: (clicked: Hit | ShownQuicklink | CompletedDocument) => void;
  /** Of a link inside a banner, which leads to `address`. */
  readonly logBannerClick: (banner: SearchResponse['Banners'][number], address: string) => void;
};

/** For pages, one per visit; asks for the public settings at once. Contract: 2, 3, 6.2 to 6.4. */
export function createTrackedSearch(engine: EngineConnection): TrackedSearch {
  const { search, autocomplete } = createSearchClient(engine);
  const tracking = createTrackingClient(engine);
  /** By what can be clicked: how its click is logged. Forgotten with the answers. */
  const clicks = new WeakMap<object, (address: string) => void>();
  const remember = (query: string, response: SearchResponse) => {
    const log = (followed: Followed) => tracking.logClick(query, response, followed);
    for (const hit of response.TypedDocuments) clicks.set(hit, () => log({ kind: 'hit', hit }));
    for (const quicklink of response.Quicklinks) clicks.set(quicklink, () => log({ kind: 'quicklink', quicklink }));
    for (const banner of response.Banners) clicks.set(banner, (address) => log({ kind: 'banner', banner, address }));
  };
  return {
    search: async (request, options) => {
      const response = await search(request, options);
      remember(request.query, response);
      if (isCommitted(request)) tracking.logQuery(request.query, response);
      return response;
    },
    autocomplete: async (request, options) => {
      const response = await autocomplete(request, options);
      const completed = { query: request.query, queryId: response.queryId, documents: response.results };
      for (const [position, document] of response.results.entries()) {
        clicks.set(document, () => tracking.logCompletedClick(completed, position));
      }
      return response;
    },
    logClick: (clicked) => clicks.get(clicked)?.(''),
    logBannerClick: (banner, address) => clicks.get(banner)?.(address),
  };
}

function isCommitted({ searchContext, isInternalSearch = false }: SearchQuery): boolean {
  return searchContext !== 'SAYT' && !isInternalSearch;
}

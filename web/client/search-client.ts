import { ApiError, readApiError } from './api-error.ts';
import type { PageSettings } from './page-settings.ts';
import type { SearchRequest, SearchResponse } from './search-types.ts';

export type SearchClient = (request: SearchRequest, signal: AbortSignal) => Promise<SearchResponse>;

/**
 * Searches one engine of this host. An abort rejects with the signal's reason, everything else that fails with an
 * `ApiError`. Contract: 2.
 */
export function createSearchClient(settings: PageSettings): SearchClient {
  const address = `/api/v4/${settings.customerId}/${settings.engineId}/search`;
  const headers = { 'content-type': 'application/json', authorization: `SiteKey ${settings.siteKey}` };
  return async (request, signal) => {
    const response = await fetch(address, { method: 'POST', headers, body: JSON.stringify(request), signal }).catch(
      (cause: unknown) => {
        throw signal.aborted ? cause : new ApiError('The search service did not answer', { status: 0 });
      },
    );
    if (!response.ok) throw await readApiError(response);
    return response.json();
  };
}

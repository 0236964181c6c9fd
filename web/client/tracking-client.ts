import type { PageSettings } from './page-settings.ts';
import type { Hit, SearchResponse } from './search-types.ts';

/**
 * Tells the service what was searched and clicked: searches themselves store nothing. No session, no cookie, nothing
 * about the visitor. Lost events are not repeated. Contract: 6.2 to 6.4.
 */
export type TrackingClient = {
  logQuery(query: string, response: SearchResponse): void;
  logClick(query: string, response: SearchResponse, hit: Hit): void;
};

export function createTrackingClient(settings: PageSettings): TrackingClient {
  const folder = `/api/v3/${settings.customerId}/${settings.engineId}/search/pushstat`;
  const send = (name: string, event: Readonly<Record<string, string | number>>) => {
    // `keepalive`: a click leaves the page while the event is on its way.
    const options = { method: 'POST', body: JSON.stringify(event), keepalive: true };
    const headers = { 'content-type': 'application/json' };
    fetch(`${folder}/${name}`, { ...options, headers }).catch(() => undefined);
  };
  return {
    logQuery: (query, { QueryId, TotalDocument, FixedQuery, ResponseTime }) =>
      send('querylog', { sw: query, qid: QueryId, rc: TotalDocument, fquery: FixedQuery, rt: ResponseTime }),
    logClick: (query, { QueryId }, hit) =>
      send('clicklog', {
        sw: query,
        qid: QueryId,
        clurl: hit.Fields['Url']?.Value ?? hit.Id,
        cli: hit.ResultIndex,
        title: hit.Fields['Title']?.Value ?? '',
      }),
  };
}

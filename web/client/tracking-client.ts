import type { Completions } from './complete-client.ts';
import type { PageSettings } from './page-settings.ts';
import type { Banner, Hit, Quicklink, SearchResponse } from './search-types.ts';
import { readTrackingSettings } from './tracking-settings.ts';
import { newVisitor, visitorValues } from './visitor-values.ts';

/** What a visitor went to from a list of results. */
export type Followed =
  | { readonly kind: 'hit'; readonly hit: Hit }
  | { readonly kind: 'quicklink'; readonly quicklink: Quicklink }
  | { readonly kind: 'banner'; readonly banner: Banner; readonly address: string };

/**
 * Tells the service what was searched and clicked: searches themselves store nothing. No cookie; what events say about
 * the visitor is up to the engine's public settings. Lost events are not repeated. Contract: 6.2 to 6.4, 7.
 */
export type TrackingClient = {
  /** Logs a committed search. One that follows with the same query (a page, a filter) is part of it. */
  logQuery(query: string, response: SearchResponse): void;
  /** Logs a click under its search, which is logged first when it is not yet: who follows a result has searched. */
  logClick(query: string, response: SearchResponse, followed: Followed): void;
  /** Logs a click on a document that was offered while somebody typed; `position` from 0. What was typed is no search. */
  logCompletedClick(completions: Completions, position: number): void;
};

/** All documents: no query of a visitor. */
const MATCH_ALL = '*';

export function createTrackingClient(settings: PageSettings): TrackingClient {
  const folder = `/api/v3/${settings.customerId}/${settings.engineId}/search/pushstat`;
  const visitor = newVisitor();
  const known = readTrackingSettings(settings).then((allowed) => visitorValues(allowed, visitor));
  const send = async (name: string, event: Readonly<Record<string, string>>) => {
    const body = JSON.stringify({ ...event, ...(await known) });
    const headers = { 'content-type': 'application/json' };
    // `keepalive`: a click leaves the page while the event is on its way.
    await fetch(`${folder}/${name}`, { method: 'POST', headers, body, keepalive: true }).catch(() => undefined);
  };
  let logged = { query: '', queryId: '' };
  const logQuery = (query: string, response: SearchResponse) => {
    if (query === logged.query || query === MATCH_ALL) return;
    logged = { query, queryId: response.QueryId };
    void send('querylog', queryEvent(query, response));
  };
  return {
    logQuery,
    logClick: (query, response, followed) => {
      logQuery(query, response);
      const qid = query === logged.query ? logged.queryId : response.QueryId;
      void send('clicklog', { sw: query, qid, ...clickValues(followed) });
    },
    logCompletedClick: ({ query, queryId, documents }, position) => {
      const { id = '', fields } = documents[position] ?? { fields: {} };
      const { Url: url, Title: title = '' } = fields as Readonly<Record<string, string>>;
      const event = { sw: query, qid: queryId, ls: 'autocomplete', clurl: url || id, cli: String(position + 1), title };
      void send('clicklog', event);
    },
  };
}

function queryEvent(query: string, { QueryId, TotalDocument, FixedQuery, ResponseTime }: SearchResponse) {
  return { sw: query, qid: QueryId, rc: String(TotalDocument), fquery: FixedQuery, rt: String(ResponseTime) };
}

function clickValues(followed: Followed): Readonly<Record<string, string>> {
  switch (followed.kind) {
    case 'hit': {
      const { Fields, Id, ResultIndex } = followed.hit;
      const title = Fields['Title']?.Value ?? '';
      return { ls: 'searchresult', clurl: Fields['Url']?.Value ?? Id, cli: String(ResultIndex), title };
    }
    case 'quicklink': {
      const { Id, Url, Term } = followed.quicklink;
      return { ls: 'quicklink', clurl: Url, ql: String(Id), title: Term };
    }
    case 'banner': {
      const { Id, Name } = followed.banner;
      return { ls: 'banner', cloi: String(Id), clurl: followed.address, title: Name };
    }
  }
}

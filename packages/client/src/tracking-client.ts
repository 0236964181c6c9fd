import type {
  AutocompleteResponse,
  ClickEvent,
  Hit,
  QueryEvent,
  SearchResponse,
  StoredEvent,
} from './generated-types.ts';
import { readPublicSettings } from './search-client.ts';
import { type CallOptions, createTransport, type EngineConnection } from './transport.ts';
import { newVisitor, type TrackingSettings, visitorValues } from './visitor.ts';

export type ShownBanner = SearchResponse['Banners'][number];
export type ShownQuicklink = SearchResponse['Quicklinks'][number];
export type CompletedDocument = AutocompleteResponse['results'][number];

/** What a visitor went to from a list of results. */
export type Followed =
  | { readonly kind: 'hit'; readonly hit: Hit }
  | { readonly kind: 'quicklink'; readonly quicklink: ShownQuicklink }
  | { readonly kind: 'banner'; readonly banner: ShownBanner; readonly address: string };

/** Completions, as far as clicks are about them: what was typed, and the documents that were offered for it. */
export type Completed = {
  readonly query: string;
  readonly queryId: string;
  readonly documents: readonly CompletedDocument[];
};

/**
 * Tells the service what was searched and clicked: searches themselves store nothing. No cookie; what events say about
 * the visitor is up to the engine's public settings, and nothing while they are unknown. Lost events are not repeated.
 */
export type TrackingClient = {
  /** Logs a committed search. One that follows with the same query (a page, a filter) is part of it. */
  readonly logQuery: (query: string, response: SearchResponse) => void;
  /** Logs a click under its search, which is logged first when it is not yet: who follows a result has searched. */
  readonly logClick: (query: string, response: SearchResponse, followed: Followed) => void;
  /** Logs a click on a document that was offered while somebody typed; `position` from 0. What was typed is no search. */
  readonly logCompletedClick: (completed: Completed, position: number) => void;
};

/** All documents: no query of a visitor. */
const MATCH_ALL = '*';

const CAREFUL: TrackingSettings = { optOutCookieTracking: true, enableAnonymousTracking: true };

/**
 * For pages, one per visit; asks for the public settings at once where the page has not asked for them itself.
 * Contract: 6.2 to 6.4, 7.
 */
export function createTrackingClient(
  engine: EngineConnection,
  publicSettings: Promise<TrackingSettings> = readPublicSettings(engine),
): TrackingClient {
  const events = createEventClient(engine);
  const visitor = newVisitor();
  const values = publicSettings.catch(() => CAREFUL).then((settings) => visitorValues(settings, visitor));
  const sendQuery = async (event: QueryEvent) => void events.sendQuery({ ...event, ...(await values) }).catch(lost);
  const sendClick = async (event: ClickEvent) => void events.sendClick({ ...event, ...(await values) }).catch(lost);
  let logged = { query: '', queryId: '' };
  const logQuery = (query: string, response: SearchResponse) => {
    if (query === logged.query || query === MATCH_ALL) return;
    logged = { query, queryId: response.QueryId };
    void sendQuery(queryEvent(query, response));
  };
  return {
    logQuery,
    logClick: (query, response, followed) => {
      logQuery(query, response);
      const qid = query === logged.query ? logged.queryId : response.QueryId;
      void sendClick({ sw: query, qid, ...clickValues(followed) });
    },
    logCompletedClick: (completed, position) => {
      const document = completed.documents[position];
      if (document !== undefined) void sendClick(completedClick(completed, document, position));
    },
  };
}

/** Events as they are stored; both reject with a `FossickError`, and are sent once. */
export type EventClient = {
  readonly sendQuery: (event: QueryEvent, options?: CallOptions) => Promise<StoredEvent>;
  readonly sendClick: (event: ClickEvent, options?: CallOptions) => Promise<StoredEvent>;
};

/** For servers that track themselves, and for pages that know their visitors. Contract: 6.2 to 6.4. */
export function createEventClient(engine: EngineConnection): EventClient {
  const { ask } = createTransport(engine);
  const folder = `/api/v3/${engine.customerId}/${engine.engineId}/search/pushstat`;
  const send = (name: string, body: QueryEvent | ClickEvent, options?: CallOptions) =>
    ask<StoredEvent>({
      method: 'POST',
      path: `${folder}/${name}`,
      body,
      isRepeatable: false,
      keepalive: true,
      ...options,
    });
  return {
    sendQuery: (event, options) => send('querylog', event, options),
    sendClick: (event, options) => send('clicklog', event, options),
  };
}

function lost(): void {
  // Nothing on the page depends on an event.
}

function queryEvent(query: string, { QueryId, TotalDocument, FixedQuery, ResponseTime }: SearchResponse): QueryEvent {
  return { sw: query, qid: QueryId, rc: String(TotalDocument), fquery: FixedQuery, rt: String(ResponseTime) };
}

function clickValues(followed: Followed): Omit<ClickEvent, 'qid'> {
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

function completedClick({ query, queryId }: Completed, { id, fields }: CompletedDocument, position: number) {
  const { Url: url, Title: title = '' } = fields as Readonly<Record<string, string>>;
  return { sw: query, qid: queryId, ls: 'autocomplete', clurl: url || id, cli: String(position + 1), title };
}

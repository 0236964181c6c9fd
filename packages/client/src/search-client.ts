import type {
  AutocompleteHtmlResponse,
  AutocompleteRequest,
  AutocompleteResponse,
  PageSettings,
  PublicSettings,
  ResultFeedback,
  SearchHtmlResponse,
  SearchRequest,
  SearchResponse,
  StoredFeedback,
} from './generated-types.ts';
import { type CallOptions, createTransport, type EngineConnection, engineAuthorization } from './transport.ts';

/** Requests without the form of their answers, which the name of the function says. */
export type SearchQuery = Omit<SearchRequest, 'responseType'>;
export type AutocompleteQuery = Omit<AutocompleteRequest, 'responseType'>;

/** All reject with a `FossickError`, or with the reason of the signal. */
export type SearchClient = {
  readonly search: (request: SearchQuery, options?: CallOptions) => Promise<SearchResponse>;
  readonly searchAsHtml: (request: SearchQuery, options?: CallOptions) => Promise<SearchHtmlResponse>;
  readonly autocomplete: (request: AutocompleteQuery, options?: CallOptions) => Promise<AutocompleteResponse>;
  readonly autocompleteAsHtml: (request: AutocompleteQuery, options?: CallOptions) => Promise<AutocompleteHtmlResponse>;
  readonly readPublicSettings: (options?: CallOptions) => Promise<PublicSettings>;
  /** What editors have set for a page of the engine: language, texts, looks. */
  readonly readPageSettings: (options?: CallOptions) => Promise<PageSettings>;
  /** What a visitor says of results: a rating, a reason or a comment. */
  readonly rateResults: (feedback: ResultFeedback, options?: CallOptions) => Promise<StoredFeedback['value']>;
};

/** Searches one engine. Contract: 2, 3, 6.1, 7. */
export function createSearchClient(engine: EngineConnection): SearchClient {
  const { ask } = createTransport(engine, engineAuthorization(engine));
  const folder = `/api/v4/${engine.customerId}/${engine.engineId}`;
  const search = <Answer>(body: SearchRequest, options?: CallOptions) =>
    ask<Answer>({ method: 'POST', path: `${folder}/search`, body, isRepeatable: true, ...options });
  const autocomplete = <Answer>(request: AutocompleteRequest, options?: CallOptions) =>
    ask<Answer>({
      method: 'GET',
      path: `${folder}/autocomplete`,
      query: asParameters(request),
      isRepeatable: true,
      ...options,
    });
  return {
    search: (request, options) => search({ ...request, responseType: 'JsonObject' }, options),
    searchAsHtml: (request, options) => search({ ...request, responseType: 'JsonHtml' }, options),
    autocomplete: (request, options) => autocomplete({ ...request, responseType: 'JsonObject' }, options),
    autocompleteAsHtml: (request, options) => autocomplete({ ...request, responseType: 'JsonHtml' }, options),
    readPublicSettings: (options) => readPublicSettings(engine, options),
    readPageSettings: (options) =>
      ask({ method: 'GET', path: `${folder}/page-settings`, isRepeatable: true, ...options }),
    rateResults: async (body, options) => {
      // With an id of its own a repetition changes the same record.
      const isRepeatable = body.feedbackId !== undefined;
      const path = `${folder}/feedback`;
      const { value } = await ask<StoredFeedback>({ method: 'POST', path, body, isRepeatable, ...options });
      return value;
    },
  };
}

/** Contract: 7. */
export function readPublicSettings(engine: EngineConnection, options?: CallOptions): Promise<PublicSettings> {
  const { customerId, engineId } = engine;
  const path = `/api/v3/${customerId}/${engineId}/websites/publicsettings`;
  return createTransport(engine, engineAuthorization(engine)).ask({
    method: 'GET',
    path,
    isRepeatable: true,
    ...options,
  });
}

/** Members of a query string; those that are no single value as JSON text. Contract: 3. */
function asParameters(request: AutocompleteRequest): Readonly<Record<string, string | undefined>> {
  const entries = Object.entries(request).map(([name, value]) => [
    name,
    typeof value === 'object' ? JSON.stringify(value) : value === undefined ? undefined : String(value),
  ]);
  return Object.fromEntries(entries);
}

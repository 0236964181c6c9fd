/** Shapes of a search over HTTP, as far as the pages use them. Contract: 2.1, 2.6. */

export type SearchRequest = {
  readonly query: string;
  readonly page?: number;
  readonly perPage?: number;
  readonly highlight?: boolean;
  /** Narrows the results by values of a field; a field with `null` is only counted. */
  readonly facets?: Readonly<Record<string, readonly string[] | null>>;
  readonly enableRelatedSearches?: boolean;
};

export type FieldValue = {
  readonly Field: string;
  readonly Value: string;
  readonly Values: readonly string[];
  readonly Highlights: readonly string[];
  readonly IsArray: boolean;
};

export type Hit = {
  readonly ResultIndex: number;
  readonly Id: string;
  readonly Score: number;
  readonly Type: 'PageContent' | 'FileContent';
  readonly Fields: Readonly<Record<string, FieldValue>>;
  readonly FieldNames: readonly string[];
  readonly Highlight: Readonly<Record<string, string>>;
  readonly TitleHasHighlight: boolean;
  readonly Sortings: readonly (number | string)[];
};

export type Facet = {
  readonly FieldName: string;
  readonly Field: string;
  readonly MissingCount: number;
  readonly AllCount: number;
  readonly Items: readonly { readonly Key: string; readonly Count: number }[];
};

/** `Banner` is HTML that the service has cleaned. Contract: 2.10. */
export type Banner = { readonly Id: number; readonly Name: string; readonly Banner: string };

/** `Term` is the pattern that the query fits: `*` and `?` stand for other characters. Contract: 2.10. */
export type Quicklink = { readonly Id: number; readonly Url: string; readonly Term: string };

export type SearchResponse = {
  readonly QueryId: string;
  readonly ResponseTime: number;
  /** What was searched instead, because the query itself matches nothing; else empty. */
  readonly FixedQuery: string;
  readonly TotalDocument: number;
  readonly TypedDocuments: readonly Hit[];
  readonly Facets: Readonly<Record<string, Facet>>;
  readonly Banners: readonly Banner[];
  readonly Quicklinks: readonly Quicklink[];
  readonly Suggestions: readonly string[];
  readonly Synonyms: readonly string[];
  readonly RelatedSearchDocuments: readonly string[];
  readonly GenerativeAnswerAvailable: boolean;
};

/** Contract: 1.7. */
export type ErrorBody = { readonly message: string; readonly code: number; readonly requestId: string };

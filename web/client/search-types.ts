/** Shapes of a search over HTTP, as far as the pages use them. Contract: 2.1, 2.6. */

export type SearchRequest = {
  readonly query: string;
  readonly page?: number;
  readonly perPage?: number;
  readonly highlight?: boolean;
  /** Narrows the results by values of a field; a field with `null` is only counted. */
  readonly facets?: Readonly<Record<string, readonly string[] | null>>;
  readonly enableRelatedSearches?: boolean;
  /** `sayt` keeps a search that ran while somebody was typing out of the statistics. */
  readonly searchContext?: 'sayt';
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

export type SearchResponse = {
  readonly QueryId: string;
  readonly ResponseTime: number;
  readonly FixedQuery: string;
  readonly TotalDocument: number;
  readonly TypedDocuments: readonly Hit[];
  readonly Facets: Readonly<Record<string, Facet>>;
  readonly Quicklinks: readonly { readonly Id: number; readonly Url: string; readonly Term: string }[];
  readonly Suggestions: readonly string[];
  readonly Synonyms: readonly string[];
  readonly RelatedSearchDocuments: readonly string[];
  readonly GenerativeAnswerAvailable: boolean;
};

/** Contract: 1.7. */
export type ErrorBody = { readonly message: string; readonly code: number; readonly requestId: string };

import type { DocumentKind, StoredDocument } from '../core/document.ts';
import type { FilterNode } from '../core/filters.ts';
import type { Engine } from '../core/records.ts';
import { DEFAULT_RELEVANCE } from '../search-index/relevance.ts';
import type { SearchIndex } from '../search-index/search-index.ts';
import { readQuery } from './query/read-query.ts';
import type { ReadDocuments } from './read-hits.ts';
import { compileSynonyms } from './synonyms.ts';

export type FindDocumentsDeps = {
  readonly searchIndex: SearchIndex;
  readonly readDocuments: ReadDocuments;
};

/** What documents are looked for by; all of it holds. */
export type DocumentFilter = {
  /** Words, as a search takes them. */
  readonly text: string | undefined;
  /** Part of the address, and of the title, whatever the case. */
  readonly url: string | undefined;
  readonly title: string | undefined;
  /** Two letters. */
  readonly language: string | undefined;
  readonly kind: DocumentKind | undefined;
  readonly crawlerId: number | undefined;
};

type Page = { readonly offset: number; readonly limit: number };

/** Hits among which those of one crawler are looked for. */
const MOST_OF_CRAWLER = 10_000;

/**
 * Documents of an engine as its index has them, without synonyms and the tools of editors: by words the best first. Of
 * one crawler those among the first 10,000.
 */
export async function findDocuments(
  deps: FindDocumentsDeps,
  {
    engine,
    filter,
    page,
    signal,
  }: { readonly engine: Engine; readonly filter: DocumentFilter; readonly page: Page; readonly signal: AbortSignal },
): Promise<readonly StoredDocument[]> {
  const { crawlerId, text = '' } = filter;
  const fields = await deps.searchIndex.fields(engine.id);
  const { match } = readQuery(text, { operator: 'AND', language: engine.language, fields, synonyms: NO_SYNONYMS });
  const window = crawlerId === undefined ? page : { offset: 0, limit: MOST_OF_CRAWLER };
  const { hits } = await deps.searchIndex.search(
    engine.id,
    {
      match,
      operator: 'AND',
      filter: { kind: 'and', of: conditionsOf(filter) },
      postFilter: { kind: 'all' },
      postFilterCounts: false,
      boosts: [],
      sort: [],
      pins: [],
      removed: [],
      facets: [],
      ranges: [],
      topHits: [],
      ...window,
      spare: 0,
      weights: DEFAULT_RELEVANCE,
      counts: 'exact',
      isBackground: true,
    },
    signal,
  );
  const wanted =
    crawlerId === undefined
      ? hits
      : hits.filter((hit) => hit.crawlerId === crawlerId).slice(page.offset, page.offset + page.limit);
  const documents = await deps.readDocuments(
    engine.id,
    wanted.map(({ rid }) => rid),
  );
  return documents.flatMap((document) => document ?? []);
}

const NO_SYNONYMS = compileSynonyms([], []);

function conditionsOf({ url, title, language, kind }: DocumentFilter): readonly FilterNode[] {
  const contains = (field: string, value: string | undefined): readonly FilterNode[] =>
    value === undefined ? [] : [{ kind: 'text', field, operator: 'contains', values: [value] }];
  const is = (field: string, value: string | undefined): readonly FilterNode[] =>
    value === undefined ? [] : [{ kind: 'value', field, values: [value] }];
  return [...contains('Url', url), ...contains('Title', title), ...is('Language', language), ...is('_type', kind)];
}

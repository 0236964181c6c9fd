import { useEffect, useState } from 'preact/hooks';
import type { SearchClient, SearchResponse } from '../../packages/client/src/index.ts';
import { citedSources } from '../parts/parse-answer.ts';
import type { Exchange } from './use-conversation.ts';

export type TitleOf = (url: string) => string | undefined;

/** Titles of cited pages: of the hits beside the answer, else of the index, which is asked once per page. */
export function useSourceTitles(
  search: SearchClient['search'],
  { TypedDocuments }: SearchResponse,
  exchanges: readonly Exchange[],
): TitleOf {
  const [known, setKnown] = useState<ReadonlyMap<string, string>>(() => titlesOf(TypedDocuments));
  const cited = exchanges.filter(({ state }) => state !== 'writing').flatMap(({ markdown }) => citedSources(markdown));
  const unknown = [...new Set(cited.map(({ url }) => url))].filter((url) => !known.has(keyOf(url)));
  const wanted = unknown.join(' ');
  useEffect(() => {
    if (wanted === '') return;
    const abort = new AbortController();
    const urls = wanted.split(' ');
    const request = {
      query: '*',
      perPage: urls.length,
      fields: ['Title'],
      filters: { Url: urls.flatMap(spellingsOf) },
      facets: {},
      isInternalSearch: true,
    };
    search(request, { signal: abort.signal }).then(
      (response) => setKnown((before) => new Map([...before, ...unnamed(urls), ...titlesOf(response.TypedDocuments)])),
      () => setKnown((before) => new Map([...before, ...unnamed(urls)])),
    );
    return () => abort.abort();
  }, [search, wanted]);
  return (url) => known.get(keyOf(url)) || undefined;
}

function titlesOf(hits: SearchResponse['TypedDocuments']): ReadonlyMap<string, string> {
  return new Map(hits.map(({ Id, Fields }) => [keyOf(Fields['Url']?.Value || Id), Fields['Title']?.Value ?? '']));
}

/** Not asked for again. */
function unnamed(urls: readonly string[]): readonly (readonly [string, string])[] {
  return urls.map((url) => [keyOf(url), '']);
}

/** A citation may name a place in its page, and has its parentheses escaped. Contract: 4.3. */
function keyOf(url: string): string {
  return withParentheses(URL.parse(url)?.href ?? url).replace(/#.*$/, '');
}

/** As the index may have it. */
function spellingsOf(url: string): readonly string[] {
  const page = url.replace(/#.*$/, '');
  return [...new Set([page, withParentheses(page)])];
}

function withParentheses(url: string): string {
  return url.replaceAll('%28', '(').replaceAll('%29', ')');
}

import type { StoredDocument } from '../../../src/core/document.ts';
import { type QueryReader, type ReadQuery, readQuery, selectionOf } from '../../../src/search/query/read-query.ts';
import { runQuery } from '../../../src/search/run-query.ts';
import { compileSynonyms } from '../../../src/search/synonyms.ts';
import { DEFAULT_RELEVANCE } from '../../../src/search-index/relevance.ts';
import { urlOf } from '../../../test/helpers/frontier.ts';
import { planOf } from '../../../test/helpers/query-plans.ts';
import { extractPage, type Pages } from '../corpus-pages.ts';
import { PLACES } from '../engine-places.ts';
import { openIndexOf } from '../open-index.ts';
import { type ReadPage, storeSite } from './stored-site.ts';

/** Reads the pages of a site, and stores them as a crawler does. */
export async function readSite(
  pages: Pages,
  isIndexPage: (path: string) => boolean = () => false,
): Promise<readonly StoredDocument[]> {
  const read: ReadPage[] = [];
  for (const [path, body] of pages) {
    const extraction = await extractPage(urlOf(`/${path}`), body);
    if (extraction.status === 'ok') read.push({ path, extraction, isIndexPage: isIndexPage(path) });
  }
  return storeSite(read);
}

/** What of a query as it was read selects documents. */
export type MatchOf = typeof selectionOf;

/** A site in an index, searched as a visitor does, under OR. */
export async function openSite(rows: readonly StoredDocument[], matchOf: MatchOf = selectionOf) {
  const opened = await openIndexOf(rows, 'en');
  const { searchIndex } = opened;
  const rules = { language: 'en', fields: [], synonyms: compileSynonyms([], []) };
  const read: QueryReader = (text, operator) => readQuery(text, { ...rules, operator });
  const toPlan = (query: ReadQuery) => planOf({ match: matchOf(query), weights: DEFAULT_RELEVANCE, limit: PLACES });
  return {
    /** Ids of the best documents, and how many are found. */
    async search(text: string): Promise<{ readonly ids: readonly string[]; readonly total: number }> {
      const { signal } = new AbortController();
      const input = { engineId: 1, text, operator: 'OR', read, toPlan, signal } as const;
      const { found } = await runQuery({ searchIndex }, input);
      return { ids: found.hits.map(({ id }) => id), total: found.total };
    },
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

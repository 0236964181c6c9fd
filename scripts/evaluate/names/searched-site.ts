import type { StoredDocument } from '../../../src/core/document.ts';
import { type QueryReader, type ReadQuery, readQuery, selectionOf } from '../../../src/search/read-query.ts';
import { runQuery } from '../../../src/search/run-query.ts';
import { compileSynonyms } from '../../../src/search/synonyms.ts';
import { DEFAULT_RELEVANCE } from '../../../src/search-index/relevance.ts';
import { urlOf } from '../../../test/helpers/frontier.ts';
import { planOf } from '../../../test/helpers/query-plans.ts';
import { extractPage, type Pages } from '../corpus-pages.ts';
import { openIndexOf } from '../open-index.ts';
import { mean } from '../ranking-measures.ts';
import { type ReadPage, storeSite } from './stored-site.ts';

/** Places of a ranking that are looked at; one that is not among them counts as the next. */
export const PLACES = 10;

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

/** A site in an index, searched as a visitor does, under OR. */
export async function openSite(rows: readonly StoredDocument[], matchOf = selectionOf) {
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

/** 1-based place of the first id that is right. */
export function placeOf(ids: readonly string[], isRight: (id: string) => boolean): number {
  const at = ids.findIndex(isRight);
  return at < 0 ? PLACES + 1 : at + 1;
}

/** Shares that are first and among five, and the mean reciprocal place. */
export function measured(places: readonly number[]): string {
  const within = (most: number) => mean(places.map((place) => Number(place <= most))).toFixed(3);
  return `${within(1)} ${within(5)} ${mean(places.map((place) => (place <= PLACES ? 1 / place : 0))).toFixed(3)}`;
}

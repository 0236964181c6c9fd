import type { StoredDocument } from '../../src/core/document.ts';
import { urlOf } from '../../test/helpers/frontier.ts';
import { PLACES } from './engine-places.ts';
import { openFts5 } from './fts5-ranking.ts';
import { LUCENE_NAMES, openLucene } from './lucene-ranking.ts';
import type { MatchOf } from './names/searched-site.ts';
import { openSite } from './names/searched-site.ts';
import { openRunningEngine } from './running-engine.ts';

export const PRODUCT = 'Fossick';

/** What the engines find for one query. */
export type Found = {
  /** Ids of the best pages by engine, best first. */
  readonly ids: Readonly<Record<string, readonly string[]>>;
  /** Pages that the product finds. */
  readonly total: number;
};

/** The product and engines that it is compared with on the texts of a site. */
export type SiteEngines = {
  readonly names: readonly string[];
  /** By query. */
  search(rows: readonly StoredDocument[], queries: readonly string[], matchOf?: MatchOf): Promise<readonly Found[]>;
};

/** The engines of each site by the number of its engine in a running installation; without one Fossick beside its peers. */
export function siteEnginesOf(url: string | undefined): (engine: string) => SiteEngines {
  if (url !== undefined) return (engine) => openRunningSite(url, engine);
  const engines = openSiteEngines();
  return () => engines;
}

/** Fossick, FTS5, and Lucene where it can run. */
function openSiteEngines(): SiteEngines {
  const rankByLucene = openLucene();
  return {
    names: [PRODUCT, 'FTS5', ...(rankByLucene === undefined ? [] : LUCENE_NAMES)],
    async search(rows, queries, matchOf) {
      const fts5 = openFts5(rows, PLACES);
      const lucene = await rankByLucene?.(rows, queries, PLACES);
      await using site = await openSite(rows, matchOf);
      const found: Found[] = [];
      for (const query of queries) {
        const { ids, total } = await site.search(query);
        const byLucene = [...(lucene ?? [])].map(([name, rank]) => [name, rank(query)] as const);
        found.push({ ids: { [PRODUCT]: ids, FTS5: fts5(query), ...Object.fromEntries(byLucene) }, total });
      }
      return found;
    },
  };
}

/** What visitors of a crawled site find; its pages by the path that they have on the server that was crawled. */
function openRunningSite(url: string, engine: string): SiteEngines {
  const call = openRunningEngine(url, engine);
  return {
    names: [PRODUCT],
    async search(_rows, queries) {
      const found: Found[] = [];
      for (const query of queries) {
        const { TypedDocuments, TotalDocument } = await call<{
          TotalDocument: number;
          TypedDocuments: readonly { Id: string }[];
        }>('/search', { method: 'POST', body: JSON.stringify({ query, fields: ['Title'], perPage: PLACES }) });
        const ids = TypedDocuments.map(({ Id }) => urlOf(new URL(Id).pathname));
        found.push({ ids: { [PRODUCT]: ids }, total: TotalDocument });
      }
      return found;
    },
  };
}

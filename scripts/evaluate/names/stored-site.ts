import type { StoredDocument } from '../../../src/core/document.ts';
import { normalizeUrl } from '../../../src/core/url.ts';
import { compileCrawlRules } from '../../../src/crawl/rules/crawl-rules.ts';
import { KnownLinks, splitLinks } from '../../../src/crawl/visit/page-links.ts';
import type { Extraction } from '../../../src/extract/extraction.ts';
import { CRAWLER, openFrontier, urlOf, visited } from '../../../test/helpers/frontier.ts';

/** Pages of one write, and what one run takes of links. */
const BATCH = 16;
const PAGE_LIMIT = 1_000_000;
const EVERYTHING = { rows: PAGE_LIMIT, bytes: Number.MAX_SAFE_INTEGER };

export type ReadPage = { readonly path: string; readonly extraction: Extraction; readonly isIndexPage: boolean };

/**
 * What the index is given of a site after a crawl: its documents with the texts of links that lead to them. Index pages
 * call nothing by a name: they say what is asked.
 */
export async function storeSite(pages: readonly ReadPage[]): Promise<readonly StoredDocument[]> {
  await using frontier = await openFrontier();
  const { store } = frontier;
  const rules = compileCrawlRules({ config: { seeds: [urlOf('/')] }, configVersion: 1 });
  const byUrl = new Map(pages.map((page) => [normalizeUrl(urlOf(`/${page.path}`)), page]));
  await frontier.add(pages.map(({ path }) => `/${path}`));
  const lane = await frontier.lane();
  for (;;) {
    const rows = await frontier.take(lane, BATCH);
    if (rows.length === 0) break;
    const visits = rows.map((row) => {
      const page = byUrl.get(row.url);
      if (page === undefined) return visited(row);
      const { extraction, isIndexPage } = page;
      const { known, fresh, names } = splitLinks({ row, rules, now: 0 }, extraction, new KnownLinks([1, 2]));
      const { fields, structure } = extraction;
      const put = { id: row.url, kind: 'PageContent', origin: 'crawled', language: 'en', fields, structure } as const;
      const links = { known, fresh, names: isIndexPage ? [] : names, pageLimit: PAGE_LIMIT };
      return visited(row, { document: { put }, links });
    });
    await frontier.record(lane, visits);
  }
  await store.applyLinkTexts({ crawlerId: CRAWLER, changedBefore: Number.MAX_SAFE_INTEGER, limit: PAGE_LIMIT });
  return store.changesAfter(0, EVERYTHING);
}

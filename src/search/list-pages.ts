import { firstValue, type StoredDocument } from '../core/document.ts';
import type { Engine } from '../core/records.ts';
import { yieldInBackground } from '../core/yield.ts';
import type { HiddenPages } from '../search-tools/tool-snapshot.ts';
import type { EngineStores } from '../storage/engine-store.ts';
import { oneLine } from './document-markdown.ts';

/** A page as a list of links shows it; each text is one line. */
export type ListedPage = {
  readonly id: string;
  /** Its URL or id where it has none. */
  readonly title: string;
  /** `''` = it has none. */
  readonly description: string;
};

export type ListPagesDeps = {
  readonly engineStores: Pick<EngineStores, 'of'>;
  readonly tools: HiddenPages;
};

/** Documents read at once: of the longest ones that is what a page of results reads, too. */
const ROWS_AT_ONCE = 20;
const MAX_DESCRIPTION_CHARS = 200;

/**
 * Pages of an engine, the most important ones first: those that were stored first, which crawls reach from their seeds
 * in the fewest steps, and among them those with the shortest path. Reads `limit` documents and keeps a line of each.
 */
export async function listPages(
  { engineStores, tools }: ListPagesDeps,
  { engine, limit }: { readonly engine: Pick<Engine, 'id' | 'customerId'>; readonly limit: number },
): Promise<readonly ListedPage[]> {
  const store = await engineStores.of(engine.id);
  const hidden = new Set((await tools.of(engine.customerId)).hiddenOf(engine.id));
  const pages: (ListedPage & { readonly depth: number })[] = [];
  let after = 0;
  while (pages.length < limit) {
    const rows = await store.listDocuments({ after, limit: Math.min(ROWS_AT_ONCE, limit - pages.length) });
    pages.push(...rows.filter(({ id, damaged }) => damaged !== true && !hidden.has(id)).map(pageOf));
    const last = rows.at(-1);
    if (last === undefined) break;
    after = last.rid;
    await yieldInBackground(engine.id);
  }
  return pages.sort((a, b) => a.depth - b.depth).map(({ depth: _, ...page }) => page);
}

function pageOf({ id, fields }: StoredDocument) {
  const url = firstValue(fields, 'Url') || id;
  return {
    id,
    title: oneLine(firstValue(fields, 'Title')) || url,
    description: shortened(oneLine(firstValue(fields, 'Description'))),
    depth: pathDepth(url),
  };
}

/** Segments of a path; what is no URL stands behind all that are. */
function pathDepth(url: string): number {
  const path = URL.parse(url)?.pathname;
  return path === undefined ? Number.MAX_SAFE_INTEGER : path.split('/').filter((segment) => segment !== '').length;
}

function shortened(text: string): string {
  const chars = [...text];
  return chars.length <= MAX_DESCRIPTION_CHARS ? text : `${chars.slice(0, MAX_DESCRIPTION_CHARS - 1).join('')}…`;
}

import { editDistance } from '../core/compare-text.ts';
import { firstValue, type StoredDocument } from '../core/document.ts';
import { AppError } from '../core/errors.ts';
import { normalizeUrl } from '../core/url.ts';
import { phraseWords } from '../search-index/completions.ts';
import type { MatchNode, QueryPlan } from '../search-index/query-plan.ts';
import { DEFAULT_RELEVANCE, maxEditsOf } from '../search-index/relevance.ts';
import type { SearchIndex } from '../search-index/search-index.ts';
import type { FoundPage, PageFinder } from '../search-tools/page-finder.ts';
import type { EngineStores } from '../storage/engine-store.ts';
import type { AccountStore } from '../storage/system/accounts.ts';
import type { ReadDocuments } from './read-hits.ts';

export type FindPagesDeps = {
  readonly searchIndex: Pick<SearchIndex, 'search'>;
  readonly readDocuments: ReadDocuments;
  readonly engineStores: Pick<EngineStores, 'of'>;
  readonly store: Pick<AccountStore, 'listCrawlers'>;
};

/** Documents that share an address. */
const SAME_ADDRESS = 20;

/** Finds the pages that editors name: an address costs some reads per crawler and a search without words. */
export function createPageFinder(deps: FindPagesDeps): PageFinder {
  return {
    find: (engineId, name, signal) =>
      'url' in name ? findByUrl(deps, { engineId, signal }, name.url) : findById(deps, engineId, name.documentId),
    nearest: (engineId, { near, limit }, signal) => findNearest(deps, { engineId, signal, near, limit }),
  };
}

async function findById(
  { engineStores, store }: FindPagesDeps,
  engineId: number,
  id: string,
): Promise<FoundPage | undefined> {
  const documents = await engineStores.of(engineId);
  for (const crawler of await store.listCrawlers({ engineId })) {
    const document = await documents.findDocument(crawler.id, id);
    if (document !== undefined) return pageOf(document);
  }
  return undefined;
}

type PageInput = { readonly engineId: number; readonly signal: AbortSignal };

/** By its id first: that of a page that was just crawled is its address. */
async function findByUrl(deps: FindPagesDeps, input: PageInput, url: string): Promise<FoundPage | undefined> {
  const spellings = spellingsOf(url);
  for (const id of spellings) {
    const page = await findById(deps, input.engineId, id);
    if (page !== undefined) return page;
  }
  const filter = { kind: 'value', field: 'Url', values: spellings } as const;
  const pages = await searchPages(deps, input, { kind: 'filter', filter, boost: 1 });
  return spellings.flatMap((spelling) => pages.filter((page) => page.url === spelling))[0];
}

/** What begins with a host name, and may lack its scheme. */
const HOST_FIRST = /^[\w.-]+\.[a-z]{2,}(?:[:/?#]|$)/i;

function withScheme(text: string): string {
  const written = text.trim();
  return HOST_FIRST.test(written) ? `https://${written}` : written;
}

/** The address as it was written, then those that mostly lead to the same page. */
function spellingsOf(text: string): readonly string[] {
  const written = text.trim();
  const normal = normalizeUrl(withScheme(text));
  const url = normal === undefined ? null : URL.parse(normal);
  if (url === null) return [written];
  const { protocol, host, pathname, search } = url;
  const bare = host.replace(/^www\./, '');
  const paths = [pathname, pathname.endsWith('/') ? pathname.slice(0, -1) || '/' : `${pathname}/`];
  const hosts = [host, host === bare ? `www.${bare}` : bare];
  const schemes = [protocol, protocol === 'https:' ? 'http:' : 'https:'];
  const all = schemes.flatMap((scheme) =>
    hosts.flatMap((name) => paths.map((path) => `${scheme}//${name}${path}${search}`)),
  );
  return [...new Set([written, ...all])];
}

/** Words of an address that are looked for; the last ones tell most. */
const MAX_WORDS = 8;
const MAX_CANDIDATES = 50;
/** Estimated processor time of a look at the addresses of all documents; above that, words alone are looked for. */
const BUDGET_NS = 100_000_000;
/** Longer ones are compared by their beginnings: the comparison costs the product of the lengths. */
const MAX_COMPARED_CHARS = 200;

/**
 * The pages whose address, or else title and text, come nearest to an address, a part of one, or words; best first.
 * Costs a search of at most 100 ms of processor time, and reads 50 documents.
 */
async function findNearest(
  deps: FindPagesDeps,
  { near, limit, ...input }: PageInput & { readonly near: string; readonly limit: number },
): Promise<readonly FoundPage[]> {
  const path = pathOf(near);
  const words = wordNodes(path === undefined ? near : wordsOfPath(path));
  const beginnings = path === undefined ? [] : addressNodes(near);
  const pages =
    (await searchWithin(deps, input, [...words, ...beginnings])) ?? (await searchWithin(deps, input, words)) ?? [];
  return (path === undefined ? pages : byLikeness(path, pages)).slice(0, limit);
}

/**
 * Those that share most words with the wanted path first, of these those whose last part is most alike; those that share
 * none and whose last part is mostly other letters are left out.
 */
function byLikeness(path: string, pages: readonly FoundPage[]): readonly FoundPage[] {
  const wanted = new Set(wordsOfPath(path).split(' '));
  const last = lastPart(path);
  const compared = pages.map((page) => {
    const own = pathOf(page.url) ?? page.url;
    const shared = wordsOfPath(own)
      .split(' ')
      .filter((word) => word !== '' && wanted.has(word)).length;
    return { page, shared, distance: editDistance(last, lastPart(own)) };
  });
  const alike = compared.filter(({ shared, distance }) => shared > 0 || distance <= last.length / 2);
  return alike.toSorted((a, b) => b.shared - a.shared || a.distance - b.distance).map(({ page }) => page);
}

function lastPart(path: string): string {
  const parts = path.split('/').filter((part) => part !== '');
  return (parts.at(-1) ?? '').slice(0, MAX_COMPARED_CHARS);
}

/** Path and query in lower case; undefined for what is neither an address nor a path. */
function pathOf(text: string): string | undefined {
  const written = withScheme(text);
  const url = /^(?:https?:\/)?\//i.test(written) ? URL.parse(written, 'https://path.invalid') : null;
  if (url === null) return undefined;
  const path = `${url.pathname}${url.search}`.toLowerCase();
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function wordsOfPath(path: string): string {
  return path.replace(/\.(?:html?|php|aspx?|pdf)$/, '').replace(/[^\p{L}\p{N}]+/gu, ' ');
}

/** Words as they are, and those that they may have been meant for. */
function wordNodes(text: string): readonly MatchNode[] {
  return phraseWords(text)
    .slice(-MAX_WORDS)
    .flatMap(({ surface, folded }): MatchNode[] => {
      const word: MatchNode = { kind: 'word', text: surface, boost: 1, role: 'content', fuzzy: 'never', also: [] };
      const distance = maxEditsOf(folded);
      return distance === 0 ? [word] : [word, { kind: 'fuzzy', text: folded, distance, boost: FUZZY_BOOST }];
    });
}

/** What a word that was meant scores, beside one that is there. */
const FUZZY_BOOST = 0.5;
/** More than any words score: all pages that share them are compared, before others fill the list. */
const ADDRESS_BOOST = 1_000;
/** Share of the last part of an address that a misspelt one has in common with the right one. */
const COMMON_RATIO = 0.6;

/** Addresses that hold the last part of the wanted one, or its beginning, and those of its folder. */
function addressNodes(near: string): readonly MatchNode[] {
  const last = near.split(/[/?#]/).findLast((part) => part !== '') ?? '';
  const beginning = last.slice(0, Math.ceil(last.length * COMMON_RATIO));
  const folder = near.slice(0, near.lastIndexOf('/', near.length - 2) + 1);
  const text = (operator: 'prefix' | 'contains', value: string, boost: number): MatchNode => ({
    kind: 'filter',
    filter: { kind: 'text', field: 'Url', operator, values: [value] },
    boost,
  });
  return [
    ...(last.length > 2 ? [text('contains', last, ADDRESS_BOOST)] : []),
    ...(beginning.length > 2 ? [text('contains', `/${beginning}`, ADDRESS_BOOST)] : []),
    ...(/^https?:\/\/[^/]+\/./.test(folder) ? [text('prefix', folder, 1)] : []),
  ];
}

/** Undefined when that would cost too much. */
async function searchWithin(
  deps: FindPagesDeps,
  input: PageInput,
  of: readonly MatchNode[],
): Promise<readonly FoundPage[] | undefined> {
  return searchPages(deps, input, { kind: 'or', of }).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'search.too-costly') throw error;
    return undefined;
  });
}

async function searchPages(
  { searchIndex, readDocuments }: Pick<FindPagesDeps, 'searchIndex' | 'readDocuments'>,
  { engineId, signal }: PageInput,
  match: MatchNode,
): Promise<readonly FoundPage[]> {
  const limit = match.kind === 'filter' ? SAME_ADDRESS : MAX_CANDIDATES;
  const { hits } = await searchIndex.search(engineId, planOf(match, limit), signal);
  const rows = await readDocuments(
    engineId,
    hits.map(({ rid }) => rid),
  );
  return rows.flatMap((row) => (row === undefined || row.deleted ? [] : [pageOf(row)]));
}

function pageOf({ id, fields }: StoredDocument): FoundPage {
  return { documentId: id, url: firstValue(fields, 'Url') || id, title: firstValue(fields, 'Title') };
}

const ALL = { kind: 'all' } as const;

function planOf(match: MatchNode, limit: number): QueryPlan {
  return {
    match,
    operator: 'OR',
    filter: ALL,
    postFilter: ALL,
    postFilterCounts: false,
    boosts: [],
    sort: [],
    pins: [],
    removed: [],
    facets: [],
    ranges: [],
    topHits: [],
    offset: 0,
    limit,
    spare: 0,
    counts: 'none',
    weights: DEFAULT_RELEVANCE,
    budgetNs: BUDGET_NS,
  };
}

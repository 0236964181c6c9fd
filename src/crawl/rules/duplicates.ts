import type { UrlOrigin } from '../../core/crawl-words.ts';
import type { ContentHashes } from '../../storage/engine/duplicates.ts';

/** Why two URLs may have the same content, by what differs between them, and the setting that makes them one. */
export type DuplicateCause = { readonly cause: string; readonly setting: SettingProposal | undefined };

export type SettingProposal = { readonly setting: string; readonly value: string | boolean };

const INDEX_FILE = /\/(?:index|default)\.(?:html?|php|aspx?|jsp)$/i;
const PRINT = /print|druck|pdf|amp|mobile/i;
const PAGING = /^(?:page|p|seite|start|offset|from)$/i;

/** `better` is the URL that keeps the document. Pure; a guess, for a report. */
export function causeOfDuplicate(url: string, better: string): DuplicateCause {
  const [a, b] = [new URL(url), new URL(better)];
  const sameRest = a.pathname === b.pathname && a.search === b.search;
  const bare = (host: string) => host.replace(/^www\./, '');
  if (a.host !== b.host) {
    if (bare(a.host) !== bare(b.host) || !sameRest) return { cause: 'another host', setting: undefined };
    return { cause: 'www', setting: { setting: 'urlForm.www', value: b.host.startsWith('www.') ? 'add' : 'remove' } };
  }
  if (a.protocol !== b.protocol && sameRest) {
    return { cause: 'scheme', setting: { setting: 'urlForm.scheme', value: 'https' } };
  }
  return a.pathname === b.pathname ? causeOfQuery(a, b) : causeOfPath(a, b);
}

function causeOfQuery(a: URL, b: URL): DuplicateCause {
  const names = [...new Set([...a.searchParams.keys(), ...b.searchParams.keys()])];
  const differing = names.filter((name) => a.searchParams.getAll(name).join() !== b.searchParams.getAll(name).join());
  const [name] = differing;
  if (name === undefined)
    return { cause: 'order of parameters', setting: { setting: 'urlForm.sortQuery', value: true } };
  const cause = PAGING.test(name) ? 'paging' : PRINT.test(name) ? 'print view' : `parameter ${differing.join(', ')}`;
  const isOne = differing.length === 1 && !b.searchParams.has(name) && !PAGING.test(name);
  return { cause, setting: isOne ? { setting: 'queryParams.strip', value: name } : undefined };
}

function causeOfPath(a: URL, b: URL): DuplicateCause {
  if (a.search !== b.search) return { cause: 'path', setting: undefined };
  const bare = (path: string) => path.replace(/\/$/, '');
  if (bare(a.pathname) === bare(b.pathname)) {
    const value = b.pathname.endsWith('/') ? 'add' : 'remove';
    return { cause: 'trailing slash', setting: { setting: 'urlForm.trailingSlash', value } };
  }
  if (a.pathname.replace(INDEX_FILE, '/') === b.pathname.replace(INDEX_FILE, '/')) {
    return { cause: 'index file', setting: { setting: 'urlForm.indexFiles', value: 'strip' } };
  }
  return { cause: PRINT.test(a.pathname) ? 'print view' : 'path', setting: undefined };
}

/** Duplicates of one cause from which a setting is offered (crawling 8.3), and of one parameter (crawling 18). */
const OFFERED_FROM = 20;
const PARAMETER_FROM = 5;

export type OfferedSetting = SettingProposal & { readonly duplicates: number };

/** Settings that would make at least 20 duplicates (5 of one parameter) one URL each, the most useful first. */
export function offeredSettings(causes: readonly DuplicateCause[]): readonly OfferedSetting[] {
  const counts = new Map<string, OfferedSetting>();
  for (const { setting } of causes) {
    if (setting === undefined) continue;
    const key = `${setting.setting}=${setting.value}`;
    counts.set(key, { ...setting, duplicates: (counts.get(key)?.duplicates ?? 0) + 1 });
  }
  const enough = (offer: OfferedSetting) =>
    offer.duplicates >= (offer.setting === 'queryParams.strip' ? PARAMETER_FROM : OFFERED_FROM);
  return [...counts.values()].filter(enough).sort((a, b) => b.duplicates - a.duplicates);
}

/** Shorter texts are equal by accident (crawling 16). */
export const MIN_DUPLICATE_CHARS = 200;

export type DuplicateUrl = {
  readonly url: string;
  readonly origin: UrlOrigin;
  readonly firstSeenAt: number;
};

/**
 * Which of two URLs with the same content keeps the document: below 0 for the first. https, named by a sitemap,
 * without query, the shorter path, the one seen first, code points (crawling 8.3). A total order.
 */
export function compareDuplicates(a: DuplicateUrl, b: DuplicateUrl): number {
  const [keyA, keyB] = [keyOf(a), keyOf(b)];
  for (const [at, part] of keyA.entries()) {
    const other = keyB[at] ?? 0;
    if (part !== other) return part - other;
  }
  if (a.url === b.url) return 0;
  return a.url < b.url ? -1 : 1;
}

function keyOf({ url, origin, firstSeenAt }: DuplicateUrl): readonly number[] {
  const { protocol, search, pathname } = new URL(url);
  return [
    protocol === 'https:' ? 0 : 1,
    origin === 'sitemap' ? 0 : 1,
    search === '' ? 0 : 1,
    pathname.length,
    firstSeenAt,
  ];
}

/** Bits of 64 in which near-duplicates may differ (crawling 16). */
const SIMILAR_BITS = 3;
/** Four bands of 16 bits: two hashes that differ in 3 bits agree in one of them. */
const BANDS = 4;
const BAND_VALUES = 2 ** 16;
/** Neighbours of a band that a hash is compared with; texts made of one template are linked by those all the same. */
const NEIGHBOURS = 64;

/** Similarity hashes of many pages in typed arrays: 16 bytes a page. */
export type SimilarityList = {
  readonly ids: number[];
  readonly high: number[];
  readonly low: number[];
};

export function addHashes(list: SimilarityList, rows: readonly ContentHashes[]): void {
  for (const { id, similarity } of rows) {
    list.ids.push(id);
    list.high.push(similarity[0]);
    list.low.push(similarity[1]);
  }
}

/** Groups of ids whose texts are nearly equal, each with its neighbours, the largest first. O(pages). */
export function nearDuplicateGroups(list: SimilarityList): readonly (readonly number[])[] {
  const high = Uint32Array.from(list.high);
  const low = Uint32Array.from(list.low);
  const parents = Uint32Array.from(list.ids.keys());
  for (let band = 0; band < BANDS; band++) linkBand({ high, low, parents }, band);
  const groups = new Map<number, number[]>();
  for (const [at, id] of list.ids.entries()) {
    const root = rootOf(parents, at);
    const group = groups.get(root);
    if (group === undefined) groups.set(root, [id]);
    else group.push(id);
  }
  return [...groups.values()].filter((group) => group.length > 1).sort((a, b) => b.length - a.length);
}

type Hashes = { readonly high: Uint32Array; readonly low: Uint32Array; readonly parents: Uint32Array };

function linkBand({ high, low, parents }: Hashes, band: number): void {
  const order = byBand(band < 2 ? high : low, band % 2 === 0 ? 16 : 0);
  for (let position = 0; position < order.length; position++) {
    const at = order[position] ?? 0;
    const last = Math.min(position + NEIGHBOURS, order.length - 1);
    for (let next = position + 1; next <= last; next++) {
      const other = order[next] ?? 0;
      if (bitsOf((high[at] ?? 0) ^ (high[other] ?? 0)) + bitsOf((low[at] ?? 0) ^ (low[other] ?? 0)) > SIMILAR_BITS)
        continue;
      parents[rootOf(parents, at)] = rootOf(parents, other);
    }
  }
}

/** Places sorted by 16 bits of their word (counting sort), so that equal ones lie together. */
function byBand(words: Uint32Array, shift: number): Uint32Array {
  const starts = new Uint32Array(BAND_VALUES + 1);
  const bandOf = (at: number) => ((words[at] ?? 0) >>> shift) & (BAND_VALUES - 1);
  for (let at = 0; at < words.length; at++) starts[bandOf(at) + 1] = (starts[bandOf(at) + 1] ?? 0) + 1;
  for (let value = 0; value < BAND_VALUES; value++) starts[value + 1] = (starts[value + 1] ?? 0) + (starts[value] ?? 0);
  const order = new Uint32Array(words.length);
  for (let at = 0; at < words.length; at++) {
    const value = bandOf(at);
    order[starts[value] ?? 0] = at;
    starts[value] = (starts[value] ?? 0) + 1;
  }
  return order;
}

function rootOf(parents: Uint32Array, at: number): number {
  let root = at;
  while (parents[root] !== root) {
    parents[root] = parents[parents[root] ?? 0] ?? 0;
    root = parents[root] ?? 0;
  }
  return root;
}

/** Bits set in 32 (Hacker's Delight 5-1). */
function bitsOf(value: number): number {
  let bits = value - ((value >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

import type { ExtractInput, Extraction } from '../../extract/extraction.ts';
import type { TemplateShare } from '../../extract/html/template-blocks.ts';
import {
  type PageBytes,
  type PageTemplates,
  rankOfPage,
  SAMPLED_PAGES,
  type TemplateStore,
} from '../../storage/template-store.ts';

/** Known pages of a host from which their vote counts, and from which a choice is for good (extraction 10). */
export const MIN_VOTERS = 10;
export const ENOUGH_VOTERS = 20;
/** Larger pages are not kept to be chosen again. */
const MAX_KEPT_BYTES = 1024 * 1024;
/** Hosts whose pages are held at a time: those of 64 pages take 1 MB at most. */
const HELD_HOSTS = 50;

type Page = { readonly urlId: number; readonly hostId: number };
/** A page that was read: as it came, and what it says. */
type ReadPage = { readonly extraction: Pick<Extraction, 'templateBlocks'>; readonly read: ExtractInput | undefined };

/** What the other known pages of a host say. */
export type Voters = { readonly count: number; readonly share: TemplateShare };

/** The blocks of the known pages of hosts, as one slice sees them. */
export type HostTemplates = {
  /** The first question about a host reads the store. */
  votersFor(page: Page): Promise<Voters>;
  /**
   * What a visit that stores its page is to record, which counts for the next pages at once; undefined = nothing
   * that would change anything. Of a host that `votersFor` was asked about.
   */
  record(page: Page, read: ReadPage): PageTemplates | undefined;
};

export function openHostTemplates(store: Pick<TemplateStore, 'sampledPages'>): HostTemplates {
  const hosts = new Map<number, HostPages>();
  const of = async (hostId: number): Promise<HostPages> => {
    const known = hosts.get(hostId);
    if (known !== undefined) return known;
    const pages = openHostPages();
    for (const { urlId, blocks } of await store.sampledPages(hostId)) pages.put(urlId, blocks);
    const [oldest] = hosts.keys();
    if (hosts.size >= HELD_HOSTS && oldest !== undefined) hosts.delete(oldest);
    // Another visit may have been quicker.
    const present = hosts.get(hostId) ?? pages;
    hosts.set(hostId, present);
    return present;
  };
  return {
    votersFor: async ({ urlId, hostId }) => (await of(hostId)).votersFor(urlId),
    record: ({ urlId, hostId }, { extraction: { templateBlocks: blocks }, read }) => {
      const pages = hosts.get(hostId);
      const voters = pages?.votersFor(urlId).count ?? 0;
      const isChanged = pages?.put(urlId, blocks) ?? true;
      const kept = voters < ENOUGH_VOTERS ? bytesOf(read) : undefined;
      return isChanged || kept !== undefined ? { blocks, kept: kept && { ...kept, voters } } : undefined;
    },
  };
}

type Told = Pick<ExtractInput, 'headers'> & { readonly source: 'http' | 'rendered' };

function bytesOf(read: ExtractInput | undefined): PageBytes | undefined {
  if (read === undefined || read.body.length > MAX_KEPT_BYTES) return undefined;
  const { headers, source = 'http', body } = read;
  return { source: JSON.stringify({ headers, source } satisfies Told), body };
}

/** What the reader of a kept page was told. */
export function toldOf({ source, body }: PageBytes): Told & Pick<ExtractInput, 'body'> {
  return { ...(JSON.parse(source) as Told), body };
}

type HostPages = {
  votersFor(urlId: number): Voters;
  /** False when the page is not one of the sample, or known like this. */
  put(urlId: number, blocks: readonly string[]): boolean;
};

function openHostPages(): HostPages {
  const pages = new Map<number, ReadonlySet<string>>();
  const counts = new Map<string, number>();
  const count = (blocks: ReadonlySet<string>, change: 1 | -1) => {
    for (const hash of blocks) {
      const sum = (counts.get(hash) ?? 0) + change;
      if (sum === 0) counts.delete(hash);
      else counts.set(hash, sum);
    }
  };
  const drop = (urlId: number) => {
    const known = pages.get(urlId);
    if (known === undefined) return;
    pages.delete(urlId);
    count(known, -1);
  };
  return {
    votersFor(urlId) {
      const own = pages.get(urlId);
      const others = pages.size - (own === undefined ? 0 : 1);
      const shareOf = (hash: string) => ((counts.get(hash) ?? 0) - (own?.has(hash) === true ? 1 : 0)) / others;
      return { count: others, share: others < MIN_VOTERS ? () => 0 : shareOf };
    },
    put(urlId, blocks) {
      const last = pages.size < SAMPLED_PAGES ? undefined : lastOf(pages.keys());
      if (last !== undefined && !pages.has(urlId) && compareRanks(urlId, last) > 0) return false;
      const next = new Set(blocks);
      const known = pages.get(urlId);
      if (known !== undefined && known.size === next.size && known.isSubsetOf(next)) return false;
      drop(urlId);
      if (last !== undefined && pages.size >= SAMPLED_PAGES) drop(last);
      pages.set(urlId, next);
      count(next, 1);
      return true;
    },
  };
}

function lastOf(urlIds: Iterable<number>): number | undefined {
  let last: number | undefined;
  for (const urlId of urlIds) if (last === undefined || compareRanks(urlId, last) > 0) last = urlId;
  return last;
}

function compareRanks(a: number, b: number): number {
  return rankOfPage(a) - rankOfPage(b) || a - b;
}

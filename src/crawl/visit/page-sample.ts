import type { BlockDocumentFrequency } from '../../extract/html/template-blocks.ts';
import { rankOfPage } from '../../storage/template-store.ts';

/** The pages of a sample but one, and the share of them that hold a block. */
export type SamplePages = { readonly count: number; readonly share: BlockDocumentFrequency };

/** Blocks of the pages of lowest rank of a host or folder, counted. */
export type PageSample = {
  sampledPagesFor(urlId: number): SamplePages;
  /** False when the page is not one of the sample, or known like this. */
  put(urlId: number, blocks: readonly string[]): boolean;
};

export function openPageSample(limit: number): PageSample {
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
    sampledPagesFor(urlId) {
      const own = pages.get(urlId);
      const others = pages.size - (own === undefined ? 0 : 1);
      const holding = (hash: string) => (counts.get(hash) ?? 0) - (own?.has(hash) === true ? 1 : 0);
      return { count: others, share: (hash) => (others === 0 ? 0 : holding(hash) / others) };
    },
    put(urlId, blocks) {
      const last = pages.size < limit ? undefined : lastOf(pages.keys());
      if (last !== undefined && !pages.has(urlId) && compareRanks(urlId, last) > 0) return false;
      const next = new Set(blocks);
      const known = pages.get(urlId);
      if (known !== undefined && known.size === next.size && known.isSubsetOf(next)) return false;
      drop(urlId);
      if (last !== undefined && pages.size >= limit) drop(last);
      pages.set(urlId, next);
      count(next, 1);
      return true;
    },
  };
}

/** The page that leaves first. */
export function lastOf(urlIds: Iterable<number>): number | undefined {
  let last: number | undefined;
  for (const urlId of urlIds) if (last === undefined || compareRanks(urlId, last) > 0) last = urlId;
  return last;
}

export function compareRanks(a: number, b: number): number {
  return rankOfPage(a) - rankOfPage(b) || a - b;
}

import type { StoredDocument } from '../../src/core/document.ts';
import type { IndexSource } from '../../src/search-index/index-writer.ts';

/** A store that is the same from the first to the last. */
export const identityOfTests = {
  identity: async () => ({ storeId: 'store', epoch: 'epoch' }),
  startEpoch: () => Promise.reject(new Error('the store of this test loses nothing')),
  markOf: async (seq: number) => seq,
};

/** A store of an engine as its index writer sees it: the latest state of each row, kept by the test. */
export function indexSourceOf(rows: ReadonlyMap<number, StoredDocument>): IndexSource {
  let generation = 0;
  const all = () => [...rows.values()].sort((a, b) => a.seq - b.seq);
  return {
    ...identityOfTests,
    lastSeq: async () => all().at(-1)?.seq ?? 0,
    countDocuments: async () => all().filter(({ deleted }) => !deleted).length,
    changesAfter: async (seq, limit) =>
      all()
        .filter((row) => row.seq > seq)
        .slice(0, limit.rows),
    liveRids: async (after, limit) => liveRids(rows.values(), after, limit),
    readDocuments: async (rids) => rids.map((rid) => (rows.get(rid)?.deleted === false ? rows.get(rid) : undefined)),
    indexGeneration: async () => generation,
    async claimGeneration(expected, next, publish) {
      if (generation !== expected) return false;
      await publish();
      generation = next;
      return true;
    },
  };
}

/** Rids of the rows that are not deleted, ascending after `after`. */
export function liveRids(rows: Iterable<StoredDocument>, after: number, limit: number): number[] {
  const live = [...rows].filter(({ rid, deleted }) => !deleted && rid > after).map(({ rid }) => rid);
  return live.sort((a, b) => a - b).slice(0, limit);
}

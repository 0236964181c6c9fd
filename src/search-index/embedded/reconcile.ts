import { startSegments } from './build-segments.ts';
import { hasBit, setBit } from './bytes/bitset.ts';
import { deleteRows } from './delete-rows.ts';
import type { WriterDeps } from './publish.ts';
import { catchUp } from './rebuild.ts';
import { type IndexState, mapRows } from './writer-state.ts';

/** Rids that one page lists, and documents that are read at once: bounds memory at the largest documents. */
const PAGE_RIDS = 10_000;
const READ_DOCUMENTS = 100;

/**
 * A draft made to hold what the source holds: rows that no segment has are indexed, rows that are gone are killed,
 * then the changes after the draft's `seq` are applied. Published by nobody. O(rows) bits of memory.
 */
export async function reconcile(
  deps: WriterDeps,
  draft: IndexState,
  nextNumber: () => number,
): Promise<{ readonly draft: IndexState; readonly added: number; readonly deleted: number }> {
  const building = startSegments(deps, draft, nextNumber);
  let live = new Uint32Array(1_024);
  let added = 0;
  for (let after = 0; ; ) {
    const rids = await deps.source.liveRids(after, PAGE_RIDS);
    const last = rids.at(-1);
    if (last === undefined) break;
    after = last;
    live = grown(live, last + 1);
    for (const rid of rids) setBit(live, rid);
    const missing = rids.filter((rid) => draft.rows.segmentOf(rid) === 0);
    for (let at = 0; at < missing.length; at += READ_DOCUMENTS) {
      const documents = await deps.source.readDocuments(missing.slice(at, at + READ_DOCUMENTS));
      const found = documents.filter((document) => document !== undefined);
      added += found.length;
      await building.add(found);
    }
  }
  const deletes = deleteRows(draft, goneRids(draft, live));
  for (const rid of deletes.rids) draft.rows.delete(rid);
  const segments = await building.finish();
  for (const segment of segments) mapRows(draft.rows, segment);
  const level = { ...draft, segments: [...deletes.segments, ...segments] };
  return { draft: await catchUp(deps, level, nextNumber), added, deleted: deletes.rids.length };
}

/** Live rows of the draft that the source does not have. */
function* goneRids({ segments }: IndexState, live: Uint32Array): Generator<number> {
  for (const segment of segments) {
    for (let d = 0; d < segment.documents; d++) {
      const rid = segment.rids[d]!;
      if (hasBit(segment.live, d) && (rid >= live.length * 32 || !hasBit(live, rid))) yield rid;
    }
  }
}

/** The bits with room for `count` of them. */
function grown(bits: Uint32Array<ArrayBuffer>, count: number): Uint32Array<ArrayBuffer> {
  if (count <= bits.length * 32) return bits;
  const larger = new Uint32Array(Math.max(bits.length * 2, (count + 31) >>> 5));
  larger.set(bits);
  return larger;
}
